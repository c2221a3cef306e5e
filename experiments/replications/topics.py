"""Paragraphs and tables of results/<device>/replications.md, from the schemes compared to several GPUs.

Each function takes the view of one device and raises NotTestable where that device lacks the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from experiments.replications import measures
from experiments.replications.measures import (
    CHOSEN,
    LONG_WALK,
    MODELS,
    PI,
    QUEUE,
    SHORT_MODELS,
    TITLES,
    WALK,
    crossing_of,
    ratios,
    times,
)
from experiments.replications.wording import (
    COMPARED,
    PHRASES,
    Workload,
    fastest_team,
    grouped,
    share,
    speeds,
    times_as_fast,
    where_rows_exist,
    workload_name,
)
from plots.errors import NotTestable
from plots.interval import Interval
from plots.markdown import table
from plots.results import GPU, Case, View
from plots.shards import ASTERISK, commit_mark, parts_of, whole_of
from plots.tables import MISSING
from plots.units import digits, quantity


def schemes_table(view: View) -> str:
    """64 replications by each scheme."""

    def cells(where: Workload) -> tuple[str, ...]:
        full: dict[str, object] = {**where, "replications": COMPARED, "machine": GPU}
        case, time, ratio = fastest_team(view, where)
        return (
            workload_name(where),
            quantity(view.time(variant="threads", **full).value, "s"),
            quantity(view.time(variant="warps", **full).value, "s"),
            quantity(time, "s"),
            f"{case.metrics['team_lanes']:.0f}",
            times_as_fast(ratio),
        )

    head = (
        f"{COMPARED} replications of",
        "thread per replication",
        "warp per replication",
        "team of lanes",
        "lanes per team",
        "team against warp",
    )
    return table(head, [row for _, row in where_rows_exist(cells, (PI, QUEUE, WALK, LONG_WALK))])


def thread_against_warp_table(view: View) -> str:
    """One thread per replication over one warp, as speed, from few replications to many."""
    found = where_rows_exist(
        lambda where: ratios(view, "warps", "threads", {**where, **CHOSEN, "machine": GPU}),
        list(SHORT_MODELS.values()),
    )
    counts = sorted({count for _, by_count in found for count in by_count if is_power_of_four(count)})
    rows = [
        [grouped(count), *(times_as_fast(by[count]) if count in by else MISSING for _, by in found)] for count in counts
    ]
    return table(("replications", *(workload_name(where) for where, _ in found)), rows)


def is_power_of_four(count: int) -> bool:
    return count & (count - 1) == 0 and count.bit_length() % 2 == 1


def thread_against_warp_text(view: View) -> str:
    ratios(view, "warps", "threads", {**WALK, **CHOSEN, "machine": GPU})
    return (
        "Speed of one thread per replication relative to one warp per replication. A value below 1 means that the warp "
        "is faster."
    )


def chosen_lanes(view: View, where: Workload) -> dict[int, float]:
    """Lanes that auto puts on one replication, by the number of replications."""
    found = {
        int(case.axes["replications"]): case.metrics["team_lanes"]
        for case in view.select(variant="auto", machine=GPU, **where, **CHOSEN)
        if "team_lanes" in case.metrics
    }
    if not found:
        raise NotTestable(view.missing({"variant": "auto", **where}, "the figure team_lanes"))
    return dict(sorted(found.items()))


def chosen_lanes_table(view: View) -> str:
    found = where_rows_exist(partial(chosen_lanes, view), list(SHORT_MODELS.values()))
    counts = sorted({count for _, lanes in found for count in lanes if is_power_of_four(count)})
    head = ("replications", *(f"lanes per replication: {workload_name(where)}" for where, _ in found))
    rows = [
        [grouped(count), *(grouped(lanes[count]) if count in lanes else MISSING for _, lanes in found)]
        for count in counts
    ]
    return table(head, rows)


def single_lanes(view: View) -> str:
    """From how many replications on auto gives each replication one lane."""
    at, never = [], []
    for where, lanes in where_rows_exist(partial(chosen_lanes, view), list(SHORT_MODELS.values())):
        single = [count for count in lanes if all(lanes[other] == 1 for other in lanes if other >= count)]
        name = PHRASES[str(where["model"])]
        if single:
            at.append(f"from {grouped(min(single))} replications on for {name}")
        else:
            never.append(f"for {name}, it still uses several lanes at {grouped(max(lanes))} replications")
    parts = [f"it uses one lane per replication {' and '.join(at)}"] if at else []
    sentence = "; ".join(parts + never)
    return f"With more replications, `auto` puts fewer lanes on each, though not at every step: {sentence}."


def furthest_from_one(ratios_found: Iterable[Interval]) -> float:
    """The largest distance of an end of an interval from 1."""
    return max(max(abs(ratio.low - 1), abs(ratio.high - 1)) for ratio in ratios_found)


def sequential_span(view: View, where: Workload) -> tuple[float, float]:
    """Least and most seconds per replication on one CPU thread, over all numbers of replications."""
    each = [time.value / count for count, time in times(view, "sequential", machine="cpu", **where).items()]
    return min(each), max(each)


def cpu_crossing_table(view: View) -> str:
    """Where one warp per replication overtakes one CPU thread, as in claims W06 and W07."""
    printed = {"pi": "fig5_crossover", "mm1": "fig6_crossover"}

    def cells(where: Workload) -> tuple[str, ...]:
        warps = times(view, "warps", machine=GPU, **where, **CHOSEN)
        start = warps[min(warps)].value
        least, most = sequential_span(view, where)
        fact = printed.get(str(where["model"]))
        return (
            workload_name(where),
            quantity(start, "s"),
            f"{quantity(least, 's')} to {quantity(most, 's')}",
            f"{crossing_of(view, str(where['model']))}",
            f"{view.fact(fact):g}" if fact else MISSING,
        )

    head = (
        "workload",
        "one replication by one warp",
        "one replication by one CPU thread",
        "warps are faster from (replications)",
        "in the paper",
    )
    return table(head, [row for _, row in where_rows_exist(cells, list(MODELS.values()))])


def warps_beat_cpu_thread(view: View) -> str:
    place, ratio = min(speeds(view, "sequential", "warps", lambda count: count > 30), key=lambda pair: pair[1])
    return (
        f"Above 30 replications, one warp per replication is at least {times_as_fast(ratio)} as fast as one CPU thread "
        f"({place})."
    )


def coverage_table(view: View) -> str:
    counts = (3, 10, 30, 100)
    rows = []
    for case in view.select(variant="all_cores"):
        shares = [case.metrics.get(f"coverage_{count}") for count in counts]
        known = [share for share in shares if share is not None]
        if len(known) == len(counts):
            rows.append((TITLES[case.axes["model"]], case.axes["engine"], *(f"{digits(100 * one)}%" for one in known)))
    if not rows:
        raise NotTestable(view.missing({"variant": "all_cores"}, "the metrics coverage_*"))
    return table(("model", "engine", *(f"{count} replications" for count in counts)), rows)


def coverage_text(view: View) -> str:
    found = [share.value for share in measures.metric_by_label(view, "coverage_30", variant="all_cores").values()]
    return (
        "The table shows the share of Student's 95% intervals that cover the mean. With 30 replications, it is "
        f"{digits(100 * min(found))}% to {digits(100 * max(found))}%."
    )


def walkers_are_uniform(view: View) -> str:
    found = measures.metric_by_label(view, "chunks_p", variant="all_cores", model="walk").values()
    return (
        "The chi-square test of equal numbers of walkers in all chunks after the last step gives "
        f"p = {digits(min(one.value for one in found))} or more for every engine."
    )


def utilisation_does_not_matter(view: View) -> str:
    where: dict[str, object] = {**QUEUE, **CHOSEN, "variant": "warps", "replications": COMPARED}
    del where["utilisation"]
    ratio = measures.spread_over("utilisation", where)(view).interval.value
    values = view.values("utilisation", machine=GPU, **where)
    return (
        f"For M/M/1 with one warp per replication, the times at utilisations from {min(values, key=float)} to "
        f"{max(values, key=float)} differ by at most {share(ratio - 1)}."
    )


def chunks_do_not_matter(view: View) -> str:
    worst = furthest_from_one(measures.more_chunks(view).values())
    return (
        f"The speed of one warp per replication relative to one thread changes by at most {share(worst)} between 30 and "
        "4 chunks (interval included): a step of the walk has the same four branches in both."
    )


def block_size_table(view: View) -> str:
    """Time of one warp per replication by block size, relative to the fastest block size."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for case in view.select(variant="warps", machine=GPU, case=lambda case: "block" in case.sweeps):
        if case.time is not None:
            key = (case.axes["model"], case.axes["replications"])
            found.setdefault(key, {})[case.axes["block"]] = case.time.value
    if not found:
        raise NotTestable(view.missing({"variant": "warps", "sweep": "block"}))
    blocks = sorted({block for by_block in found.values() for block in by_block}, key=int)
    rows = [
        (
            f"{TITLES[model]}, {count} replications",
            *(times_as_fast(by[block] / min(by.values())) if block in by else MISSING for block in blocks),
        )
        for (model, count), by in found.items()
    ]
    return table(("time relative to the fastest block size", *(f"{block} threads" for block in blocks)), rows)


def shard_digests_agree(view: View) -> str:
    """Whether the shards of a case give the numbers of the whole run."""
    sets = shard_sets(view)
    equal = sum(case.status in ("ok", "not_timed") and case.digest == whole_digest(view, case) for case in sets)
    counts = " and ".join(str(count) for count in sorted({parts_of(case) for case in sets}))
    return (
        f"These cases ran as {counts} shards, one GPU per shard. The digests of {equal} of {len(sets)} sets of shards add up "
        f"to the digest of the whole run. The rows of the shards are {shard_commits(sets)}. Speed is relative to one GPU; a set "
        f"takes as long as its slowest shard. {ASTERISK}"
    )


def shard_commits(sets: Sequence[Case]) -> str:
    """'from commit 07e0015836, measured on 2026-11-22': where the rows of the shards are from."""
    found = dict.fromkeys(commit_and_date(case) for case in sets)
    return "from " + " and ".join(found)


def commit_and_date(case: Case) -> str:
    commit, date = (str(case.provenance.get(key) or "") for key in ("commit", "date"))
    day = f", measured on {date[:10]}" if date else ""
    return f"commit {commit[:10] or 'unknown'}{day}"


def whole_digest(view: View, case: Case) -> str:
    whole = whole_of(case, view.cases)
    return whole.digest if whole is not None else ""


def shard_sets(view: View) -> list[Case]:
    if not view.shard_sets:
        raise NotTestable("nothing ran in shards")
    return list(view.shard_sets)


def several_gpus_table(view: View) -> str:
    """Speed by several GPUs relative to one, by the slowest shard."""
    found: dict[tuple[str, str, int], dict[int, str]] = {}
    for case in shard_sets(view):
        whole = whole_of(case, view.cases)
        if case.time is None or whole is None or whole.time is None or with_more_work(view, whole):
            continue
        key = (case.axes["model"], case.variant, int(case.axes["replications"]))
        found.setdefault(key, {})[parts_of(case)] = times_as_fast(whole.time / case.time) + commit_mark(case, whole)
    if not found:
        raise NotTestable("no case was timed both whole, in a time that no newer row contradicts, and in shards")
    counts = sorted({count for by_count in found.values() for count in by_count})
    rows = [
        (TITLES[model], variant, grouped(replications), *(by_count.get(count, MISSING) for count in counts))
        for (model, variant, replications), by_count in sorted(found.items())
    ]
    return table(("model", "variant", "replications", *(f"{count} GPUs" for count in counts)), rows)


def overtaken_bases(view: View) -> str:
    """Which workloads the table leaves out: those whose time of one GPU is longer than a newer one with more replications."""
    found: dict[str, None] = {}
    for case in shard_sets(view):
        whole = whole_of(case, view.cases)
        faster = with_more_work(view, whole) if whole is not None else []
        if whole is not None and faster:
            most = max(faster, key=replications_of)
            name = f"{TITLES[whole.axes['model']]} by {whole.variant}"
            found[f"{name}, {timed_text(whole)} ({commit_and_date(whole)}), against {timed_text(most)}"] = None
    if not found:
        return "No time of one GPU is longer than a newer time with more replications."
    return (
        "The table leaves out workloads whose time of one GPU is longer than a newer time with more replications, because a "
        f"ratio to such a time overstates the gain: {'; '.join(found)}."
    )


def with_more_work(view: View, whole: Case) -> list[Case]:
    """Newer rows of another commit that have more replications and take less time."""
    where: dict[str, object] = {**whole.axes, **CHOSEN}
    del where["replications"]
    return [
        row
        for row in view.select(variant=whole.variant, machine=whole.machine, **where)
        if row.time is not None
        and whole.time is not None
        and row.time.high < whole.time.low
        and replications_of(row) > replications_of(whole)
        and commit_mark(row, whole)
        and str(row.provenance.get("date") or "") >= str(whole.provenance.get("date") or "")
    ]


def replications_of(case: Case) -> int:
    return int(case.axes["replications"])


def timed_text(case: Case) -> str:
    time = quantity(case.time.value, "s") if case.time is not None else MISSING
    return f"{grouped(replications_of(case))} replications in {time}"
