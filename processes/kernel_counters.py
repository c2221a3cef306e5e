"""`lockstep counters`: counters of this tree's kernels, emulated and of a device, in files of results/emulators.

nvcc compiles the programs of tests/counters/ for Nsight Compute (nsight.py), and `lockstep emulate --counters` for the
emulator. The results of a case are equal on both machines.
"""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from plots.atomic import write_text
from plots.errors import UserError
from plots.load import input_text
from plots.reproduce import binary
from processes import device_counters
from processes.device_counters import Counter
from processes.nsight import BRANCHES, COLUMNS, LANES, METRICS, PRINTED, ROOT, Counted, chosen, count_on_device, text_of

EMULATED = "kernels_emulated.csv"
DEVICE = "kernels_device.csv"
AGAIN = "kernels_device_again.csv"  #: another run on the device, which tells what a run does not repeat
#: Passes of shared memory are counted in a pipe that repeats a few of them.
SHARE_OF_PASSES = 0.01

CONFLICT_FREE = "requests are equal and have no conflicts; the device counts a few passes more"
#: Why the counters of a case differ, from nvcc's SASS (sm_90) beside the accesses and branches that are emulated.
REASONS: Mapping[tuple[str, str], str] = {
    ("object_layout switch-structures", "global loads"): (
        "nvcc keeps an agent's street over the store to its progress, and loads it again where the agent turns"
    ),
    ("random_grids threadwise", BRANCHES): (
        "nvcc branches where the host's compiler computes both values and selects one; and the back edge of the outer "
        "loop is taken for an EXIT, because the kernel returns behind it"
    ),
    ("random_grids threadwise-shared", "shared stores"): CONFLICT_FREE,
    ("random_grids dense-warp", "shared stores"): CONFLICT_FREE,
    ("replications threads-walk", BRANCHES): (
        "one case of the switch over four directions and its jump are predicated, and the loop is unrolled by 2"
    ),
    ("replications cooperative-warp-walk", "global loads"): (
        "nvcc joins members of a struct (`LDG.64`), keeps one over stores to shared memory, compares two one by one, "
        "and copies no struct"
    ),
    ("term_rewriting collect", LANES): (
        "a local table is a chain of predicated moves, lanes that add to one word are counted before (`VOTE`, `POPC`, "
        "`SHFL`), and a loop has code for groups of four rounds and for the rest"
    ),
}


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


def differing(counter: Counter, again: Counter, share: float = 0.0) -> bool:
    """Whether the emulated counter is not that of the device: not between its two runs, but for `share` of passes."""
    if counter.name in (LANES, BRANCHES):
        return not counter.is_close
    runs, passes = (counter.device, again.device), counter.name.startswith("shared")
    for part in (0, 1):
        of_runs = sorted(run[part] or 0 for run in runs)
        extra = share * of_runs[1] if passes and part == 1 else 0
        if not of_runs[0] - extra <= (counter.emulated[part] or 0) <= of_runs[1] + extra:
            return True
    return False


def agreement(counters: Sequence[Counter], again: Sequence[Counter]) -> list[str]:
    """How many cases agree in all of their counters, and in which the others differ."""
    others = {(one.program, one.name): one for one in again}
    pairs = [(one, others.get((one.program, one.name), one)) for one in counters]
    names = list(dict.fromkeys(one.program for one in counters))
    kinds: dict[float, dict[str, list[str]]] = {share: {name: [] for name in names} for share in (0.0, SHARE_OF_PASSES)}
    for share, found in kinds.items():
        for one, other in pairs:
            if differing(one, other, share):
                found[one.program].append(one.name)
    strict, kind = ([name for name in names if not found[name]] for found in kinds.values())
    varying = [f"{name} of {case}" for case, name in _varying(pairs)]
    lines = [
        "",
        f"In all counters agree {len(strict)} of {len(names)} kernels: accesses are equal, and both efficiencies are",
        f"within {device_counters.SHARE:.0%}. They are {len(kind)} if passes of shared memory (wavefronts), of which a device",
        f"repeats a few, are taken for equal within {SHARE_OF_PASSES:.0%}.",
    ]
    if varying:
        lines += [
            f"A second run of the device ([{AGAIN}]({AGAIN}))",
            "counted these otherwise; what lies between both runs counts as equal:",
            "",
            *(f"- {one}" for one in varying),
        ]
    lines += ["", "| kernel | differs in | why |", "| --- | --- | --- |"]
    for name, those in kinds[0.0].items():
        if those:
            reasons = [REASONS[name, one] for one in those if (name, one) in REASONS]
            lines.append(f"| {name} | {', '.join(those)} | {'; '.join(reasons)} |")
    return lines


def _varying(pairs: Sequence[tuple[Counter, Counter]]) -> list[tuple[str, str]]:
    return [(one.program, one.name) for one, other in pairs if one.name != LANES and one.device != other.device]


def section(folder: Path) -> str:
    """The page's part about this tree's kernels; empty until a device has counted them."""
    if not ((folder / DEVICE).exists() and (folder / EMULATED).exists()):
        return ""
    device, emulated = read(folder / DEVICE), read(folder / EMULATED)
    counters = beside(device, emulated)
    again = beside(read(folder / AGAIN), emulated) if (folder / AGAIN).exists() else counters
    digests = {one.name: one.digest for one in emulated}
    same = sum(digests.get(one.name) == one.digest for one in device)
    head = [
        "",
        "## Counters of this tree's kernels",
        "",
        f"[{DEVICE}]({DEVICE}) has the counters of small cases of the five",
        f"experiments' kernels, read by Nsight Compute, and [{EMULATED}]({EMULATED})",
        "the emulated ones. The cases are in `tests/counters/`; `./lockstep counters` counts them. The",
        f"results of {same} of {len(device)} cases are equal on both, bit for bit.",
    ]
    lines = [*head, *agreement(counters, again), "", "Equal are:"]
    return "\n".join([*lines, *device_counters.comparison(counters, "kernel")]) + "\n"
