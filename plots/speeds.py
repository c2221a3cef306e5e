"""How fast ours is: against the paper's method, and against the fastest of all other methods, in the same cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from statistics import median

from plots.results import Case, View
from plots.spec import machine_name
from plots.units import three_digits

#: Axes that say how a case runs, not what it computes: each side takes its best value.
TUNING = frozenset(
    ("block", "lanes", "layout", "length", "order", "states_per_group", "states_per_warp", "streams", "warps_per_state")
)
#: The same in words, for the pages that show such ratios.
AT_THEIR_BEST = "each at its best layout, order, batch size and block size"
#: Axes that name a workload in a sentence.
MAX_AXES = 2
#: The axes of a case that say what it computes.
Workload = tuple[tuple[str, str], ...]
#: The CPU's contender uses all cores.
OTHERS = ("paper", "baseline", "contender", "reference")


#: A measurement of variants that race CPU engines against the GPU. Where a CPU engine wins, they are no method of the GPU.
RACES = "second_won"


@dataclass(frozen=True)
class Speed:
    """Ratios of ours to another method, over all workloads that both ran."""

    whose: str
    ratios: tuple[float, ...]
    worst: str = ""  # the workload with the smallest ratio, and what is fastest there
    with_cpu: int = 0  # the workloads for which the other methods include one on the CPU

    @property
    def losses(self) -> int:
        return sum(ratio < 1 for ratio in self.ratios)

    @property
    def factor(self) -> str:
        """The median: '2.90x'."""
        return f"{three_digits(median(self.ratios))}x"

    def same_as(self, other: Speed) -> bool:
        return (self.factor, self.losing) == (other.factor, other.losing)

    @property
    def losing(self) -> str:
        """'slower in 25 of them, at worst 115x: ...'"""
        if not self.losses:
            return f"never slower in {len(self.ratios)} (least {three_digits(min(self.ratios))}x)"
        return f"slower in {self.losses} of {len(self.ratios)}, at worst {three_digits(1 / min(self.ratios))}x: {self.worst}"


def speeds(view: View) -> list[Speed]:
    """Against the paper's method on the same GPU, and against the fastest other method on any machine here."""
    workloads: dict[Workload, dict[str, Case]] = {}
    for case in _timed(view):
        best = workloads.setdefault(_workload(case), {})
        for side in _sides(case):
            if side not in best or _rate(case) > _rate(best[side]):
                best[side] = case
    on_cpu = {_workload(case) for case in _timed(view) if case.machine == "cpu" and "other" in _sides(case)}
    sides = (("paper", "the paper's method"), ("other", "the fastest other method"))
    found = [_speed(workloads, side, whose, on_cpu) for side, whose in sides]
    kept = [speed for speed in found if speed.ratios]
    if len(kept) == 2 and kept[0].same_as(kept[1]):
        return [replace(kept[1], whose="the paper's method, which is the fastest other one")]
    return kept


def _speed(workloads: Mapping[Workload, Mapping[str, Case]], side: str, whose: str, on_cpu: Set[Workload]) -> Speed:
    both = {key: best for key, best in workloads.items() if "ours" in best and side in best}
    ratios = {key: _rate(best["ours"]) / _rate(best[side]) for key, best in both.items()}
    if not ratios:
        return Speed(whose, ())
    worst = min(ratios, key=lambda key: ratios[key])
    rival = both[worst][side]
    by = f"by {rival.variant} on the {machine_name(rival.machine)}"
    of_cpu = len(on_cpu & both.keys()) if side == "other" else 0
    return Speed(whose, tuple(ratios.values()), ", ".join(filter(None, (_unlike(worst, list(both)), by))), of_cpu)


def _unlike(workload: Workload, all_of_them: Sequence[Workload]) -> str:
    """The axes of a workload whose values few of the others have, at most MAX_AXES."""
    counts = {pair: sum(pair in other for other in all_of_them) for pair in workload}
    rare = sorted((pair for pair in workload if counts[pair] < len(all_of_them)), key=lambda pair: counts[pair])
    return ", ".join(f"{name.replace('_', ' ')} {_number(value)}" for name, value in rare[:MAX_AXES])


def _number(value: str) -> str:
    """4194304 becomes 4,194,304; words stay."""
    return f"{int(value):,}" if value.isdecimal() and len(value) > 4 else value


def _rate(case: Case) -> float:
    return case.rate.value if case.rate else 0.0


def _timed(view: View) -> Iterable[Case]:
    return (case for case in view.select() if case.rate is not None and case.rate.value > 0 and not case.extrapolated)


def _workload(case: Case) -> Workload:
    return tuple(sorted((name, value) for name, value in case.axes.items() if name not in TUNING))


def _sides(case: Case) -> tuple[str, ...]:
    if case.role == "ours":
        return ("ours",) if case.machine == "cuda" and RACES not in case.measurements else ()
    if case.role not in OTHERS:
        return ()
    return ("paper", "other") if case.role == "paper" and case.machine == "cuda" else ("other",)
