"""How fast ours is: against the paper's method, and against the fastest of all other methods, in the same cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from plots.results import Case, View
from plots.units import digits

#: Axes that say how a case runs, not what it computes: each side takes its best value.
TUNING = frozenset(
    ("block", "lanes", "layout", "length", "order", "states_per_group", "states_per_warp", "streams", "warps_per_state")
)
#: The CPU's contender uses all cores.
OTHERS = ("paper", "baseline", "contender", "reference")


@dataclass(frozen=True)
class Speed:
    """Ratios of ours to another method, over all workloads that both ran."""

    whose: str
    ratios: tuple[float, ...]

    @property
    def losses(self) -> int:
        return sum(ratio < 1 for ratio in self.ratios)

    @property
    def factor(self) -> str:
        """The median: '2.9x'."""
        return f"{digits(median(self.ratios))}x"

    @property
    def spread(self) -> str:
        """'median of 31 workloads, 0.599x to 10.6x'"""
        if len(self.ratios) == 1:
            return "one workload"
        low, high = min(self.ratios), max(self.ratios)
        return f"median of {len(self.ratios)} workloads, {digits(low)}x to {digits(high)}x"


def speeds(view: View) -> list[Speed]:
    """Against the paper's method on the same GPU, and against the fastest other method on any machine here."""
    workloads: dict[tuple[tuple[str, str], ...], dict[str, float]] = {}
    for case in _timed(view):
        best = workloads.setdefault(_workload(case), {})
        for side in _sides(case):
            best[side] = max(best.get(side, 0.0), case.rate.value if case.rate else 0.0)
    paper, other = (_ratios(workloads.values(), side) for side in ("paper", "other"))
    found = (Speed("the paper's method", paper), Speed("the fastest other method, CPU included", other))
    kept = [speed for speed in found if speed.ratios]
    if len({(speed.factor, speed.spread) for speed in kept}) < len(kept):
        return [Speed("the paper's method, the fastest other one", paper)]
    return kept


def _ratios(workloads: Iterable[Mapping[str, float]], side: str) -> tuple[float, ...]:
    return tuple(best["ours"] / best[side] for best in workloads if "ours" in best and side in best)


def _timed(view: View) -> Iterable[Case]:
    return (case for case in view.select() if case.rate is not None and case.rate.value > 0 and not case.extrapolated)


def _workload(case: Case) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, value) for name, value in case.axes.items() if name not in TUNING))


def _sides(case: Case) -> tuple[str, ...]:
    if case.role == "ours":
        return ("ours",) if case.machine == "cuda" else ()
    if case.role not in OTHERS:
        return ()
    return ("paper", "other") if case.role == "paper" and case.machine == "cuda" else ("other",)
