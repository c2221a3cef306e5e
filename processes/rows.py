"""Rows of foreign programs and of whole runs, in files of schema 2: results/<device>/<experiment>.<kind>.json."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from plots.atomic import locked, write_text
from plots.errors import UserError
from plots.load import read_results
from processes.driver import Reading
from processes.program import Described
from processes.sampling import LEAST, Summary, summarize

Row = dict[str, Any]
TIMERS = ("events", "steady clock")
#: The fewest samples of a row of another program, on any machine. `sample` takes more where the noise asks for them.
FEWEST = LEAST["cuda"]
#: Copied from the context into each row, because rows of several runs share a file.
PROVENANCE = ("commit", "dirty", "publishable")


def row_name(experiment: Described, variant: str, machine: str, axes: Mapping[str, str], start: str = "") -> str:
    """The name of a case as the program writes it, with the kind of start as a last part."""
    parts = [f"{name}:{value}" for name, value in experiment.differing(axes).items()]
    return "/".join([experiment.name, variant, machine, *parts, *([f"start:{start}"] if start else [])])


def peer_row(experiment: Described, reading: Reading, driver: str) -> Row:
    """A timed row. Raises UserError if the reading names no axis of ours, has too few samples or was not checked."""
    _check(reading)
    axes = experiment.axes(reading.axes)
    name = row_name(experiment, reading.variant, reading.machine, axes)
    verified = reading.verified if reading.verified.startswith("own check: ") else f"own check: {reading.verified}"
    return _row(experiment, name, reading.variant, "peer", reading.machine, axes, "device") | {
        "peer": driver,
        "version": reading.version,
        "note": reading.note,
        "verified": verified,
        **timing(reading.seconds, reading.timer),
        "items": float(reading.items),
    }


def refused_row(experiment: Described, driver: str, status: str, reason: str) -> Row:
    """What stands in the file for a peer that was not measured: status `refused` if it cannot be, `failed` if it broke."""
    name = f"{experiment.name}/{driver}/{status}"
    axes = dict(sorted(experiment.defaults.items()))
    return _row(experiment, name, driver, "peer", "any", axes, "device") | {
        "peer": driver,
        "status": status,
        "reason": " ".join(reason.split()),
    }


def run_row(experiment: Described, variant: str, machine: str, axes: Mapping[str, str], start: str, tool: str) -> Row:
    """A row of a tool's whole run, without a time yet."""
    name = row_name(experiment, variant, machine, axes, start)
    return _row(experiment, name, variant, "ours", machine, axes, "end_to_end") | {"start": start, "tool": tool}


def timing(seconds: Sequence[float], timer: str) -> Row:
    """The fields of a time. Clock and cycles are of our own kernels only."""
    summary = summarize(seconds)
    return {
        "status": "ok",
        "timer": timer,
        "launches_per_sample": 1,
        "repetitions": summary.count,
        "discarded_samples": 0,
        "noise": summary.noise,
        "time": time_of(summary),
    }


def time_of(summary: Summary) -> Row:
    values = asdict(summary)
    del values["count"]
    return values | {"cv": summary.sigma / summary.mean if summary.mean > 0 else None}


def _row(
    experiment: Described, name: str, variant: str, role: str, machine: str, axes: Mapping[str, str], scope: str
) -> Row:
    return {
        "name": name,
        "experiment": experiment.name,
        "variant": variant,
        "role": role,
        "machine": machine,
        "axes": dict(axes),
        "scope": scope,
        "sweeps": [],
        "shard": "0/1",
        "status": "not_timed",
        "reason": "",
        "digest": None,
        "item": experiment.item,
        "items": 0.0,
        "bytes": 0.0,
        "operations": 0.0,
        "repetitions": 0,
        "time": None,
        "extrapolated": False,
        "kernels": [],
        "metrics": {},
        "measurements": {},
        "cache": "hot",
        "clock": None,
        "cycles": None,
    }


def _check(reading: Reading) -> None:
    name = reading.variant or "a reading without a name"
    problems = {
        f"its machine is {reading.machine}, not cpu or cuda": reading.machine in LEAST,
        f"its timer is {reading.timer}, not {' or '.join(TIMERS)}": reading.timer in TIMERS,
        f"it has {len(reading.seconds)} samples, a row needs {FEWEST}": len(reading.seconds) >= FEWEST,
        "it says not what was checked": bool(reading.verified.strip()),
        "it says not which version ran": bool(reading.version.strip()),
        "a time is not above 0": all(value > 0 for value in reading.seconds),
        "it counts no items": reading.items > 0,
    }
    wrong = [text for text, good in problems.items() if not good]
    if wrong:
        raise UserError(f"cannot use a reading of {name}", "; ".join(wrong), "correct the driver")


@dataclass
class RowFile:
    """A results file that is written after each row, so that a stopped run keeps what it measured."""

    path: Path
    context: Mapping[str, Any]
    command: str
    rows: list[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.read()

    def read(self) -> None:
        if not self.path.exists():
            return
        self.rows = list(read_results(self.path, "move it away or name another file or folder")["cases"])

    def put(self, row: Row) -> None:
        """Adds the row, or replaces the row of its name."""
        stamped = row | {key: self.context.get(key) for key in PROVENANCE}
        stamped |= {"date": datetime.now(timezone.utc).isoformat(timespec="seconds"), "command": self.command}
        with locked(self.path):
            self.read()  # another process may have added rows
            self.rows = [known for known in self.rows if known["name"] != row["name"]] + [stamped]
            self.write()

    def remove(self, names: set[str]) -> None:
        if not any(row["name"] in names for row in self.rows):
            return
        with locked(self.path):
            self.read()
            self.rows = [row for row in self.rows if row["name"] not in names]
            self.write()

    def write(self) -> None:
        context = dict(self.context) | {"command": self.command}
        cases = ",\n".join(json.dumps(row) for row in self.rows)
        head = json.dumps(context, indent=2)
        write_text(self.path, f'{{\n"context": {head},\n"benchmarks": [\n],\n"cases": [\n{cases}\n]\n}}\n')


def file_of(context: Mapping[str, Any], out: Path, experiment: str, kind: str, command: str) -> RowFile:
    return RowFile(out / str(context["device"]["slug"]) / f"{experiment}.{kind}.json", context, command)
