"""Small cases of this tree's kernels, counted by Nsight Compute. Needs nvcc, ncu and a GPU, and only Python's own library:

    python3 -m processes.nsight [--only NAME] --out FILE

tests/counters/ has a program per experiment. It prints a line per case, with its launches and a digest of its results.

A row of the file is a counter of a case, summed over its launches: requests and units (sectors of global memory, wavefronts
of shared memory, divergent branches), as in device_counters.py.
"""

from __future__ import annotations

import argparse
import csv
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from plots.atomic import write_text
from plots.errors import UserError

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tests" / "counters"
COLUMNS = "experiment,kernel,launches,digest,counter,requests,units".split(",")
LANES = "lanes per instruction"
BRANCHES = "branches"

#: As the build compiles kernels (cmake/kernels.cmake).
NVCC = ("-std=c++20", "-O3", "-DNDEBUG", "-lineinfo", "-arch=native", "-fmad=false", "-Xcompiler=-ffp-contract=off")

#: What a program prints after a case, and the names of cases in its source.
PRINTED = re.compile(r"case (\S+) launches (\d+) digest ([0-9a-f]{16})$", re.MULTILINE)
NAMED = re.compile(r'\{"([\w-]+)", ')

_TAG = "l1tex__t"
_PIPE = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op"
_INSTRUCTION = "smsp__inst_executed"
_TARGETS = "smsp__sass_branch_targets_threads"

#: A counter of the emulator, and the metrics of Nsight Compute whose sums are its requests and its units.
METRICS: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "global loads": (
        [f"{_TAG}_requests_pipe_lsu_mem_global_op_ld.sum"],
        [f"{_TAG}_sectors_pipe_lsu_mem_global_op_ld.sum"],
    ),
    "global stores": (
        [f"{_TAG}_requests_pipe_lsu_mem_global_op_st.sum"],
        [f"{_TAG}_sectors_pipe_lsu_mem_global_op_st.sum"],
    ),
    "global atomics": (
        [f"{_TAG}_requests_pipe_lsu_mem_global_op_{kind}.sum" for kind in ("atom", "red")],
        [f"{_TAG}_sectors_pipe_lsu_mem_global_op_{kind}.sum" for kind in ("atom", "red")],
    ),
    "shared loads": ([f"{_INSTRUCTION}_op_shared_ld.sum"], [f"{_PIPE}_ld.sum"]),
    "shared stores": ([f"{_INSTRUCTION}_op_shared_st.sum"], [f"{_PIPE}_st.sum"]),
    "shared atomics": (
        [f"{_INSTRUCTION}_op_shared_atom.sum"],
        [f"{_PIPE}_atom.sum"],
    ),
    BRANCHES: ([f"{_TARGETS}_uniform.sum", f"{_TARGETS}_divergent.sum"], [f"{_TARGETS}_divergent.sum"]),
}
#: Instructions of lanes, over those of warps.
OF_LANES, OF_WARPS = "smsp__thread_inst_executed.sum", f"{_INSTRUCTION}.sum"

Sums = Mapping[str, tuple[float, int | None]]


@dataclass(frozen=True)
class Counted:
    """A case on one machine. Without a counter in `sums`, that counter is 0."""

    experiment: str
    kernel: str
    launches: int
    digest: str
    sums: Sums

    @property
    def name(self) -> tuple[str, str]:
        return self.experiment, self.kernel


def experiments() -> list[str]:
    return sorted(path.stem for path in PROGRAMS.glob("*.cu"))


def cases_of(experiment: str) -> list[str]:
    return NAMED.findall((PROGRAMS / f"{experiment}.cu").read_text(encoding="utf-8"))


def chosen(only: Sequence[str]) -> dict[str, list[str]]:
    """The cases of each experiment, or those whose experiment or name is in `only`."""
    all_of_them = {experiment: cases_of(experiment) for experiment in experiments()}
    known = {name for experiment, cases in all_of_them.items() for name in (experiment, *cases)}
    for name in only:
        if name not in known:
            raise UserError(f"unknown case {name}", "tests/counters/ has none of that name", "correct --only")
    wanted = {
        experiment: [case for case in cases if not only or case in only or experiment in only]
        for experiment, cases in all_of_them.items()
    }
    return {experiment: cases for experiment, cases in wanted.items() if cases}


def count_on_device(only: Sequence[str], out: Path) -> int:
    """Compiles the programs, and counts their launches with Nsight Compute: a process per program."""
    tools = {tool: shutil.which(tool) for tool in ("nvcc", "ncu")}
    for tool, path in tools.items():
        if path is None:
            raise UserError(f"no {tool}", "it is not on the PATH", "install CUDA and Nsight Compute")
    wanted = chosen(only)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"compiling {len(wanted)} programs", file=sys.stderr)
        with ThreadPoolExecutor(len(wanted)) as pool:
            list(pool.map(lambda experiment: _compile(str(tools["nvcc"]), experiment, folder), wanted))
        counted = []
        for experiment, cases in wanted.items():
            print(f"counting {experiment}", file=sys.stderr)
            words = [*ncu_words(str(tools["ncu"])), str(folder / experiment), *cases]
            done = subprocess.run(words, capture_output=True, text=True, errors="replace")
            counted += counted_by_ncu(experiment, done.stdout + done.stderr)
    write_text(out, text_of(counted))
    return 0


def _compile(nvcc: str, experiment: str, folder: Path) -> None:
    words = [nvcc, *NVCC, "-I", str(ROOT), "-o", str(folder / experiment), str(PROGRAMS / f"{experiment}.cu")]
    done = subprocess.run(words, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise UserError(f"cannot compile {experiment}.cu", (done.stderr.strip().splitlines() or ["nvcc fails"])[0], "")


def ncu_words(ncu: str) -> list[str]:
    metrics = [metric for pair in METRICS.values() for part in pair for metric in part]
    names = ",".join(dict.fromkeys([*metrics, OF_LANES, OF_WARPS]))
    return [ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--metrics", names]


def counted_by_ncu(experiment: str, printed: str) -> list[Counted]:
    """The cases of a program, from what it and Nsight Compute print: a line of names, one of units, one per launch."""
    rows = list(csv.reader(line for line in printed.splitlines() if line.startswith('"')))
    launches = [dict(zip(rows[0], row)) for row in rows[2:]]
    cases = PRINTED.findall(printed)
    if not cases or sum(int(count) for _, count, _ in cases) != len(launches):
        errors = [line for line in printed.splitlines() if "==ERROR==" in line or "failed" in line]
        why = errors[0] if errors else f"{len(launches)} launches are not those of {len(cases)} cases"
        raise UserError(f"cannot count {experiment}", why, "run its program alone to see why")
    counted = []
    for case, count, digest in cases:
        its, launches = launches[: int(count)], launches[int(count) :]
        counted.append(Counted(experiment, case, int(count), digest, sums_of_launches(its)))
    return counted


def sums_of_launches(launches: Sequence[Mapping[str, str]]) -> Sums:
    """Sums of ncu's metrics. Counters without a request are left out, as the emulator does."""

    def total(metrics: Sequence[str]) -> int:
        return sum(_number(launch.get(metric, "")) for launch in launches for metric in metrics)

    sums: dict[str, tuple[float, int | None]] = {}
    for name, (requests, units) in METRICS.items():
        if total(requests) or name == BRANCHES:
            sums[name] = (total(requests), total(units))
    sums[LANES] = (round(total([OF_LANES]) / max(1, total([OF_WARPS])), 2), None)
    return sums


def _number(text: str) -> int:
    """ncu prints 1,234 in some languages, and n/a for a metric that the device does not have."""
    plain = text.replace(",", "")
    return 0 if plain in ("", "n/a") else round(float(plain))


def text_of(counted: Sequence[Counted]) -> str:
    lines = [",".join(COLUMNS)]
    for one in counted:
        for counter, (requests, units) in one.sums.items():
            number = f"{requests:.2f}" if counter == LANES else f"{requests:.0f}"
            cells = [one.experiment, one.kernel, str(one.launches), one.digest, counter, number]
            lines.append(",".join([*cells, "" if units is None else str(units)]))
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="processes.nsight", description="Count small cases of our kernels on a GPU.")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this experiment or kernel")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write")
    options = parser.parse_args(arguments)
    try:
        return count_on_device(options.only, options.out)
    except UserError as error:
        print(f"lockstep: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
