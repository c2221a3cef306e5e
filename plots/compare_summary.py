"""The summary of a comparison: a line per experiment, and the largest changes each way."""

from __future__ import annotations

from collections.abc import Sequence

from plots.compare import Comparison, Pair
from plots.units import interval

#: Lines of each kind; --all prints every one.
MAX_LINES = 20

COLUMNS = (
    "experiment",
    "pairs",
    "faster",
    "slower",
    "no difference",
    "other",
    "lowest speed of B / A",
    "highest speed of B / A",
)


def summary(pairs: Sequence[Pair]) -> list[tuple[str, ...]]:
    """A row per experiment, below COLUMNS. Others are refused, or not timed. The speeds are medians."""
    return [_row(name, [pair for pair in pairs if pair.a.experiment == name]) for name in _experiments(pairs)]


def _experiments(pairs: Sequence[Pair]) -> list[str]:
    return list(dict.fromkeys(pair.a.experiment for pair in pairs))


def _row(name: str, pairs: Sequence[Pair]) -> tuple[str, ...]:
    verdicts = [pair.verdict() for pair in pairs]
    counts = [verdicts.count(verdict) for verdict in ("faster", "slower", "no difference")]
    ratios = sorted((pair.ratio for pair in pairs if pair.ratio), key=lambda ratio: ratio.value)
    ends = (interval(ratios[0], ""), interval(ratios[-1], "")) if ratios else ("–", "–")
    return (name, *(str(count) for count in (len(pairs), *counts, len(pairs) - sum(counts))), *ends)


def largest(comparison: Comparison, verdict: str) -> list[int]:
    """The positions of the pairs with this verdict, slower or faster, with the largest change first."""
    found = [
        (pair.ratio.value, position)
        for position, pair in enumerate(comparison.pairs)
        if pair.ratio is not None and pair.verdict() == verdict
    ]
    return [position for _, position in sorted(found, reverse=verdict == "faster")]


def cut(lines: Sequence[str], every: bool) -> list[str]:
    """The first MAX_LINES lines, and how many follow."""
    if every or len(lines) <= MAX_LINES:
        return list(lines)
    return [*lines[:MAX_LINES], f"and {len(lines) - MAX_LINES} more (--all)"]
