"""The findings of random_grids: from made-up rows, from rows that a preset leaves out, and from the committed rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from experiments.random_grids import boards, curves, findings, slides_topics, titles, wording
from plots.catalog import ROOT, Experiment
from plots.errors import NotTestable
from plots.findings import Finding
from plots.interval import exact
from plots.load import NOT_DEVICES, load_file
from plots.results import Case, View
from plots.traces import Event, Trace, load_traces

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
    assert "2x as fast as the slides' fastest kernel, `threadwise` (both with " in faster


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
    paths = [path for path in (ROOT / "results").glob("*/random_grids.json") if path.parent.name not in NOT_DEVICES]
    for path in sorted(paths):
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


def of_sweep(case: Case, sweep: str) -> Case:
    return replace(case, sweeps=(sweep,))


def test_a_curve_against_k_has_one_launch(gpu: View) -> None:
    at_100 = {"occupied": "100", "streams": "10"}
    rows = [of_sweep(drawn(gpu, "dense", "ours", 1.0, **at_100), "occupied")]
    rows.append(of_sweep(drawn(gpu, "dense", "ours", 0.1, **{**at_100, "streams": "99"}), "ours_grid"))
    rows.append(replace(rows[0], machine="cpu"))
    assert [case for case in rows if curves.against_k(case)] == rows[:1]


def test_a_title_says_where_we_are_slower(gpu: View) -> None:
    def view(*seconds: float) -> View:
        ks = [{"occupied": k} for k in ("100", "323")]
        slides = [of_sweep(drawn(gpu, "threadwise", "paper", 0.4, **k), "occupied") for k in ks]
        ours = [of_sweep(drawn(gpu, "dense", "ours", time, **k), "occupied") for time, k in zip(seconds, ks)]
        return replace(gpu, cases=[*slides, *ours])

    assert (
        titles.against_k(view(0.1, 0.2)) == "At every k, dense draws grids 2x to 4x as fast as the slides' threadwise"
    )
    assert titles.against_k(view(0.1, 0.8)).endswith("threadwise at 1 of 2 k, first at k = 323")


def test_the_cost_of_a_second_word_is_computed(gpu: View) -> None:
    def view(seconds: float) -> View:
        sizes = {"32x32": 0.4, "33x33": seconds}
        rows = [drawn(gpu, "threadwise", "paper", time, grid=grid, output="folded") for grid, time in sizes.items()]
        return replace(gpu, cases=[of_sweep(case, "sizes") for case in rows])

    assert "cost threadwise 50% of its speed" in titles.cliff(view(0.8))
    assert "keeps its speed" in titles.cliff(view(0.4))


def test_a_row_of_33_sites_takes_two_words(gpu: View) -> None:
    words = {grid: curves.words_per_array(drawn(gpu, "dense", "ours", 1.0, grid=grid)) for grid in ("32x32", "33x33")}
    assert words == {"32x32": 32.0, "33x33": 66.0}


def ones(*words: int) -> tuple[Event, ...]:
    return tuple(
        Event(0, 0, 0, step, "one", bit) for step, word in enumerate(words) for bit in range(4) if word >> bit & 1
    )


def test_a_step_includes_what_fits_and_excludes_otherwise() -> None:
    """2 of 4 bits: 3 selected bits are too many and remain, 1 of them joins, then the last."""
    trace = Trace("", {"bits": 4, "occupied": 2}, ones(0b0111, 0b0001, 0b0110, 0b0010))
    cells = list(boards.steps(trace))
    assert list(dict.fromkeys(cell.row for cell in cells)) == [
        "step 1: 3 remain",
        "step 2: 1 join",
        "step 3: 2 remain",
        "step 4: 1 join",
    ]
    assert [cell.colour for cell in cells[-4:]] == ["in the set", "in the set", "candidate", ""]
    with pytest.raises(NotTestable, match="1 of 2 bits"):
        list(boards.steps(replace(trace, events=ones(0b0001))))


def test_the_committed_board_has_the_slides_pieces(grids: Experiment) -> None:
    cells = list(boards.pieces(load_traces(ROOT / "results", "random_grids")["board", ""]))
    assert len({(cell.row, cell.place) for cell in cells}) == len(cells) == float(grids.facts["board_sites"])
    for colour in ("black", "white"):
        assert sum(cell.colour == colour for cell in cells) == float(grids.facts[f"board_{colour}"])


def test_every_figure_has_a_finding_and_a_caption(grids: Experiment) -> None:
    for spec in grids.figures:
        assert spec.caption, spec.name
        assert getattr(spec, "finding", findings) is not None, spec.name
    assert findings.FRONT in {spec.name for spec in grids.figures}
