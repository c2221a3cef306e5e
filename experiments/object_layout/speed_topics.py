"""More agents than the paper's, other numbers of ticks, method dispatch and classes, in sentences."""

from __future__ import annotations

from experiments.object_layout import measures
from experiments.object_layout.measures import PAPER_LAYOUTS, grouped, in_sweep
from experiments.object_layout.lookups import (
    cells_with,
    class_counts,
    dispatch_rate,
    rate_of_classes,
    rates_by_ticks,
    ticks_won,
)
from experiments.object_layout.wording import number, span, speed, times
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import View
from plots.units import digits


def speedup(view: View) -> str:
    """The headline: our kernel against the paper's."""
    gains = measures.gains(view, "switch", PAPER_LAYOUTS)
    agents = list(gains)
    rates = {count: measures.rate_of_agents(view, "registers", str(count)) for count in agents}
    fastest = max(rates, key=lambda count: rates[count].value)
    return (
        f"Our kernel is {_in_the_scenario(view, span(gains.values()))} for {number(agents[0])} to {number(agents[-1])} "
        f"agents that draw their own random numbers (at most {speed(rates[fastest])}, with {number(fastest)} agents)."
    )


def _in_the_scenario(view: View, others: str) -> str:
    """The gain in the paper's scenario, if it was measured, and the others."""
    best = "as fast as the paper's best layout"
    try:
        return f"{times(measures.gain_in_the_scenario(view))} {best} in the paper's scenario, and {others} as fast"
    except NotTestable:
        return f"{others} {best}"


def speedup_over_restrict(view: View) -> str:
    gains = measures.gains(view, "restrict_columns")
    return (
        f"`registers` is {span(gains.values())} as fast as hand-tuned columns with `__restrict__` pointers "
        "(`restrict_columns`)."
    )


def speedup_over_blocks(view: View) -> str:
    gains = measures.gains(view, "switch")
    return (
        "The paper does not have the layout `aosoa`. With `aosoa` among the layouts of its kernel, `registers` is "
        f"{span(gains.values())} as fast."
    )


def share_of_random_words(view: View) -> str:
    """A pedestrian draws one word per tick, a car only when it enters a street."""
    fastest = max(
        (measures.rate_of_agents(view, "registers", count).value for count in measures.agent_counts(view)), default=0
    )
    if not fastest:
        raise NotTestable("no row of registers")
    share = fastest / view.limit("random_words.philox7")
    return (
        "Most ticks take at most one random word per agent. `registers` processes agent-ticks at "
        f"{digits(100 * share)}% of the rate at which this device generates words of Philox4x32-7."
    )


def speedup_in_mode_faithful(view: View) -> str:
    return (
        f"In mode faithful, `registers` is {span(measures.gains_in_mode_faithful(view))} as fast as the paper's kernel."
    )


def ticks_that_pay(view: View) -> str:
    """From how many ticks per launch on the copy of the streets into shared memory pays."""
    rates = rates_by_ticks(view)
    fastest = {ticks: max(row, key=lambda variant: row[variant].value) for ticks, row in rates.items()}
    few, won = min(fastest), ticks_won(view)
    if "registers" not in rates[few]:
        raise NotTestable("no row of registers in the sweep ticks")
    if won and won[0] == few:
        return (
            f"For every number of ticks per launch, from {few} to {grouped(max(fastest))}, `registers` is the fastest."
        )
    at_few = f"With {_ticks(few)} per launch"
    if fastest[few] == "registers":
        return f"{at_few}{f', and from {_ticks(won[0])} on,' if won else ','} `registers` is the fastest."
    ratio = rates[few]["registers"] / rates[few][fastest[few]]
    text = (
        f"{at_few}, `{fastest[few]}` is the fastest and `registers` is {times(ratio)} as fast, since each block copies "
        "the streets into shared memory"
    )
    return text + (f"; from {_ticks(won[0])} on, `registers` is the fastest." if won else ".")


def _ticks(count: int) -> str:
    return f"{grouped(count)} {'tick' if count == 1 else 'ticks'}"


def one_tick_launches(view: View) -> str:
    """Launches of one tick that follow one another, and a single one after the agents got their initial state again."""
    where = dict(variant="registers", machine="cuda", launch_ticks="1", case=in_sweep("tick_launches"))
    few, many = "4194304", "16777216"
    rate_few, rate_many = view.rate(agents=few, **where), view.rate(agents=many, **where)
    launches = " or ".join(grouped(int(ticks)) for ticks in view.values("ticks", agents=(few, many), **where))
    single = rates_by_ticks(view).get(1, {}).get("registers")
    if single is None:
        raise NotTestable("no row of one tick in the sweep ticks")
    ratio = single / rate_few
    cause = ": the L2 cache is full of changed lines, which it has to write back" if ratio.high < 1 else ""
    return (
        f"In {launches} launches of one tick each, `registers` reaches {speed(rate_few)} for {number(int(few))} agents "
        f"and {speed(rate_many)} for {number(int(many))}. A single launch after the agents have got their initial "
        f"state again is {times(ratio)} as fast for {number(int(few))} agents{cause}."
    )


def dispatch(view: View) -> str:
    switch = dispatch_rate(view, "switch", "sorted")
    ratios = {variant: switch / dispatch_rate(view, variant, "sorted") for variant in ("virtual", "table")}
    return (
        f"For 2^20 sorted agents stored as structures, the paper's switch over class tags reaches {speed(switch)}, "
        f"{times(ratios['virtual'])} as fast as virtual calls and {times(ratios['table'])} as fast as a table of "
        "functions."
    )


def dispatch_cost(view: View) -> str:
    """The lookup of a method against the call that cannot be inlined."""
    rates = {variant: dispatch_rate(view, variant, "sorted") for variant in ("switch", "inlined", "table", "virtual")}
    hoisted, call = rates["inlined"] / rates["switch"], rates["switch"] / rates["table"]
    text = (
        f"A switch before the loop over ticks (`inlined`) is {times(hoisted)} as fast as a switch in each tick, and a "
        f"table of functions is {times(rates['table'] / rates['virtual'])} as fast as virtual calls"
    )
    lookup_is_cheap = hoisted.high < call.low
    return text + (": a call that cannot be inlined costs more than the lookup." if lookup_is_cheap else ".")


def factored_branches(view: View) -> str:
    """Section 6: instructions that divergent branches have in common, once for all of them."""
    orders = ("shuffled", "sorted")
    gains = [rate_of_classes(view, "factored", "4", o) / rate_of_classes(view, "switch", "4", o) for o in orders]
    return (
        "Moving what all classes do out of the switch (`factored`) makes the paper's kernel with 4 classes "
        f"{times(gains[0])} as fast on shuffled agents in columns, where warps diverge, and {times(gains[1])} as fast "
        "on sorted ones."
    )


def delayed_branches(view: View) -> str:
    """Section 6: branches that are delayed, beside the same kernel without a delay and beside the fastest of all."""
    cells = cells_with(view, "delayed")
    gains = [cell["delayed"] / cell["factored"] for cell in cells if "factored" in cell]
    if not gains:
        raise NotTestable("no rows of delayed and factored")
    best = [max((rate for name, rate in cell.items() if name != "delayed"), key=lambda r: r.value) for cell in cells]
    wins = sum((cell["delayed"] / other).low > 1.01 for cell, other in zip(cells, best))
    return (
        f"Delaying branches (`delayed`) makes `factored` {span(gains)} as fast, over {len(gains)} combinations of "
        f"classes, agents, ticks, layouts and orders. In {wins or 'none'} of them, `delayed` is more than 1% "
        "faster than the fastest other kernel."
    )


def python_classes(view: View) -> str:
    """The generated program beside the paper's kernel written by hand: rows of one sweep."""

    def rate(variant: str, order: str) -> Interval:
        where = dict(machine="cuda", layout="soa", agents="0", case=in_sweep("python"))
        return view.rate(variant=variant, order=order, **where)

    made, shuffled = rate("python_classes", "sorted"), rate("python_classes", "shuffled")
    return (
        f"In the paper's scenario, the program that `lockstep.objects` makes of Python classes reaches {speed(made)}, "
        f"{times(made / rate('switch', 'sorted'))} as fast as the paper's kernel written by hand (`switch`) on the "
        f"same columns; on shuffled agents it is {times(shuffled / rate('switch', 'shuffled'))} as fast."
    )


def many_classes(view: View) -> str:
    most = class_counts(view)[-1]
    shuffled, sorted_ = (rate_of_classes(view, "switch", most, order) for order in ("shuffled", "sorted"))
    return (
        f"With {most} classes, the paper's switch reaches {speed(sorted_)} on sorted agents, "
        f"{times(sorted_ / shuffled)} as fast as on shuffled agents."
    )
