"""What the rows of replications say: FINDINGS for the top README, TOPICS for results/<device>/replications.md.

Each function writes one sentence or one table from the rows of any device, and raises NotTestable where rows are missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from experiments.replications import capacity_topics, counter_topics, form_topics, phase, topics
from experiments.replications.choice import choices, unseen_choices
from experiments.replications.measures import CHOSEN, CHUNK_WALK, MODELS, TITLES, ratios
from experiments.replications.steps import slots
from experiments.replications.wording import (
    COMPARED,
    Workload,
    counted,
    fastest_team,
    grouped,
    share,
    span,
    speeds,
    times_as_fast,
    where_rows_exist,
    workload_name,
)
from plots.errors import NotTestable
from plots.findings import Topic
from plots.interval import Interval
from plots.results import GPU, View


def team_beats_warp(view: View) -> str:
    found = where_rows_exist(partial(fastest_team, view), list(MODELS.values()))
    text = span([(TITLES[str(where["model"])], ratio) for where, (_, _, ratio) in found])
    return (
        f"On {models(found)} at {COMPARED} replications, teams of many lanes per replication (without branches in the random "
        f"walk) are {text} as fast as the paper's scheme of one active lane per warp, and give the same numbers bit for bit."
    )


def models(found: Sequence[tuple[Workload, object]]) -> str:
    """'the paper's three models (Pi, 10,000,000 draws; ...)': the workloads of a comparison, by name."""
    number = "three models" if len(found) == len(MODELS) else f"model{'' if len(found) == 1 else 's'}"
    return f"the paper's {number} ({'; '.join(workload_name(where) for where, _ in found)})"


def warp_gain(view: View) -> str:
    """The paper's own comparison."""
    place, ratio = max(speeds(view, "threads", "warps"), key=lambda pair: pair[1])
    return (
        f"On the paper's three models, one warp per replication is at most {times_as_fast(ratio)} as fast as one thread per "
        f"replication ({place}){_by_chunk(view)}; the paper reports up to {view.fact('conclusion_tlp'):g}x."
    )


def _by_chunk(view: View) -> str:
    """The other reading of the paper's walk, by which claim W17 is mixed."""
    try:
        found = ratios(view, "threads", "warps", {**CHUNK_WALK, **CHOSEN})
    except NotTestable:
        return ""
    most = max(found.values(), key=lambda ratio: ratio.value)
    return f", and at most {times_as_fast(most)} on a walk whose step branches on its chunk"


def auto_is_near_the_best(view: View) -> str:
    found = list(choices(view))
    if not found:
        raise NotTestable("no power of two at which auto and another scheme were timed")
    worst = max(found, key=lambda choice: choice.ratio.value)
    counts = [choice.count for choice in found]
    return (
        f"At every power of two from {min(counts)} to {grouped(max(counts))} replications, `auto` takes "
        f"{at_most(worst.ratio)} the fastest timed alternative "
        f"({sum(choice.schemes for choice in found)} timings; worst case: {TITLES[worst.model]} at "
        f"{counted(worst.count, 'replication')}, where the fastest is {worst.best_name()})."
    )


def at_most(ratio: Interval) -> str:
    """'at most 2.9% longer than', or 'at most 1.52x the time of': a ratio near 1 reads better as a difference."""
    more = max(ratio.value - 1, 0.0)
    return f"at most {share(more)} longer than" if more < 0.1 else f"at most {times_as_fast(ratio)} the time of"


def auto_where_no_sweep_is(view: View) -> str:
    found = list(unseen_choices(view))
    if not found:
        raise NotTestable(view.missing({"variant": "auto"}, "a time in a sweep unseen_N"))
    worst = max(found, key=lambda choice: choice.ratio.value)
    return (
        f"At {len(found)} points that no other sweep has, `auto` takes {at_most(worst.ratio)} the "
        f"fastest timed alternative ({sum(choice.schemes for choice in found)} timings; worst case: {TITLES[worst.model]} at "
        f"{counted(worst.count, 'replication')}, where the fastest is {worst.best_name()}). A timed case is repeated, so "
        "`auto` keeps the fastest of up to six teams that it tries at the point; `lockstep replicate` takes the team with "
        "the lowest estimate."
    )


def auto_beats_the_cores(view: View) -> str:
    """Above 64 replications, where all cores have work."""
    found = speeds(view, "all_cores", "auto", lambda count: count > int(COMPARED))
    return f"Above {COMPARED} replications, `auto` is {span(found)} as fast as {cores(view)}."


def cores(view: View) -> str:
    """'the 16 threads of the host's CPU', or the same without the number where the rows differ in it."""
    counts = {(case.provenance.get("cpu") or {}).get("threads") for case in view.select(variant="all_cores")}
    number = counts.pop() if len(counts) == 1 else None
    return f"the {number} threads of the host's CPU" if number else "all threads of the host's CPU"


@dataclass(frozen=True)
class SecondKernel:
    """When a second kernel begins, as shares of the first one's run time: before all slots are taken, and then."""

    below: int
    full: int
    early: float
    late: float
    reserved: bool


def begins_of_second_kernel(view: View) -> SecondKernel:
    rows = {
        int(case.axes["replications"]): case.metrics
        for case in view.select(variant="concurrent_kernel", machine=GPU)
        if "second_begins_share" in case.metrics
    }
    if not rows:
        raise NotTestable(view.missing({"variant": "concurrent_kernel"}))
    full = slots(view)
    if min(rows) >= full or max(rows) < full:
        raise NotTestable("no rows on both sides of full slots")
    below, at = (max(count for count in rows if count < full), min(count for count in rows if count >= full))
    used = max(metrics["multiprocessors_used"] for metrics in rows.values())
    early, late = rows[below]["second_begins_share"], rows[at]["second_begins_share"]
    return SecondKernel(below, at, early, late, used < view.attribute("multiprocessors") or late < 10 * early)


def second_kernel(view: View) -> str:
    """Whether the device keeps room for another kernel, which is how the paper explains its first step."""
    found = begins_of_second_kernel(view)
    return (
        f"Beside a kernel of {found.below} one-warp blocks, a second kernel starts after {share(found.early)} of the first "
        f"one's run time; beside {found.full} blocks, which fill all slots, it starts after {share(found.late)}"
        + ("." if found.reserved else ": the GPU reserves no room for a second kernel.")
    )


def answer(view: View) -> str:
    ratios_found = [ratio for _, (_, _, ratio) in where_rows_exist(partial(fastest_team, view), list(MODELS.values()))]
    ends = " to ".join(dict.fromkeys(map(times_as_fast, (min(ratios_found), max(ratios_found)))))
    return f"Lane teams: {ends} as fast as one lane per warp"


ANSWER = answer

#: The claim by which the paper is quoted on the index page.
MAIN_CLAIM = "W17"

#: The picture of the paper's question on the index page: the published ratios beside ours.
FRONT = "gains"

FINDINGS = (
    team_beats_warp,
    warp_gain,
    auto_is_near_the_best,
    auto_beats_the_cores,
    second_kernel,
)

#: The published ratios beside ours, and where our scheme lies between the paper's.
PICTURES = ("gains", "scaling_mm1")

TOPICS = (
    Topic(
        "Schemes compared", (topics.schemes_table, topics.thread_against_warp_text, topics.thread_against_warp_table)
    ),
    Topic(
        "Where a warp per replication wins: steps that really branch",
        (phase.where_warps_win, phase.phase_table, phase.chunk_walk_table),
    ),
    Topic("The choice of `auto`", (auto_where_no_sweep_is, topics.single_lanes, topics.chosen_lanes_table)),
    Topic(
        "Where the time of one warp per replication rises",
        (
            capacity_topics.growth,
            capacity_topics.steps_at_slots,
            capacity_topics.steps_are_of_schedulers,
            capacity_topics.block_sizes_agree,
        ),
    ),
    Topic("Dispatch of blocks", (capacity_topics.dispatch_table,)),
    Topic(
        "Three forms of one warp per replication, and the warp's index by PTX",
        (form_topics.forms_agree, form_topics.ptx_table),
    ),
    Topic("One CPU thread against the GPU", (topics.cpu_crossing_table, topics.warps_beat_cpu_thread)),
    Topic(
        "Confidence intervals and uniformity", (topics.coverage_text, topics.coverage_table, topics.walkers_are_uniform)
    ),
    Topic(
        "Parameters of the models, and the block size",
        (topics.utilisation_does_not_matter, topics.chunks_do_not_matter, topics.block_size_table),
    ),
    Topic("Several GPUs", (topics.shard_digests_agree, topics.several_gpus_table, topics.overtaken_bases)),
    Topic(
        "Hardware counters",
        (
            counter_topics.counter_table,
            counter_topics.instructions_multiply,
            counter_topics.divergence,
            counter_topics.memory_waits,
        ),
    ),
)
