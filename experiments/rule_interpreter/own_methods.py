"""Our methods against the paper's interpreters: states in shared memory, bit boards, no fixed warp per state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from experiments.rule_interpreter.measures import AT_DEFAULT, SCALAR
from experiments.rule_interpreter.wording import hot, in_sweep, key_of
from plots.claims import Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import Case, View, matches

#: The interpreters of the paper.
PAPERS = ("algorithm1", "algorithm2", "algorithm3")
#: The cells of Table 1 that are in the sweep `cached`, too.
ONE_RULE: Mapping[str, object] = dict(
    AT_DEFAULT, shape=SCALAR, load="20", states="16384", divergence="2", layout="A", cache="hot", machine="cuda"
)
#: The rule bases of the sweep `cached`, in words.
BASES = {"synthetic": "one rule", "several": "four rules"}


def fastest_by(cases: Iterable[Case], keys: tuple[str, ...]) -> dict[tuple[str, ...], Interval]:
    """The shortest time for each tuple of values that the keys take."""
    found: dict[tuple[str, ...], Interval] = {}
    for case in cases:
        key = key_of(case, keys)
        if case.time is not None and (key not in found or case.time.value < found[key].value):
            found[key] = case.time
    return found


def ratios_of(
    above: Mapping[tuple[str, ...], Interval], below: Mapping[tuple[str, ...], Interval]
) -> dict[tuple[str, ...], Interval]:
    found = {key: above[key] / below[key] for key in above if key in below}
    if not found:
        raise NotTestable("no rows to compare")
    return found


def times_of(view: View, sweep: str, keys: tuple[str, ...], **where: object) -> dict[tuple[str, ...], Interval]:
    found = fastest_by(view.select(**hot(case=in_sweep(sweep), **where)), keys)
    if not found:
        raise NotTestable(view.missing({"machine": "cuda", **where}))
    return found


# States in shared memory.


def beside_cached(case: Case) -> bool:
    """Rows of the sweep `cached`, and those of Algorithm 1 that do the same work: with one rule, Algorithm 2 equals it."""
    return "cached" in case.sweeps or (case.variant == "algorithm1" and matches(case, ONE_RULE))


def in_global_memory(view: View) -> dict[tuple[str, ...], Interval]:
    """Times of the paper's interpreter that keeps states in global memory, by rules, steps and range."""
    where = hot(variant=("algorithm1", "algorithm2"), case=beside_cached)
    return fastest_by(view.select(**where), ("rules", "steps", "range"))


def gain_of_shared_memory(view: View) -> dict[tuple[str, ...], Interval]:
    """Time with states in global memory divided by the time with states in shared memory, by rules, steps and range."""
    return ratios_of(
        in_global_memory(view), times_of(view, "cached", ("rules", "steps", "range"), variant="cached", layout="A")
    )


def passes(steps: str) -> str:
    return "1 pass" if steps == "1" else f"{steps} passes"


def shared_memory(view: View) -> Parts:
    return parts(
        {
            f"{BASES[rules]}, {passes(steps)}, {values} values": ratio
            for (rules, steps, values), ratio in gain_of_shared_memory(view).items()
        }
    )


# Sudoku on bit boards.


def gain_of_boards(view: View) -> dict[tuple[str, ...], Interval]:
    """Time of the fastest of the paper's interpreters divided by that of bit boards, by clues and layout."""
    keys = ("clues", "layout")
    own = times_of(view, "sudoku", keys, variant="bit_board", rules="sudoku")
    return ratios_of(times_of(view, "sudoku", keys, variant=PAPERS, rules="sudoku"), own)


def boards(view: View) -> Parts:
    return parts({f"{clues} clues, layout {layout}": ratio for (clues, layout), ratio in gain_of_boards(view).items()})


# No association of a warp with a state.


def gain_of_auto(view: View) -> dict[tuple[str, ...], Interval]:
    """Time of Algorithm 3 divided by that of `auto`, at parameters that no other sweep has."""
    keys = ("rules", "load", "enabled", "states")
    return ratios_of(
        times_of(view, "untuned", keys, variant="algorithm3"), times_of(view, "untuned", keys, variant="auto")
    )


def relaxed(view: View) -> Parts:
    return parts(
        {
            f"{BASES[rules]}, load {load}, {enabled}% enabled, {states} states": ratio
            for (rules, load, enabled, states), ratio in gain_of_auto(view).items()
        }
    )
