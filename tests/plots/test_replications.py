"""The sentences of replications, from the committed rows and from none."""

from __future__ import annotations

from functools import cache

import pytest

from experiments.replications import findings, topics, wording
from plots.catalog import ROOT, load_experiment
from plots.errors import NotTestable
from plots.findings import Finding
from plots.gather import load_results
from plots.results import Device, View

FUNCTIONS = [*findings.FINDINGS, *(function for topic in findings.TOPICS for function in topic.paragraphs)]
NAMES = [function.__name__ for function in FUNCTIONS]


@cache
def committed() -> View:
    return load_experiment("replications").view(load_results(ROOT / "results"), "nvidia-h200")


@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_the_committed_rows_give_a_sentence_or_a_table(function: Finding) -> None:
    text = function(committed())
    if text.startswith("|"):
        lines = text.splitlines()
        assert len(lines) > 2
        assert len({line.count("|") for line in lines}) == 1
    else:
        assert text.endswith(".")
        assert "\n" not in text


@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_missing_rows_are_said(function: Finding) -> None:
    with pytest.raises(NotTestable):
        function(View("replications", Device("none", "None"), [], committed().facts))


def test_a_span_names_its_ends() -> None:
    assert wording.span([("b", 20.0), ("a", 2.5), ("c", 3.0)]) == "2.50x (a) to 20x (b)"
    assert wording.span([("a", 2.5)]) == "2.50x (a)"


def test_powers_of_four() -> None:
    assert [count for count in range(1, 70) if topics.is_power_of_four(count)] == [1, 4, 16, 64]
