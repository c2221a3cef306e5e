"""The findings of random_grids: from made-up rows, from rows that a preset leaves out, and from the committed rows."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.random_grids import (
    auto_cells,
    best_table,
    boards,
    curves,
    findings,
    legality,
    measures,
    slides_topics,
    titles,
    wording,
    work_after,
)
from plots.auto_cells import LEAST
from plots.catalog import ROOT, Experiment, load_experiment
from plots.errors import NotTestable
from plots.findings import Finding
from plots.interval import exact
from plots.load import NOT_DEVICES, load_file
from plots.results import Case, View
from plots.spec import Scope
from plots.traces import Event, Trace, load_traces
from tests.plots.committed import committed_view

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
    assert "Our methods were not run" in alone
    slower = findings.fastest_grid(replace(gpu, cases=[slides, drawn(gpu, "dense", "ours", 1.0)]))
    assert slower.endswith("more than any other variant that was run.")
    faster = findings.fastest_grid(replace(gpu, cases=[slides, drawn(gpu, "dense", "ours", 0.25)]))
    assert faster.startswith("Our method `dense`") and "4 M grids/s" in faster
    assert "2x as fast as the slides' fastest kernel, `threadwise` (both with " in faster


def test_our_kernel_is_paired_with_the_fastest_launch_of_the_slides_kernels(gpu: View) -> None:
    rows = [
        drawn(gpu, "threadwise", "paper", 0.5, streams="10"),
        drawn(gpu, "threadwise", "paper", 0.1, streams="20"),
        drawn(gpu, "threadwise", "paper", 0.05, streams="20", occupied="100"),
        drawn(gpu, "dense", "ours", 0.25, streams="10"),
        drawn(gpu, "word_one_lane", "paper", 0.01, streams="10"),
    ]
    ((ours, slides),) = wording.beside_slides(replace(gpu, cases=rows), "xorwow")
    assert (ours.variant, slides.variant, slides.axes["streams"]) == ("dense", "threadwise", "20")


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
    """Sentences end with a full stop, or with a colon before a table; all rows of a table have as many cells."""
    paths = [path for path in (ROOT / "results").glob("*/random_grids.json") if path.parent.name not in NOT_DEVICES]
    for path in sorted(paths):
        texts = texts_of(grids, path)
        assert len(texts) > len(findings.FINDINGS)
        for text in texts:
            sentence, _, table = ("", "", text) if text.startswith("|") else text.partition("\n\n")
            assert sentence.endswith(":" if table else ".") or text.startswith("|"), text
            assert "\n" not in sentence, text
            assert len({line.count("|") for line in table.splitlines()}) <= 1, text


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


def of_lanes(occupied: int, *events: tuple[int, str, int | None]) -> Trace:
    return Trace("", {"occupied": occupied}, tuple(Event(0, 0, lane, 0, label, index) for lane, label, index in events))


def test_lanes_part_on_different_branches_and_numbers_of_steps() -> None:
    same = of_lanes(2, (0, "include", None), (0, "exclude", None), (1, "include", None), (1, "exclude", None))
    assert boards.parted(same) == (0, 2)
    other = of_lanes(2, (0, "include", None), (0, "exclude", None), (1, "exclude", None), (1, "exclude", None))
    assert boards.parted(other) == (1, 2)
    longer = of_lanes(2, (0, "include", None), (0, "exclude", None), (1, "include", None))
    assert boards.parted(longer) == (1, 2)


def test_a_sum_decides_the_branch_of_its_lane() -> None:
    """Of 5: 3 fits, 4 more does not, 2 more does. A lane that gets another sum parts from the others."""
    sums = [(lane, "sum", total) for lane in (0, 1) for total in (3, 4, 2)]
    assert boards.branches(of_lanes(5, *sums))[1] == ["include", "exclude", "include"]
    assert boards.parted(of_lanes(5, *sums)) == (0, 3)
    assert boards.parted(of_lanes(5, *sums[:-2], (1, "sum", 1), (1, "sum", 1))) == (1, 3)


def test_warpwise_does_not_diverge_and_threads_do(gpu: View) -> None:
    traces = load_traces(ROOT / "results", "random_grids")
    assert boards.parted(traces["lanes", "warp"])[0] == 0
    assert boards.parted(traces["lanes", "threads"])[0] > 0
    assert len(boards.branches(traces["lanes", "warp"])) == 32
    found = measures.divergence_within_a_warp(gpu)
    assert {part.interval.value for part in found.parts} == {0.0}


def test_the_share_of_legal_boards_needs_a_count(gpu: View) -> None:
    board = drawn(gpu, "halving", "reference", 1.0, grid="15x15", occupied="71,70")
    with pytest.raises(NotTestable, match="legal positions"):
        legality.legal_shares(replace(gpu, cases=[board]))
    counts = {"positions_judged": 1000.0, "legal_in_go": 92.0, "legal_in_gomoku": 240.0, "legal_in_hex": 1000.0}
    counted = replace(gpu, cases=[board, replace(board, metrics=counts | {"legal_in_all": 20.0})])
    assert "9.2% in Go, 24.0% in Gomoku, 100.0% in Hex and 2.0% in all three" in legality.sentence(counted)
    assert [part.interval.value for part in legality.legal_shares(counted).parts] == [0.092, 0.24, 1.0, 0.02]


def committed() -> View:
    return committed_view("random_grids")


def with_auto(view: View, factor: float) -> View:
    """The view with rows of `auto` that take a multiple of the time of `dense`."""
    copies = [
        replace(case, variant="auto", time=case.time * factor, kernels=({"name": "dense"},))
        for case in view.select(variant="dense", machine="cuda")
        if case.time is not None
    ]
    return replace(view, cases=[*(case for case in view.cases if case.variant != "auto"), *copies])


def test_auto_is_compared_with_the_fastest_other_variant() -> None:
    measured = committed()
    pairs = auto_cells.CELLS.of(with_auto(measured, 1.0))
    assert len(pairs) > 40
    times: dict[frozenset[tuple[str, str]], list[float]] = defaultdict(list)
    for one in measured.select(machine="cuda", cache="hot"):
        if one.time is not None and one.variant not in (*measures.CONTROLS, "auto"):
            times[frozenset(auto_cells.work_of(one).items())].append(one.time.value)
    for cell in pairs:
        same = times[frozenset(auto_cells.work_of(cell.auto).items())]
        assert cell.best.time is not None and cell.best.time.value == min(same)
    (few,) = (cell for cell in pairs if cell.auto.axes["streams"] == "3000")
    assert few.best.variant == "warpwise" and few.speed.value < LEAST
    assert auto_cells.setting_of(few.auto) == "32 x 32, k = 512, xorwow, 3000 streams of 96, folded"
    assert {auto_cells.panel_of(cell.auto) for cell in pairs} == {name for _, name in auto_cells.PANELS}


def test_cells_of_auto_below_the_line_are_listed() -> None:
    slow, fast = (with_auto(committed(), factor) for factor in (2.0, 1e-3))
    cells = len(auto_cells.CELLS.of(slow))
    below = cells - reached_in(slow)
    assert auto_cells.cells_below(slow).count("\n| ") == 2 + below
    assert len(auto_cells.TABLE.fill(Scope(slow)).rows) == below
    with pytest.raises(NotTestable):
        auto_cells.cells_below(fast)
    seen = [case for case in fast.cases if not any(sweep.startswith("unseen") for sweep in case.sweeps)]
    with pytest.raises(NotTestable):
        auto_cells.unseen(replace(fast, cases=seen))
    assert auto_cells.summary(fast).endswith(f"never slower than the fastest other variant, over {cells} cells.")
    assert f"in {cells - below} of {cells} cells" in auto_cells.summary(slow)
    drawing = auto_cells.FIGURE.draw(Scope(slow))
    assert sum(len(one.points) for one in drawing.series) == cells


def reached_in(view: View) -> int:
    return sum(cell.speed.value >= LEAST for cell in auto_cells.CELLS.of(view))


def test_auto_is_in_no_ranking() -> None:
    """It repeats the fastest method, so it would stand beside it, or above it by chance."""
    measured = committed()
    fast = with_auto(measured, 0.5)
    assert findings.fastest_grid(fast) == findings.fastest_grid(measured)
    assert not any(curves.against_k(case) for case in fast.cases if case.variant == "auto")


def test_rows_with_work_after_the_draw_stand_apart(gpu: View) -> None:
    """They are neither ranked nor compared with draws; their registers and speeds have a table and a claim of their own."""
    plain, work = (
        drawn(gpu, "threadwise", "paper", 1.0, output="folded", after=after) for after in ("none", "connected")
    )
    assert measures.ranked(plain) and not measures.ranked(work)
    assert measures.k_name(work) == "k half, then connected"
    taken = {"registers": 122, "local_bytes": 0}
    rows = [of_sweep(replace(case, kernels=(taken,)), "after") for case in (plain, work)]
    view = replace(gpu, cases=rows)
    found = work_after.spilled(view)
    assert [(part.label, part.interval.value) for part in found.parts] == [(work_after.WORKS["connected"], 0.0)]
    assert "122 (draw)" in found.note
    assert "122 + 0" in work_after.table(view)
    with pytest.raises(NotTestable):
        work_after.spilled(replace(gpu, cases=rows[:1]))


def test_the_best_of_ours_is_found_by_its_role(gpu: View) -> None:
    """A new method needs no name anywhere; the slides' method with another sum and `auto` are none of ours."""
    seconds = {"threadwise": 0.5, "word_one_lane": 0.01}
    rows = [drawn(gpu, name, "paper", time) for name, time in seconds.items()]
    ours = {"dense": 0.2, "novel": 0.1, "warpwise_reduce": 0.01, "auto": 0.05}
    rows += [drawn(gpu, name, "ours", time) for name, time in ours.items()]
    rows.append(drawn(gpu, "probe", "baseline", 0.4))
    view = replace(gpu, cases=rows)
    (sides,) = best_table.bests(view).values()
    assert {side: case.variant for side, case in sides.items()} == {
        "slides": "threadwise",
        "others": "probe",
        "ours": "novel",
        "auto": "auto",
    }
    assert "| 4x |" in best_table.table(view)
    assert "ahead of all others in 1 (`novel` in 1)" in best_table.summary(view)
    ((pair, _),) = wording.beside_slides(view, "xorwow")
    assert pair.variant == "novel"
    with pytest.raises(NotTestable):
        best_table.bests(replace(gpu, cases=rows[:2]))


def test_the_share_of_the_store_limit(gpu: View) -> None:
    """1e7 grids of 128 bytes per second are 1.28 GB/s, whatever else a library stores."""
    case = replace(drawn(gpu, "dense", "ours", 0.1), bytes=128e6)
    library = replace(drawn(gpu, "cub", "baseline", 0.1), bytes=999e6)
    view = replace(gpu, device=replace(gpu.device, limits={"store": {"value": 12.8e9}}))
    assert best_table.of_store_limit(view, case, case) == pytest.approx(0.1)
    assert best_table.of_store_limit(view, library, case) == pytest.approx(0.1)


def test_at_every_k_the_best_of_ours_counts(gpu: View) -> None:
    ks = [{"occupied": k} for k in ("100", "323")]
    rows = [of_sweep(drawn(gpu, "threadwise", "paper", 0.4, **k), "occupied") for k in ks]
    for name, times in {"dense": (0.1, 0.4), "pooled": (0.2, 0.2)}.items():
        rows += [of_sweep(drawn(gpu, name, "ours", time, **k), "occupied") for time, k in zip(times, ks)]
    title = titles.against_k(replace(gpu, cases=rows))
    assert title == "At every k, dense or pooled draws grids 2x to 4x as fast as the slides' threadwise"


def test_a_ranking_compares_sets_of_one_launch() -> None:
    """Other launches are named in their labels. The title compares rows of the launch that the topic names."""
    view = committed()
    for name, grid in (("ranking_word", "32x1"), ("ranking_grid", "32x32")):
        (spec,) = (figure for figure in load_experiment("random_grids").figures if figure.name == name)
        drawing = spec.draw(Scope(view))
        size = drawing.topic.rpartition(", ")[2]
        speeds = {str(point.x): point.y.value for one in drawing.series for point in one.points}
        for label, speed in speeds.items():
            variant, machine, *other = label.split(", ")
            rows = view.select(variant=variant, grid=grid, output="stored", case=measures.ranked)
            rates: dict[str, list[float]] = defaultdict(list)
            for case in rows:
                if case.rate is not None and case.machine == {"GPU": "cuda", "CPU": "cpu"}[machine]:
                    rates[curves.launched(case)].append(case.rate.value)
            assert speed == max(rates[other[0] if other else size]), label
            assert not other or size not in rates, label
        slides = max(speeds[f"{name}, GPU"] for name in ("word", "threadwise", "warpwise") if f"{name}, GPU" in speeds)
        assert wording.factor(max(speeds.values()) / slides) in drawing.title


def test_lines_that_a_title_names_are_labelled() -> None:
    view = committed()
    for name, named in (("words", ("dense", "halving")), ("words_sites", ("unranked", "halving"))):
        (spec,) = (figure for figure in load_experiment("random_grids").figures if figure.name == name)
        drawing = spec.draw(Scope(view))
        assert all(word in drawing.title for word in named)
        assert not [one.label for one in drawing.series if one.grey and one.label in named]


def test_the_title_over_the_slides_has_every_row_of_the_figure() -> None:
    view = committed()
    one_lane = [replace(case, time=case.time and case.time * 0.1) for case in view.select(variant="word_one_lane")]
    faster = replace(view, cases=[*(case for case in view.cases if case.variant != "word_one_lane"), *one_lane])
    assert titles.over_slides(faster) != titles.over_slides(view)
