"""The page of `lockstep emulators`: results/emulators/README.md, written from the rows and counters beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plots.errors import UserError
from plots.escape import markdown
from plots.load import read_results
from plots.units import digits
from processes import device_counters, kernel_counters, refused
from processes.emulator_tools import TOOLS

FOLDER = "emulators"
ROWS = "rows.json"
PAGE = "README.md"

HEAD = """# Our emulator beside other tools

`./lockstep emulators` writes this page from {rows}; do not edit it. Each number is
the time of one CPU core per operation of a lane, in nanoseconds: the fastest of {samples} samples. The
tools take turns. Blocks have {block} lanes. The kernels are in `tests/harness/simt/speed/emulators/`.
Every result equals that of plain loops, bit for bit.

Measured on {host}.
{load}

"""

FOOT = """
`SharedArray` checks shared memory in every build. Both columns before the hooks check masks,
barriers and collectives; the hooks check every access, also for races. HIP-CPU and PoCL check
nothing. Plain loops show what the compiler makes of the work without lanes.
"""


def page(path: Path) -> str:
    document = read_results(path, "run ./lockstep emulators")
    rows: Sequence[Mapping[str, Any]] = document["cases"]
    if not rows or not all(map(_is_usable, rows)):
        raise UserError(f"cannot use {path}", "its rows are not those of ./lockstep emulators", "run it again")
    timed = [row for row in rows if row.get("time")]
    samples = sorted({row["repetitions"] for row in timed})
    block = sorted({row["axes"]["block"] for row in rows})
    head = HEAD.format(
        rows=f"[{ROWS}]({ROWS})",
        samples=" or ".join(map(str, samples)) or "0",
        block=" or ".join(block),
        host=_host(document["context"], rows),
        load=_load(timed),
    )
    counters = path.parent / device_counters.NAME
    beside = device_counters.section(counters) if counters.exists() else ""
    unseen = path.parent / device_counters.UNSEEN
    beside += device_counters.unseen_section(unseen) if unseen.exists() else ""
    later = path.parent / device_counters.LATER
    beside += device_counters.later_section(later) if later.exists() else ""
    beside += kernel_counters.section(path.parent)
    scanned = path.parent / refused.NAME
    texts = refused.section(scanned) if scanned.exists() else ""
    return head + _table(rows) + FOOT + _reasons(rows) + beside + texts


def _is_usable(row: Mapping[str, Any]) -> bool:
    """The schema of results says what any row has. These rows have more."""
    axes, time = row["axes"], row.get("time")
    texts = (axes.get("kernel"), axes.get("block"), row.get("item"), row.get("reason"))
    numbers = [row.get("items")]
    if time:
        numbers += [time.get("minimum"), row.get("repetitions"), row.get("measurements", {}).get("load", 0) + 1]
    return (
        row.get("experiment") == "emulators"
        and all(isinstance(text, str) for text in texts)
        and all(isinstance(number, (int, float)) and 0 < number < math.inf for number in numbers)
    )


def _host(context: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    cpu = context.get("cpu") or {}
    days = sorted({str(row.get("date") or "")[:10] for row in rows})
    return f"{markdown(str(cpu.get('name', 'an unknown CPU')))} with {cpu.get('threads', '?')} threads, {days[-1]}"


def _load(timed: Sequence[Mapping[str, Any]]) -> str:
    load = max((float(row["measurements"].get("load", 0)) for row in timed), default=0.0)
    return f"The load average of the machine was at most {digits(load, 2)}; the tools themselves make 1."


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    tools = [tool for tool in TOOLS if any(row["variant"] == tool.name for row in rows)]
    lines = [
        "| operation | " + " | ".join(tool.title for tool in tools) + " |",
        "| --- |" + " --- |" * len(tools),
    ]
    for kernel in dict.fromkeys(row["axes"]["kernel"] for row in rows):
        mine = {row["variant"]: row for row in rows if row["axes"]["kernel"] == kernel}
        operation = next(iter(mine.values()))["item"]
        cells = [_cell(mine.get(tool.name)) for tool in tools]
        lines.append(f"| {markdown(operation)} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _cell(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return ""
    if not row.get("time"):
        return str(row["status"])
    return digits(row["time"]["minimum"] / row["items"] * 1e9, 3)


def _reasons(rows: Sequence[Mapping[str, Any]]) -> str:
    """Versions, and why a cell has no time; a reason that all kernels share is told once."""
    titles = {tool.name: tool.title for tool in TOOLS}
    lines = [f"- {titles.get(name, name)}: {version}" for name, version in _versions(rows).items()]
    reasons: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row["reason"]:
            reasons.setdefault((row["variant"], row["reason"]), []).append(row["axes"]["kernel"])
    kernels = {row["axes"]["kernel"] for row in rows}
    for (name, reason), those in reasons.items():
        what = "all kernels" if set(those) == kernels else ", ".join(f"`{kernel}`" for kernel in those)
        lines.append(f"- {titles.get(name, name)}, {what}: {markdown(reason)}.")
    return "\n" + "\n".join(lines) + "\n"


def _versions(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {row["variant"]: markdown(row["version"]) for row in rows if row.get("version")}
