"""The papers' claims as data, and their verdicts on a device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from plots.errors import NotTestable, attempt
from plots.interval import Interval, exact, hull
from plots.results import Device, View
from plots.units import interval as interval_text
from plots.units import quantity
from plots.verdict import SPANS, Bound, Verdict, together

#: What the verdicts mean, for the pages.
HOW_JUDGED = (
    "A number holds if its whole 95% interval lies within the bound, and does not hold if the whole interval lies "
    "outside. If the interval spans the bound, the samples decide nothing. A claim about many cases is judged case by "
    "case, and is mixed if they differ."
)
#: How a claim fails whose number follows the hardware.
OF_ITS_TIME = "on a number that depends on the hardware of its time"
#: How many of the parts that fail are named.
NAMED = 3
#: The kinds of verdict that pages tell apart, in the order of their bars: words after the number 1 and after others.
KINDS = {
    "holds": ("holds", "hold"),
    "moved": ("outdated by hardware", "outdated by hardware"),
    "mixed": ("mixed", "mixed"),
    "does-not-hold": ("does not hold", "do not hold"),
    "not-testable": ("not testable", "not testable"),
    "by-construction": ("true by construction", "true by construction"),
}


@dataclass(frozen=True)
class Measured:
    """The one number that a claim's function measured.

    `bound` replaces the claim's own if it depends on the rows (log2 of the sites).
    """

    interval: Interval
    note: str = ""
    bound: Bound | None = None


@dataclass(frozen=True)
class Part:
    """A row or a cell of a claim about many. It is judged by itself, against the claim's bound if it has none."""

    label: str
    interval: Interval
    bound: Bound | None = None


@dataclass(frozen=True)
class Parts:
    """What a claim's function measured in many rows or cells. The claim holds if it holds in every one."""

    parts: Sequence[Part]
    note: str = ""

    def __post_init__(self) -> None:
        if not self.parts:
            raise NotTestable("no rows to compare")


def parts(found: Mapping[str, Interval], note: str = "") -> Parts:
    """A part per label, all with the claim's bound."""
    return Parts(tuple(Part(label, value) for label, value in found.items()), note)


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper.

    `published` is its number as printed, `bound` the range that confirms it, `how` what is measured.
    `by_construction` says why no measurement can contradict the claim. Such a claim is judged but not counted.
    `moves_with` says why its number follows the hardware: where only the number fails, the paper was not wrong. `figure`
    names the figure or table that shows what decides it. `reading` says how a loose word of the sentence is read, if the
    verdict on the paper's own numbers depends on it: these do not contradict it outright.
    """

    id: str
    quote: str
    place: str
    published: str
    how: str
    bound: Bound
    measure: Callable[[View], Measured | Parts | Interval]
    unit: str = ""
    by_construction: str = ""
    moves_with: str = ""
    figure: str = ""
    reading: str = ""


@dataclass(frozen=True)
class JudgedPart:
    part: Part
    bound: Bound
    verdict: Verdict

    @property
    def outside(self) -> float:
        """How far the value lies outside the bound."""
        value = self.part.interval.value
        return max(self.bound.low - value, value - self.bound.high, 0.0)


@dataclass(frozen=True)
class Judgement:
    """`measured` is the number, or the range of all parts; None where the rows are missing, and `note` says which."""

    claim: Claim
    device: Device
    verdict: Verdict
    measured: Interval | None = None
    note: str = ""
    bound: Bound | None = None
    parts: tuple[JudgedPart, ...] = ()

    @property
    def is_counted(self) -> bool:
        """False for what is true by construction. If the rows contradict a construction, the claim counts."""
        return not self.claim.by_construction or self.verdict in (Verdict.DOES_NOT_HOLD, Verdict.MIXED)

    @property
    def has_moved(self) -> bool:
        """True if the claim fails, but only since its number was one of the hardware of its time."""
        return bool(self.claim.moves_with) and self.verdict is Verdict.DOES_NOT_HOLD and not self.device.published

    @property
    def fails_somewhere(self) -> bool:
        """True if the claim does not hold in at least one of its cases."""
        return self.verdict is Verdict.DOES_NOT_HOLD or bool(self._parts(Verdict.DOES_NOT_HOLD))

    @property
    def kind(self) -> str:
        """A key of KINDS."""
        if not self.is_counted:
            return "by-construction"
        return "moved" if self.has_moved else self.verdict.slug

    @property
    def measured_text(self) -> str:
        if self.measured is None:
            return ""
        if not self.parts:
            return interval_text(self.measured, self.claim.unit)
        values = [judged.part.interval.value for judged in self.parts]
        return f"{Bound(min(values), max(values)).text(self.claim.unit)} in {len(self.parts)} cases"

    @property
    def bound_text(self) -> str:
        bounds = {judged.bound for judged in self.parts} or {self.bound or self.claim.bound}
        if len(bounds) > 1:
            return "each is within a bound of its own"
        return bounds.pop().text(self.claim.unit)

    @property
    def parts_text(self) -> str:
        """The parts that fail by most, and those within the noise."""
        failing = sorted(self._parts(Verdict.DOES_NOT_HOLD), key=lambda judged: -judged.outside)
        texts = (("fails at", failing), ("within the noise at", self._parts(Verdict.NOT_TESTABLE)))
        return "; ".join(f"{what} {self._named(some)}" for what, some in texts if some)

    @property
    def counts_text(self) -> str:
        """'holds in 7 of 12, 2 within the noise'"""
        holding, noisy = (len(self._parts(verdict)) for verdict in (Verdict.HOLDS, Verdict.NOT_TESTABLE))
        return f"holds in {holding} of {len(self.parts)}" + (f", {noisy} within the noise" if noisy else "")

    @property
    def reason(self) -> str:
        """Why a verdict is mixed or missing."""
        if self.verdict is Verdict.MIXED:
            return self.counts_text
        if self.verdict is Verdict.NOT_TESTABLE:
            return self.note if self.measured is None else SPANS
        return ""

    @property
    def short_text(self) -> str:
        built = self.verdict is Verdict.HOLDS and not self.is_counted
        return KINDS["moved"][0] if self.has_moved else self.verdict.value + (", by construction" if built else "")

    @property
    def verdict_text(self) -> str:
        return self.short_text + (f" ({self.reason})" if self.reason else "")

    @property
    def details(self) -> str:
        """What a reader needs beside the number: parts that fail, the function's note, the construction."""
        why = "" if self.is_counted else f"by construction: {self.claim.by_construction}"
        why = self.claim.moves_with if self.has_moved else why
        if self.claim.moves_with and self.verdict is Verdict.HOLDS and not self.device.published:
            why = f"newer hardware alone may decide it: {self.claim.moves_with}"
        note = self.note if self.measured is not None else ""
        return "; ".join(filter(None, (self.parts_text, note, why)))

    def _parts(self, verdict: Verdict) -> list[JudgedPart]:
        return [judged for judged in self.parts if judged.verdict is verdict]

    def _named(self, some: Sequence[JudgedPart]) -> str:
        unit = self.claim.unit
        names = [f"{judged.part.label} ({quantity(judged.part.interval.value, unit)})" for judged in some[:NAMED]]
        return "; ".join(names) + (f"; and {len(some) - NAMED} more" if len(some) > NAMED else "")


def judge(claim: Claim, view: View) -> Judgement:
    try:
        return attempt(_judge, claim, view)
    except NotTestable as reason:
        return Judgement(claim, view.device, Verdict.NOT_TESTABLE, note=str(reason))


def _judge(claim: Claim, view: View) -> Judgement:
    found = claim.measure(view)
    if isinstance(found, Parts):
        return _judge_parts(claim, view, found)
    measured = found if isinstance(found, Measured) else Measured(found)
    bound = measured.bound or claim.bound
    return Judgement(claim, view.device, bound.judge(measured.interval), measured.interval, measured.note, bound)


def _judge_parts(claim: Claim, view: View, found: Parts) -> Judgement:
    bounds = [part.bound or claim.bound for part in found.parts]
    if len(found.parts) == 1:
        (part,) = found.parts
        note = "; ".join(filter(None, (part.label, found.note)))
        return Judgement(claim, view.device, bounds[0].judge(part.interval), part.interval, note, bounds[0])
    judged = tuple(
        JudgedPart(part, bound, bound.judge(part.interval)) for part, bound in zip(found.parts, bounds, strict=True)
    )
    verdict = together([one.verdict for one in judged])
    everything = hull(part.interval for part in found.parts)
    return Judgement(claim, view.device, verdict, everything, found.note, parts=judged)


def judge_all(claims: Iterable[Claim], view: View) -> list[Judgement]:
    return [judge(claim, view) for claim in claims]


def not_testable(why: str) -> Callable[[View], Interval]:
    """The measure of a claim that cannot be tested on any machine."""

    def measure(view: View) -> Interval:
        raise NotTestable(why)

    return measure


@dataclass(frozen=True)
class Tested:
    """What a test of this project asserts of a claim: the part, whether the claim holds of it, and the test's name."""

    label: str
    holds: bool
    test: str


def decided_by_tests(*tests: Tested) -> Callable[[View], Parts]:
    """The measure of a claim that no timed row can show, and that tests decide: 1 where it holds."""

    def measure(view: View) -> Parts:
        if view.device.published or not view.cases:
            raise NotTestable("tests of this project decide it, not the numbers of this device")
        return parts({f"{one.label} ({one.test})": exact(float(one.holds)) for one in tests})

    return measure


def counted(judgements: Iterable[Judgement]) -> list[Judgement]:
    """Those that are not true by construction."""
    return [judgement for judgement in judgements if judgement.is_counted]


def summary(judgements: Sequence[Judgement], whose: str = "") -> str:
    """'of 28 testable claims, 12 hold, 3 do not hold, and 13 are mixed; 3 more are true by construction'. `whose`
    stands before the number: "the paper's ".
    """
    words = {
        "holds": ("holds", "hold"),
        "does-not-hold": ("does not hold", "do not hold"),
        "mixed": ("is mixed", "are mixed"),
        "moved": ("fails " + OF_ITS_TIME, "fail " + OF_ITS_TIME),
        "not-testable": ("was not tested here", "were not tested here"),
    }
    decidable = counted(judgements)
    counts = Counter(judgement.kind for judgement in decidable)
    found = [f"{counts[kind]} {words[kind][counts[kind] != 1]}" for kind in words if counts[kind]]
    joined = ", ".join([*found[:-1], f"and {found[-1]}"]) if len(found) > 2 else " and ".join(found)
    rest = len(judgements) - len(decidable)
    by_construction = f"{'is' if rest == 1 else 'are'} true by construction"
    if not decidable:
        return f"none of {whose}claims is testable" + (f"; {rest} {by_construction}" if rest else "")
    text = f"of {whose}{len(decidable)} testable claim{'' if len(decidable) == 1 else 's'}, {joined}"
    return text + (f"; {rest} more {by_construction}" if rest else "")
