"""A measured number with its 95% interval, and the arithmetic that claims need.

A ratio takes the worst corners of both intervals, so its interval is wider than 95%, and a verdict on it errs towards
*not testable here*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, sqrt


@dataclass(frozen=True)
class Interval:
    """A value in [low, high], all in one unit. `exact` makes one without spread (steps, registers)."""

    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError(f"interval [{self.low}, {self.high}] does not contain its value {self.value}")

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    def __truediv__(self, other: Interval | float) -> Interval:
        divisor = other if isinstance(other, Interval) else exact(other)
        if divisor.low <= 0:
            raise ValueError("division by an interval that reaches zero")
        return Interval(self.value / divisor.value, self.low / divisor.high, self.high / divisor.low)

    def __mul__(self, factor: float) -> Interval:
        return Interval(self.value * factor, self.low * factor, self.high * factor)

    def inverse(self) -> Interval:
        return exact(1.0) / self


def exact(value: float) -> Interval:
    return Interval(value, value, value)


def share_of(count: float, trials: float) -> Interval:
    """The share of independent trials that succeeded, with Wilson's 95% interval."""
    z = 1.959964
    share, shift = count / trials, z * z / trials
    middle = (share + shift / 2) / (1 + shift)
    half = z * sqrt(share * (1 - share) / trials + shift / (4 * trials)) / (1 + shift)
    return Interval(share, min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half)))


def more_than(value: float) -> Interval:
    """A number of which a paper says that it is more than `value`. No ratio to it is known."""
    return Interval(value, value, inf)


def largest(intervals: Iterable[Interval]) -> Interval:
    return max(intervals, key=lambda interval: interval.value)


def hull(intervals: Iterable[Interval]) -> Interval:
    """From the smallest low to the largest high, around the middle value: a range to show, never one to judge by."""
    rows = sorted(intervals, key=lambda interval: interval.value)
    if not rows:
        raise ValueError("the hull of no intervals")
    return Interval(rows[len(rows) // 2].value, min(row.low for row in rows), max(row.high for row in rows))
