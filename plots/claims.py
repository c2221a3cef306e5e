"""The papers' claims as data, and their verdicts on a device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import Device, View
from plots.units import interval as interval_text
from plots.verdict import Bound, Verdict


@dataclass(frozen=True)
class Measured:
    """What a claim's function measured.

    `bound` replaces the claim's own if it depends on the rows (log2 of the sites).
    """

    interval: Interval
    note: str = ""
    bound: Bound | None = None


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper.

    `published` is its number as printed, `bound` the range that confirms it, `how` what is measured.
    """

    id: str
    quote: str
    place: str
    published: str
    how: str
    bound: Bound
    measure: Callable[[View], Measured | Interval]
    unit: str = ""


@dataclass(frozen=True)
class Judgement:
    claim: Claim
    device: Device
    verdict: Verdict
    measured: Interval | None = None
    note: str = ""
    bound: Bound | None = None

    @property
    def measured_text(self) -> str:
        return interval_text(self.measured, self.claim.unit) if self.measured is not None else ""

    @property
    def bound_text(self) -> str:
        return (self.bound or self.claim.bound).text(self.claim.unit)

    @property
    def verdict_text(self) -> str:
        return (
            f"{self.verdict.value} ({self.note})" if self.verdict is Verdict.NOT_TESTABLE else str(self.verdict.value)
        )


def judge(claim: Claim, view: View) -> Judgement:
    try:
        found = claim.measure(view)
    except NotTestable as reason:
        return Judgement(claim, view.device, Verdict.NOT_TESTABLE, note=str(reason))
    measured = found if isinstance(found, Measured) else Measured(found)
    bound = measured.bound or claim.bound
    return Judgement(claim, view.device, bound.judge(measured.interval), measured.interval, measured.note, bound)


def judge_all(claims: Iterable[Claim], view: View) -> list[Judgement]:
    return [judge(claim, view) for claim in claims]


def not_testable(why: str) -> Callable[[View], Interval]:
    """The measure of a claim that cannot be tested on any machine."""

    def measure(view: View) -> Interval:
        raise NotTestable(why)

    return measure


def summary(judgements: Sequence[Judgement]) -> str:
    """'12 hold, 3 do not hold, 1 is undecided, and 15 are not testable here'"""
    words = {
        Verdict.HOLDS: ("holds", "hold"),
        Verdict.DOES_NOT_HOLD: ("does not hold", "do not hold"),
        Verdict.UNDECIDED: ("is undecided", "are undecided"),
        Verdict.NOT_TESTABLE: ("is not testable here", "are not testable here"),
    }
    counts = Counter(judgement.verdict for judgement in judgements)
    parts = [f"{counts[verdict]} {words[verdict][counts[verdict] != 1]}" for verdict in Verdict if counts[verdict]]
    return ", ".join([*parts[:-1], f"and {parts[-1]}"]) if len(parts) > 2 else " and ".join(parts)
