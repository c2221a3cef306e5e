"""What a figure draws of a case, and the axis that it is drawn against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plots.drawing import Axis
from plots.interval import Interval
from plots.results import Case, View


@dataclass(frozen=True)
class Quantity:
    """A number of a case. If several cases fall on one point of a figure, the best one is drawn.

    A deterministic quantity (steps, registers) is the same on all machines, so only one machine is drawn.
    """

    axis: Axis
    of: Callable[[Case], Interval | None]
    less_is_better: bool = False
    deterministic: bool = False

    def best(self, cases: Sequence[Case]) -> tuple[Case, Interval] | None:
        found = [(case, value) for case in cases if (value := self.of(case)) is not None]
        if not found:
            return None
        return (min if self.less_is_better else max)(found, key=lambda pair: pair[1].value)


@dataclass(frozen=True)
class Variable:
    """An axis of the experiment as numbers. `number` gives None for cases without a number (k *mixed*)."""

    axis: Axis
    number: Callable[[Case], float | None]


@dataclass(frozen=True)
class Measure:
    """One named number of a device: a row of a table or of a dot figure.

    `of` raises NotTestable if rows are missing.
    """

    label: str
    unit: str
    of: Callable[[View], Interval]


def rate(item: str, label: str = "speed", scale: str = "log10") -> Quantity:
    return Quantity(Axis(label, f"{item}/s", scale), lambda case: case.rate)


def time(label: str = "time per launch", scale: str = "log10") -> Quantity:
    return Quantity(Axis(label, "s", scale), lambda case: case.time, less_is_better=True)


def metric(name: str, label: str, unit: str, scale: str = "linear") -> Quantity:
    return Quantity(Axis(label, unit, scale), lambda case: case.metric(name), deterministic=True)


def kernel(attribute: str, label: str, unit: str, scale: str = "linear") -> Quantity:
    return Quantity(Axis(label, unit, scale), lambda case: case.kernel(attribute), deterministic=True)


def number_of(axis: str) -> Callable[[Case], float | None]:
    """The value of an axis if it is a number."""

    def number(case: Case) -> float | None:
        try:
            return float(case.axes[axis])
        except (KeyError, ValueError):
            return None

    return number
