"""Operations of matrix products by shape: the paper's count 2MNO - MO, and the FP32 slots that a GPU issues."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from experiments.rule_interpreter.algorithms import flop_per_step
from experiments.rule_interpreter.measures import AT_DEFAULT, SCALAR, SQUARE
from experiments.rule_interpreter.wording import in_sweep
from plots.claims import Part, Parts
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import Case, View
from plots.verdict import at_least

#: The load at which the products take most of the time.
LOAD = "200"


@dataclass(frozen=True)
class Size:
    """Sizes of a product A x B: A is M x N, B is N x O."""

    m: int
    n: int
    o: int

    @property
    def operations(self) -> int:
        """The paper's count: each of the MO sums has N products and N - 1 additions."""
        return 2 * self.m * self.n * self.o - self.m * self.o


def size_of(shape: str) -> Size:
    m, n, o = map(int, shape.split("x"))
    return Size(m, n, o)


def fastest_rectangles(view: View, **where: object) -> dict[str, Case]:
    """The fastest case of each rectangular shape at load 200, in the order of the paper's count."""
    found: dict[str, Case] = {}
    wanted: dict[str, object] = {**AT_DEFAULT, "machine": "cuda", "load": LOAD, "case": in_sweep("rectangles"), **where}
    for case in view.select(**wanted):
        shape = case.axes["shape"]
        if case.time is not None and (shape not in found or case.time.value < seconds(found[shape])):
            found[shape] = case
    if not found:
        raise NotTestable(view.missing({"shape": "1x4x4", "load": LOAD, "machine": "cuda"}))
    return dict(sorted(found.items(), key=lambda row: size_of(row[0]).operations))


def seconds(case: Case) -> float:
    return case.time.value if case.time is not None else 0.0


def rate_of(case: Case, operations: float) -> Interval:
    if case.time is None or operations <= 0:
        raise NotTestable(f"{case.describe()} has no time")
    return case.time.inverse() * operations


def counted_rates(view: View) -> Mapping[str, Interval]:
    """Operations per second by the paper's count, of the fastest variant, by shape."""
    return {
        shape: rate_of(case, case.metrics.get("paper_operations", 0))
        for shape, case in fastest_rectangles(view).items()
    }


def slot_rates(view: View) -> Mapping[str, Interval]:
    """FP32 slots per second of the fastest variant, by shape."""
    return {shape: rate_of(case, case.operations) for shape, case in fastest_rectangles(view).items()}


def of_shape(rates: Callable[[View], Mapping[str, Interval]], shape: str) -> Callable[[View], Interval]:
    def of(view: View) -> Interval:
        found = rates(view)
        if shape not in found:
            raise NotTestable(f"the shape {shape} has no time")
        return found[shape]

    return of


def operations_that_fit(view: View) -> Parts:
    """Operations that a GPU at its peak completes in the time of one load step of one enabled value, Algorithm 3.

    At load 2000 for a small product, and at load 200 for rectangular ones. The bound of each shape is its count. The paper
    states no M, N and O, so its times need room for a product of 1x1x1 only.
    """
    small = flop_per_step(view)
    if view.device.published:
        least, ours = size_of(SCALAR).operations, size_of(SQUARE).operations
        note = f"the paper states no M, N and O; {SCALAR} needs {least}, and {SQUARE} would need {ours}"
        return Parts((Part(small.note, small.interval, at_least(least)),), note)
    found = [Part(small.note, small.interval, at_least(size_of(SQUARE).operations))]
    try:
        rectangles = fastest_rectangles(view, variant="algorithm3")
    except NotTestable:
        return Parts(tuple(found))
    for shape, case in rectangles.items():
        steps = case.metrics.get("evaluations", 0) * int(LOAD)
        if case.time is not None and steps > 0:
            fitting = case.time * (2 * view.limit("fma") / steps)
            found.append(Part(f"{shape} at load {LOAD}", fitting, at_least(size_of(shape).operations)))
    return Parts(tuple(found))


def shares_of_peak(view: View) -> tuple[list[float], list[float]]:
    """Rates over the peak, by shape: FP32 slots over fused multiply-adds, the paper's count over two operations each."""
    peak = view.limit("fma")
    by_slot = [rate.value / peak for rate in slot_rates(view).values()]
    return by_slot, [rate.value / (2 * peak) for rate in counted_rates(view).values()]
