"""What the figures of term_rewriting show of made-up rows, and what their titles say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from experiments.term_rewriting import over_time, titles
from experiments.term_rewriting.figures import COLOURS, FIGURES
from experiments.term_rewriting.findings import FRONT
from experiments.term_rewriting.hardware import HardwareModel
from experiments.term_rewriting.passes import Pass
from plots.draw import draw
from plots.drawing import Drawing
from plots.errors import NotTestable
from plots.figures import Scope
from plots.interval import Interval
from plots.results import Case, Device, View
from plots.style import NAMED_LINES, Looks
from plots.units import prefix_of
from tests.plots.term_rewriting_rows import DEVICE, NUMBERS, h200, paper, passes, row, traced_sort, wide


def made_up(cases: Sequence[Case], device: Device = DEVICE) -> View:
    return View("term_rewriting", device, list(cases), NUMBERS.facts())


def drawn(name: str, view: View) -> Drawing:
    return next(spec for spec in FIGURES if spec.name == name).draw(Scope(view, [paper()]))


def test_every_figure_says_what_it_found_on_the_committed_rows() -> None:
    for spec in FIGURES:
        figure = drawn(spec.name, h200())
        assert figure.caption.endswith((".", '"')), spec.name
        assert len(figure.title) <= 90, figure.title
        assert isinstance(spec, HardwareModel) or figure.topic == spec.title, spec.name
        for panel in figure.panels():
            named = [one for one in figure.series if one.panel == panel and not one.grey and one.kind != "published"]
            assert len(named) <= NAMED_LINES, spec.name


def test_no_two_variants_share_a_colour() -> None:
    assert len(set(COLOURS.values())) == len(COLOURS)
    variants = {one.key for spec in FIGURES for one in drawn(spec.name, h200()).series if one.kind != "published"}
    assert {"fast", "auto", "as_printed", "cpu_as_printed", "one_core", "all_cores"} <= variants & set(COLOURS)


def test_the_zoomed_figure_keeps_the_peak_and_its_times() -> None:
    found = [Pass(float(height), 1.0) for height in (1, 2, 9, 3, 1)]
    boxes = over_time.boxes(found, over_time.PARALLELISM)
    assert [box.height for box in over_time.around_the_peak(found, boxes, 1)] == [2, 9, 3]
    assert over_time.around_the_peak(found, boxes, 1)[0].begin == 1
    fewer = over_time.fewer(boxes, 2)
    assert [box.height for box in fewer] == [9, 3] and fewer[-1].end == pytest.approx(5)


def test_a_box_of_figure_2_is_as_wide_as_the_derive_kernel() -> None:
    found = [Pass(2.0, 1.0, 0.25), Pass(3.0, 2.0, 0.5)]
    boxes = over_time.boxes(found, over_time.PARALLELISM, derive_alone=True)
    assert [(box.begin, box.end) for box in boxes] == [(0, 0.25), (1, 1.5)]
    assert over_time.corners(boxes, True)[2:6] == [(0.25, 2), (0.25, 0), (1, 0), (1, 3)]
    assert over_time.corners(boxes, False) == [(0, 2), (0.25, 2), (1, 3), (1.5, 3)]
    (line,) = drawn("figure2b", h200()).series
    heights = [point.y.value for point in line.points]
    assert len(heights) == 4 * 81 and heights[::4] == [0] * 81 == heights[3::4]
    assert all(float(one.x) < float(other.x) for one, other in zip(line.points[3::4], line.points[4::4]))


def test_a_run_without_times_is_drawn_over_its_passes() -> None:
    redexes = (1.0, 30.0, 2.0, 1.0)
    counted = row("iterations", "merge_sort", machine="cpu", elements="50", metrics=passes({"redexes": redexes}))
    figure = drawn("figure2a", made_up([counted]))
    assert figure.x.unit == "passes" and [point.y.value for point in figure.series[0].points[::2]] == list(redexes)
    assert figure.title == "One list: parallelism is below a tenth of its peak for 75% of the passes"
    assert drawn("figure2b", made_up([counted])).title.endswith("at most 30 terms, fewer than the 32 lanes of a warp")
    columns = {name: redexes for name in ("redexes", "seconds", "derive_seconds", "slots")}
    timed = row("as_printed_traced", "merge_sort", 34.0, elements="50", metrics=passes(columns))
    assert drawn("figure2a", made_up([counted, timed])).x.unit == "s"
    with pytest.raises(NotTestable):
        drawn("figure3b", made_up([counted]))


def test_the_papers_numbers_are_lines_in_the_papers_unit() -> None:
    figure = drawn("figure3c", made_up(traced_sort()))
    assert figure.y.unit == "GiB/s"
    assert {mark.text: mark.value for mark in figure.marks} == pytest.approx(
        {"paper: average": 18.1, "average here": 3e8 / 2.5e-3 / 2**30}
    )
    assert figure.title == "Random accesses: 112 GiB/s, 75% of the limit (paper: 18.1 GiB/s, 79.4%)"
    assert prefix_of(3e3, figure.y.unit) == (1.0, ""), "k GiB/s is no unit"
    svg = draw(figure, Looks(), "svg")["svg"].decode()
    assert svg.count(">paper: average<") == 1 and svg.count(">average here<") == 1
    sustained = drawn("tree_throughput", made_up(traced_sort()))
    assert [mark.value for mark in sustained.marks] == [6e9, 3.12e9]


def tree_rows() -> list[Case]:
    cases = []
    for depth, parallelism, printed in (("8", 205.0, 3.0), ("22", 2.4e6, 1.0)):
        found = wide("transformation_tree", parallelism, printed, 2.0)
        cases += [replace(case, axes={**case.axes, "depth": depth}) for case in found]
        cases.append(row("fast", "transformation_tree", 0.1 if depth == "22" else 10.0, depth=depth))
    return cases


def test_the_front_picture_has_the_papers_rate() -> None:
    figure = drawn(FRONT, made_up(tree_rows()))
    printed = next(one for one in figure.series if one.kind == "published")
    assert [(point.x, point.y.value) for point in printed.points] == [(2.4e6, 3.12e9)]
    assert figure.title == "fast: 10 G rewrites/s; as printed: 1 G (paper: 3.12 G)"


def test_a_system_is_compared_with_the_best_cpu_engine_at_its_largest_size() -> None:
    cases = [*tree_rows(), *wide("count", 1, 100.0, 1.0), row("fast", "count", 4.0)]
    cases.append(row("one_core", "count", 0.5, machine="cpu"))
    figure = drawn("speedups", made_up(cases))
    assert figure.order == ("count 5 (1)", "transformation tree 22 (2.40 million)")
    ratios = {one.key: [point.y.value for point in one.points] for one in figure.series}
    assert ratios["fast"] == pytest.approx([0.125, 20]) and ratios["as_printed"] == pytest.approx([0.005, 2])
    assert [mark.value for mark in figure.marks] == [1.0]
    measured = "the paper's CPU rewriter and one CPU core"
    assert figure.title == f"The best GPU engine is faster than {measured} on 1 of 2 systems"
    cores = [row("all_cores", case.axes["system"], 0.1, machine="cpu") for case in cases if case.variant == "fast"]
    alike = [replace(one, axes=case.axes) for one, case in zip(cores, (c for c in cases if c.variant == "fast"))]
    assert "faster than any CPU engine on " in drawn("speedups", made_up([*cases, *alike])).title


def test_a_system_whose_parallelism_was_not_counted_at_its_largest_size_is_drawn() -> None:
    largest = [row("fast", "count", 4.0, elements="9"), row("one_core", "count", 1.0, elements="9", machine="cpu")]
    cases = [*tree_rows(), *wide("count", 1, 100.0, 1.0), row("fast", "count", 4.0), *largest]
    uncounted = [row("fast", "quick_sort", 1.0), row("one_core", "quick_sort", 1.0, machine="cpu")]
    figure = drawn("speedups", made_up([*cases, *uncounted]))
    assert figure.order == ("quick sort 5", "count 9", "transformation tree 22 (2.40 million)")
    assert figure.title.endswith("on 1 of 3 systems"), "equally fast is not faster"


def test_engines_whose_intervals_overlap_are_equally_fast() -> None:
    cases = []
    for depth, parallelism in (("8", 205.0), ("22", 2.4e6)):
        metrics = {"average_parallelism": parallelism}
        cases += [
            row("iterations", "transformation_tree", depth=depth, machine="cpu", metrics=metrics),
            row("fast", "transformation_tree", 1.0, depth=depth),
            row("one_core", "transformation_tree", 1.1, depth=depth, machine="cpu"),
        ]
    assert "From a parallelism of 205 on" in drawn("rates", made_up(cases)).title
    noisy = [replace(one, time=Interval(1.1, 0.9, 1.2)) if one.variant == "one_core" else one for one in cases]
    assert drawn("rates", made_up([*noisy[:3], *cases[3:]])).title.startswith("From a parallelism of 2.40 million on")
    assert drawn("rates", made_up(noisy)).title.startswith("At no parallelism")
    assert drawn("speedups", made_up(noisy)).title.endswith("on 0 of 1 systems")


def test_the_title_says_how_long_the_papers_throughput_lasts() -> None:
    columns = {
        "redexes": (7e6, 1e6),
        "seconds": (1e-3, 3e-3),
        "derive_seconds": (1e-3, 1e-3),
        "slots": (1e7, 1e7),
    }
    cases = [row("as_printed_traced", "transformation_tree", 4e-3, depth="22", metrics=passes(columns))]
    title = drawn("tree_throughput", made_up(cases)).title
    assert title == "The throughput is at or above 6 G rewrites/s for 25% of the time (paper: half)"


def test_the_best_gpu_engine_is_known_where_fast_has_run() -> None:
    """A workload of the paper's rewriter alone says nothing about it."""
    view = made_up([*tree_rows(), *wide("count", 5e6, 100.0, 1.0)])
    assert titles.crossing_of_best(view).startswith("From a parallelism of 2.40 million on")
    slow = [case for case in tree_rows() if case.variant != "fast"] + wide("count", 5e6, 100.0, 1.0)
    assert titles.crossing_of_best(made_up(slow)).startswith("At no parallelism")


def test_without_a_gpu_all_cores_are_compared_with_one() -> None:
    cases = []
    for depth, parallelism, seconds in (("2", 4.0, 9.0), ("8", 205.0, 1.0)):
        metrics = {"average_parallelism": parallelism}
        cases += [
            row("iterations", "transformation_tree", depth=depth, machine="cpu", metrics=metrics),
            row("one_core", "transformation_tree", 2.0, depth=depth, machine="cpu"),
            row("all_cores", "transformation_tree", seconds, depth=depth, machine="cpu"),
        ]
    host = Device("host", "Host", "cpu")
    for name in ("rates", "rates_tree"):
        title = drawn(name, made_up(cases, host)).title
        assert title == "From a parallelism of 205 on, all CPU cores are faster than one core"
    one = [case for case in cases if case.axes["depth"] == "2"]
    assert titles.crossing_of_best(made_up(one, host)).startswith("At no parallelism are all CPU cores")


def test_the_best_change_is_named_if_there_is_one() -> None:
    printed = row("as_printed", "tree_merge_sort", 1.0, depth="20")
    slower = row("as_printed_worklist", "tree_merge_sort", 2.0, depth="20")
    faster = row("as_printed_binned", "tree_merge_sort", 0.5, depth="20")
    assert titles.best_change(made_up([printed, slower])) == "No single change makes the paper's rewriter faster"
    assert titles.best_change(made_up([printed, slower, faster])).endswith("sorted by head symbol (2x as fast)")


def texts(figure: Drawing) -> set[str]:
    return {point.text for one in figure.series for point in one.points if point.text}


def test_figure_1_has_the_numbers_of_the_device() -> None:
    attributes = {"multiprocessors": 10, "memory_bytes": 8e9, "registers_per_multiprocessor": 65536}
    # 10 multiprocessors of 64 processors at 1 GHz, with 3% of the peak lost.
    limits = {"clock": {"value": 1e9}, "fma": {"value": 0.97 * 640e9}}
    gpu = Device("g", "GPU", "cuda", attributes=attributes, limits=limits)
    figure = drawn("figure1", made_up([], gpu))
    assert figure.device == "GPU" and figure.order[-1] == "SM 10"
    assert {"65,536 registers", "SP 64", "8 GB for all SMs and the host"} <= texts(figure)
    assert all(0 <= float(point.x) < figure.width for one in figure.series for point in one.points)
    assert ">32<" not in draw(figure, Looks(), "svg")["svg"].decode(), "places in a row are no numbers"


def test_figure_1_is_the_papers_where_there_is_no_gpu() -> None:
    figure = drawn("figure1", made_up([], Device("host", "Host", "cpu")))
    assert figure.device == "Titan RTX (paper)" and figure.order[-1] == "SM 72"
    assert {"registers", "SP 64", "24 GB for all SMs and the host"} <= texts(figure)
