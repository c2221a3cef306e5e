"""The readings of peers.py as a CSV file, and the page that is written from it.

`python3 -m experiments.term_rewriting.peers_table results/CPU/term_rewriting_peers.csv` writes term_rewriting_peers.md into the same folder.
"""

from __future__ import annotations

import csv
import io
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import chain
from pathlib import Path
from typing import TypeVar

from plots.atomic import write_text
from plots.markdown import table, wrapped

#: Readings of wide systems, in the folder of the other readings.
WIDE_SYSTEMS = "term_rewriting_wide_systems.csv"


@dataclass(frozen=True)
class Reading:
    """One run of one tool. Seconds are of rewriting alone; None where the tool does not report them."""

    run: int
    date: str
    commit: str
    cpu: str
    cores: int
    scheduling: str  # policy of Linux; fifo has priority over all other work of the machine
    load: float  # of the whole machine, mean over the minute before
    system: str
    round: int
    tool: str
    version: str
    after: str  # the tool that ran before
    rewrites: int
    processor_seconds: float | None
    elapsed_seconds: float | None


def to_csv(readings: Sequence[Reading]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(Reading)], lineterminator="\n")
    writer.writeheader()
    for reading in readings:
        writer.writerow({name: "" if value is None else value for name, value in asdict(reading).items()})
    return text.getvalue()


def from_csv(text: str) -> list[Reading]:
    def optional(value: str) -> float | None:
        return float(value) if value else None

    return [
        Reading(
            int(row["run"]),
            row["date"],
            row["commit"],
            row["cpu"],
            int(row["cores"]),
            row["scheduling"],
            float(row["load"]),
            row["system"],
            int(row["round"]),
            row["tool"],
            row["version"],
            row["after"],
            int(row["rewrites"]),
            optional(row["processor_seconds"]),
            optional(row["elapsed_seconds"]),
        )
        for row in csv.DictReader(io.StringIO(text))
    ]


Item = TypeVar("Item")


def distinct(values: Sequence[Item]) -> list[Item]:
    return list(dict.fromkeys(values))


Seconds = Callable[[Reading], float | None]


def processor(reading: Reading) -> float | None:
    return reading.processor_seconds


def elapsed(reading: Reading) -> float | None:
    return reading.elapsed_seconds


def seconds_of(readings: Sequence[Reading], seconds: Seconds) -> list[float]:
    return [value for value in map(seconds, readings) if value is not None]


def span(values: Sequence[float], digits: int = 3) -> str:
    """Median, smallest and largest value."""
    if not values:
        return "–"
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} .. {max(values):.{digits}f})"


@dataclass(frozen=True)
class Bar:
    """`tool` has to be at least `min_ratio` times as fast as `other`, by the same kind of seconds."""

    tool: str
    other: str
    min_ratio: float
    seconds: Seconds
    kind: str

    def ratios(self, readings: Sequence[Reading]) -> list[float]:
        """One ratio per round: its readings are seconds apart, and a shared machine has faster and slower minutes."""
        found = []
        for key in distinct([(reading.run, reading.round) for reading in readings]):
            own, other = (
                seconds_of([r for r in readings if (r.run, r.round) == key and r.tool == tool], self.seconds)
                for tool in (self.tool, self.other)
            )
            if own and other:
                found.append(other[0] / own[0])
        return found


BARS = (
    Bar("one_core", "OCaml", 0.5, processor, "processor time"),
    Bar("one_core", "Maude", 5.0, processor, "processor time"),
    Bar("all_cores", "one_core", 1.7, elapsed, "elapsed time"),
)


def after_maude(readings: Sequence[Reading]) -> tuple[str, str]:
    """Seconds of one_core straight after Maude, whose pages the host may have taken back, and after other tools."""
    own = [reading for reading in readings if reading.tool == "one_core"]
    after = seconds_of([reading for reading in own if reading.after == "Maude"], processor)
    others = seconds_of([reading for reading in own if reading.after != "Maude"], processor)
    return span(after), span(others)


def machine_of(readings: Sequence[Reading]) -> str:
    """The machine, the versions of the tools and how they were run."""
    first = readings[0]
    versions = distinct([reading.version for reading in readings if reading.version])
    policies = distinct([reading.scheduling for reading in readings])
    loads = [reading.load for reading in readings]
    runs, rounds = len({reading.run for reading in readings}), len({reading.round for reading in readings})
    return (
        f"Machine: {first.cores} cores of an {first.cpu}. Tools: {', '.join(versions)}. There are {runs} runs of {rounds} rounds. "
        f"The order of the tools changes every round. Scheduling policy: {' and '.join(policies)}. The load of the machine is "
        f"{min(loads):.0f} to {max(loads):.0f}."
    )


def seconds_table(readings: Sequence[Reading]) -> str:
    rows = []
    for system in distinct([reading.system for reading in readings]):
        own = [reading for reading in readings if reading.system == system]
        for tool in distinct([reading.tool for reading in own]):
            of_tool = [reading for reading in own if reading.tool == tool]
            times = seconds_of(of_tool, elapsed if tool == "all_cores" else processor)
            rate = of_tool[0].rewrites / statistics.median(times) / 1e6
            cells = [span(seconds_of(of_tool, processor)), span(seconds_of(of_tool, elapsed))]
            rows.append([system, tool, *cells, f"{rate:.0f}"])
    return table(["system", "tool", "processor time, s", "elapsed time, s", "M rewrites/s"], rows)


def ratio_table(readings: Sequence[Reading]) -> str:
    runs = sorted({reading.run for reading in readings})
    rows = []
    for system in distinct([reading.system for reading in readings]):
        for bar in BARS:
            ratios = [bar.ratios([r for r in readings if r.system == system and r.run == run]) for run in runs]
            if any(ratios):
                cells = [span(ratio, 2) for ratio in [*ratios, list(chain(*ratios))]]
                rows.append([system, f"{bar.tool} to {bar.other}, {bar.kind}", f"{bar.min_ratio:g}", *cells])
    return table(["system", "ratio", "at least", *(f"run {run}" for run in runs), "all"], rows)


def after_maude_table(readings: Sequence[Reading]) -> str:
    systems = distinct([reading.system for reading in readings])
    rows = [[system, *after_maude([r for r in readings if r.system == system])] for system in systems]
    return table(["system", "after Maude, s", "after another tool, s"], rows)


def wide_systems_table(text: str) -> str:
    """OCaml against one_core on wide systems, by medians of processor time."""
    rows = list(csv.DictReader(io.StringIO(text)))
    lines = []
    for system in distinct([row["system"] for row in rows]):
        seconds = {
            tool: [float(row["processor_seconds"]) for row in rows if (row["system"], row["tool"]) == (system, tool)]
            for tool in ("one_core", "OCaml")
        }
        ratio = statistics.median(seconds["OCaml"]) / statistics.median(seconds["one_core"])
        lines.append([system, *(span(found) for found in seconds.values()), f"{ratio:.2f}"])
    return table(["system", "one_core, s", "OCaml, s", "one_core to OCaml"], lines)


def page(readings: Sequence[Reading], wide_systems: str = "") -> str:
    """The page that is written from the readings, and from those of wide systems where they are given."""
    blocks = [
        "# Term rewriting compared with OCaml and Maude",
        wrapped(
            "[METHOD.md](../../experiments/term_rewriting/METHOD.md) describes the comparison. This page is generated from "
            "[term_rewriting_peers.csv](term_rewriting_peers.csv) by `python3 -m experiments.term_rewriting.peers_table`."
        ),
        wrapped(machine_of(readings)),
        "## Times",
        wrapped("Each cell has the median of all readings, and the smallest and the largest reading."),
        seconds_table(readings),
        "## Speed-ups",
        wrapped(
            "Rewrites per second of the first tool over those of the second, within each round: the median of each run, and "
            "the smallest and the largest ratio."
        ),
        ratio_table(readings),
        "## `one_core` straight after Maude",
        wrapped("Processor time:"),
        after_maude_table(readings),
    ]
    if wide_systems:
        blocks += [
            "## Wide systems",
            wrapped(f"Processor time, from [{WIDE_SYSTEMS}]({WIDE_SYSTEMS}); the tools run in turns:"),
            wide_systems_table(wide_systems),
        ]
    return "\n\n".join(blocks) + "\n"


def page_of(file: Path) -> str:
    wide = file.with_name(WIDE_SYSTEMS)
    return page(from_csv(file.read_text(encoding="utf-8")), wide.read_text(encoding="utf-8") if wide.is_file() else "")


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python3 -m experiments.term_rewriting.peers_table FILE.csv", file=sys.stderr)
        return 2
    file = Path(sys.argv[1])
    if not file.is_file():
        print(f"no {file} (no such file) Give the CSV file that peers.py --into wrote.", file=sys.stderr)
        return 2
    write_text(file.with_suffix(".md"), page_of(file))
    return 0


if __name__ == "__main__":
    sys.exit(main())
