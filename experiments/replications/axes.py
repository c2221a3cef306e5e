"""What the figures of replications share: axes, names of lines, and the marks of a full device."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from experiments.replications import steps
from experiments.replications.measures import CHOSEN, TITLES, replications
from experiments.replications.wording import grouped
from plots.drawing import Axis
from plots.figures import Stated
from plots.interval import Interval
from plots.quantity import Quantity, Variable, number_of
from plots.results import Case, View

#: The paper's three curves, and ours.
CURVES = ("sequential", "warps", "threads", "auto")

COUNT = Variable(Axis("replications", "number", "log2"), replications)
FEW = Variable(Axis("replications", "number"), replications)
LANES = Variable(Axis("active lanes per warp", "lanes", "log2"), number_of("lanes"))
BLOCK = Variable(Axis("threads per block", "threads", "log2"), number_of("block"))
UTILISATION = Variable(Axis("utilisation", "1"), number_of("utilisation"))


def at_most(count: float) -> Callable[[Case], bool]:
    def small(case: Case) -> bool:
        found = replications(case)
        return found is not None and found <= count

    return small


def time_each(case: Case) -> Interval | None:
    """Time per replication: the cost of a scheme once the device is full."""
    count = replications(case)
    return case.time / count if case.time is not None and count else None


EACH = Quantity(Axis("time per replication", "s", "log10"), time_each, less_is_better=True)


def model_name(case: Case) -> str:
    return TITLES[case.axes["model"]]


def count_name(case: Case) -> str:
    return f"{grouped(int(case.axes['replications']))} replications"


def fact(text: str, name: str) -> Stated:
    """A number of replications that the paper states."""
    return Stated(f"paper: {text}", lambda view: view.fact(name), "x")


def limits(where: Mapping[str, object]) -> tuple[Stated, ...]:
    """Where a device is full: of instructions to issue, and of warps to hold."""
    return (
        Stated("a warp per scheduler", lambda view: float(steps.schedulers(view)), "x"),
        Stated("all warp slots", lambda view: float(steps.warp_slots(view, **where, **CHOSEN)), "x"),
    )


def multiple_of_slots(count: int) -> Stated:
    text = "all slots" if count == 1 else f"{count} x slots"
    return Stated(text, lambda view: float(count * steps.slots(view)), "x")


def stair_corners(view: View) -> list[tuple[float, float]]:
    """Both ends of each step from the first to the last measured time that the stairs describe."""
    predicted, width = steps.stairs(view), steps.schedulers(view)
    last = max(steps.capacity(view))
    corners: list[tuple[float, float]] = []
    for warps in range(steps.CROWDED, -(-last // width) + 1):
        begin, end = (warps - 1) * width + 1, min(warps * width, last)
        corners += [(begin, predicted(end)), (end, predicted(end))]
    return corners
