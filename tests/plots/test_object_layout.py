"""The sentences about object_layout, from the committed rows and from no rows."""

from __future__ import annotations

import pytest

from experiments.object_layout import findings, measures, wording
from plots.catalog import ROOT, load_experiment
from plots.errors import NotTestable
from plots.findings import Finding
from plots.gather import load_results
from plots.results import Device, View

EMPTY = View("object_layout", Device("none", "None"), [], {})
PARAGRAPHS = [paragraph for topic in findings.TOPICS for paragraph in topic.paragraphs]


@pytest.fixture(scope="module")
def committed() -> View:
    return load_experiment("object_layout").view(load_results(ROOT / "results"), "nvidia-h200")


@pytest.mark.parametrize("write", [*findings.FINDINGS, *PARAGRAPHS])
def test_the_committed_rows_give_every_sentence(committed: View, write: Finding) -> None:
    text = write(committed)
    assert any(character.isdigit() for character in text)
    assert text.startswith("| ") or text.endswith(".")


@pytest.mark.parametrize("write", [*findings.FINDINGS, *PARAGRAPHS])
def test_missing_rows_give_no_sentence(write: Finding) -> None:
    with pytest.raises(NotTestable):
        write(EMPTY)


def test_the_headline_names_the_ratio(committed: View) -> None:
    headline = findings.FINDINGS[0](committed)
    ratios = measures.gains(committed, "switch", measures.PAPER_LAYOUTS)
    assert f"is {wording.span(ratios.values())} as fast as the paper's kernel" in headline


@pytest.mark.parametrize(
    ("count", "text"), [(1 << 20, "2^20"), (1 << 11, "2048"), (20480, "20 480"), (1, "1"), (0, "0")]
)
def test_counts_of_agents(count: int, text: str) -> None:
    assert wording.number(count) == text


def test_a_table_needs_a_row_with_a_number() -> None:
    assert wording.table_of(("a", "b"), [("x", "1"), ("y", wording.MISSING)]).splitlines()[-1] == "| x | 1 |"
    with pytest.raises(NotTestable):
        wording.table_of(("a", "b"), [("y", wording.MISSING)])
