"""`lockstep shards`: lists complete sets of shards, missing shards, and whether sets equal the whole run."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from plots.errors import UserError
from plots.load import load
from plots.results import Case
from plots.shards import parts_of, whole_of


def run(results: Path, say: Callable[[str], None], as_json: bool = False) -> int:
    """Prints a line per experiment and number of shards, and a line per bad set. A bad set makes the exit code 1."""
    loaded = load(results)
    if not loaded.shard_sets:
        raise UserError(f"no shards in {results}", "every case ran whole", "run ./lockstep run EXPERIMENT --shard I/N")
    groups: dict[tuple[str, str, int], list[Case]] = {}
    for row in loaded.shard_sets:
        groups.setdefault((row.device.slug, row.experiment, parts_of(row)), []).append(row)
    bad, found = 0, []
    for (device, experiment, parts), rows in groups.items():
        refused = [row for row in rows if row.status == "refused"]
        good = [row for row in rows if row.status in ("ok", "not_timed")]
        equal = sum(_has_whole(row, loaded.cases) for row in good)
        taken = len(rows) - len(refused)
        wrong = [row for row in rows if row.status not in ("ok", "not_timed", "refused")]
        found.append(
            {
                "experiment": experiment,
                "device": device,
                "shards": parts,
                "cases": taken,
                "complete": len(good),
                "equal_to_the_whole_run": equal,
                "bad": [{"case": row.name, "status": row.status, "reason": row.reason} for row in wrong],
            }
        )
        if not as_json:
            say(
                f"{experiment} on {device} in {parts} shards: {len(good)} of {taken} cases complete, "
                f"{equal} with the digest of the whole run"
            )
            for row in wrong:
                say(f"  {row.name}: {row.status}, {row.reason}")
        bad += taken - len(good)
    if as_json:
        print(json.dumps(found, indent=1))
    return 1 if bad else 0


def _has_whole(row: Case, cases: Sequence[Case]) -> bool:
    """True if a whole run with a digest exists. If the digests differ, plots.shards has already marked the row."""
    whole = whole_of(row, cases)
    return bool(row.digest) and whole is not None and bool(whole.digest)
