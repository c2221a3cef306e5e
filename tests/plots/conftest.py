"""The committed results of the made-up machines (make_fixture.py), loaded once: nothing in them can be assigned."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from plots.catalog import Experiment, load_experiment
from plots.figures import Scope
from plots.load import load
from plots.results import Case, Results, View

FIXTURE = Path(__file__).parent / "results"


def pytest_configure() -> None:
    """Rows are many objects that stay. Each pass of the collector looks through them in vain, so there are fewer."""
    gc.set_threshold(100_000)


@pytest.fixture(scope="session")
def results() -> Results:
    return load(FIXTURE)


@pytest.fixture(scope="session")
def grids() -> Experiment:
    return load_experiment("random_grids")


@pytest.fixture(scope="session")
def gpu(results: Results, grids: Experiment) -> View:
    return grids.view(results, "imaginary-gpu-x")


@pytest.fixture(scope="session")
def cpu(results: Results, grids: Experiment) -> View:
    return grids.view(results, "imaginary-cpu-y")


@pytest.fixture(scope="session")
def word(gpu: View) -> Case:
    """Our variant `word`: 1e6 grids in 10 us, within 1%."""
    return next(case for case in gpu.cases if case.variant == "word" and case.time is not None)


@pytest.fixture(scope="session")
def scope(results: Results, grids: Experiment, gpu: View, cpu: View) -> Scope:
    return Scope(gpu, grids.papers(), [gpu, cpu])


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that write hundreds of files: none of them has to be on the disk when the machine fails."""
    monkeypatch.setattr("plots.atomic.os.fsync", lambda descriptor: None)
