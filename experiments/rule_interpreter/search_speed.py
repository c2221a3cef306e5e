"""Sudoku search on a GPU against the fastest CPU program that was measured: ours on all cores, or a peer on all cores."""

from __future__ import annotations

from dataclasses import replace

from experiments.rule_interpreter.own_methods import fastest_by, ratios_of
from experiments.rule_interpreter.wording import key_of, seconds_of, span
from plots.auto_cells import AUTO
from plots.drawing import Axis
from plots.errors import NotTestable
from plots.figures import Lines
from plots.interval import Interval
from plots.quantity import Quantity, Variable, number_of
from plots.results import Case, View
from plots.units import quantity

CLUES = Variable(Axis("clues", "1"), number_of("clues"))
KEYS = ("puzzles", "clues", "states")
#: Ours, in words. A peer has its name.
NAMES = {"search_boards": "GPU", "all_cores": "our search"}


def gains(view: View) -> dict[tuple[str, ...], Interval]:
    """Time of the fastest CPU program over the time on the GPU, by kind of puzzle, clues and puzzles."""
    gpu = fastest_by(view.select(rules="search", variant="search_boards", machine="cuda"), KEYS)
    return ratios_of(fastest_by(on_cpu(view), KEYS), gpu)


def on_cpu(view: View) -> list[Case]:
    """Searches on all CPU cores: ours, and the peers'."""
    peers = replace(view, cases=[case for case in view.peers if case.time is not None])
    return [
        *view.select(rules="search", variant="all_cores", machine="cpu"),
        *peers.select(rules="search", machine="cpu"),
    ]


def programs(view: View, puzzles: str) -> str:
    """The fastest CPU program for each number of clues: 'tdoku on all CPU cores'."""
    best: dict[tuple[str, ...], Case] = {}
    for case in on_cpu(view):
        key = key_of(case, KEYS)
        if case.axes["puzzles"] != puzzles:
            continue
        if case.time is not None and (key not in best or case.time.value < seconds_of(best[key])):
            best[key] = case
    names = dict.fromkeys("our search" if case.variant == "all_cores" else case.variant for case in best.values())
    return f"{' or '.join(names)} on all CPU cores"


def puzzles_per_second(case: Case) -> Interval | None:
    return case.time.inverse() * case.items if case.time is not None else None


def is_generated(case: Case) -> bool:
    return case.axes["puzzles"] == "generated" and case.variant != AUTO


def line(case: Case) -> str:
    return NAMES.get(case.variant, case.variant)


def finding(view: View) -> str:
    found = [ratio.value for (puzzles, _, _), ratio in gains(view).items() if puzzles == "generated"]
    if not found:
        raise NotTestable("no generated puzzles were searched on both machines")
    return f"The GPU counts Sudoku solutions {span(found)} as fast as {programs(view, 'generated')}"


FIGURE = Lines(
    "search",
    "Sudoku puzzles per second whose solutions are counted, up to two each, against the number of clues",
    CLUES,
    Quantity(Axis("speed", "puzzles/s", "log10"), puzzles_per_second),
    dict(rules="search", case=is_generated),
    by=(("variant", line),),
    caption="262144 generated puzzles. Both machines propagate on bit boards, guess at a cell with the fewest candidates, and "
    "stop at the second solution. They return the same counts. tdoku is a program of others, which runs once per core.",
    finding=finding,
    peers=True,
)


def minimal(view: View) -> str:
    """The sentence on puzzles from which no clue can be removed."""
    where = dict(rules="search", puzzles="minimal", variant="search_boards", machine="cuda")
    cases = [case for case in view.select(**where) if case.time is not None]
    if not cases:
        raise NotTestable(view.missing(where))
    case = cases[0]
    rate = puzzles_per_second(case)
    assert rate is not None
    gain = gains(view)["minimal", case.axes["clues"], case.axes["states"]]
    return (
        f"`search_boards` counts the solutions of {case.axes['states']} minimal puzzles, up to two each, at "
        f"{quantity(rate.value, 'puzzles/s')}, {span([gain.value])} as fast as {programs(view, 'minimal')}."
    )
