"""The sentences of replications, from the committed rows and from none."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from experiments.replications import choice, counted, findings, measures, steps, topics, woven, wording
from plots.catalog import ROOT
from plots.errors import NotTestable
from plots.findings import Finding
from plots.interval import exact
from plots.results import Case, Device, View
from tests.plots.committed import committed_view

FUNCTIONS = [*findings.FINDINGS, *(function for topic in findings.TOPICS for function in topic.paragraphs)]
NAMES = [function.__name__ for function in FUNCTIONS]


#: They show hardware counters, which belong to one build of a kernel: rows of a changed kernel have none until ncu runs.
OF_COUNTERS = {"counter_table", "instructions_multiply", "divergence", "memory_waits"}


@cache
def committed() -> View:
    return committed_view("replications")


@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_the_committed_rows_give_a_sentence_or_a_table(function: Finding) -> None:
    counted = any(name.startswith("counter_") for case in committed().cases for name in case.measurements)
    if function.__name__ in OF_COUNTERS and not counted:
        pytest.skip("no row has hardware counters")
    if function is findings.auto_where_no_sweep_is and not any(map(choice.is_unseen, committed().cases)):
        pytest.skip("no row is of a sweep unseen_N")
    text = function(committed())
    if text.startswith("|"):
        lines = text.splitlines()
        assert len(lines) > 2
        assert len({line.count("|") for line in lines}) == 1
    else:
        assert text.endswith(".")
        assert "\n" not in text


@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_missing_rows_are_said(function: Finding) -> None:
    with pytest.raises(NotTestable):
        function(View("replications", Device("none", "None"), [], committed().facts))


def test_auto_is_compared_at_unseen_parameters_with_rows_of_the_same_parameters_only() -> None:
    rows = [row for row in committed().cases if "scaling" in row.sweeps or "scaling_teams" in row.sweeps]
    planted = replace(
        committed(),
        cases=[replace(row, sweeps=("unseen_1",)) if row.variant == "auto" else row for row in rows],
    )
    found = list(choice.unseen_choices(planted))
    assert {(one.model, one.count) for one in found} >= {("pi", 1), ("mm1", 64), ("walk", 262144)}
    for one in found:
        same = {axis: at for axis, at in one.best.axes.items() if axis not in measures.CHOSEN}
        rivals = planted.select(variant=choice.SCHEMES, machine="cuda", **same)
        assert one.least.value == min(row.time.value for row in rivals if row.time is not None)
        assert one.schemes == sum(row.time is not None for row in rivals)
        assert (one.model, str(one.count)) == (one.best.axes["model"], one.best.axes["replications"])
    assert f"At {len(found)} points" in findings.auto_where_no_sweep_is(planted)


def test_no_other_sweep_has_the_unseen_parameters() -> None:
    """Twenty points, four per model, each with a number of replications and of items that no other sweep has."""
    sweeps = json.loads((ROOT / "experiments/replications/sweeps.json").read_text())["sweeps"]
    unseen = {sweep["name"]: sweep["axes"] for sweep in sweeps if sweep["name"].startswith("unseen")}
    points = [name for name in unseen if re.fullmatch(r"unseen_\d+", name)]
    assert Counter(model for name in points for model in unseen[name]["model"]) == dict.fromkeys(measures.TITLES, 4)
    for name in points:
        (rivals,) = (axes for other, axes in unseen.items() if other in (f"{name}_teams", f"{name}_lanes"))
        assert {axis: values for axis, values in rivals.items() if axis != "lanes"} == unseen[name]
        for axis in {"replications", "draws", "clients", "steps"} & set(unseen[name]):
            others = [sweep for sweep in sweeps if not sweep["name"].startswith(name)]
            assert not {value for sweep in others for value in sweep["axes"].get(axis, [])} & set(unseen[name][axis])


def test_a_span_names_its_ends() -> None:
    assert wording.span([("b", 20.0), ("a", 2.5), ("c", 3.0)]) == "2.50x (a) to 20x (b)"
    assert wording.span([("a", 2.5)]) == "2.50x (a)"


def test_powers_of_four() -> None:
    assert [count for count in range(1, 70) if topics.is_power_of_four(count)] == [1, 4, 16, 64]


def test_a_rise_lies_between_two_measured_numbers() -> None:
    rows = {64: exact(1.0), 128: exact(1.05), 256: exact(1.2), 512: exact(1.0)}
    assert steps.rise_between(rows, "warps") == (128, 256)
    with pytest.raises(NotTestable, match="warps rises nowhere up to 128"):
        steps.rise_between({64: exact(1.0), 128: exact(1.1)}, "warps")


def test_a_line_that_moves_is_not_kept() -> None:
    user = ["before();", "// @warp", "kernel() {", "}"]
    assert woven.kept(user, "user.cu", ['#line 1 "user.cu"', "before();", "", "kernel() { if", "}}"]) == 1
    assert woven.kept(user, "user.cu", ['#line 1 "user.cu"', "before();", "kernel() { if", "}}"]) == pytest.approx(
        1 / 3
    )
    assert woven.kept(user, "user.cu", ['#line 1 "other.cu"', "before();", "", "kernel() { if", "}}"]) == 0


def occupied(variant: str, block: str, percent: float) -> Case:
    axes = {
        "replications": "64",
        "block": block,
        "lanes": "0",
        **{name: str(value) for name, value in measures.WALK.items()},
    }
    metrics = {"counter_occupancy_percent": percent}
    return Case(Device("d", "D"), "replications", variant, "paper", "cuda", axes, metrics=metrics)


def test_occupancy_is_compared_between_blocks_of_one_size() -> None:
    by_default = [occupied("threads", "0", 1.5), occupied("warps", "0", 6.0)]
    with pytest.raises(NotTestable, match="blocks of the same size"):
        counted.occupancy(View("replications", Device("d", "D"), by_default))
    cases = [*by_default, occupied("threads", "32", 1.5), occupied("warps", "32", 3.0), occupied("warps", "128", 6.0)]
    (part,) = counted.occupancy(View("replications", Device("d", "D"), cases)).parts
    assert (part.label, part.interval.value) == ("64 replications, blocks of 32", 2.0)


def walks(variant: str, **counters: float) -> Case:
    axes = {"replications": "64", **{name: str(value) for name, value in {**measures.WALK, **measures.CHOSEN}.items()}}
    metrics = {f"counter_{name}": value for name, value in counters.items()}
    return Case(Device("d", "D"), "replications", variant, "paper", "cuda", axes, metrics=metrics)


def test_accesses_are_emulated_where_no_counters_were_read() -> None:
    view = View("replications", Device("d", "D"), [walks("threads"), walks("warps")])
    reads, writes = counted.loads_and_stores(view).parts
    # A warp per replication repeats for each what 32 threads do together.
    assert (reads.interval.value, writes.interval.value) == (1 / 32, 1 / 32)
    loaded, stored = counted.bytes_moved(view).parts
    assert (loaded.interval.value, stored.interval.value) == (1 / 32, 1)
    pi, queue, walk = counted.lanes_at_work(view).parts
    assert pi.interval.value == queue.interval.value == 1
    assert 0.25 < walk.interval.value < 0.75
    for found in (counted.loads_and_stores(view), counted.bytes_moved(view), counted.lanes_at_work(view)):
        assert "emulated" in found.note


def test_the_counters_of_a_device_come_before_emulated_ones() -> None:
    read = {"loads": 8.0, "stores": 4.0, "sectors_read": 8.0, "sectors_written": 4.0}
    cases = [walks("threads", **read), walks("warps", **{**read, "loads": 2.0})]
    found = counted.loads_and_stores(View("replications", Device("d", "D"), cases))
    assert [part.interval.value for part in found.parts] == [4, 1]
    assert "emulated" not in found.note


def test_stalls_and_occupancy_are_not_emulated() -> None:
    view = View("replications", Device("d", "D"), [walks("threads"), walks("warps")])
    for measure in (counted.memory_over_compute, counted.occupancy):
        with pytest.raises(NotTestable):
            measure(view)


def test_nothing_is_emulated_for_a_paper_and_for_no_rows() -> None:
    for view in (
        View("replications", Device("p", "P", published=True), [walks("threads")]),
        View("replications", Device("d", "D"), []),
    ):
        with pytest.raises(NotTestable):
            counted.lanes_at_work(view)
