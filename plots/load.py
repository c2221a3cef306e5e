"""Reads results/<device>/<experiment>.json: Google Benchmark's format with a list of cases.

This is the door: a file that does not fit results/schema.json is rejected here, and the code behind does not check its values.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from plots.axis_defaults import with_defaults
from plots.errors import UserError
from plots.escape import file_name
from plots.interval import Interval
from plots.results import Case, Device, Results
from plots.schema import SCHEMA_FILE, Misfit, check
from plots.shards import merge_shards, separate

SCHEMA = 2
#: Folders of results/ that are not devices.
NOT_DEVICES = ("published", "schematics", "expected", "emulators")


#: Bytes of a file. The largest committed one has 3 MB.
MOST_BYTES = 256 << 20
#: Brackets inside each other, as in harness/bench/json_text.hpp.
MOST_DEPTH = 64


#: Checks and the texts that passed them. A check takes longer than parsing, and a process reads some files again.
_passed: set[tuple[str, bytes]] = set()


def input_text(path: Path, advice: str = "name a file or folder of results") -> str:
    """The text of a file that a user names, which may be a device or have no end. Bytes that are no text: ValueError."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode):
            raise UserError(f"cannot read {path}", "it is not a regular file", advice)
        if state.st_size > MOST_BYTES:
            why = f"it has {state.st_size >> 20} MiB, more than {MOST_BYTES >> 20}"
            raise UserError(f"cannot read {path}", why, advice)
        return path.read_text(encoding="utf-8-sig")  # the program skips a byte order mark, too
    except OSError as error:
        raise UserError(f"cannot read {path}", error.strerror or "no reason given", advice) from None


def read_json(path: Path) -> dict[str, Any]:
    return document_and_digest(path)[0]


def document_and_digest(path: Path) -> tuple[dict[str, Any], bytes]:
    """The document, and the SHA-256 digest of its text."""
    try:
        text = input_text(path)
        document = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise UserError(f"{path} is not JSON", where, "run the experiment again") from None
    except RecursionError:
        raise UserError(f"{path} is not JSON", "it is nested too deeply", "run the experiment again") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not JSON", f"byte {error.start} is not UTF-8", "run the experiment again") from None
    except ValueError as error:
        raise UserError(f"{path} is not JSON", str(error).partition(";")[0], "run the experiment again") from None
    digest = hashlib.sha256(text.encode()).digest()
    if ("depth", digest) not in _passed and _is_deeper(document, MOST_DEPTH):
        raise UserError(f"{path} is not JSON", "it is nested too deeply", "run the experiment again")
    _passed.add(("depth", digest))
    if not isinstance(document, dict):
        raise UserError(f"{path} has no results", "its top level is not an object", "run the experiment again")
    return document, digest


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number")


def _is_deeper(document: Any, depth: int) -> bool:
    """Whether more brackets are inside each other than this."""
    level = [document]
    for _ in range(depth):
        level = [inner for value in level for inner in _inside(value)]
    return any(isinstance(value, (dict, list)) for value in level)


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def checked(
    path: Path, document: dict[str, Any], digest: bytes, part: str = "", again: str = "run the experiment again"
) -> None:
    """Raises UserError, in one line, if the document of this file does not fit the schema or this part of it."""
    if (part, digest) in _passed:
        return
    try:
        check(document, part)
        for index, row in enumerate(() if part else document["cases"]):
            _agrees(row, f"cases[{index}]")
    except Misfit as misfit:
        raise UserError(f"{path} has a row that does not fit", str(misfit), again) from None
    _passed.add((part, digest))


def _agrees(row: Mapping[str, Any], where: str) -> None:
    """What a schema cannot say: two values of a row that must go together."""
    index, _, count = str(row.get("shard") or "0/1").partition("/")
    if int(index) >= int(count):
        raise Misfit("has an index that is not below the number of shards").inside(f"{where}.shard")
    if row["machine"] == "any" and row["role"] != "peer":
        raise Misfit("is any, which only a peer that was not run may have").inside(f"{where}.machine")


def read_results(path: Path, again: str = "run the experiment again") -> dict[str, Any]:
    """The document of a results file that fits the schema. `again` says what to do with a file that does not."""
    document, digest = document_and_digest(path)
    context = document.get("context")
    schema = context.get("lockstep_schema") if isinstance(context, dict) else None
    if schema != SCHEMA or isinstance(schema, bool):
        found = "none" if schema is None else str(schema)[:60]
        advice = f"run ./lockstep migrate {path}" if schema == 1 else again
        raise UserError(f"{path} has results of another schema", f"found {found}, this program reads {SCHEMA}", advice)
    checked(path, document, digest, again=again)
    return document


def load_file(path: Path) -> list[Case]:
    document = read_results(path)
    device = _device(document["context"], path.parent.name)
    return [_case(device, row, document["context"]) for row in document["cases"]]


def _device(context: Mapping[str, Any], folder: str) -> Device:
    attributes = dict(context.get("device") or {})
    slug = str(attributes.get("slug") or file_name(folder))
    name = re.sub(r"\((?:R|TM)\)", "", str(attributes.get("name") or slug), flags=re.IGNORECASE)
    return Device(
        slug, name, str(attributes.get("machine") or "cpu"), False, attributes, dict(context.get("limits") or {})
    )


def _case(device: Device, row: Mapping[str, Any], context: Mapping[str, Any]) -> Case:
    time = row.get("time") or {}
    timed = row["status"] == "ok" and time.get("median") is not None
    return Case(
        device=device,
        experiment=str(row["experiment"]),
        variant=str(row["variant"]),
        role=str(row["role"]),
        machine=str(row["machine"]),
        axes={str(name): str(value) for name, value in row["axes"].items()},
        status=str(row["status"]),
        reason=_folded(row.get("reason")),
        name=str(row["name"]),
        seed=str(row.get("seed", "")),
        digest=str(row.get("digest") or ""),
        sweeps=tuple(row.get("sweeps") or ()),
        item=str(row.get("item") or "items"),
        items=float(row.get("items") or 0),
        bytes=float(row.get("bytes") or 0),
        operations=float(row.get("operations") or 0),
        time=_interval(time) if timed else None,
        extrapolated=bool(row.get("extrapolated")),
        cache=str(row.get("cache") or ""),
        kernels=tuple(row.get("kernels") or ()),
        metrics=_numbers(row["metrics"]) | _numbers(row["measurements"]),
        measurements=frozenset(row["measurements"]),
        provenance={**context, **{key: row.get(key) for key in ROW_PROVENANCE}},
        verified=_folded(row.get("verified")),
        timer=str(row.get("timer") or ""),
        noise=_number(row.get("noise")),
        clock=row.get("clock"),
        cycles=_number(row.get("cycles")),
        repetitions=int(row.get("repetitions") or 0),
        discarded_samples=int(row.get("discarded_samples") or 0),
        scope=str(row.get("scope") or "device"),
        start=str(row.get("start") or ""),
        version=_folded(row.get("version")),
        note=_folded(row.get("note")),
    )


def _folded(text: str | None) -> str:
    """A text as one line: a compiler's message, for instance, has several."""
    return " ".join((text or "").split())


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _numbers(metrics: Mapping[str, Any]) -> dict[str, float]:
    return {str(name): float(value) for name, value in metrics.items() if value is not None}


ROW_PROVENANCE = (
    "commit",
    "counters_commit",
    "dirty",
    "publishable",
    "date",
    "command",
    "shard",
    "units",
    "first_unit",
    "verified_units",
    "units_total",
    "repetitions",
    "launches_per_sample",
    "reference",
)


def _interval(time: Mapping[str, Any]) -> Interval:
    median = float(time["median"])
    low, high = time.get("low"), time.get("high")
    return Interval(
        median,
        min(median, float(low if low is not None else median)),
        max(median, float(high if high is not None else median)),
    )


def result_files(root: Path) -> Iterator[Path]:
    """The files of a device folder, or of all device folders in a results folder."""
    if not root.is_dir():
        raise UserError(
            f"no folder {root}", "there is nothing to read", "run an experiment first: ./lockstep run EXPERIMENT"
        )
    yield from (path for path in sorted(root.glob("*.json")) if path.name != SCHEMA_FILE.name)
    for folder in sorted(path for path in root.iterdir() if path.is_dir() and path.name not in NOT_DEVICES):
        yield from sorted(folder.glob("*.json"))


def load(root: Path) -> Results:
    """All results under a folder. A device takes its limits from the file that has most of them."""
    rows = with_defaults(case for path in result_files(root) for case in load_file(path))
    peers = [case for case in rows if case.role == "peer"]
    whole_runs = [case for case in rows if case.role != "peer" and case.scope == "end_to_end"]
    cases, sets = separate(merge_shards(case for case in rows if case.role != "peer" and case.scope != "end_to_end"))
    devices: dict[str, Device] = {}
    for case in cases:
        known = devices.get(case.device.slug)
        if known is None or len(case.device.limits) > len(known.limits):
            devices[case.device.slug] = case.device
    order = sorted(devices.values(), key=lambda device: (not device.has_gpu, device.name))
    return Results(tuple(cases), tuple(order), tuple(sets), tuple(peers), tuple(whole_runs))
