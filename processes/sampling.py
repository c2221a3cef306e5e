"""How many samples a time needs, and what they say: the median, its 95% interval and its noise, as in harness/stats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev

LEVEL = 0.95
WARM_UPS = 2
#: A sample is large enough if the median is known this well, or after this many seconds.
NOISE = 0.005
SECONDS = 0.5
MOST = 200
#: The least number of samples, by machine. The clock of a CPU varies more.
LEAST = {"cuda": 10, "cpu": 15}


@dataclass(frozen=True)
class Summary:
    """Statistics of a sample, in its unit. `low` and `high` bound the median with probability `coverage` or more."""

    count: int
    median: float
    low: float
    high: float
    coverage: float
    mean: float
    sigma: float
    mad: float

    @property
    def noise(self) -> float:
        """Half of the width of the interval over the median."""
        return (self.high - self.low) / 2 / self.median if self.median > 0 else math.inf


def rank_of_bound(count: int, level: float = LEVEL) -> int:
    """The largest k for which the k-th smallest and the k-th largest value bound the median with probability `level`.

    0 if even the whole range does not: fewer than 6 values at 95%.
    """
    tail = (1 - level) / 2 * 2**count
    below = 0
    for k in range(count // 2 + 1):
        below += math.comb(count, k)
        if below > tail:
            return k
    return 0


def summarize(values: Sequence[float]) -> Summary:
    if not values or not all(math.isfinite(value) and value >= 0 for value in values):
        raise ValueError("a sample of times needs at least one value, and all must be finite and not negative")
    ordered = sorted(values)
    count, middle = len(ordered), median(ordered)
    k = rank_of_bound(count)
    low, high = (ordered[k - 1], ordered[count - k]) if k else (ordered[0], ordered[-1])
    outside = 2 * sum(math.comb(count, i) for i in range(max(k, 1))) / 2**count
    return Summary(
        count=count,
        median=middle,
        low=low,
        high=high,
        coverage=max(0.0, 1 - outside),
        mean=fmean(ordered),
        sigma=stdev(ordered) if count > 1 else 0.0,
        mad=median(abs(value - middle) for value in ordered),
    )


def enough(values: Sequence[float], minimum: int) -> bool:
    """True if the sample has `minimum` values and either small noise or a large total; or if it has MOST values."""
    if len(values) < minimum:
        return False
    return len(values) >= MOST or sum(values) >= SECONDS or summarize(values).noise < NOISE


def sample(run: Callable[[], float], minimum: int = LEAST["cuda"]) -> list[float]:
    """Calls `run`, which returns the seconds of one run, until the sample is large enough, after two warm-ups."""
    for _ in range(WARM_UPS):
        run()
    values: list[float] = []
    while not enough(values, minimum):
        values.append(run())
    return values
