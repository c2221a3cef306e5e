"""What the figures found on a device, as their titles. Each raises NotTestable where its rows are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from experiments.rule_interpreter.algorithms import growth, one_warp_block_ratios
from experiments.rule_interpreter.measures import SCALAR, SQUARE, best_ratios
from experiments.rule_interpreter.memory_layouts import accesses_ratio
from experiments.rule_interpreter.wording import (
    factor,
    hot,
    in_sweep,
    name_of_variant,
    seconds_by,
    span,
    speeds_where_few_are_enabled,
)
from plots.auto_cells import AUTO
from plots.errors import NotTestable
from plots.results import Case, View

#: Algorithm 3 is the paper's method, Algorithm 1 what it competes with.
PRINTED, SIMPLE = "algorithm3", "algorithm1"


def compaction(shape: str) -> Callable[[View], str]:
    """Where Algorithm 3 is ahead of Algorithm 1, each in its best layout."""

    def title(view: View) -> str:
        found = best_ratios(view, SIMPLE, PRINTED, shape)
        if not found:
            raise NotTestable("no cell has times of both algorithms")
        ahead = sum(ratio.value > 1 for ratio in found.values())
        count = len(found)
        if 2 * ahead > count:
            return (
                f"At {shape}, compaction is faster than Algorithm 1 in {ahead} of {count} cells (best layout of each)"
            )
        return f"At {shape}, compaction is slower than Algorithm 1 in {count - ahead} of {count} cells (best layout of each)"

    return title


def eight_times_the_states(variant: str) -> Callable[[View], str]:
    def title(view: View) -> str:
        found = growth(view, variant, SCALAR, "states")
        if not found:
            raise NotTestable("no row has eight times the states of another")
        return f"Eight times the states take {name_of_variant(variant)} {span(row.value for row in found.values())} the time"

    return title


def leader(**where: object) -> Callable[[View], str]:
    """Our fastest method against the fastest that is not ours. `auto` is no method: it runs one of the others."""

    def title(view: View) -> str:
        rows = [case for case in view.select(**where) if case.variant != AUTO]
        (name, own), (rival, other) = (
            fastest_variant([case for case in rows if (case.role == "ours") is ours]) for ours in (True, False)
        )
        if own <= other:
            return f"{name} is {factor(other / own)} as fast as {rival}, the fastest method that is not ours"
        return f"{rival} is {factor(own / other)} as fast as {name}, the fastest of our methods"

    return title


def fastest_variant(cases: Iterable[Case]) -> tuple[str, float]:
    """The name of the fastest variant, and its seconds."""
    timed = [(case.time.value, name_of_variant(case.variant).strip("`")) for case in cases if case.time is not None]
    if not timed:
        raise NotTestable("no times of our methods beside those of others")
    seconds, name = min(timed)
    return name, seconds


def divergence(view: View) -> str:
    speed = speeds_where_few_are_enabled(view)
    return (
        f"In layout A, compaction is {speed[PRINTED, '5']} as fast as Algorithm 1 at 5% enabled values, "
        f"{speed[PRINTED, '50']} at 50%"
    )


def counted(view: View, variant: str, metric: str) -> float:
    """A counted number of a variant in the sweep over the share of enabled values, at 5%."""
    for case in view.select(variant=variant, machine="cuda", enabled="5", case=in_sweep("divergence")):
        if metric in case.metrics:
            return case.metrics[metric]
    raise NotTestable(view.missing({"variant": variant, "enabled": "5"}, f"the metric {metric}"))


def lanes(view: View) -> str:
    own, without = (counted(view, variant, "lanes_evaluating") for variant in (PRINTED, "uncompacted"))
    return f"At 5% enabled values compaction keeps {own:.1f} of 32 lanes busy, instead of {without:.1f}"


def empty_warps(view: View) -> str:
    own, without = (counted(view, variant, "empty_warps") for variant in (PRINTED, "uncompacted"))
    return f"At 5% enabled values compaction empties {100 * own:.0f}% of the warps, instead of {100 * without:.0f}%"


def states(view: View) -> str:
    found = seconds_by(view, ("states", "variant"), **hot(layout="A", case=in_sweep("states")))
    numbers = sorted({number for number, _ in found}, key=int)
    led = [
        number
        for number in numbers
        if min((row for row in found if row[0] == number), key=found.__getitem__)[1] == "auto"
    ]
    if len(numbers) < 2:
        raise NotTestable("fewer than two numbers of states")
    return f"auto is the fastest for {len(led)} of {len(numbers)} numbers of states"


def blocks(view: View) -> str:
    found = [
        ratio.value
        for (cell, _), ratio in one_warp_block_ratios(view, SQUARE).items()
        if cell[0] == 20 and cell[3] == 2
    ]
    if not found:
        raise NotTestable("no row has blocks of one warp")
    return f"Blocks of one warp take Algorithm 1 {span(found)} the time of its best block"


def groups(view: View) -> str:
    found = seconds_by(view, ("states", "load", "states_per_group"), **hot(variant=PRINTED, case=in_sweep("groups")))
    ratios = [
        seconds / min(time for key, time in found.items() if key[:2] == (number, load))
        for (number, load, group), seconds in found.items()
        if group == "32"
    ]
    if not ratios:
        raise NotTestable("the paper's group size has no time")
    return f"The paper's 32 states per group take Algorithm 3 {span(ratios)} the time of the best size"


def accesses(view: View) -> str:
    measured = accesses_ratio(view)
    words = measured.note.rpartition(", ")[2].split(" ")[0]
    return f"Layout C takes Algorithm 3 {factor(measured.interval.value)} the time of A when a rule moves {words} words"


def example_seconds(view: View) -> float:
    """The time that the paper's conclusion states."""
    return view.fact("conclusion_ms") * 1e-3
