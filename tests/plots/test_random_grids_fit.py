"""The fit of the expected times of random_grids: known constants come back, and their text is that of the C++ file."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from experiments.random_grids.fit_expected_time import AMOUNTS, Costs, expected, fit, rows_of, weights
from plots.catalog import ROOT

KNOWN = Costs((20.0, 1.5, 0.0, 0.4, 0.0, 0.0, 0.0, 0.0), 50_000, 0.8)


def boards(costs: Costs, count: int = 300, noise: float = 0.01) -> pd.DataFrame:
    """Times of random boards that take these costs, but for a little noise. Amount 4 is used and costs nothing."""
    random = np.random.default_rng(3)
    rows: dict[str, Any] = {name: np.zeros(count) for name in AMOUNTS}
    rows |= {"a0": np.ones(count), "a4": random.uniform(1, 10, count)}
    rows |= {name: np.exp(random.uniform(0, 5, count)) for name in ("a1", "a3")}
    rows |= {"streams": np.exp(random.uniform(6, 12.5, count)), "special": random.integers(0, 2, count)}
    table = pd.DataFrame(rows | {"relative": 1.0, "method": "dense", "engine": "philox7"})
    table["picoseconds"] = expected(table, costs) * np.exp(random.normal(0, noise, count))
    return table


def test_the_time_of_one_board_is_the_sum_by_hand() -> None:
    board = pd.DataFrame([dict.fromkeys(AMOUNTS, 0.0) | {"a0": 1, "a1": 4, "a3": 10, "special": 1, "streams": 120_000}])
    # (20 + 4 * 1.5 + 10 * 0.4) * 0.8 * sqrt(120000^2 + 50000^2)
    assert expected(board, KNOWN)[0] == pytest.approx(30 * 0.8 * 130_000)


def test_known_costs_come_back() -> None:
    pytest.importorskip("scipy", reason="no SciPy, which the fit needs")
    found = fit(boards(KNOWN))
    for index in (0, 1, 3):
        assert found.picoseconds[index] == pytest.approx(KNOWN.picoseconds[index], rel=0.05)
    assert found.picoseconds[4] < 0.1
    assert found.picoseconds[2] == 0, "an amount that no board has"
    assert found.saturation_streams == pytest.approx(KNOWN.saturation_streams, rel=0.02)
    assert found.special == pytest.approx(KNOWN.special, rel=0.02)


def test_slow_rows_count_less_and_few_rows_are_joined() -> None:
    assert list(weights(np.array([1.0, 1.5, 3.0, 7.0]))) == [1.0, 0.6, 0.15, 0.0]
    few = boards(KNOWN, 20)
    table = pd.concat([few, few.assign(engine="philox10"), few.assign(engine="xorwow")])
    assert [len(rows_of(table, "dense", engine)) for engine in ("xorwow", "philox7", "philox10")] == [20, 40, 40]


def test_the_text_is_that_of_the_cpp_file() -> None:
    assert KNOWN.text() == "{{20, 1.5, 0, 0.4}, 50000, 0.8}"
    source = (ROOT / "common/random_grids/expected_time.cpp").read_text()
    costs = re.compile(r"\{\{[0-9., ]+\}, [0-9]+, [0-9.]+\}")
    assert len(costs.findall(source)) == 24, "eight methods with three engines"
    assert costs.fullmatch(KNOWN.text())


def survey(*words: str) -> "subprocess.CompletedProcess[str]":
    """Runs random_grids_survey, which the build puts beside the program."""
    program = Path(os.environ.get("LOCKSTEP_BINARY", "")).with_name("random_grids_survey")
    if not program.is_file():
        pytest.skip("no random_grids_survey beside LOCKSTEP_BINARY")
    return subprocess.run([program, *words], capture_output=True, text=True, cwd=ROOT, timeout=60)


@pytest.mark.parametrize("name", ["survey", "survey_held_out"])
def test_the_program_scores_the_committed_surveys(name: str) -> None:
    stem = ROOT / f"results/nvidia-h200/random_grids.{name}"
    assert survey("score", f"{stem}.csv").stdout == Path(f"{stem}.md").read_text()


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("time",),
        ("time", "0", "1"),
        ("time", "1", "x"),
        ("score", "."),
        ("score", "no_file"),
        ("amounts", "README.md"),
    ],
)
def test_wrong_words_give_one_line(words: tuple[str, ...]) -> None:
    done = survey(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
