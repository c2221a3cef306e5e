"""`lockstep compare A B`: compares the same cases of two result folders, paired by their axes.

A ratio is B's speed over A's. Its interval uses the worst corners of both intervals; its verdict also allows for the noise
between runs (run_noise.py). A pair is refused if it would compare different work: a different seed, different units, a
different digest of the same reference, or a case that is not verified on one side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from plots.commits import both_sides
from plots.drawing import Axis, Drawing, Mark, Point, Series
from plots.errors import UserError
from plots.interval import Interval
from plots.load import load
from plots.results import Case, Results
from plots.run_noise import MIN_PAIRS, Group, estimated, group_of, measured
from plots.shards import commit_mark, same_method
from plots.tables import TableData
from plots.units import digits, interval, quantity

Key = tuple[object, ...]
Wanted = Callable[[Case], bool]
MAX_ROWS = 25


@dataclass(frozen=True)
class Pair:
    """The same case in A and B. `refused` says why there is no ratio; `noise` is that between runs, in logarithms."""

    a: Case
    b: Case
    refused: str = ""
    noise: float = 0.0

    @property
    def ratio(self) -> Interval | None:
        """Speed of B over speed of A: above 1, B is faster."""
        if self.refused or self.a.time is None or self.b.time is None:
            return None
        return self.a.time / self.b.time

    @property
    def judged(self) -> Interval | None:
        """The ratio with an interval that allows for the noise between runs, too."""
        ratio, factor = self.ratio, math.exp(self.noise)
        return ratio and Interval(ratio.value, ratio.low / factor, ratio.high * factor)

    def slower_by(self) -> float:
        """How much longer B's median time is, in percent; 0 if that is within the noise."""
        ratio = self.judged
        return 0.0 if ratio is None or ratio.high >= 1 else 100 * (1 / ratio.value - 1)

    def verdict(self) -> str:
        ratio = self.judged
        if ratio is None:
            return f"refused ({self.refused})" if self.refused else "same results, not timed"
        return "faster" if ratio.low > 1 else "slower" if ratio.high < 1 else "no difference"

    def changed_metrics(self) -> list[str]:
        """Metrics that do not depend on time, that both cases have, and that differ."""
        a, b = self.a.counted_metrics, self.b.counted_metrics
        names = sorted(set(a) & set(b)) if not self.refused else []
        return [
            f"{name} {digits(a[name], 6)} became {digits(b[name], 6)}"
            for name in names
            if not math.isclose(a[name], b[name], rel_tol=1e-9)
        ]


@dataclass(frozen=True)
class Comparison:
    pairs: tuple[Pair, ...]
    only_a: int
    only_b: int
    name_a: str
    name_b: str
    noise: Mapping[Group, float] = field(default_factory=dict)
    repeated: bool = False

    def regressions(self, percent: float) -> list[Pair]:
        """Pairs that are slower by more than `percent` beyond the noise, or verified in A but not in B."""
        return [
            pair for pair in self.pairs if pair.slower_by() > percent or (pair.a.status == "ok" and _broken(pair.b))
        ]


def pair_results(a: Results, b: Results) -> tuple[list[Pair], int, int]:
    by_device = len(a.devices) > 1 and len(b.devices) > 1
    keys_a, keys_b = _keyed(a.cases, by_device), _keyed(b.cases, by_device)
    both = [key for key in keys_a if key in keys_b]
    pairs = [Pair(keys_a[key], keys_b[key], _refusal(keys_a[key], keys_b[key])) for key in both]
    return pairs, len(keys_a) - len(both), len(keys_b) - len(both)


def compare(
    folder_a: Path, folder_b: Path, repeat: Path | None = None, wanted: Wanted = lambda case: True
) -> Comparison:
    """`repeat` is a folder with a second run of what A has. Only pairs of `wanted` cases are in the comparison, but all
    pairs show the noise between runs, so that a verdict does not depend on what is asked for."""
    a, b = load(folder_a), load(folder_b)
    pairs, only_a, only_b = pair_results(a, b)
    if not pairs:
        raise UserError(
            f"nothing to compare in {folder_a} and {folder_b}",
            "no case is in both folders",
            "run the same sweeps in both",
        )
    if repeat is not None:
        noise = measured(_ratios(pair_results(a, load(repeat))[0]))
        if not noise:
            raise UserError(
                f"{repeat} is no second run of {folder_a}",
                f"fewer than {MIN_PAIRS} timed cases are in both",
                "measure the same sweeps again",
            )
    else:
        noise = estimated(_ratios([pair for pair in pairs if _same_machine(pair)]))
    pairs, only_a, only_b = pair_results(_part(a, wanted), _part(b, wanted))
    if not pairs:
        raise UserError(
            f"nothing to compare in {folder_a} and {folder_b}",
            "no case with this experiment and variant is in both folders",
            "check --only and --variant",
        )
    pairs = [replace(pair, noise=noise.get(group_of(pair.a), 0.0)) for pair in pairs]
    noise = {group: width for group, width in noise.items() if any(group_of(pair.a) == group for pair in pairs)}
    names = _name(folder_a, a, b), _name(folder_b, b, a)
    return Comparison(tuple(pairs), only_a, only_b, *names, noise, repeat is not None)


def _part(results: Results, wanted: Wanted) -> Results:
    return replace(results, cases=tuple(case for case in results.cases if wanted(case)))


def _ratios(pairs: Iterable[Pair]) -> list[tuple[Group, float]]:
    return [(group_of(pair.a), pair.ratio.value) for pair in pairs if pair.ratio is not None]


def _same_machine(pair: Pair) -> bool:
    """True if the rows are of one kind of device. The ratios of two kinds differ, and that is no noise."""
    cpus = [case.provenance.get("cpu") for case in (pair.a, pair.b)] if pair.a.machine != "cuda" else []
    return pair.a.device.name == pair.b.device.name and len({str(cpu) for cpu in cpus}) < 2


def _keyed(cases: Iterable[Case], by_device: bool) -> dict[Key, Case]:
    return {
        (
            case.device.slug if by_device else "",
            case.experiment,
            case.variant,
            case.machine,
            tuple(sorted(case.axes.items())),
            case.cache,
            str(case.provenance.get("shard") or ""),
        ): case
        for case in cases
    }


def _broken(case: Case) -> bool:
    return case.status in ("disagrees", "failed")


def _refusal(a: Case, b: Case) -> str:
    if a.seed != b.seed:
        return f"seed {a.seed} and seed {b.seed}"
    for name in ("first_unit", "units"):
        if a.provenance.get(name) != b.provenance.get(name):
            return f"{name.replace('_', ' ')} {a.provenance.get(name)} and {b.provenance.get(name)}"
    for side, case in (("A", a), ("B", b)):
        if case.status not in ("ok", "not_timed"):
            return f"{side}: {case.status}" + (f", {case.reason}" if case.reason else "")
    if a.digest != b.digest and same_method(a, b):
        return f"results differ, digest {a.digest} and {b.digest}"
    return ""


def _name(folder: Path, mine: Results, other: Results) -> str:
    """The device if the folders differ in it, else the folder."""
    names = [device.name for device in mine.devices]
    differ = names != [device.name for device in other.devices]
    return names[0] if differ and len(names) == 1 else str(folder)


def table(comparison: Comparison) -> TableData:
    label = labels([pair.a for pair in comparison.pairs])
    words, plain, values = [], [], []
    for pair, name in zip(comparison.pairs, label):
        ratio = pair.ratio
        times = [quantity(case.time.value, "s") if case.time else "–" for case in (pair.a, pair.b)]
        text = interval(ratio, "") + commit_mark(pair.a, pair.b) if ratio else "–"
        words.append((name, *times, text, pair.verdict()))
        seconds = [case.time.value if case.time else None for case in (pair.a, pair.b)]
        values.append((None, *seconds, ratio.value if ratio else None, None))
        numbers = (ratio.value, ratio.low, ratio.high) if ratio else ("", "", "")
        plain.append(
            (
                pair.a.experiment,
                name,
                *(case.time.value if case.time else "" for case in (pair.a, pair.b)),
                *numbers,
                pair.verdict(),
            )
        )
    return TableData(
        "compare",
        f"Speed of {comparison.name_b} over {comparison.name_a}",
        comparison.name_b,
        ("case", "A", "B", "speed of B / A", "verdict"),
        tuple(words),
        ("experiment", "case", "a_seconds", "b_seconds", "ratio", "low", "high", "verdict"),
        tuple(plain),
        f"A {comparison.name_a}, B {comparison.name_b}; medians, ratio of speeds with the worst corners of both intervals",
        commits(comparison),
        values=tuple(values),
    )


def commits(comparison: Comparison) -> str:
    """Which commits the rows of both sides are of, if they differ."""
    timed = [(pair.a, pair.b) for pair in comparison.pairs if pair.ratio is not None]
    return both_sides(timed, "A", "B")


def labels(cases: Sequence[Case]) -> list[str]:
    """Variant, machine, and the axes that vary among the cases of a machine."""
    firsts = {case.machine: case.axes for case in reversed(cases)}
    varying = {name for case in cases for name, value in case.axes.items() if value != firsts[case.machine].get(name)}
    several = len({case.experiment for case in cases}) > 1
    return [
        " ".join(
            ([case.experiment] if several else [])
            + [f"{case.variant}/{case.machine}"]
            + [f"{name}:{value}" for name, value in case.axes.items() if name in varying]
        )
        for case in cases
    ]


def drawing(comparison: Comparison) -> Drawing | None:
    """The pairs with the largest differences, as dots around 1."""
    named = [(name, pair.ratio) for name, pair in zip(labels([pair.a for pair in comparison.pairs]), comparison.pairs)]
    known = [(name, ratio) for name, ratio in named if ratio is not None]
    if not known:
        return None
    largest = sorted(known, key=lambda row: -abs(math.log(row[1].value)))[:MAX_ROWS]
    rows = sorted(largest, key=lambda row: -row[1].value)
    points = tuple(Point(name, ratio) for name, ratio in rows)
    note = "" if len(rows) == len(known) else f"; the {len(rows)} of {len(known)} that differ most"
    return Drawing(
        "compare",
        "Speed of B over A",
        f"A: {comparison.name_a}, B: {comparison.name_b}",
        Axis("case", "name"),
        Axis("speed of B over A", "1", "log10"),
        (Series("B over A", points, "ratio"),),
        "dots",
        f"medians with the worst corners of both 95% intervals{note}",
        marks=(Mark(1.0, "equal"),),
    )
