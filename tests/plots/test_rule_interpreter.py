"""The claims of rule_interpreter on the paper's own tables, where the right answers are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from experiments.rule_interpreter import (
    algorithms,
    auto_cells,
    figures,
    findings,
    measures,
    memory_layouts,
    titles,
    topics,
    wording,
)
from experiments.rule_interpreter.claims import CLAIMS
from experiments.rule_interpreter.figures import published
from plots import beside
from plots.catalog import ROOT, Experiment, load_experiment
from plots.claims import judge
from plots.drawing import Drawing
from plots.errors import NotTestable
from plots.figures import Scope
from plots.findings import Finding
from plots.interval import Interval
from plots.narrow import PAGE, width
from plots.published import Published
from plots.results import Device, View
from plots.style import Looks
from plots.table_data import TableData
from plots.traces import Schematic, load_traces
from plots.units import three_digits
from plots.verdict import Verdict
from tests.plots.committed import committed_view

NUMBERS = Published(ROOT / "results" / "published", "rule_interpreter")
CASES = list(published(NUMBERS))


def view(name: str = "GeForce GTX 1080 Ti (paper)") -> View:
    device = next(case.device for case in CASES if case.device.name == name)
    return View("rule_interpreter", device, [case for case in CASES if case.device == device], NUMBERS.facts())


def paragraphs() -> list[Finding]:
    return [paragraph for topic in findings.TOPICS for paragraph in topic.paragraphs]


@pytest.fixture(scope="module")
def measured() -> View:
    """The committed rows of a device."""
    return committed_view("rule_interpreter")


def test_rows_count_what_their_rules_apply_to(measured: View) -> None:
    def items(view: View, **where: object) -> set[str]:
        return {case.item for case in replace(view, cases=[*view.cases, *view.peers]).select(**where)}

    assert items(measured, rules=("synthetic", "several", "accesses")) == {"values"}
    assert items(measured, rules="sudoku") == {"grids"} and items(measured, rules="search") == {"puzzles"}
    speeds = [(row[0], row[2]) for row in beside.table(measured).rows]
    assert {speed.split()[-1] for case, speed in speeds if case.startswith("rules sudoku")} == {"grids/s"}
    assert {speed.split()[-1] for case, speed in speeds if case.startswith("rules search")} == {"puzzles/s"}
    assert {speed.split()[-1] for case, speed in speeds if not case.startswith("rules")} == {"values/s"}


def test_every_printed_row_is_there() -> None:
    # 24 rows in Tables 1 and 3, 12 in Tables 2 and 4, two cards.
    assert len(CASES) == 2 * (2 * 24 + 2 * 12)


@pytest.mark.parametrize(
    ("claim", "value", "verdict"),
    [
        ("K01", 3.52, Verdict.DOES_NOT_HOLD),  # 8.63 over 2.45 ms, not 4
        ("K07", 8 / 12, Verdict.NOT_TESTABLE),  # 6 of 12 are beyond the noise, which are not most
        ("K12", 0.21e-3, Verdict.NOT_TESTABLE),  # sigma is as large
        ("K22", 4.43, Verdict.HOLDS),  # room for a product of 1x1x1; the paper states no M, N and O
    ],
)
def test_the_papers_own_numbers(claim: str, value: float, verdict: Verdict) -> None:
    found = judge(next(one for one in CLAIMS if one.id == claim), view())
    assert found.measured is not None
    assert found.measured.value == pytest.approx(value, rel=2e-3)
    assert found.verdict is verdict


@pytest.mark.parametrize(
    ("claim", "cases", "worst"),
    [
        ("K06", 24, "algorithm3, load 2000, 2048 states of 1024, phi 2"),  # B is the fastest there
        ("K08", 12, "load 2000, 2048 states of 1024, phi 2"),  # Table 4 has no row with C ahead
        ("K03", 8, "2048 states of 4096"),  # 5.70 is above 5.5
    ],
)
def test_rows_of_the_papers_tables_are_judged_one_by_one(claim: str, cases: int, worst: str) -> None:
    found = judge(next(one for one in CLAIMS if one.id == claim), view())
    assert found.verdict is Verdict.MIXED
    assert len(found.parts) == cases
    assert worst in found.parts_text.split("fails at ")[1].split(";")[0]


def test_a_claim_is_judged_at_both_shapes(measured: View) -> None:
    """The scalar setting alone would hide that layout B is ahead in products of 2x2x2."""
    found = judge(next(one for one in CLAIMS if one.id == "K06"), measured)
    shapes = {judged.part.label.split(",")[0]: judged for judged in found.parts}
    assert set(shapes) == {"1x1x1", "2x2x2"}


def test_one_thread_per_state_is_judged_where_states_are_fewer_than_threads(measured: View) -> None:
    found = judge(next(one for one in CLAIMS if one.id == "K19"), measured)
    states = {int(judged.part.label.split(" states")[0].split()[-1]) for judged in found.parts}
    threads = measured.attribute("multiprocessors") * measured.attribute(algorithms.MOST_THREADS)
    assert max(states) < threads and len(states) > 2


def test_a_tuple_is_one_word_of_a_bank(measured: View) -> None:
    found = judge(next(one for one in CLAIMS if one.id == "K20"), measured)
    assert found.measured is not None and found.measured.value == 1
    assert not found.is_counted


def test_only_times_without_room_for_one_operation_contradict_the_papers_arithmetic() -> None:
    claim = next(one for one in CLAIMS if one.id == "K22")
    found = judge(claim, view())
    assert not found.is_counted and "2x2x2 would need 12" in found.details
    fast = replace(view(), cases=[replace(case, time=case.time and case.time * 0.2) for case in view().cases])
    assert judge(claim, fast).verdict is Verdict.DOES_NOT_HOLD


def test_claims_with_a_loose_word_do_not_contradict_the_paper_outright() -> None:
    assert {claim.id for claim in CLAIMS if claim.reading} == {"K01", "K13"}


def test_an_iteration_of_algorithm_3_has_five_barriers() -> None:
    """Section 5: Algorithms 3 and 4 in one kernel."""
    text = (ROOT / "kernels/rule_interpreter/algorithm3.hpp").read_text(encoding="utf-8")
    sum_, team = text.split("class Algorithm3Team")
    assert sum_.count("__syncthreads();") == 3
    assert team.split("for (unsigned first")[1].count("__syncthreads();") == 2


def test_the_rows_of_the_papers_tables_are_medians_of_100_runs(measured: View) -> None:
    """Section 6. A row has fewer samples only if they took half a second. The paper's rows have sigma as well."""
    cells = [case for case in measured if {"table1", "table2"} & set(case.sweeps) and case.time is not None]
    assert len(cells) >= 2 * 2 * (24 + 12)
    few = [case for case in cells if case.repetitions < 100]
    assert all(case.time is not None and case.repetitions * case.time.value > 0.45 for case in few)
    assert len(few) <= 1
    assert all("(σ " in case.printed for case in CASES)


def test_claims_are_those_of_the_paper_in_order() -> None:
    assert [claim.id for claim in CLAIMS] == [f"K{number:02}" for number in range(1, 28)]


def test_unmeasured_claims_give_the_reason() -> None:
    empty = View("rule_interpreter", Device("none", "None"), [], {})
    for claim in CLAIMS:
        assert judge(claim, empty).verdict is Verdict.NOT_TESTABLE
    for sentence in (*findings.FINDINGS, *paragraphs()):
        if sentence is not topics.rows_summary:
            with pytest.raises(NotTestable):
                sentence(empty)


def test_a_share_of_rows_has_the_noise_as_its_interval() -> None:
    advantages = [
        Interval(1.2, 1.1, 1.3),
        Interval(1.01, 0.99, 1.03),
        Interval(0.99, 0.97, 1.01),
        Interval(0.8, 0.7, 0.9),
    ]
    found = memory_layouts.share_faster(advantages, "rows have layout C ahead of A")
    assert found.interval == Interval(2 / 4, 1 / 4, 3 / 4)
    assert (
        found.note
        == "2 of 4 rows have layout C ahead of A, 1 of them by more than the noise; the opposite holds by more than the noise in 1"
    )


def test_the_largest_gain_is_given_for_other_pairs_of_layouts_too() -> None:
    found = judge(next(claim for claim in CLAIMS if claim.id == "K01"), view())
    # 8.88 over 2.45, 8.63 over 2.45
    assert "Algorithm 1 in A against Algorithm 3 in C 3.62, best layout of each 3.52, both in B 29.9" in found.note


def test_findings_are_single_sentences_from_the_committed_rows(measured: View) -> None:
    for finding in findings.FINDINGS:
        text = finding(measured)
        assert text.endswith(".") and ". " not in text, text


def test_every_paragraph_is_written_from_the_committed_rows(measured: View) -> None:
    # An `auto` that is fast everywhere leaves no cell to list.
    slow = replace(
        measured,
        cases=[
            replace(case, time=case.time * 2) if case.variant == "auto" and case.time else case
            for case in measured.cases
        ],
    )
    for paragraph in paragraphs():
        assert paragraph(slow if paragraph is auto_cells.cells_below else measured).endswith((".", "|"))


def test_the_headline_agrees_with_the_rows(measured: View) -> None:
    where = dict(rules="synthetic", enabled="5", load="200", states="16384", shape="2x2x2", machine="cuda")
    slow, fast = (measured.time(variant=variant, **where) for variant in ("algorithm1", "auto"))
    assert f"our `auto` is {three_digits(slow.value / fast.value)}x as fast" in findings.FINDINGS[0](measured)


def test_a_new_variant_appears_without_being_named(measured: View) -> None:
    """A row of ours that is faster than all others becomes the fastest of ours, and a column of the tables."""
    cell = dict(load="2000", states="16384", range="1024", divergence="2", shape="2x2x2", layout="A")
    (row,) = measured.select(**wording.synthetic(variant="list", **cell))
    assert row.time is not None
    new = replace(row, variant="novel", time=row.time * 0.5)
    view = replace(measured, cases=[*measured.cases, new])
    assert findings.best_ours(view, "2x2x2")[2000, 16384, 1024, 2][0] == ("novel", "A")
    assert "`novel`, ms" in topics.cells_square(view)


def test_factors_and_lists_read_well() -> None:
    assert wording.span([2.3, 12.34]) == "2.30x to 12.3x"
    assert wording.span([1.001, 1.004]) == "1.00x"
    assert wording.joined(["a", "b", "c"]) == "a, b, and c"
    assert sorted([("200", "b"), ("20", "a")], key=wording.in_order) == [("20", "a"), ("200", "b")]


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return load_experiment("rule_interpreter")


@pytest.fixture(scope="module")
def drawings(experiment: Experiment, measured: View) -> dict[str, Drawing]:
    scope = Scope(measured, experiment.papers(), [measured], ROOT / "results")
    return {spec.name: spec.draw(scope) for spec in experiment.figures}


def test_every_figure_says_what_it_shows_and_what_was_found(
    experiment: Experiment, drawings: dict[str, Drawing]
) -> None:
    for spec in experiment.figures:
        drawing = drawings[spec.name]
        assert spec.caption.endswith("."), spec.name
        assert isinstance(spec, Schematic) or drawing.topic == spec.title != drawing.title, spec.name
        assert len(drawing.title) <= 92, drawing.title
        for panel in drawing.panels():
            assert sum(one.kind == "measured" and one.panel == panel for one in drawing.series) <= 6


def test_series_of_a_figure_have_colours_of_their_own(drawings: dict[str, Drawing]) -> None:
    looks = Looks([], figures.COLOURS)
    for drawing in drawings.values():
        for panel in drawing.panels():
            shown = [one for one in drawing.series if one.panel == panel and one.kind == "measured" and not one.grey]
            colours = [look.colour for look in looks.of(shown)]
            assert len(set(colours)) == len(colours), (drawing.name, panel)


def test_the_front_figure_has_the_papers_two_gpus_and_its_text(drawings: dict[str, Drawing], measured: View) -> None:
    front = drawings[findings.FRONT]
    papers = [one for one in front.series if one.kind == "published"]
    assert [one.label for one in papers] == ["GeForce GTX 1080 Ti (paper)", "GeForce GTX Titan X (paper)"]
    assert all(len(one.points) == 12 for one in papers)
    # 8.63 over 2.45 ms in layout C of Tables 1 and 3.
    best = max(point.y.value for point in papers[0].points)
    assert best == pytest.approx(8.63 / 2.45)
    assert [mark.value for mark in front.marks] == [1.0, 4.0]
    own = next(one for one in front.series if one.kind == "measured")
    slower = sum(point.y.value <= 1 for point in own.points)
    assert front.title.startswith("At 1x1x1, compaction is slower")
    assert f"slower than Algorithm 1 in {slower} of 12 cells (best layout of each)" in front.title


def test_titles_follow_the_rows(measured: View) -> None:
    """With every row of Algorithm 3 a hundred times as fast, compaction wins everywhere."""
    fast = [
        replace(case, time=case.time * 0.01) if case.variant == "algorithm3" and case.time is not None else case
        for case in measured.cases
    ]
    view = replace(measured, cases=fast)
    assert "faster than Algorithm 1 in 12 of 12 cells (best layout of each)" in titles.compaction(measures.SCALAR)(view)
    title = titles.leader(machine="cuda", load="20", rules="synthetic")(view)
    assert title.startswith("Algorithm 3 is ") and title.endswith(", the fastest of our methods")
    with pytest.raises(NotTestable):
        titles.compaction(measures.SCALAR)(replace(measured, cases=[]))


def test_a_leader_is_compared_with_the_fastest_method_that_is_not_ours(
    experiment: Experiment, drawings: dict[str, Drawing]
) -> None:
    roles = ("ours", "baseline", "paper")
    for name in ("peers", "peers_scalar", "sudoku"):
        points = [point for one in drawings[name].series if one.key in roles for point in one.points]
        ours = [
            point for point in points if any(point in one.points for one in drawings[name].series if one.key == "ours")
        ]
        own, other = (
            min(
                (point.y.value, str(point.x).partition(",")[0]) for point in some if not str(point.x).startswith("auto")
            )
            for some in (ours, [point for point in points if point not in ours])
        )
        rival = wording.name_of_variant(other[1]).strip("`")
        factor = wording.factor(other[0] / own[0])
        assert drawings[name].title == f"{own[1]} is {factor} as fast as {rival}, the fastest method that is not ours"


def test_the_gain_where_few_are_enabled_names_its_layout(drawings: dict[str, Drawing], measured: View) -> None:
    """The sweep over the share of enabled values has no layout but A."""
    assert {case.axes["layout"] for case in measured if "divergence" in case.sweeps} == {"A"}
    assert drawings["divergence"].title.startswith("In layout A, ")
    assert findings.answer(measured).endswith(" (A, 5% enabled)")
    assert "layout A" in findings.gain_where_few_are_enabled(measured)


def test_the_papers_shares_are_marked(drawings: dict[str, Drawing]) -> None:
    assert [round(mark.value, 1) for mark in drawings["divergence"].marks] == [50.0, 66.7]


@pytest.mark.parametrize(
    ("name", "row", "printed"),
    [
        ("table1", ("2048", "1024", "2", "A"), ("0.36 (σ 0.03)", "0.39 (σ 0.07)")),
        ("table2", ("200", "2048", "A"), ("0.34 (σ 0.04)", "0.49 (σ 0.05)")),
        ("table3", ("2048", "1024", "2", "A"), ("0.21 (σ 0.13)", "0.19 (σ 0.004)")),
        ("table4", ("200", "2048", "A"), ("0.33 (σ 0.23)", "0.48 (σ 0.03)")),
    ],
)
def test_a_table_of_the_paper_has_its_numbers_as_printed(
    experiment: Experiment, measured: View, name: str, row: tuple[str, ...], printed: tuple[str, ...]
) -> None:
    spec = next(table for table in experiment.tables if table.name == name)
    table = spec.fill(Scope(measured, experiment.papers(), [measured]))
    first = next(cells for cells in table.rows if cells[: len(row)] == row)
    assert first[len(row) : len(row) + 2] == printed
    assert table.title.endswith(", ms")
    assert table.columns[len(row) + 2] == "NVIDIA H200"
    paper, own, ratio = (table.values[table.rows.index(first)][len(row) + shift] for shift in (0, 2, 3))
    assert paper is not None and own is not None and ratio == pytest.approx(paper / own)
    assert width(table.columns, table.rows) <= PAGE


def test_figures_and_tables_of_few_rows_are_drawn_or_say_why_not(
    experiment: Experiment, measured: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device that ran one sweep, one variant or one machine only. The traces are of none, and are read once."""
    monkeypatch.setattr("plots.traces.load_traces", cache(load_traces))
    sweeps = sorted({sweep for case in measured for sweep in case.sweeps})
    parts = [[case for case in measured if sweep in case.sweeps] for sweep in sweeps]
    parts += [[case for case in measured if case.variant == variant] for variant in ("auto", "algorithm3")]
    parts += [[case for case in measured if case.machine == "cpu"], []]
    drawn = 0
    for cases in parts:
        scope = Scope(replace(measured, cases=cases), experiment.papers(), [], ROOT / "results")
        fills: list[Callable[[Scope], Drawing | TableData]] = [spec.draw for spec in experiment.figures]
        for fill in [*fills, *(spec.fill for spec in experiment.tables)]:
            try:
                assert fill(scope).title
                drawn += 1
            except NotTestable as reason:
                assert str(reason)
    assert drawn > 60
