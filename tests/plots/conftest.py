"""The committed results of the made-up machines (make_fixture.py), loaded once per test."""

from __future__ import annotations

from pathlib import Path

import pytest

from plots.catalog import Experiment, load_experiment
from plots.figures import Scope
from plots.load import load
from plots.results import Results, View

FIXTURE = Path(__file__).parent / "results"


@pytest.fixture
def results() -> Results:
    return load(FIXTURE)


@pytest.fixture
def grids() -> Experiment:
    return load_experiment("random_grids")


@pytest.fixture
def gpu(results: Results, grids: Experiment) -> View:
    return grids.view(results, "imaginary-gpu-x")


@pytest.fixture
def cpu(results: Results, grids: Experiment) -> View:
    return grids.view(results, "imaginary-cpu-y")


@pytest.fixture
def scope(results: Results, grids: Experiment, gpu: View, cpu: View) -> Scope:
    return Scope(gpu, grids.papers(), [gpu, cpu])
