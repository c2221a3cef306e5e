"""The sentences of replications, from the committed rows and from none."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from experiments.replications import choice, counted, findings, measures, steps, topics, woven, wording
from experiments.replications.claims import CLAIMS
from experiments.replications.figures import FIGURES
from plots.catalog import ROOT
from plots.claims import Judgement, judge
from plots.errors import NotTestable
from plots.figures import Scope
from plots.findings import Finding
from plots.interval import exact
from plots.results import Case, Device, View
from plots.verdict import Verdict
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


def walk(count: int, seconds: float, variant: str = "warps", **other: object) -> Case:
    """A row of the random walk on a device with one multiprocessor, whose four schedulers hold 32 blocks."""
    axes = {"replications": str(count), "block": "0", "lanes": "0"}
    axes |= {"draws": "100000", "clients": "10000", "utilisation": "0.75"}
    axes |= {name: str(value) for name, value in measures.WALK.items()}
    device = Device("d", "D", attributes={"multiprocessors": 1})
    case = Case(device, "replications", variant, "paper", "cuda", axes, time=exact(seconds))
    return replace(case, **other)


def view_of(rows: Sequence[Case]) -> View:
    return View("replications", Device("d", "D", attributes={"multiprocessors": 1}), rows, committed().facts)


def judged(claim: str, rows: Sequence[Case]) -> Judgement:
    return judge(next(one for one in CLAIMS if one.id == claim), view_of(rows))


def test_the_time_rises_by_steps_if_it_is_flat_between_multiples_of_the_schedulers() -> None:
    steps_of_four = [walk(1, 10.0), walk(4, 10.1), walk(5, 12.0), walk(8, 12.1), walk(9, 15.0)]
    found = judged("W02", steps_of_four)
    assert [one.part.label for one in found.parts] == ["1 to 4 replications", "5 to 8 replications"]
    assert found.verdict is Verdict.HOLDS and "9 replications take 1.50 times as long as 1" in found.note
    slope = [walk(count, 10.0 + count) for count in (1, 4, 5, 8, 9)]
    assert judged("W02", slope).verdict is Verdict.DOES_NOT_HOLD
    part_of_a_step = [*steps_of_four, walk(10, 15.1)]
    assert len(judged("W02", part_of_a_step).parts) == 2, "a part of a step is flat on a slope, too"


def test_the_first_step_lies_between_two_measured_numbers_and_is_that_of_the_comparison_with_threads() -> None:
    found = judged("W03", [walk(1, 10.0), walk(528, 10.1), walk(544, 12.0), walk(1056, 12.1)]).measured
    assert found is not None and (found.low, found.high) == (529, 544)
    place = steps.first_step_place(committed())
    assert (
        f"warps between {place.interval.low - 1:.0f} and {place.interval.high:.0f};"
        in steps.steps_compared(committed()).note
    )


def test_rows_that_are_there_for_several_gpus_alone_join_no_line() -> None:
    lanes = {"team_lanes": 1.0}
    stale = walk(10000, 5.0, "auto", sweeps=("devices",), metrics=lanes)
    shared = walk(16384, 1.0, "auto", sweeps=("scaling", "devices"), metrics=lanes)
    rows = [stale, shared, walk(32768, 1.0, "auto", sweeps=("scaling",), metrics=lanes)]
    assert list(topics.chosen_lanes(view_of(rows), measures.WALK)) == [16384, 32768]
    for name in ("each", "team"):
        spec = next(spec for spec in FIGURES if spec.name == name)
        figure = spec.draw(Scope(view_of(rows), []))
        assert [point.x for series in figure.series for point in series.points] == [16384, 32768]


def test_a_base_of_one_gpu_that_more_work_overtakes_is_named() -> None:
    def sets(base: float, commit: str, date: str = "2026-11-30T10:00:00") -> View:
        origin = {"commit": "a", "date": "2026-11-22T10:00:00"}
        whole = walk(10000, base, "auto", sweeps=("devices",), provenance=origin)
        shards = replace(whole, time=exact(base / 2), provenance={**origin, "parts": 2})
        more = walk(16384, 1.0, "auto", sweeps=("scaling",), provenance={"commit": commit, "date": date})
        return replace(view_of([whole, more]), shard_sets=[shards])

    text = topics.overtaken_bases(sets(5.0, "b"))
    base = "random walk by auto, 10,000 replications in 5 s (commit a, measured on 2026-11-22)"
    assert f"{base}, against 16,384 replications in 1 s." in text
    with pytest.raises(NotTestable):
        topics.several_gpus_table(sets(5.0, "b"))
    assert "from commit a, measured on 2026-11-22." in topics.shard_digests_agree(sets(5.0, "b"))
    for view in (sets(0.5, "b"), sets(5.0, "a"), sets(5.0, "b", "2026-11-01T10:00:00")):
        assert topics.overtaken_bases(view).startswith("No time of one GPU")
        assert "| 10,000 | 2x |" in topics.several_gpus_table(view)


def test_a_crossing_lies_where_the_lines_between_measured_times_do() -> None:
    """One CPU thread is noisy at 16 replications: its time there would put the crossing at 6."""
    axes = {"model": "pi", "draws": "10000000"}

    def pi(variant: str, count: int, seconds: float) -> Case:
        machine = "cpu" if variant == "sequential" else "cuda"
        case = walk(count, seconds, variant, machine=machine)
        return replace(case, axes={**case.axes, **axes})

    core = [pi("sequential", count, seconds) for count, seconds in ((6, 352.0), (8, 465.0), (16, 1200.0))]
    rows = [*core, pi("warps", 1, 376.0), pi("warps", 30, 376.0)]
    assert measures.crossing_of(view_of(rows), "pi") == 7
    note = measures.crossing("pi")(view_of(rows)).note
    assert "352 s for 6 replications, 465 s for 8 replications; warps take 376 s for 7" in note
    assert measures.crossing_of(view_of([*core[:1], *rows[3:]]), "pi") == 7, "in proportion beyond the last number"
    with pytest.raises(NotTestable, match="no crossing"):
        measures.crossing_of(view_of([*core, pi("warps", 1, 376.0), pi("warps", 5, 376.0)]), "pi")
