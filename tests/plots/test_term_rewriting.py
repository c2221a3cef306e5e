"""The sentences, paragraphs and sweeps of term_rewriting."""

from __future__ import annotations

import pytest

from experiments.term_rewriting import workloads
from experiments.term_rewriting.figures import FIGURES
from experiments.term_rewriting.findings import FINDINGS, FRONT, PICTURES, TOPICS, range_of_fast
from experiments.term_rewriting.wording import count_text
from plots.catalog import load_sweeps
from plots.errors import NotTestable
from plots.results import Device, View
from tests.plots.term_rewriting_rows import DEVICE, h200, row, wide


def test_every_sweep_names_existing_systems() -> None:
    sweeps = load_sweeps("term_rewriting")
    for sweep in sweeps:
        axes = sweep["axes"]
        assert isinstance(axes, dict)
        assert set(axes["system"]) <= set(workloads.SIZES), sweep["name"]
    assert {"table2_merge_sort", "table2_tree_merge_sort", "table2_transformation_tree", "figure2", "figure3"} <= {
        sweep["name"] for sweep in sweeps
    }


WRITTEN = [*FINDINGS, *(paragraph for topic in TOPICS for paragraph in topic.paragraphs)]


def test_every_finding_is_a_sentence_of_the_committed_rows() -> None:
    view = h200()
    for finding in FINDINGS:
        text = finding(view)
        assert text.endswith(".") and "\n" not in text and any(letter.isdigit() for letter in text)
    assert "as fast as the paper's GPU rewriter" in FINDINGS[0](view)


def test_every_paragraph_of_the_page_comes_from_the_committed_rows() -> None:
    view = h200()
    for topic in TOPICS:
        for paragraph in topic.paragraphs:
            text = paragraph(view)
            assert text.endswith(".") or text.startswith("|"), topic.title
    assert {*PICTURES, FRONT} <= {figure.name for figure in FIGURES}


def test_findings_need_rows() -> None:
    empty = View("term_rewriting", Device("none", "None"), [], {})
    for finding in WRITTEN:
        with pytest.raises(NotTestable):
            finding(empty)


def test_the_headline_divides_rates_of_one_workload() -> None:
    cases = [
        row("fast", "tree_merge_sort", 0.1, depth="23"),
        row("as_printed", "tree_merge_sort", 1.0, depth="23"),
        row("all_cores", "tree_merge_sort", 0.5, depth="23", machine="cpu"),
        row("iterations", "tree_merge_sort", depth="23", machine="cpu", metrics={"lists": 2.0**23}),
    ]
    text = FINDINGS[0](View("term_rewriting", DEVICE, cases, {}))
    assert "8.39 million lists" in text
    assert "10x as fast as the paper's GPU rewriter and 5x as fast as generated C++ on all CPU cores" in text


def test_the_gain_of_fast_is_given_with_its_loss() -> None:
    cases = [*wide("count", 1, 100.0, 1.0), row("fast", "count", 1.0), row("one_core", "count", 0.5, machine="cpu")]
    text = range_of_fast(View("term_rewriting", DEVICE, cases, {}))
    assert "100x (count 5)" in text and "one CPU core is 2x as fast as `fast`" in text
    assert "one CPU core" not in range_of_fast(View("term_rewriting", DEVICE, cases[:-1], {}))


def test_counts_are_written_for_people() -> None:
    assert [count_text(value) for value in (1, 2.53, 9999, 26876, 1e6)] == ["1", "2.53", "9999", "26,900", "1 million"]
