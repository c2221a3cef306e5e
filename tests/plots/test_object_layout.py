"""The sentences about object_layout, from the committed rows and from no rows."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import pytest

from experiments.object_layout import (
    counted,
    figures,
    findings,
    measures,
    program,
    row_topics,
    speed_topics,
    tables,
    titles,
    wording,
)
from experiments.object_layout.paper import paper
from experiments.object_layout.town import read_town
from plots.catalog import ROOT, load_experiment
from plots.draw import draw
from plots.drawing import Drawing
from plots.errors import NotTestable
from plots.figures import Scope
from plots.findings import Finding
from plots.interval import Interval
from plots.results import Case, Device, View
from plots.source_table import Passage
from plots.style import Looks
from tests.plots.committed import committed_view

EMPTY = View("object_layout", Device("none", "None"), [], {})
PARAGRAPHS = [paragraph for topic in findings.TOPICS for paragraph in topic.paragraphs]


@pytest.fixture(scope="module")
def committed() -> View:
    return committed_view("object_layout")


@pytest.mark.parametrize("write", [*findings.FINDINGS, *PARAGRAPHS])
def test_the_committed_rows_give_every_sentence(committed: View, write: Finding) -> None:
    text = write(committed)
    assert any(character.isdigit() for character in text)
    assert text.startswith("| ") or text.endswith(".")


@pytest.mark.parametrize("write", [*findings.FINDINGS, *PARAGRAPHS])
def test_missing_rows_give_no_sentence(write: Finding) -> None:
    with pytest.raises(NotTestable):
        write(EMPTY)


def test_the_headline_names_the_ratio_of_the_papers_scenario_first(committed: View) -> None:
    headline = findings.FINDINGS[0](committed)
    more_agents = wording.span(measures.gains(committed, "switch", measures.PAPER_LAYOUTS).values())
    own = wording.times(measures.gain_in_the_scenario(committed))
    assert own != more_agents
    assert headline.index(f"is {own} as fast") < headline.index(f"and {more_agents} as fast for 2^14")


def test_all_bars_of_figure_8_are_of_one_sweep(committed: View) -> None:
    """A run of all million ticks exists for two of the bars only, and is a little faster."""
    where = dict(variant="switch", machine="cuda", layout="soa", order="sorted", mode="faithful")
    part, whole = (committed.rate(case=measures.in_sweep(name), **where) for name in ("figure8", "figure8_whole"))
    assert part != whole
    assert measures.scenario(committed, "soa", "sorted") == part


def planted(variant: str, seconds: float, sweep: str, noise: float = 0.01, **axes: str) -> Case:
    """A row on a GPU of 4 million agents, in which everything takes as long as it is given."""
    everywhere = dict(program="traffic", agents="4194304", layout="soa", order="sorted", ticks="1", launch_ticks="0")
    return Case(
        Device("d", "D"),
        "object_layout",
        variant,
        "ours",
        "cuda",
        {**everywhere, **axes},
        sweeps=(sweep,),
        items=1e6,
        time=Interval(seconds, seconds * (1 - noise), seconds * (1 + noise)),
    )


def view_of(*cases: Case) -> View:
    return View("object_layout", Device("d", "D"), cases)


@pytest.mark.parametrize(
    ("ours", "text", "title"),
    [
        ((1, 1, 1), "For every number of ticks per launch, from 1 to 16, `registers` is the fastest.", "from 1 to 16"),
        ((1, 3, 1), "With 1 tick per launch, and from 16 ticks on, `registers` is the fastest.", "From 16 ticks"),
        ((1, 1, 3), "With 1 tick per launch, `registers` is the fastest.", "never the fastest"),
        (
            (4, 1, 1),
            "With 1 tick per launch, `switch` is the fastest and `registers` is 0.500x as fast, since each block "
            "copies the streets into shared memory; from 4 ticks on, `registers` is the fastest.",
            "From 4 ticks",
        ),
        (
            (4, 3, 3),
            "With 1 tick per launch, `switch` is the fastest and `registers` is 0.500x as fast, since each block "
            "copies the streets into shared memory.",
            "never the fastest",
        ),
    ],
)
def test_from_how_many_ticks_on_our_kernel_is_the_fastest(ours: Sequence[float], text: str, title: str) -> None:
    """The seconds of `registers` for 1, 4 and 16 ticks; `switch` takes 2."""
    rows = [
        planted(variant, seconds, "ticks", ticks=ticks)
        for ticks, own in zip(("1", "4", "16"), ours)
        for variant, seconds in (("switch", 2), ("registers", own))
    ]
    assert speed_topics.ticks_that_pay(view_of(*rows)) == text
    assert title in titles.ticks(view_of(*rows))


@pytest.mark.parametrize(
    ("seconds", "noise", "says_why"), [(2, 0.01, True), (0.5, 0.01, False), (1.01, 0.02, False), (1, 0.01, False)]
)
def test_a_slow_single_launch_has_a_cause(seconds: float, noise: float, says_why: bool) -> None:
    """A single launch that takes `seconds`, compared with the same launch in a sequence of eight."""
    rows = [
        planted("registers", 1, "tick_launches", noise, agents=agents, ticks="8", launch_ticks="1")
        for agents in ("4194304", "16777216")
    ]
    text = speed_topics.one_tick_launches(view_of(*rows, planted("registers", seconds, "ticks", noise)))
    assert text.startswith("In 8 launches of one tick each, `registers` reaches ")
    assert ("the L2 cache" in text) == says_why
    assert text.endswith("write back." if says_why else "as fast for 2^22 agents.")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        ((2, 3), "makes `factored` 0.667x to 1x as fast, over 2 combinations"),
        ((1, 3), "makes `factored` 0.667x to 2x as fast"),
    ],
)
def test_delayed_branches_are_compared_with_the_fastest_kernel(seconds: Sequence[float], text: str) -> None:
    rows = [
        planted(variant, taken, "dispatch", order=order)
        for order, own in zip(("sorted", "shuffled"), seconds)
        for variant, taken in (("factored", 2), ("switch", 4), ("auto", 0.1), ("delayed", own))
    ]
    sentence = speed_topics.delayed_branches(view_of(*rows, planted("factored", 1, "dispatch", order="jobs")))
    assert text in sentence
    assert (
        f"In {'1' if 1 in seconds else 'none'} of them, `delayed` is more than 1% faster than the fastest" in sentence
    )


def test_what_the_pages_of_methods_say_of_rows(committed: View) -> None:
    """Remove or change the sentences when rows contradict them."""
    method = " ".join((ROOT / "experiments/object_layout/METHOD.md").read_text("utf-8").split())
    assert "In no measured combination is `delayed` more than 1% faster than the fastest other kernel" in method
    assert "In none of them" in speed_topics.delayed_branches(committed)
    sweeps = json.loads((ROOT / "experiments/object_layout/sweeps.json").read_text("utf-8"))["sweeps"]
    ours = [one["name"] for one in sweeps if one["name"].startswith("auto_")]
    assert len(ours) == 11 and "`auto` and `auto_classes`" in method and "Ten more sweeps measure `auto`" in method
    for name in ours:
        assert committed.select(case=measures.in_sweep(name)), name


@pytest.mark.parametrize(
    ("count", "text"), [(1 << 20, "2^20"), (1 << 11, "2048"), (20480, "20,480"), (1, "1"), (0, "0")]
)
def test_counts_of_agents(count: int, text: str) -> None:
    assert wording.number(count) == text


def test_a_table_needs_a_row_with_a_number() -> None:
    assert wording.table_of(("a", "b"), [("x", "1"), ("y", wording.MISSING)]).splitlines()[-1] == "| x | 1 |"
    with pytest.raises(NotTestable):
        wording.table_of(("a", "b"), [("y", wording.MISSING)])


def test_sectors_come_from_the_hardware_counters(committed: View) -> None:
    """The addresses of one field give 4 and 8 times the sectors; all loads of the kernel, fewer."""
    found = {part.label: part.interval.value for part in counted.sectors(committed).parts}
    addresses = measures.lane_figure("sectors_progress", layout="aos", order="sorted")(committed).value / 4
    assert 1 < found["loads, aos, the scenario"] < addresses


def test_lanes_come_from_the_hardware_counters(committed: View) -> None:
    found = {part.label: part.interval.value for part in counted.active_lanes(committed).parts}
    arithmetic = measures.lane_figure("lanes_active", order="jobs", layout="soa")(committed).value / 16
    assert 1 < found["soa, the scenario"] < arithmetic


def test_claims_of_counters_need_counters() -> None:
    for measure in (counted.sectors, counted.active_lanes, counted.hits):
        with pytest.raises(NotTestable, match="counters"):
            measure(EMPTY)


def test_the_rows_say_how_they_were_compared() -> None:
    def case(verified: str, units: int, total: int) -> Case:
        where = {"verified_units": units, "units_total": total}
        return Case(Device("d", "D"), "e", "v", "ours", "cpu", {}, provenance=where, verified=verified)

    cases = [
        case("every unit", 2, 2),
        case("", 5, 5),
        case("", 1, 5),
        case("whole digest against columns on cpu", 1, 5),
    ]
    assert row_topics.comparisons(cases) == (
        "2 equal their reference in every unit, 1 in a digest of the whole output that another variant computed too, "
        "1 in a sample of the units"
    )


def drawing(name: str, view: View) -> Drawing:
    experiment = load_experiment("object_layout")
    spec = next(spec for spec in experiment.figures if spec.name == name)
    return spec.draw(Scope(view, experiment.papers(), [view], ROOT / "results"))


MEASURED = [spec.name for spec in figures.FIGURES if not spec.across]


@pytest.mark.parametrize("name", MEASURED)
def test_a_measured_figure_is_titled_by_what_it_shows(committed: View, name: str) -> None:
    drawn = drawing(name, committed)
    assert drawn.topic and drawn.title != drawn.topic
    assert len(drawn.title) <= 95
    assert any(character.isdigit() for character in drawn.title)


@pytest.mark.parametrize("name", MEASURED)
def test_a_panel_names_at_most_six_measured_lines(committed: View, name: str) -> None:
    drawn = drawing(name, committed)
    for panel in drawn.panels():
        named = [one for one in drawn.series if one.panel == panel and one.kind == "measured" and not one.grey]
        assert len(named) <= 6


def test_every_figure_has_a_caption_and_a_command_of_few_sweeps(committed: View) -> None:
    assert all(spec.caption.endswith(".") for spec in figures.FIGURES)
    for name in MEASURED:
        assert drawing(name, committed).command.count(",") <= 3


@pytest.mark.parametrize("name", ["figure8", "figure8_layouts", "figure9", "figure10", "agents_faithful"])
def test_the_paper_is_beside_the_measurement(committed: View, name: str) -> None:
    assert any(one.kind == "published" and one.points for one in drawing(name, committed).series)


PRINTED = ["figure8a_printed", "figure8b_printed", "figure8c_printed", "figure9_printed", "figure10_printed"]


@pytest.mark.parametrize("name", PRINTED)
def test_printed_figures_have_the_papers_shape(committed: View, name: str) -> None:
    """Bars or lines on linear axes, with the paper's numbers beside."""
    drawn = drawing(name, committed)
    assert drawn.y.scale == "linear" and (drawn.shape == "bars" or drawn.x.scale == "linear")
    assert any(one.kind == "published" and one.points for one in drawn.series)


def test_printed_panels_have_the_papers_bars_and_lines(committed: View) -> None:
    bars = [
        [
            round(point.y.value, 2)
            for one in drawing(name, committed).series
            if one.kind == "published"
            for point in one.points
        ]
        for name in PRINTED
    ]
    assert bars[:3] == [[11.63, 7.33], [16.01, 11.5], [26.71, 20.88]] and bars[4] == [0.18, 0.86, 3.82, 21.8]
    panels = drawing("figure9_printed", committed).panels()
    assert list(panels) == ["1 class", "100 classes", "1000 classes"], "with the paper's line of 100 types"
    assert len(bars[3]) == 15


def test_the_front_picture_has_the_paper_in_it(committed: View) -> None:
    drawn = drawing(findings.FRONT, committed)
    paper_bars = next(one for one in drawn.series if one.kind == "published").points
    assert [round(point.y.value, 2) for point in paper_bars] == [1.0, 0.63, 1.38, 0.99, 2.30, 1.80]


@pytest.mark.parametrize(
    ("columns", "sorting", "title"),
    [
        (
            (-0.05, -0.01),
            (0.4, 0.44),
            "Columns no longer beat structures; sorting by class still saves 40% to 44% of the time",
        ),
        (
            (0.27, 0.36),
            (0.22, 0.37),
            "Columns still beat structures; sorting by class still saves 22% to 37% of the time",
        ),
        (
            (0.02, 0.36),
            (-0.1, 0.03),
            "Columns beat structures in one of two orders; sorting by class saves at most 3% of the time",
        ),
    ],
)
def test_the_title_says_what_the_rows_say(columns: Sequence[float], sorting: Sequence[float], title: str) -> None:
    assert f"{titles.of_columns(columns)}; {titles.of_sorting(sorting)}" == title


def test_the_paper_itself_gets_the_other_title() -> None:
    assert titles.columns_and_sorting(paper()).startswith("Columns still beat structures")


def test_figure_2_has_the_classes_of_the_source() -> None:
    classes = program.model_classes()
    assert [one.base for one in classes.values()] == ["", "", "Agent", "Agent"]
    assert ("list[Street]", "neighbors") in classes["Street"].fields
    assert classes["Agent"].fields == (("float32", "progress"), ("Street", "street"))
    assert [name for name, one in classes.items() if one.methods == ("move",)] == ["Car", "Pedestrian"]
    assert program.target_of("list[Street]") == "Street"
    assert program.target_of("float32") == ""


def test_figure_1_has_every_street_of_the_file_to_scale() -> None:
    town = read_town((ROOT / program.TOWN).read_text("utf-8"))
    lines = [line for line in (ROOT / program.TOWN).read_text("utf-8").splitlines() if not line.startswith("#")]
    assert len(town.streets) == len(lines)
    for number, street in enumerate(town.streets):
        assert all(town.streets[following].start == street.end for following in town.following(number))
    places = town.places(0, 0, 15, 6)
    for street in town.streets:
        apart = math.dist(places[street.start], places[street.end])
        assert apart == pytest.approx(street.length, rel=0.15)


def test_figure_6_names_the_contents_of_each_array() -> None:
    drawn = drawing("figure6", EMPTY)
    assert drawn.order == ("Street.neighbors", "Array.size", "Array.offset", "contents")
    texts = {(point.x, drawn.order[int(point.y.value)]): point.text for one in drawn.series for point in one.points}
    for street in range(3):
        array = int(texts[street, "Street.neighbors"])
        first, size = int(texts[array, "Array.offset"]), int(texts[array, "Array.size"])
        assert all(texts[first + index, "contents"] for index in range(size))
    assert [texts[index, "contents"] for index in range(3)] == ["1", "2", "5"]


def test_figure_7_reads_the_lines_of_the_kernel() -> None:
    table = program.FIGURE_7.fill(Scope(EMPTY))
    sources = [str(row[2]).strip("\N{NO-BREAK SPACE}") for row in table.rows]
    kernel = (ROOT / "kernels/object_layout/dispatch.hpp").read_text("utf-8")
    methods = (ROOT / "common/object_layout/methods.hpp").read_text("utf-8")
    assert all(source in kernel or source in methods for source in sources)
    gone = Passage("a line that does not exist", "kernels/object_layout/dispatch.hpp", "no such line")
    with pytest.raises(NotTestable, match="dispatch.hpp"):
        gone.lines()


def test_figures_without_rows_say_why() -> None:
    for name in MEASURED:
        with pytest.raises(NotTestable):
            drawing(name, EMPTY)


@pytest.mark.parametrize(
    ("name", "boxes", "arrows"), [("figure1", 2 + 6 + 9, 9 + 14), ("figure2", 4, 4), ("figure3", 6, 6)]
)
def test_diagrams_have_their_boxes_and_arrows(committed: View, name: str, boxes: int, arrows: int) -> None:
    drawn = drawing(name, committed)
    lines = [point for one in drawn.series if one.kind != "arrows" for point in one.points]
    ends = [point for one in drawn.series if one.kind == "arrows" for point in one.points]
    places = {(point.x, point.y.value) for point in lines}
    assert len(places) == boxes
    assert len(ends) == 2 * arrows
    assert {(point.x, point.y.value) for point in ends} <= places
    svg = draw(drawn, Looks(), "svg")["svg"].decode("utf-8")
    assert all(point.text.replace("<", "&lt;").replace(">", "&gt;") in svg for point in lines)


def test_times_of_one_core_are_not_called_those_of_a_gpu(committed: View) -> None:
    experiment = load_experiment("object_layout")
    for spec in experiment.figures:
        if spec.name in ("figure9", "figure9_printed", "figure10", "figure10_printed"):
            labels = [one.label for one in spec.draw(Scope(committed, experiment.papers())).series]
            assert any(label.endswith("Ruby on the paper's CPU") for label in labels), spec.name
            assert not [label for label in labels if "K20Xm" in label or committed.device.name in label], spec.name


def test_wide_intervals_are_written_beside_their_values(committed: View, monkeypatch: pytest.MonkeyPatch) -> None:
    assert wording.where_wide(Interval(100, 96, 104)) == "100"
    assert wording.where_wide(Interval(100, 94, 104)) == "100 [94, 104]"
    assert wording.where_wide(Interval(2, 1, 3), of=100) == "2"
    found = measures.seconds(committed, "aos_padded", "jobs")
    wide = Interval(found.value, 0.9 * found.value, found.high)
    seconds = measures.seconds
    monkeypatch.setattr(
        measures,
        "seconds",
        lambda of, layout, order: wide if (layout, order) == ("aos_padded", "jobs") else seconds(of, layout, order),
    )
    lines = tables.scenario_seconds(committed).splitlines()
    assert f"{wording.where_wide(wide)} s" in next(line for line in lines if "aos_padded" in line)
    assert "[" in wording.where_wide(wide)
