"""The sentences, paragraphs and sweeps of term_rewriting."""

from __future__ import annotations

import pytest

from experiments.term_rewriting import engine_topics, workloads
from experiments.term_rewriting.figures import FIGURES
from experiments.term_rewriting.findings import FINDINGS, FRONT, PICTURES, TOPICS, range_of_fast
from experiments.term_rewriting.wording import count_text
from plots.catalog import load_sweeps
from plots.errors import NotTestable
from plots.results import Device, View
from tests.plots.term_rewriting_rows import DEVICE, NUMBERS, h200, row, wide


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


def test_wide_workloads_are_compared_with_the_best_cpu_engine() -> None:
    many = [row("iterations", system, metrics={"average_parallelism": 1e5}) for system in ("symbolic", "mirrors")]
    narrow = row("iterations", "queens", metrics={"average_parallelism": 9e4})
    cpu = [row("all_cores", system, 1.0, machine="cpu") for system in ("symbolic", "mirrors", "queens")]
    cpu.append(row("one_core", "mirrors", 0.5, machine="cpu"))
    gpu = [
        row("fast", "symbolic", 0.1),
        row("fast", "mirrors", 0.1, metrics={"idle_share": 0.5}),
        row("auto", "mirrors", 0.05),
        row("fast", "queens", 0.9),
    ]
    view = View("term_rewriting", DEVICE, [*many, narrow, *cpu, *gpu], NUMBERS.facts())
    assert "`fast` on 1 of 2 workloads and `auto` on 1 of 1 workloads" in engine_topics.wide_aim(view)
    table = engine_topics.wide_table(view)
    assert "5x | 10x | 50%" in table and "10x | – | –" in table and "queens" not in table
    assert (
        "5x as fast as the best CPU engine. Without that time, it would be at most 10x as fast."
        in engine_topics.idle_lanes(view)
    )
    with pytest.raises(NotTestable):
        engine_topics.idle_lanes(View("term_rewriting", DEVICE, [*many, *cpu, gpu[0]], NUMBERS.facts()))


def test_counts_are_written_for_people() -> None:
    assert [count_text(value) for value in (1, 2.53, 9999, 26876, 1e6)] == ["1", "2.53", "9999", "26,900", "1 million"]
