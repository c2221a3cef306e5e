"""Sudoku search on a GPU against the same search on all CPU cores."""

from __future__ import annotations

from experiments.rule_interpreter.own_methods import fastest_by, ratios_of
from experiments.rule_interpreter.wording import span
from plots.drawing import Axis
from plots.errors import NotTestable
from plots.figures import Lines
from plots.interval import Interval
from plots.quantity import Quantity, Variable, number_of
from plots.results import Case, View
from plots.units import quantity

CLUES = Variable(Axis("clues", "1"), number_of("clues"))
KEYS = ("puzzles", "clues", "states")
NAMES = {"search_boards": "GPU", "all_cores": "all cores"}


def gains(view: View) -> dict[tuple[str, ...], Interval]:
    """Time on all CPU cores over the time on the GPU, by kind of puzzle, clues and puzzles."""
    by_machine = [
        fastest_by(view.select(rules="search", variant=variant, machine=machine), KEYS)
        for variant, machine in (("all_cores", "cpu"), ("search_boards", "cuda"))
    ]
    return ratios_of(*by_machine)


def puzzles_per_second(case: Case) -> Interval | None:
    return case.time.inverse() * case.items if case.time is not None else None


def is_generated(case: Case) -> bool:
    return case.axes["puzzles"] == "generated" and case.variant in NAMES


def line(case: Case) -> str:
    return NAMES[case.variant]


def finding(view: View) -> str:
    found = [ratio.value for (puzzles, _, _), ratio in gains(view).items() if puzzles == "generated"]
    if not found:
        raise NotTestable("no generated puzzles were searched on both machines")
    return f"The GPU counts the solutions of Sudoku puzzles {span(found)} as fast as all CPU cores"


FIGURE = Lines(
    "search",
    "Sudoku puzzles per second whose solutions are counted, up to two each, against the number of clues",
    CLUES,
    Quantity(Axis("speed", "puzzles/s", "log10"), puzzles_per_second),
    dict(rules="search", case=is_generated),
    by=(("variant", line),),
    caption="262144 generated puzzles. Both machines propagate on bit boards, guess at a cell with the fewest candidates, and "
    "stop at the second solution. They return the same counts.",
    finding=finding,
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
        f"{quantity(rate.value, 'puzzles/s')}, {span([gain.value])} as fast as the same search on all CPU cores."
    )
