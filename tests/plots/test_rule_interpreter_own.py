"""Claims and figures of rule_interpreter's own sweeps: rectangles, divisions, shared memory, bit boards, `auto`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from experiments.rule_interpreter import (
    measures,
    memory_layouts,
    own_figures,
    own_methods,
    products,
    search_speed,
    tables,
    wording,
)
from experiments.rule_interpreter.auto_cells import BASES, CELLS, base_of, cells_below, setting_of, summary, work_of
from experiments.rule_interpreter.claims import CLAIMS
from plots.auto_cells import LEAST, AutoCells, AutoTable
from plots.catalog import load_experiment
from plots.claims import Judgement, judge
from plots.errors import NotTestable
from plots.figures import Scope
from plots.results import Case, View
from plots.verdict import Verdict
from tests.plots.committed import committed_view


@pytest.fixture(scope="module")
def measured() -> View:
    """The committed rows of a device."""
    return committed_view("rule_interpreter")


def judged(claim: str, view: View) -> Judgement:
    return judge(next(one for one in CLAIMS if one.id == claim), view)


def scaled(view: View, factor: float, **where: object) -> View:
    """The view with the times of the matching rows multiplied."""
    wanted = {id(case) for case in view.select(**where)}

    def time_of(case: Case) -> Case:
        return replace(case, time=case.time * factor) if id(case) in wanted and case.time is not None else case

    return replace(view, cases=[time_of(case) for case in view.cases])


@pytest.mark.parametrize(
    ("shape", "operations"),
    [("1x1x1", 1), ("2x2x2", 12), ("4x2x1", 12), ("1x4x4", 28), ("2x4x8", 112), ("4x8x2", 120)],
)
def test_the_papers_count_of_operations(shape: str, operations: int) -> None:
    assert products.size_of(shape).operations == operations


def test_the_count_of_the_rows_is_that_of_the_shape(measured: View) -> None:
    """The program counts while it runs, so Python's formula is checked by its rows."""
    cases = products.fastest_rectangles(measured)
    assert list(cases) == list(own_figures.RECTANGLES)
    for shape, case in cases.items():
        per_product = case.metrics["paper_operations"] / (case.metrics["evaluations"] * int(products.LOAD))
        assert per_product == products.size_of(shape).operations


def test_each_shape_is_judged_by_its_own_count(measured: View) -> None:
    found = judged("K22", measured)
    assert [part.bound.low for part in found.parts] == [12, 12, 28, 112, 120]
    # Times that leave no room for the operations contradict the count.
    fast = judged("K22", scaled(measured, 0.1, variant="algorithm3", shape="4x8x2"))
    assert fast.verdict is Verdict.MIXED and fast.is_counted and "4x8x2" in fast.parts_text


def test_rows_of_several_passes_are_no_cells_of_the_tables(measured: View) -> None:
    """The sweep `cached` has eight passes over cells of Table 1."""
    cell = 20, 16384, 4096, 2
    where = dict(variant="auto", rules="synthetic", load="20", states="16384", range="4096", divergence="2")
    once, often = (measured.time(shape="1x1x1", enabled="-1", layout="A", steps=steps, **where) for steps in ("1", "8"))
    assert measures.times(measured, "auto")[cell, "A"].value == pytest.approx(once.value)
    assert once.high < often.low


def test_a_division_is_judged_in_every_cell(measured: View) -> None:
    found = judged("K23", measured)
    assert len(found.parts) == 16 and found.verdict is Verdict.HOLDS
    free = scaled(measured, 0.5, variant="algorithm3", layout="C_divided")
    assert judged("K23", free).verdict is Verdict.MIXED


def test_a_division_is_compared_with_what_compaction_costs(measured: View) -> None:
    assert judged("K24", measured).verdict is Verdict.DOES_NOT_HOLD
    assert judged("K24", scaled(measured, 3.0, layout="C_divided")).verdict is Verdict.HOLDS
    with pytest.raises(NotTestable):
        memory_layouts.division_over_compaction(replace(measured, cases=[]), measures.SCALAR)


def test_shared_memory_is_compared_with_the_same_rules(measured: View) -> None:
    found = judged("K25", measured)
    labels = [judged.part.label for judged in found.parts]
    assert "one rule, 1 pass, 1024 values" in labels and "four rules, 8 passes, 4096 values" in labels
    assert not [label for label in labels if label.startswith("one rule, 8")], "Algorithm 1 has one pass per launch"
    assert judged("K25", scaled(measured, 0.1, variant="cached")).verdict is Verdict.HOLDS


def test_search_is_compared_with_the_same_puzzles_on_the_cpu(measured: View) -> None:
    gains = search_speed.gains(measured)
    assert {puzzles for puzzles, _, _ in gains} == {"generated", "minimal"}
    halved = search_speed.gains(scaled(measured, 0.5, variant="search_boards"))
    assert all(halved[key].value == pytest.approx(2 * gain.value) for key, gain in gains.items())
    assert search_speed.minimal(scaled(measured, 0.1, variant="all_cores")) != search_speed.minimal(measured)


def test_search_is_compared_with_the_fastest_cpu_program(measured: View) -> None:
    """tdoku is faster than our search on all CPU cores. Without its rows, or if ours were faster, ours is named."""
    title, alone = search_speed.finding(measured), search_speed.finding(replace(measured, peers=[]))
    assert title.endswith("as fast as tdoku on all CPU cores")
    assert alone.endswith("as fast as our search on all CPU cores")
    assert search_speed.finding(scaled(measured, 0.01, variant="all_cores")).endswith("our search on all CPU cores")
    drawing = search_speed.FIGURE.draw(Scope(measured))
    assert {one.label for one in drawing.series} == {"GPU", "our search, CPU", "tdoku, CPU"}


def test_search_without_rows_of_the_cpu_is_not_testable(measured: View) -> None:
    gpu_only = replace(measured, cases=[case for case in measured.cases if case.machine == "cuda"], peers=[])
    with pytest.raises(NotTestable):
        search_speed.finding(gpu_only)


def test_bit_boards_are_compared_with_the_fastest_interpreter(measured: View) -> None:
    gain = own_methods.gain_of_boards(measured)
    times = [
        measured.time(variant=variant, rules="sudoku", clues="30", layout="A", states="16384", machine="cuda")
        for variant in own_methods.PAPERS
    ]
    own = measured.time(variant="bit_board", clues="30", layout="A", states="16384", machine="cuda")
    assert gain["30", "A"].value == pytest.approx(min(time.value for time in times) / own.value)
    assert judged("K26", scaled(measured, 100.0, variant="bit_board")).verdict is Verdict.DOES_NOT_HOLD


def test_parameters_of_the_sweep_untuned_are_those_of_no_other(measured: View) -> None:
    rows = [case for case in measured if "untuned" in case.sweeps]
    assert rows and all(case.sweeps == ("untuned",) for case in rows)
    assert len(judged("K27", measured).parts) == 36


def test_every_cell_of_auto_has_its_best_rival(measured: View) -> None:
    pairs = CELLS.of(measured)
    speeds = [cell.speed.value for cell in pairs]
    assert speeds == sorted(speeds) and len(pairs) > 100
    for cell in pairs:
        same = work_of(cell.auto)
        assert cell.best.variant != "auto" and cell.best.axes.items() >= same.items()
        rivals = measured.select(machine="cuda", cache="hot", variant=lambda name: name != "auto", **same)
        times = [rival.time.value for rival in rivals if rival.time is not None]
        assert cell.best.time is not None and cell.best.time.value == min(times)


def test_a_cell_counts_if_the_variant_that_auto_chose_was_timed(measured: View) -> None:
    """The sweep `devices` times Algorithm 3 and `auto` only: its ratios say nothing about a choice, unless `auto` loses."""
    cells = CELLS.of(measured)
    assert not [cell for cell in cells if cell.auto.sweeps == ("devices",)]
    without = replace(measured, cases=[case for case in measured.cases if case.variant != "bit_board"])
    assert "Sudoku" not in {base_of(cell.auto) for cell in CELLS.of(without)}
    losing = CELLS.of(scaled(without, 1000.0, variant="auto", rules="sudoku"))
    assert "Sudoku" in {base_of(cell.auto) for cell in losing}


def test_the_title_of_untuned_is_what_its_axis_shows(measured: View) -> None:
    (spec,) = (one for one in load_experiment("rule_interpreter").figures if one.name == "untuned")
    drawing = spec.draw(Scope(measured))
    shown = [point.y.value for one in drawing.series if one.label.startswith("auto") for point in one.points]
    assert drawing.title.endswith(f"auto is {wording.span(shown)} as fast as Algorithm 3")


def test_the_table_of_auto_lists_the_cells_below_its_line(measured: View) -> None:
    (spec,) = (table for table in tables.TABLES if isinstance(table, AutoTable))
    slow = scaled(measured, 1.5, variant="auto", load="20")
    scope = Scope(slow)
    low = [cell for cell in CELLS.of(slow) if cell.speed.value < LEAST]
    assert low and [row[0] for row in spec.fill(scope).rows] == [setting_of(cell.auto) for cell in low]
    assert f"in {len(CELLS.of(slow)) - len(low)} of" in CELLS.title(slow)
    # An `auto` that is fast everywhere leaves nothing to list.
    fast = scaled(measured, 0.1, variant="auto")
    with pytest.raises(NotTestable):
        spec.fill(replace(scope, view=fast))
    with pytest.raises(NotTestable):
        cells_below(fast)
    assert "Of the other" not in summary(fast)


def test_the_figure_of_auto_has_a_point_per_cell(measured: View) -> None:
    (spec,) = (figure for figure in own_figures.OWN_FIGURES if isinstance(figure, AutoCells))
    drawing = spec.draw(Scope(measured))
    assert {one.panel for one in drawing.series} == set(BASES.values())
    assert sum(len(one.points) for one in drawing.series) == len(CELLS.of(measured))
    for one in drawing.series:
        places = [point.x for point in one.points]
        assert places == sorted(places) and places[-1] == 100
        speeds = [point.y.value for point in one.points]
        assert speeds == sorted(speeds)


def test_settings_name_what_tells_cells_apart(measured: View) -> None:
    settings = [(base_of(cell.auto), setting_of(cell.auto)) for cell in CELLS.of(measured)]
    assert len(set(settings)) == len(settings)


def test_titles_of_own_figures_follow_the_rows(measured: View) -> None:
    assert own_figures.boards(scaled(measured, 0.5, variant="bit_board")) != own_figures.boards(measured)
    assert "in 8 of 8" in own_figures.shared_memory(scaled(measured, 0.1, variant="cached"))
    assert own_figures.division(scaled(measured, 2.0, layout="C_divided")) != own_figures.division(measured)


def test_names_of_kernels_are_texts_on_a_page(measured: View) -> None:
    """A results file may hold any line as the name of a kernel."""
    slow = scaled(measured, 1.5, variant="auto")
    named = [replace(case, kernels=({"name": "a|b <i>"},)) if case.variant == "auto" else case for case in slow.cases]
    assert "| a\\|b \\<i\\> |" in cells_below(replace(measured, cases=named))
