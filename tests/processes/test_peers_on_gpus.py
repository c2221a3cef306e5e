"""Tests what the drivers of peers on GPUs check, on arrays of NumPy and on made-up programs; none of them needs a GPU."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy
import pytest

from baselines.object_layout.peers.thrust_sort import DRIVER as THRUST_SORT
from baselines.peers.programs import WrongResult, compile_program, run_program
from baselines.random_grids.peers import numpy_permuted
from baselines.random_grids.peers._boards import ON_A_CPU, ON_A_GPU, Boards, check_masks
from baselines.rule_interpreter.peers import cupy_mask
from baselines.rule_interpreter.peers._synthetic import Synthetic, cases, check_results, values_of
from baselines.rule_interpreter.peers.tdoku import Generated, check_solution
from processes.driver import Place, Skipped

GRID = "".join(str((3 * row + row // 3 + column) % 9 + 1) for row in range(9) for column in range(9))


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_lines_of_a_program_are_read(tmp_path: Path) -> None:
    lines = "echo version Peer 1.2; echo seconds 0.5; echo seconds 0.25; echo check every $1"
    samples = run_program(program(tmp_path / "peer", lines), "word")
    assert samples.seconds == [0.5, 0.25]
    assert (samples.version, samples.verified) == ("Peer 1.2", "own check: every word")


@pytest.mark.parametrize(
    "text, reason",
    [
        ("echo seconds 1; echo wrong a board has 3 sites; exit 1", "a board has 3 sites"),
        ("echo seconds 1; echo no luck >&2; exit 3", "ended with 3: no luck"),
        ("echo seconds 1", "ended with 0"),
        ("echo check nothing was timed", "ended with 0"),
        ("sleep 5", "did not end within 1 s"),
    ],
)
def test_a_program_that_breaks_has_no_samples(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(WrongResult, match=reason):
        run_program(program(tmp_path / "peer", text), seconds=1)


def test_a_program_that_is_not_built_is_skipped(tmp_path: Path) -> None:
    with pytest.raises(Skipped, match="--build-only"):
        run_program(tmp_path / "peer")
    with pytest.raises(Skipped, match="no GPU is present"):
        next(THRUST_SORT.readings(Place(tmp_path, None, False, None, "90", tmp_path)))
    with pytest.raises(Skipped, match="nvcc is not installed"):
        THRUST_SORT.build(Place(tmp_path, None, False, None, "90", tmp_path))


def test_a_program_is_compiled_once(tmp_path: Path) -> None:
    folder = tmp_path / "peer"
    folder.mkdir()
    source = folder / "main.sh"
    source.write_text("echo it", encoding="utf-8")
    compiler = str(program(tmp_path / "compiler", f'echo once >> {tmp_path}/log; cp "$1" "$3"'))
    for _ in range(2):
        compile_program(tmp_path / "out" / "made", [compiler], [source])
    assert (tmp_path / "out" / "made").read_text() == "echo it"
    assert (tmp_path / "log").read_text() == "once\n"
    with pytest.raises(Skipped, match="does not compile: main.sh:1: error: nothing"):
        broken = str(program(tmp_path / "broken", "echo note: x >&2; echo main.sh:1: error: nothing >&2; exit 1"))
        compile_program(tmp_path / "out" / "other", [broken], [source])


@pytest.mark.parametrize("case", ON_A_CPU, ids=lambda case: str(case.sites))
def test_boards_of_another_size_or_drawn_unevenly_are_found(case: Boards) -> None:
    generator = numpy.random.Generator(numpy.random.Philox(1))
    drawn = numpy_permuted.permuted(numpy, generator, case)
    check_masks(drawn, case)
    check_masks(numpy_permuted.mask_of(numpy, case, numpy_permuted.choice(numpy, generator, case)), case)
    one_less = drawn.copy()
    one_less[7, drawn[7].argmax()] = 0
    with pytest.raises(WrongResult, match="not every board"):
        check_masks(one_less, case)
    with pytest.raises(WrongResult, match="not equally often"):
        check_masks(numpy.sort(drawn, axis=1), case)


def test_cases_of_boards_leave_out_defaults() -> None:
    assert [dict(case.axes) for case in ON_A_GPU] == [
        {"streams": "4096", "output": "stored"},
        {"grid": "32x1", "streams": "4096", "output": "stored"},
    ]


@pytest.mark.parametrize("case", cases(), ids=lambda case: "-".join(case.axes.values()))
def test_a_rule_by_arrays_gives_our_results_and_an_error_is_found(case: Synthetic) -> None:
    small = replace(case, states=64)
    values = values_of(small)
    results = numpy.zeros(values.shape, numpy.float32)
    cupy_mask.apply_rule(numpy, small, values, results)
    check_results(small, values, results)
    enabled = tuple(numpy.argwhere(values != 0)[5])
    for factor, reason in ((1.01, "differ from NumPy"), (0.0, "has no result")):
        wrong = results.copy()
        wrong[enabled] *= factor
        with pytest.raises(WrongResult, match=reason):
            check_results(small, values, wrong)


def test_values_are_those_of_our_program() -> None:
    """Our program counts as many evaluations (results/nvidia-h200/rule_interpreter.json)."""
    assert int((values_of(Synthetic(states=2048, size=2, load=20)) != 0).sum()) == 1_047_355


def test_a_solution_must_be_a_grid_that_keeps_the_clues() -> None:
    puzzle = Generated(GRID[:40] + "." * 41, None)
    check_solution(puzzle, GRID)
    swapped = GRID.translate(str.maketrans("12", "21"))
    for solution in ("", GRID[:80], GRID[1] + GRID[0] + GRID[2:], swapped):
        with pytest.raises(WrongResult, match="does not solve"):
            check_solution(puzzle, solution)
    with pytest.raises(WrongResult, match="does not solve"):
        check_solution(Generated("." * 81, swapped), GRID)
