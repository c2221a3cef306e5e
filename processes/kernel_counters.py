"""`lockstep counters`: counters of this tree's kernels, emulated and of a device, in two files of results/emulators.

nvcc compiles the programs of tests/counters/ for Nsight Compute (nsight.py), and `lockstep emulate --counters` for the
emulator. The results of a case are equal on both machines.
"""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from plots.atomic import write_text
from plots.errors import UserError
from plots.load import input_text
from plots.reproduce import binary
from processes import device_counters
from processes.device_counters import Counter
from processes.nsight import COLUMNS, LANES, METRICS, PRINTED, ROOT, Counted, chosen, count_on_device, text_of

EMULATED = "kernels_emulated.csv"
DEVICE = "kernels_device.csv"


def run(on_device: bool, only: Sequence[str], out: Path) -> int:
    if on_device:
        return count_on_device(only, out)
    return emulate_all(binary(), only, out)


def emulate(program: Path, experiment: str, case: str) -> Counted:
    """Runs a case in the emulator, with checks: a finding is a mistake."""
    words = [str(program), "emulate", "--counters", f"tests/counters/{experiment}.cu", "-I", ".", "--", case]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, errors="replace")
    sums = device_counters.sums_of(done.stderr)
    printed = PRINTED.findall(done.stdout)
    if done.returncode != 0 or not sums or [name for name, *_ in printed] != [case]:
        raise UserError(f"cannot count {experiment} {case}", f"exit code {done.returncode}", "run it alone to see why")
    return Counted(experiment, case, int(printed[0][1]), printed[0][2], sums)


def emulate_all(program: Path, only: Sequence[str], out: Path) -> int:
    counted = []
    for experiment, cases in chosen(only).items():
        for case in cases:
            print(f"{experiment} {case}", file=sys.stderr, flush=True)
            counted.append(emulate(program, experiment, case))
    write_text(out, text_of(counted))
    return 0


def read(path: Path) -> list[Counted]:
    try:
        rows = list(csv.DictReader(io.StringIO(input_text(path, "name a table of counters"))))
        if not rows or list(rows[0]) != COLUMNS:
            raise ValueError
        sums: dict[tuple[str, str, int, str], dict[str, tuple[float, int | None]]] = {}
        for row in rows:
            case = (row["experiment"], row["kernel"], int(row["launches"]), row["digest"])
            of_case = sums.setdefault(case, {})
            of_case[row["counter"]] = (float(row["requests"]), int(row["units"]) if row["units"] else None)
        return [Counted(*case, of_case) for case, of_case in sums.items()]
    except (UnicodeDecodeError, KeyError, TypeError, ValueError, csv.Error):
        raise UserError(f"cannot use {path}", f"its columns are not {', '.join(COLUMNS)}", "correct it") from None


def beside(device: Sequence[Counted], emulated: Sequence[Counted]) -> list[Counter]:
    """The counters of the cases that were counted on both machines; a counter that one of them lacks is 0 there."""
    there = {one.name: one for one in device}
    return [counter for one in emulated if one.name in there for counter in _counters(there[one.name], one)]


def _counters(device: Counted, emulated: Counted) -> Iterator[Counter]:
    nothing = (0.0, 0)
    for name in (*METRICS, LANES):
        if name in device.sums or name in emulated.sums:
            pair = device.sums.get(name, nothing), emulated.sums.get(name, nothing)
            yield Counter(" ".join(emulated.name), emulated.launches, name, *pair)


def section(folder: Path) -> str:
    """The page's part about this tree's kernels; empty until a device has counted them."""
    if not ((folder / DEVICE).exists() and (folder / EMULATED).exists()):
        return ""
    device, emulated = read(folder / DEVICE), read(folder / EMULATED)
    counters = beside(device, emulated)
    digests = {one.name: one.digest for one in emulated}
    same = sum(digests.get(one.name) == one.digest for one in device)
    head = [
        "",
        "## Counters of this tree's kernels",
        "",
        f"[{DEVICE}]({DEVICE}) has the counters of small cases of the five",
        f"experiments' kernels, read by Nsight Compute, and [{EMULATED}]({EMULATED})",
        "the emulated ones. The cases are in `tests/counters/`; `./lockstep counters` counts them. The",
        f"results of {same} of {len(device)} cases are equal on both, bit for bit. Equal are:",
    ]
    return "\n".join([*head, *device_counters.comparison(counters, "kernel")]) + "\n"
