"""The noise between runs of equal code, which the interval of one run does not show: clocks, placement in memory, other load.

It is a half-width in natural logarithms, per experiment and machine. `--repeat` gives a second run of A, from which it is
measured. Otherwise it is estimated from the spread of all ratios around their median: most cases do not change at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from plots.results import Case
from plots.units import digits

Group = tuple[str, str]
#: Fewer pairs than this show no noise.
MIN_PAIRS = 8
#: A larger spread is not taken for noise, because a real change can have that size.
MAX_SPREAD = math.log(1.10)
#: From the median absolute deviation to the half-width that 95% of a normal distribution lie within.
TO_95 = 1.96 * 1.4826


def group_of(case: Case) -> Group:
    return case.experiment, case.machine


def measured(ratios: Iterable[tuple[Group, float]]) -> dict[Group, float]:
    """The half-width that 95% of the ratios of two runs of A stay within."""
    return {
        group: sorted(abs(log) for log in logs)[math.ceil(0.95 * len(logs)) - 1]
        for group, logs in _grouped(ratios).items()
        if len(logs) >= MIN_PAIRS
    }


def estimated(ratios: Iterable[tuple[Group, float]]) -> dict[Group, float]:
    """The half-width from the spread of the ratios of A and B."""
    found = {}
    for group, logs in _grouped(ratios).items():
        if len(logs) >= MIN_PAIRS:
            middle = median(logs)
            found[group] = min(TO_95 * median(abs(log - middle) for log in logs), MAX_SPREAD)
    return found


def texts(noise: Mapping[Group, float], repeated: bool) -> list[str]:
    """What was assumed, a line per experiment and machine."""
    how = "from --repeat" if repeated else "from the spread of these ratios; --repeat DIR measures it"
    if not noise:
        return [
            "noise between runs: not known; verdicts know the noise of one run only. Pass a second run of A as --repeat DIR."
        ]
    return [
        f"noise between runs of {experiment} on {machine}: {digits(100 * math.expm1(width), 2)}% ({how})"
        for (experiment, machine), width in noise.items()
    ]


def _grouped(ratios: Iterable[tuple[Group, float]]) -> dict[Group, Sequence[float]]:
    logs: dict[Group, list[float]] = {}
    for group, ratio in ratios:
        logs.setdefault(group, []).append(math.log(ratio))
    return dict(logs)
