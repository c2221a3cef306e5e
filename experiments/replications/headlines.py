"""The titles of figures: what a device's rows say, in one line. Each raises NotTestable where they do not say it."""

from __future__ import annotations

from collections.abc import Callable

from experiments.replications import bars, counted, steps
from experiments.replications.findings import begins_of_second_kernel
from experiments.replications.measures import (
    CHOSEN,
    LONG_WALK,
    MODELS,
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
    Workload,
    counted as number_of,
    grouped,
    share,
    times_as_fast,
    workload_name,
)
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import GPU, View
from plots.units import digits, quantity

Headline = Callable[[View], str]


def faster(ratio: Interval, one: str, other: str) -> str:
    """'One warp is 2.05x as fast as one thread', or the other way round if that is so."""
    if ratio.low <= 1 <= ratio.high:
        return f"{one} and {other} take equally long"
    if ratio.value < 1:
        one, other, ratio = other, one, ratio.inverse()
    return f"{one} is {times_as_fast(ratio)} as fast as {other}"


def growth_of_pi(view: View) -> str:
    """How the times of warps and of one CPU thread grow from the least to the most replications up to 100."""
    where = {**SHORT_MODELS["pi"], **CHOSEN}
    grown = []
    for variant, name in (("warps", "warps"), ("sequential", "one CPU thread")):
        rows = {count: one for count, one in times(view, variant, **where).items() if count <= 100}
        if len(rows) < 2:
            raise NotTestable(f"one number of replications of {variant} only")
        first, last = min(rows), max(rows)
        grown.append(f"{name} {times_as_fast(rows[last] / rows[first])} the time at {last}")
    return f"Against {first} replication{'' if first == 1 else 's'}: {grown[0]}, {grown[1]}"


def multiprocessors(view: View) -> str:
    paper = view.fact("sms") * view.fact("blocks_per_sm")
    return f"This GPU holds {times_as_fast(steps.slots(view) / paper)} as many one-warp blocks as the paper's"


def crossing(model: str, fact: str) -> Headline:
    def write(view: View) -> str:
        found, stated = crossing_of(view, model), view.fact(fact)
        there = f"paper: {stated:g}" if found != stated else "as in the paper"
        return f"{workload_name(MODELS[model])}: warps overtake one CPU thread at {counted_text(found)} ({there})"

    return write


def counted_text(count: int) -> str:
    return number_of(count, "replication")


def walks(where: Workload, count: int) -> str:
    """'Walk of 1000 steps, 64 replications'."""
    return f"Walk of {grouped(int(str(where['steps'])))} steps, {counted_text(count)}"


def few(view: View) -> str:
    ratio = bars.at_compared("threads", "warps")(view)
    compared = faster(ratio, "one warp", "one thread")
    return f"{walks(WALK, int(COMPARED))}: {compared} (paper: {view.fact('tlp_over_wlp'):g}x)"


def many(view: View) -> str:
    found = ratios(view, "threads", "warps", {**WALK, **CHOSEN, "machine": GPU})
    count = max((count for count in found if count <= view.fact("fig7_below")), default=0)
    if count <= view.fact("wlp_benefit_reduced"):
        raise NotTestable("no number of replications beyond the paper's")
    return f"{walks(WALK, count)}: {faster(found[count], 'one warp', 'one thread')}"


def stairs(view: View) -> str:
    worst, _, _ = steps.stairs_error(view)
    if worst > 0.05:
        raise NotTestable(f"the times are up to {share(worst)} away from stairs")
    return (
        f"The time rises by equal steps, one per {steps.schedulers(view)} replications: a warp more on each scheduler"
    )


def team_gain(model: str) -> Headline:
    """Over all numbers of replications."""

    def write(view: View) -> str:
        found = ratios(view, "warps", "auto", {**SHORT_MODELS[model], **CHOSEN, "machine": GPU})
        count = max(found, key=lambda count: found[count].value)
        if found[count].value <= 1:
            raise NotTestable("auto is never faster than one warp per replication")
        name = workload_name(SHORT_MODELS[model])
        gain = times_as_fast(found[count])
        return f"{name[0].upper()}{name[1:]}: a team is up to {gain} as fast as a warp ({counted_text(count)})"

    return write


def long_walk(view: View) -> str:
    found = ratios(view, "threads", "warps", {**LONG_WALK, **CHOSEN, "machine": GPU})
    count = int(COMPARED)
    if count not in found:
        raise NotTestable(f"no times of {COMPARED} replications")
    return f"{walks(LONG_WALK, count)}: {faster(found[count], 'one warp', 'one thread')}"


def threads_take_over(view: View) -> str:
    found = ratios(view, "warps", "threads", {**WALK, **CHOSEN, "machine": GPU})
    for count in found:
        if all(found[other].value > 1 for other in found if other >= count):
            steps_text = grouped(int(str(WALK["steps"])))
            return f"Walk of {steps_text} steps: from {counted_text(count)} on, a thread costs less than a warp"
    raise NotTestable("one warp per replication is the faster at every number of replications")


def fewer_lanes(view: View) -> str:
    lanes = [
        case.metrics["team_lanes"]
        for where in SHORT_MODELS.values()
        for case in view.select(variant="auto", machine=GPU, **where, **CHOSEN)
        if "team_lanes" in case.metrics
    ]
    if not lanes:
        raise NotTestable(view.missing({"variant": "auto"}, "the metric team_lanes"))
    return (
        f"auto gives fewer lanes to each of many replications: from {grouped(max(lanes))} down to {grouped(min(lanes))}"
    )


def full_warps(view: View) -> str:
    """At the largest number of replications that was timed with 1 and with 32 lanes."""
    rates: dict[tuple[str, int, str], Interval] = {}
    for case in view.select(variant="lanes", machine=GPU, lanes=("1", "32")):
        if case.rate is not None and case.axes["engine"] == "taus88":
            rates[case.axes["model"], int(case.axes["replications"]), case.axes["lanes"]] = case.rate
    count = max((count for _, count, _ in rates), default=0)
    gains = [
        rates[model, count, "32"].value / rates[model, count, "1"].value
        for model in TITLES
        if (model, count, "1") in rates and (model, count, "32") in rates
    ]
    if not gains or min(gains) <= 1:
        raise NotTestable("full warps are not faster at many replications")
    return f"At {grouped(count)} replications, warps with 32 active lanes are {min_to_max(gains)} as fast as with one"


def min_to_max(found: list[float]) -> str:
    return " to ".join(dict.fromkeys(map(times_as_fast, (min(found), max(found)))))


def smallest_block(view: View) -> str:
    worst = max(part.interval.value for part in steps.smallest_block(view).parts)
    return f"Blocks of one warp take at most {share(worst - 1)} longer than the best block size"


def utilisation(view: View) -> str:
    """The largest change of any scheme."""
    where: dict[str, object] = {**QUEUE, **CHOSEN, "machine": GPU, "replications": COMPARED}
    del where["utilisation"]
    worst = 0.0
    for variant in ("warps", "threads", "auto"):
        found = [case.time.value for case in view.select(variant=variant, **where) if case.time is not None]
        if len(found) > 1:
            worst = max(worst, max(found) / min(found))
    if not worst:
        raise NotTestable(view.missing(where))
    return f"M/M/1, {COMPARED} replications: utilisation changes the time of a scheme by at most {share(worst - 1)}"


def dispatch(view: View) -> str:
    where: dict[str, object] = dict(variant="dispatch", machine=GPU, replications="264")
    found = view.metric("dispatch_consecutive", **where).value
    return f"{share(found)} of consecutive blocks run on consecutive multiprocessors"


def replacement(view: View) -> str:
    where: dict[str, object] = dict(variant="dispatch", machine=GPU, replications="16896")
    gap = view.metric("replacement_nanoseconds", **where).value
    if gap < 0:
        raise NotTestable("all blocks fit")
    return f"A block that ends is replaced within {quantity(gap * 1e-9, 's')} (median)"


def second_kernel(view: View) -> str:
    begins = begins_of_second_kernel(view)
    if begins.reserved:
        raise NotTestable("the device keeps room for a second kernel")
    return "The GPU keeps no room for a second kernel: it waits once all slots are taken"


def memory(view: View) -> str:
    """Figure 8 has a ratio of two shares: without any wait for memory, there is none."""
    threads, warps = (counted.memory_share(counted.counters(view, variant)) for variant in ("threads", "warps"))
    if warps == 0:
        only = "No scheme waits" if threads == 0 else "One warp per replication never waits"
        return f"{only} for global memory here, so the paper's {view.fact('fig8_ratio'):g}x has no counterpart"
    return f"Threads wait {digits(threads / warps)}x as long for memory per computation as warps; in the paper, {view.fact('fig8_ratio'):g}x"


def time_and_reads(view: View) -> str:
    """The ratios of Figure 8's rows that say most: time, and reads of global memory."""
    time = bars.at_compared("threads", "warps")(view)
    reads, printed = (threads / warps for threads, warps in (counted.schemes(view)[0]("loads"), counted.READS))
    return (
        f"Threads take {times_as_fast(time)} as long as warps (paper: {view.fact('tlp_over_wlp'):g}x), "
        f"with {times_as_fast(reads)} the reads (paper: {digits(printed)}x)"
    )


def gains(view: View) -> str:
    warp = bars.at_compared("threads", "warps")(view)
    team = bars.team_over_warp("walk")(view)
    workload = f"{COMPARED} walks, {grouped(int(str(WALK['steps'])))} steps"
    return f"{workload}: a warp is {times_as_fast(warp)} as fast as a thread, a team {times_as_fast(team)} as fast as a warp"
