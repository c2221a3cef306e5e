"""The committed results, loaded once for all tests. They take seconds, and tests change copies only."""

from __future__ import annotations

from functools import cache

from plots.catalog import ROOT, load_experiment
from plots.gather import Section, gather, load_results
from plots.results import Results, View

RESULTS = ROOT / "results"
DEVICE = "nvidia-h200"


@cache
def committed_results() -> Results:
    return load_results(RESULTS)


@cache
def committed_sections() -> list[Section]:
    return gather(committed_results())


@cache
def committed_view(experiment: str) -> View:
    """The rows of an experiment on the device that most results are from."""
    return load_experiment(experiment).view(committed_results(), DEVICE)
