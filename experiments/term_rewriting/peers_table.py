"""What peers.py measured: its rows, and the part of README.md that is written from them.

`python3 -m experiments.term_rewriting.peers_table results/CPU/term_rewriting_peers.csv` writes that part.
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

README = Path(__file__).parent / "README.md"
BEGIN = "<!-- beside OCaml and Maude: written by experiments.term_rewriting.peers_table -->"
END = "<!-- end of beside OCaml and Maude -->"


@dataclass(frozen=True)
class Reading:
    """One run of one tool. Seconds are of rewriting alone; a tool that does not say one of them has None."""

    run: int
    date: str
    commit: str
    cpu: str
    cores: int
    scheduling: str  # policy of Linux: fifo goes before whatever else the machine does
    load: float  # mean over the minute before, of the whole machine
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
    """Median and extremes."""
    if not values:
        return "–"
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} .. {max(values):.{digits}f})"


@dataclass(frozen=True)
class Bar:
    """`tool` has to take at most 1 / `least` of what `other` takes, of the same kind of seconds."""

    tool: str
    other: str
    least: float
    seconds: Seconds
    kind: str

    def ratios(self, readings: Sequence[Reading]) -> list[float]:
        """Of each round: its readings are seconds apart, and a machine that others use has faster and slower minutes."""
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


def cold(readings: Sequence[Reading]) -> str:
    """What it costs a tool to come after Maude, which leaves pages that the host may have taken back."""
    own = [reading for reading in readings if reading.tool == "one_core"]
    after = seconds_of([reading for reading in own if reading.after == "Maude"], processor)
    others = seconds_of([reading for reading in own if reading.after != "Maude"], processor)
    return f"{span(after)} | {span(others)}"


def written(readings: Sequence[Reading]) -> str:
    """The part of README.md between the marks."""
    first = readings[0]
    systems = distinct([reading.system for reading in readings])
    runs = sorted({reading.run for reading in readings})
    versions = distinct([reading.version for reading in readings if reading.version])
    policies = distinct([reading.scheduling for reading in readings])
    loads = [reading.load for reading in readings]
    rounds = len({reading.round for reading in readings})
    lines = [
        f"{first.cores} cores of an {first.cpu}; {', '.join(versions)}; {len(runs)} runs of {rounds} rounds, the tools in an order that "
        f"changes every round, scheduled {' and '.join(policies)}, the machine's load {min(loads):.0f} to {max(loads):.0f}.",
        "Seconds, median (least .. most) of all readings:",
        "",
        "| system | tool | processor time | elapsed | M rewrites/s |",
        "| --- | --- | --- | --- | --- |",
    ]
    for system in systems:
        own = [reading for reading in readings if reading.system == system]
        for tool in distinct([reading.tool for reading in own]):
            of_tool = [reading for reading in own if reading.tool == tool]
            times = seconds_of(of_tool, elapsed if tool == "all_cores" else processor)
            rate = of_tool[0].rewrites / statistics.median(times) / 1e6
            lines.append(
                f"| {system} | {tool} | {span(seconds_of(of_tool, processor))} |"
                f" {span(seconds_of(of_tool, elapsed))} | {rate:.0f} |"
            )
    lines += [
        "",
        "Times as many rewrites a second, within each round, median (least .. most) of each run:",
        "",
        "| system | | at least | " + " | ".join(f"run {run}" for run in runs) + " | all |",
        "| --- | --- | --- | " + " | ".join("---" for _ in runs) + " | --- |",
    ]
    for system in systems:
        for bar in BARS:
            ratios = [bar.ratios([r for r in readings if r.system == system and r.run == run]) for run in runs]
            if any(ratios):
                cells = " | ".join(span(ratio, 2) for ratio in [*ratios, list(chain(*ratios))])
                lines.append(f"| {system} | {bar.tool} to {bar.other}, {bar.kind} | {bar.least:g} | {cells} |")
    lines += [
        "",
        "`one_core` straight after Maude and after another tool, processor time:",
        "",
        "| system | after Maude | after another |",
        "| --- | --- | --- |",
    ]
    lines += [f"| {system} | {cold([r for r in readings if r.system == system])} |" for system in systems]
    return "\n".join(lines)


def with_written(page: str, text: str) -> str:
    before, rest = page.split(BEGIN, 1)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.split(END, 1)[1]}"


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python3 -m experiments.term_rewriting.peers_table FILE.csv", file=sys.stderr)
        return 2
    readings = from_csv(Path(sys.argv[1]).read_text())
    write_text(README, with_written(README.read_text(), written(readings)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
