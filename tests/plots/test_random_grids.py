"""The findings of random_grids: from made-up rows, from rows that a preset leaves out, and from the committed rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from experiments.random_grids import findings, slides_topics, wording
from plots.catalog import ROOT, Experiment
from plots.errors import NotTestable
from plots.findings import Finding
from plots.interval import exact
from plots.load import load_file
from plots.results import Case, View

PARAGRAPHS = [paragraph for topic in findings.TOPICS for paragraph in topic.paragraphs]


def drawn(gpu: View, variant: str, role: str, seconds: float, **axes: str) -> Case:
    return replace(
        gpu.cases[0],
        variant=variant,
        role=role,
        machine="cuda",
        axes={"grid": "32x32", "occupied": "half", "output": "stored", "engine": "xorwow"} | axes,
        items=1e6,
        time=exact(seconds),
        status="ok",
        sweeps=(),
    )


def test_our_method_is_not_called_slower_if_it_was_not_run(gpu: View) -> None:
    slides = drawn(gpu, "threadwise", "paper", 0.5)
    alone = findings.fastest_grid(replace(gpu, cases=[slides]))
    assert alone.startswith("The slides' own `threadwise` draws and stores 2 M grids/s")
    assert "dense and unranked, were not run" in alone
    slower = findings.fastest_grid(replace(gpu, cases=[slides, drawn(gpu, "dense", "ours", 1.0)]))
    assert slower.endswith("more than any other variant that was run.")
    faster = findings.fastest_grid(replace(gpu, cases=[slides, drawn(gpu, "dense", "ours", 0.25)]))
    assert faster.startswith("Our method `dense`") and "4 M grids/s" in faster
    assert faster.endswith("2x as fast as the slides' fastest kernel, `threadwise`.")


def test_our_kernel_is_paired_with_the_slides_kernel_at_the_same_axes(gpu: View) -> None:
    rows = [
        drawn(gpu, "threadwise", "paper", 0.5, streams="10"),
        drawn(gpu, "threadwise", "paper", 0.1, streams="20"),
        drawn(gpu, "dense", "ours", 0.25, streams="10"),
        drawn(gpu, "word_one_lane", "paper", 0.01, streams="10"),
    ]
    ((ours, slides),) = wording.beside_slides(replace(gpu, cases=rows), "xorwow")
    assert (ours.variant, slides.variant, slides.axes["streams"]) == ("dense", "threadwise", "10")


def test_a_control_that_is_slower_than_the_faster_sum_is_named(gpu: View) -> None:
    folded = {"output": "folded"}
    seconds = {"warpwise": 1.0, "warpwise_no_sum": 0.5, "warpwise_reduce": 0.4}
    view = replace(gpu, cases=[drawn(gpu, name, "paper", time, **folded) for name, time in seconds.items()])
    assert "At k = 512 the control is the slower one" in slides_topics.cost_of_the_sum(view)


@pytest.mark.parametrize("finding", [*findings.FINDINGS, *PARAGRAPHS])
def test_a_missing_row_makes_a_finding_not_testable(gpu: View, finding: Finding) -> None:
    with pytest.raises(NotTestable):
        finding(replace(gpu, cases=[], facts=gpu.facts, shard_sets=()))


def test_every_device_with_results_has_findings(grids: Experiment) -> None:
    """Sentences end with a full stop; all rows of a table have as many cells."""
    for path in sorted((ROOT / "results").glob("*/random_grids.json")):
        texts = texts_of(grids, path)
        assert len(texts) > len(findings.FINDINGS)
        for text in texts:
            if text.startswith("|"):
                assert len({line.count("|") for line in text.splitlines()}) == 1, text
            else:
                assert text.endswith(".") and "\n" not in text, text


def texts_of(grids: Experiment, path: Path) -> list[str]:
    cases = load_file(path)
    view = View("random_grids", cases[0].device, cases, grids.facts)
    texts = []
    for finding in [*findings.FINDINGS, *PARAGRAPHS]:
        try:
            texts.append(finding(view))
        except NotTestable:
            continue
    return texts
