"""tdoku, a Sudoku solver for CPUs (https://github.com/t-dillon/tdoku, tried at af42618; tdoku/main.cpp).

The same puzzles as in our cases, which `lockstep` writes. Our rules (`sudoku`) stop at the fixed point of their
conclusions. Beside them tdoku does more: it searches, and each of its results is a whole grid, one of several if there
are several solutions. Beside our search (`search`), both count solutions, up to two. One process per core, because
tdoku keeps its state in global objects. Reading and writing puzzles is outside the time, and their records are in
memory, as in our cases.

Needs `--checkout tdoku=PATH`. It is built for AVX2 and for the AVX-512 of Ice Lake and later, and the machine decides.
"""

from __future__ import annotations

import csv
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from baselines.peers.programs import (
    Samples,
    WrongResult,
    compile_program,
    cxx_command,
    required_checkout,
    run_program,
)
from processes.driver import Place, Reading, Skipped

BUILDS = {"tdoku_avx512": "icelake-server", "tdoku_avx2": "haswell"}
NOTE = "solves by search; ours only concludes, up to a fixed point; 1 process per core"
NOTE_OF_SEARCH = "1 process per core"


@dataclass(frozen=True)
class Puzzles:
    """A case of ours. 30 clues and 2048 puzzles are the defaults."""

    count: int
    clues: int

    @property
    def axes(self) -> Mapping[str, str]:
        named = {"rules": "sudoku"}
        if self.count != 2048:
            named["states"] = str(self.count)
        if self.clues != 30:
            named["clues"] = str(self.clues)
        return named


CASES = [Puzzles(2048, 30), *(Puzzles(16384, clues) for clues in (26, 30, 36))]


@dataclass(frozen=True)
class Search:
    """A case of ours with rules `search`: puzzles with so many clues, or minimal ones."""

    count: int
    clues: int | None = None

    @property
    def axes(self) -> Mapping[str, str]:
        kind = {"puzzles": "minimal"} if self.clues is None else {"clues": str(self.clues)}
        return {"rules": "search", "states": str(self.count), **kind}

    @property
    def options(self) -> list[str]:
        return ["--minimal"] if self.clues is None else ["--clues", str(self.clues)]


SEARCHES = [Search(262144), *(Search(262144, clues) for clues in (22, 24, 26))]


@dataclass(frozen=True)
class Generated:
    """A puzzle, and the whole grid if our rules find one."""

    given: str
    concluded: str | None


def written(place: Place, command: list[object], table: Path) -> list[dict[str, str]]:
    """The rows of the table that a command of ours writes."""
    done = subprocess.run([str(place.lockstep), *map(str, command), "--csv", table], capture_output=True, text=True)
    if done.returncode != 0:
        raise Skipped(f"lockstep {command[0]} does not write the puzzles: {done.stderr.strip()}")
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def generated(place: Place, case: Puzzles, folder: Path) -> list[Generated]:
    command: list[object] = ["interpret", "--rules", "sudoku", "--puzzles", case.count, "--clues", case.clues]
    return [
        Generated(row["puzzle"], row["conclusion"] if row["outcome"] == "solved" else None)
        for row in written(place, command, folder / "puzzles.csv")
    ]


def groups() -> Iterator[list[int]]:
    """Rows, columns and boxes."""
    for i in range(9):
        yield [9 * i + k for k in range(9)]
        yield [9 * k + i for k in range(9)]
        yield [27 * (i // 3) + 3 * (i % 3) + 9 * (k // 3) + k % 3 for k in range(9)]


GROUPS = list(groups())


def check_solution(puzzle: Generated, solution: str) -> None:
    """Raises WrongResult if the solution is no grid, changes a clue, or differs from the only one."""
    whole = len(solution) == 81 and all({solution[cell] for cell in group} == set("123456789") for group in GROUPS)
    keeps = whole and all(clue in (".", digit) for clue, digit in zip(puzzle.given, solution))
    if not keeps or puzzle.concluded not in (None, solution):
        raise WrongResult(f"{solution or 'no solution'} does not solve {puzzle.given}")


def chosen_build() -> str:
    """The fastest build that this CPU can run."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    except OSError:
        flags = []
    if "avx512_bitalg" in flags and "avx512vl" in flags and "avx512_vbmi2" in flags:
        return "tdoku_avx512"
    if "avx2" not in flags:
        raise Skipped("tdoku is built for CPUs with AVX2, and this one does not list it")
    return "tdoku_avx2"


def solve(place: Place, program: str, puzzles: list[Generated], folder: Path) -> Samples:
    (folder / "puzzles.txt").write_text("".join(f"{puzzle.given}\n" for puzzle in puzzles), encoding="utf-8")
    samples = run_program(place.folder / program, folder / "puzzles.txt", folder / "solutions.txt")
    solutions = (folder / "solutions.txt").read_text(encoding="utf-8").splitlines()
    if len(solutions) != len(puzzles):
        raise WrongResult(f"{len(solutions)} solutions for {len(puzzles)} puzzles")
    for puzzle, solution in zip(puzzles, solutions):
        check_solution(puzzle, solution)
    return samples


def count_solutions(place: Place, program: str, case: Search, folder: Path) -> Samples:
    """Counts up to two, as our search does. Raises WrongResult if a count differs from ours."""
    command: list[object] = ["sudoku", "--generate", case.count, *case.options, "--machine", "cpu", "--count"]
    ours = written(place, command, folder / "puzzles.csv")
    (folder / "puzzles.txt").write_text("".join(f"{row['puzzle']}\n" for row in ours), encoding="utf-8")
    samples = run_program(place.folder / program, folder / "puzzles.txt", folder / "counts.txt", "2")
    counts = (folder / "counts.txt").read_text(encoding="utf-8").split()
    if counts != [row["solutions"] for row in ours]:
        raise WrongResult(f"numbers of solutions differ from ours in {case.axes}")
    return samples


def reading(program: str, case: Puzzles | Search, samples: Samples, check: str, note: str) -> Reading:
    return Reading(
        variant=Tdoku.name,
        machine="cpu",
        version=f"tdoku of May 2023, {program.removeprefix('tdoku_').upper()}",
        axes=case.axes,
        seconds=samples.seconds,
        items=case.count,
        verified=f"own check: {check}",
        timer="steady clock",
        note=note,
    )


class Tdoku:
    name = "tdoku"
    description = "the Sudoku solver tdoku on all cores"

    def build(self, place: Place) -> None:
        tree = required_checkout(place, self.name, "include/tdoku.h", "https://github.com/t-dillon/tdoku")
        ours = Path(__file__).with_suffix("") / "main.cpp"
        sources = [ours, tree / "src/solver_dpll_triad_simd.cc", tree / "src/util.cc"]
        for program, cpu in BUILDS.items():
            compile_program(place.folder / program, cxx_command(f"-march={cpu}", f"-I{tree}"), sources)

    def readings(self, place: Place) -> Iterator[Reading]:
        program = chosen_build()
        for search in SEARCHES:
            with tempfile.TemporaryDirectory() as name:
                samples = count_solutions(place, program, search, Path(name))
            yield reading(program, search, samples, "every number of solutions, up to two, is ours", NOTE_OF_SEARCH)
        for case in CASES:
            with tempfile.TemporaryDirectory() as name:
                puzzles = generated(place, case, Path(name))
                samples = solve(place, program, puzzles, Path(name))
            check = "every solution is a grid with the clues, and is ours where ours is whole"
            yield reading(program, case, samples, check, NOTE)


DRIVER = Tdoku()
