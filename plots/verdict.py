"""Bounds and verdicts: a claim holds only where the whole interval lies on the right side of the bound.

A claim about many rows is judged row by row, never by one interval that covers them all: noise in one row would hide
that another one is decidedly outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf

from plots.interval import Interval
from plots.units import quantity


#: Why a number with an interval on both sides of its bound decides nothing.
SPANS = "the interval of these samples spans the bound"


class Verdict(Enum):
    HOLDS = "holds"
    DOES_NOT_HOLD = "does not hold"
    MIXED = "mixed"
    NOT_TESTABLE = "not testable here"

    @property
    def slug(self) -> str:
        """The name of the verdict in pages: 'does-not-hold'."""
        return self.value.removesuffix(" here").replace(" ", "-")


@dataclass(frozen=True)
class Bound:
    """The numbers that confirm a claim: from low to high, ends included unless `strict`."""

    low: float = -inf
    high: float = inf
    strict: bool = False

    def judge(self, measured: Interval) -> Verdict:
        """One number. It decides nothing here if its interval spans the bound."""
        if self._contains(measured.low) and self._contains(measured.high):
            return Verdict.HOLDS
        above = measured.low >= self.high if self.strict else measured.low > self.high
        below = measured.high <= self.low if self.strict else measured.high < self.low
        return Verdict.DOES_NOT_HOLD if above or below else Verdict.NOT_TESTABLE

    def _contains(self, value: float) -> bool:
        return self.low < value < self.high if self.strict else self.low <= value <= self.high

    def text(self, unit: str = "") -> str:
        if self.low == self.high:
            return quantity(self.low, unit)
        if self.high == inf:
            return f"{'above' if self.strict else 'at least'} {quantity(self.low, unit)}"
        if self.low == -inf:
            return f"{'below' if self.strict else 'at most'} {quantity(self.high, unit)}"
        return _range(quantity(self.low, unit), quantity(self.high, unit))


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict on a claim from the verdicts on its parts.

    Parts within the noise cannot make a claim hold. They do not save it either, if no part holds and one fails.
    """
    found = set(verdicts)
    if Verdict.HOLDS not in found and Verdict.DOES_NOT_HOLD in found:
        return Verdict.DOES_NOT_HOLD
    return found.pop() if len(found) == 1 else Verdict.MIXED


def _range(low: str, high: str) -> str:
    """'189 to 231 us', or the one text where both ends read alike."""
    if low == high:
        return low
    number, _, unit = low.partition(" ")
    return f"{number if unit == high.partition(' ')[2] else low} to {high}"


def at_least(value: float) -> Bound:
    return Bound(low=value)


def at_most(value: float) -> Bound:
    return Bound(high=value)


def above(value: float) -> Bound:
    return Bound(low=value, strict=True)


def below(value: float) -> Bound:
    return Bound(high=value, strict=True)


def between(low: float, high: float) -> Bound:
    return Bound(low, high)


def equals(value: float) -> Bound:
    return Bound(value, value)


def about(value: float, within: float = 0.1) -> Bound:
    """A number that the paper qualifies (*about*, *almost*): `within` is the tolerated share, stated with the claim."""
    return Bound(value * (1 - within), value * (1 + within))
