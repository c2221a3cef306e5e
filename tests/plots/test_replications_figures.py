"""The figures of replications: their titles, and the paper's numbers in them, from the committed rows and from few."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from experiments.replications import bars, counted, figures, headlines, steps
from experiments.replications.access_table import AccessTable
from experiments.replications.measures import WALK
from plots.catalog import ROOT, load_experiment
from plots.drawing import Drawing
from plots.errors import NotTestable
from plots.figures import Lines, Scope
from plots.interval import exact
from plots.published import Published
from plots.results import Case, Device, View
from plots.style import NAMED_LINES
from plots.traces import Schematic
from tests.plots.committed import committed_view

SPECS = {spec.name: spec for spec in figures.FIGURES}
MEASURED = [spec for spec in figures.FIGURES if not isinstance(spec, Schematic)]
NAMES = [spec.name for spec in MEASURED]


@cache
def scope() -> Scope:
    experiment = load_experiment("replications")
    view = committed_view("replications")
    return Scope(view, experiment.papers(), [view], ROOT / "results")


def has_mm1_on_cpu() -> bool:
    """The committed rows lack them since the model's logarithm changed."""
    return any(case.machine == "cpu" and case.axes["model"] == "mm1" for case in scope().view.cases)


def has_counters() -> bool:
    """Counters belong to one build of a kernel: rows of a changed kernel have none until ncu runs."""
    return any(name.startswith("counter_") for case in scope().view.cases for name in case.measurements)


def drawn(name: str) -> Drawing:
    if name == "figure8_schemes" and not has_counters():
        pytest.skip("no row has hardware counters")
    return SPECS[name].draw(scope())


@pytest.mark.parametrize("spec", MEASURED, ids=NAMES)
def test_the_committed_rows_give_every_figure_a_title_that_says_what_was_found(spec: Lines) -> None:
    figure = drawn(spec.name)
    if spec.name == "figure6" and not has_mm1_on_cpu():
        pytest.skip("no CPU row of M/M/1 is committed")
    assert figure.topic == spec.title
    assert figure.title != spec.title and len(figure.title) <= 90
    assert figure.caption.endswith(".")


@pytest.mark.parametrize("spec", MEASURED, ids=NAMES)
def test_a_panel_names_no_more_lines_than_can_be_told_apart(spec: Lines) -> None:
    figure = drawn(spec.name)
    for panel in figure.panels():
        assert len([one for one in figure.series if one.panel == panel and not one.grey]) <= NAMED_LINES


@pytest.mark.parametrize("spec", MEASURED, ids=NAMES)
def test_a_device_without_rows_gives_a_reason(spec: Lines) -> None:
    with pytest.raises(NotTestable):
        spec.draw(Scope(View("replications", Device("none", "None"), [], scope().view.facts), scope().papers))


def test_a_machine_without_a_gpu_draws_its_own_lines_and_the_paper_s_numbers() -> None:
    cases = [case for case in scope().view.cases if case.machine == "cpu"]
    cpu = replace(scope().view, device=Device("cpu", "A CPU", "cpu"), cases=cases)
    if not has_mm1_on_cpu():
        pytest.skip("no CPU row of M/M/1 is committed")
    figure = SPECS["figure6"].draw(Scope(cpu, scope().papers))
    assert [series.label for series in figure.series] == ["sequential"]
    assert figure.title == SPECS["figure6"].title
    assert [mark.value for mark in figure.marks] == [20]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("gains", {"warp against thread, random walk": 6, "warp against one CPU thread, least above 30": 2}),
        ("figure1", {"multiprocessors": 14, "warp schedulers per multiprocessor": 2}),
        ("figure8", {"memory time over computation time (Figure 8)": 2.5, "reads of global memory (Table 2)": 12.5}),
    ],
)
def test_the_paper_s_numbers_stand_beside_ours(name: str, values: dict[str, float]) -> None:
    (paper,) = [series for series in drawn(name).series if series.kind == "published"]
    found = {point.x: point.y.value for point in paper.points}
    assert {row: found[row] for row in values} == values
    assert any(series.kind == "measured" for series in drawn(name).series)


TIMES_OF_SCHEMES = (("threads", 2.0), ("warps", 1.0))


def stalled(variant: str, cycles: float, memory: float) -> Case:
    """A row with counters: cycles per instruction, and those of them that wait for global memory."""
    axes = {"replications": "64", "block": "0", "lanes": "0", **{key: str(value) for key, value in WALK.items()}}
    metrics = {"cycles_per_instruction": cycles, "waits_for_memory": memory, "waits_to_send": 0.0}
    counters = {f"counter_{name}": value for name, value in metrics.items()}
    return Case(Device("d", "D"), "replications", variant, "paper", "cuda", axes, metrics=counters)


def test_figure_8_has_a_bar_per_scheme() -> None:
    cases = [stalled("threads", 10.0, 5.0), stalled("warps", 10.0, 2.0)]
    view = View("replications", Device("d", "D"), cases, scope().view.facts)
    figure = SPECS["figure8_schemes"].draw(Scope(view, scope().papers))
    assert [(point.x, point.y.value) for point in figure.series[0].points] == [
        ("one thread per replication (TLP)", 1.0),
        ("one warp per replication (WLP)", 0.25),
    ]
    assert figure.title == "Threads wait 4x as long for memory per computation as warps; in the paper, 2.5x"
    with pytest.raises(NotTestable):
        SPECS["figure8_schemes"].draw(Scope(replace(view, cases=[]), scope().papers))


def test_figure_8_and_table_2_are_compared_with_the_emulator_where_no_counters_were_read() -> None:
    rows = [replace(stalled(variant, 1.0, 0.0), metrics={}, time=exact(time)) for variant, time in TIMES_OF_SCHEMES]
    view = View("replications", Device("d", "D"), rows, scope().view.facts)
    figure = SPECS["figure8"].draw(Scope(view, scope().papers))
    measured = next(series for series in figure.series if series.kind == "measured")
    assert {point.x: point.y.value for point in measured.points} == {
        "time (Figure 7)": 2,
        "reads of global memory (Table 2)": 1 / 32,
        "writes to global memory (Table 2)": 1 / 32,
    }
    assert figure.title == "Threads take 2x as long as warps (paper: 6x), with 0.0312x the reads (paper: 12.5x)"


def test_stated_numbers_are_lines_on_linear_axes() -> None:
    figure = drawn("figure5")
    assert [(mark.value, mark.axis) for mark in figure.marks] == [(30, "x"), (65, "x")]
    assert (figure.x.scale, figure.y.scale) == ("linear", "linear")


def test_the_slots_of_the_device_are_marked() -> None:
    assert [mark.value for mark in drawn("capacity").marks] == [4224, 8448, 12672]
    assert [mark.value for mark in drawn("scaling_walk").marks] == [528, 6336]


def walk(count: int, seconds: float, resident: int = 2) -> Case:
    axes = {"replications": str(count), "block": "32", "lanes": "0", **{key: str(value) for key, value in WALK.items()}}
    kernel = {"name": "warps", "block": [32, 1, 1], "resident_blocks_per_multiprocessor": resident}
    device = Device("d", "D", attributes={"multiprocessors": 1})
    return Case(device, "replications", "warps", "paper", "cuda", axes, time=exact(seconds), kernels=(kernel,))


def test_stairs_have_a_step_per_warp_on_each_scheduler() -> None:
    rows = [walk(16, 40.0), walk(20, 50.0), walk(32, 80.0), walk(33, 91.0)]
    view = View("replications", rows[0].device, rows)
    predicted = steps.stairs(view)
    assert [predicted(count) for count in (16, 17, 20, 21, 32, 33)] == [40, 50, 50, 60, 80, 90]
    worst, first, last = steps.stairs_error(view)
    assert (worst, first, last) == (abs(91 / 90 - 1), 16, 33)
    with pytest.raises(NotTestable):
        steps.stairs(View("replications", rows[0].device, rows[:1]))


def test_slots_are_what_the_runtime_reports() -> None:
    rows = [walk(16, 40.0, resident=12)]
    assert steps.slots(View("replications", rows[0].device, rows)) == 12
    assert steps.slots(View("replications", rows[0].device, [])) == 32


def test_the_slower_scheme_is_not_called_the_faster() -> None:
    assert headlines.faster(exact(2.0), "a warp", "a thread") == "a warp is 2x as fast as a thread"
    assert headlines.faster(exact(0.5), "a warp", "a thread") == "a thread is 2x as fast as a warp"
    assert headlines.faster(exact(1.0), "a warp", "a thread") == "a warp and a thread take equally long"


def test_units_of_an_unknown_multiprocessor_are_not_guessed() -> None:
    with pytest.raises(NotTestable, match="99.0"):
        bars.units(View("replications", Device("d", "D", attributes={"compute_capability": "99.0"}), []))


def test_table_2_has_the_printed_numbers_beside_the_counted_ones() -> None:
    printed = Published(ROOT / "results" / "published", "replications").table("replications_table2")
    assert [(float(row.tlp), float(row.wlp)) for row in printed.itertuples()] == [counted.READS, counted.WRITES]
    table = AccessTable("table2", "Table 2")
    reads, _ = table.fill(scope()).rows
    if has_counters():
        assert reads == ("reads", "225", "18", "12.5", "6", "192", "0.0312")
    else:
        assert reads == ("reads", "225", "18", "12.5")
    uncounted = table.fill(Scope(View("replications", Device("d", "D"), []), scope().papers))
    assert uncounted.rows[1] == ("writes", "302", "104", "2.90"), "columns without a number leave"
