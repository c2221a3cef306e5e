"""Emulated counters of the suite's programs beside those of a device, in three files of results/emulators.

The model of a GPU was made with the programs of device_counters.csv at hand; those of later_counters.csv were counted on a
device afterwards, and have led to further rules since. unseen_counters.csv has what the model counted for them before
that, and is not computed again.

A row is a counter of a program, summed over its kernels: requests and units (sectors of global memory, wavefronts of shared
memory, divergent branches) of a device, read by Nsight Compute, and of `lockstep emulate --counters`. The device's columns
come from a machine with a GPU; `lockstep suite --counters FILE` computes the emulated ones again.
"""

from __future__ import annotations

import csv
import io
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plots.atomic import write_text
from plots.errors import UserError
from plots.load import input_text
from processes.nsight import BRANCHES, LANES

NAME = "device_counters.csv"
LATER = "later_counters.csv"
UNSEEN = "unseen_counters.csv"
COLUMNS = "program,kernels,counter,device_requests,emulated_requests,device_units,emulated_units".split(",")
#: Issue 32 asks for equal counts of accesses, and for efficiencies within this share.
SHARE = 0.05

#: In the sums that `emulate --counters` prints: "global loads: 12 requests, 48 sectors", "branches: 9, 3 divergent".
COUNTED = re.compile(r"^ +([a-z ]+): (\d+)(?: requests)?, (\d+) (?:sectors|wavefronts|divergent)$", re.MULTILINE)
AVERAGE = re.compile(rf"^ +{LANES}: ([\d.]+)$", re.MULTILINE)


@dataclass(frozen=True)
class Counter:
    """A counter of a program. `units` of the lanes are None."""

    program: str
    kernels: int
    name: str
    device: tuple[float, int | None]
    emulated: tuple[float, int | None]

    @property
    def efficiencies(self) -> tuple[float, float]:
        """The device's and the emulated one: lanes of 32, or branches that are not divergent."""
        if self.name == LANES:
            return self.device[0] / 32, self.emulated[0] / 32
        return _uniform(self.device), _uniform(self.emulated)

    @property
    def is_close(self) -> bool:
        device, emulated = self.efficiencies
        return abs(emulated - device) <= SHARE * device


def _uniform(branches: tuple[float, int | None]) -> float:
    count, divergent = branches
    return 1 - (divergent or 0) / count if count else 1.0


def read(path: Path) -> list[Counter]:
    try:
        rows = list(csv.DictReader(io.StringIO(input_text(path, "name a table of counters"))))
        counters = [_counter(row) for row in rows]
        if not counters or list(rows[0]) != COLUMNS:
            raise ValueError
        return counters
    except (UnicodeDecodeError, KeyError, TypeError, ValueError, csv.Error):
        raise UserError(f"cannot use {path}", f"its columns are not {', '.join(COLUMNS)}", "correct it") from None


def _counter(row: Mapping[str, str]) -> Counter:
    units = [int(row[key]) if row[key] else None for key in ("device_units", "emulated_units")]
    requests = [float(row[key]) for key in ("device_requests", "emulated_requests")]
    counter = Counter(
        row["program"], int(row["kernels"]), row["counter"], (requests[0], units[0]), (requests[1], units[1])
    )
    if min(*requests, *(unit or 0 for unit in units)) < 0 or not requests[0]:
        raise ValueError
    return counter


def text_of(counters: Sequence[Counter]) -> str:
    lines = [",".join(COLUMNS)]
    for one in counters:
        pairs = zip(one.device, one.emulated)
        form = ".1f" if one.name == LANES else ".0f"
        cells = ["" if value is None else format(value, form) for pair in pairs for value in pair]
        lines.append(",".join([one.program, str(one.kernels), one.name, *cells]))
    return "\n".join(lines) + "\n"


def sums_of(printed: str) -> dict[str, tuple[float, int | None]]:
    """The counters of a run, from what `emulate --counters` prints."""
    sums = printed[printed.rfind("emulated sums") :] if "emulated sums" in printed else ""
    found: dict[str, tuple[float, int | None]] = {
        name: (int(count), int(units)) for name, count, units in COUNTED.findall(sums)
    }
    if average := AVERAGE.search(sums):
        found[LANES] = (float(average[1]), None)
    return found


def emulate_again(path: Path, commands: Mapping[str, tuple[Path, Sequence[str]]]) -> None:
    """Runs each program of the file, by its folder and the words of its call, and writes the emulated columns.

    Programs of other draws keep theirs. A program in which a check finds something, which makes the exit code 1, counts.
    """
    counters = read(path)
    programs = [program for program in dict.fromkeys(counter.program for counter in counters) if program in commands]
    if not programs:
        raise UserError(f"no program of {path} can be counted", "the draw has none of them", "choose --fixture")
    for program in programs:
        folder, words = commands[program]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace")
        sums = sums_of(done.stderr)
        if done.returncode not in (0, 1) or not sums:
            raise UserError(f"cannot count {program}", f"exit code {done.returncode}", "run it alone to see why")
        counters = [
            replace(one, emulated=sums.get(one.name, (0.0, 0))) if one.program == program else one for one in counters
        ]
    write_text(path, text_of(counters))


def section(path: Path) -> str:
    """The page's part about the programs that the model was made with."""
    head = [
        "",
        "## Counters beside a GPU's",
        "",
        f"[{NAME}]({NAME}) has the counters of programs of the suite beside those",
        "of a device (Nsight Compute). `./lockstep suite --counters` computes the emulated ones. Emulated",
        "counters of this tree's kernels are in [replications.csv](replications.csv). Equal are:",
    ]
    return "\n".join([*head, *comparison(read(path))]) + "\n"


def unseen_section(path: Path) -> str:
    """The page's part about what the model counted for programs that it was not made with."""
    counters = read(path)
    head = [
        "",
        "## Counters of unseen programs",
        "",
        f"The programs of [{UNSEEN}]({UNSEEN}) were counted on a device after the model",
        "was made, in a random order with a fixed seed. The file keeps what the model counted for them",
        "then. Equal were:",
    ]
    close = [f"{sum(one.is_close for one in those)} of {len(those)}" for those in _both(counters)]
    tail = [
        "",
        f"Within {SHARE:.0%} were the lanes per instruction of {close[0]} programs, and the branch efficiency of",
        f"{close[1]}.",
    ]
    return "\n".join([*head, *_equal(counters), *tail]) + "\n"


def later_section(path: Path) -> str:
    """The page's part about the same programs after they have led to rules."""
    head = [
        "",
        "## Counters of later programs",
        "",
        f"Then these programs led to further rules. [{LATER}]({LATER}) has what the",
        "model counts for them now. Equal are:",
    ]
    return "\n".join([*head, *comparison(read(path))]) + "\n"


def _both(counters: Sequence[Counter]) -> tuple[list[Counter], list[Counter]]:
    """Lanes and branches."""
    return [one for one in counters if one.name == LANES], [one for one in counters if one.name == BRANCHES]


def comparison(counters: Sequence[Counter], what: str = "program") -> list[str]:
    """Two tables: equal counters, and efficiencies. `what` the counters are of."""
    return [*_equal(counters), "", *_efficiencies(counters, what)]


def _equal(counters: Sequence[Counter]) -> list[str]:
    accesses = [counter for counter in counters if counter.name not in (LANES, BRANCHES)]
    lines = ["", "| counter | requests | sectors or wavefronts |", "| --- | --- | --- |"]
    for name in dict.fromkeys(counter.name for counter in accesses):
        those = [counter for counter in accesses if counter.name == name]
        equal = [sum(one.device[part] == one.emulated[part] for one in those) for part in (0, 1)]
        lines.append(f"| {name} | {equal[0]} of {len(those)} | {equal[1]} of {len(those)} |")
    return lines


def _efficiencies(counters: Sequence[Counter], what: str) -> list[str]:
    lanes, branches = ({one.program: one for one in those} for those in _both(counters))
    close = [f"{sum(one.is_close for one in those.values())} of {len(those)}" for those in (lanes, branches)]
    lines = [
        f"Within {SHARE:.0%} are the lanes per instruction of {close[0]} {what}s, and the branch efficiency (the",
        f"share of branches that are not divergent) of {close[1]}:",
        "",
        f"| {what} | lanes, GPU | lanes, emulated | branch efficiency, GPU | branch efficiency, emulated |",
        "| --- | --- | --- | --- | --- |",
    ]
    for program in lanes:
        device, emulated = branches[program].efficiencies if program in branches else (1.0, 1.0)
        one = lanes[program]
        cells = [f"{one.device[0]:.1f}", f"{one.emulated[0]:.1f}", f"{device:.1%}", f"{emulated:.1%}"]
        marked = [program + ("" if _all_close(program, lanes, branches) else " (differs)"), *cells]
        lines.append("| " + " | ".join(marked) + " |")
    return lines


def _all_close(program: str, *kinds: Mapping[str, Counter]) -> bool:
    return all(those[program].is_close for those in kinds if program in those)
