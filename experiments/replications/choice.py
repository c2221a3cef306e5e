"""How near `auto` comes to the fastest scheme that was timed: at each power of two, and where no other sweep is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from experiments.replications.measures import CHOSEN, SHORT_MODELS, times
from plots.errors import NotTestable
from plots.figures import Scope, command_for, source_of
from plots.interval import Interval
from plots.results import GPU, Case, View
from plots.tables import TableData
from plots.units import digits, quantity

#: What auto could have chosen: every timed number of lanes and block size of these variants.
SCHEMES = ("threads", "warps", "lanes", "cooperative")

ONE_PER_REPLICATION = {"threads": "one thread per replication", "warps": "one warp per replication"}


@dataclass(frozen=True)
class Choice:
    """One model at one number of replications: the time of auto, and the shortest of `schemes` other timings, the row `best`."""

    model: str
    count: int
    auto: Interval
    least: Interval
    best: Case
    schemes: int

    @property
    def ratio(self) -> Interval:
        return self.auto / self.least

    def best_name(self) -> str:
        lanes = self.best.metrics.get("team_lanes")
        if lanes is not None:
            block = self.best.kernels[0]["block"][0]
            return f"teams of {lanes:.0f} lanes in blocks of {block:.0f} threads"
        if self.best.variant == "lanes":
            lanes_per_warp = self.best.axes["lanes"]
            return f"{lanes_per_warp} active {'lane' if lanes_per_warp == '1' else 'lanes'} per warp"
        return ONE_PER_REPLICATION[self.best.variant]


def choices(view: View) -> Iterator[Choice]:
    """Every model and power of two at which auto and another scheme were timed."""
    for model, where in SHORT_MODELS.items():
        for count, auto in times(view, "auto", machine=GPU, **where, **CHOSEN).items():
            if count & (count - 1) == 0:
                yield from choice_at(view, auto, {**where, "replications": str(count)})


def is_unseen(case: Case) -> bool:
    """Whether the case is of a sweep `unseen_1`, `unseen_2` and so on: a point whose parameters no other sweep has."""
    return any(re.fullmatch(r"unseen_\d+", sweep) for sweep in case.sweeps)


def unseen_choices(view: View) -> Iterator[Choice]:
    for case in view.select(variant="auto", machine=GPU, case=is_unseen, **CHOSEN):
        if case.time is not None:
            yield from choice_at(view, case.time, {axis: at for axis, at in case.axes.items() if axis not in CHOSEN})


def choice_at(view: View, auto: Interval, where: Mapping[str, object]) -> Iterator[Choice]:
    """The choice at one model and number of replications, if another scheme was timed there."""
    rows = view.select(variant=SCHEMES, machine=GPU, **where)
    timed = [(row, row.time) for row in rows if row.time is not None]
    if timed:
        best, least = min(timed, key=lambda pair: pair[1].value)
        yield Choice(str(where["model"]), int(str(where["replications"])), auto, least, best, len(timed))


@dataclass(frozen=True)
class ChoiceTable:
    """A row per model and number of replications: the time of auto, its ratio to the fastest other scheme, and that scheme."""

    name: str
    title: str
    caption: str = ""
    cells: Callable[[View], Iterator[Choice]] = choices

    def fill(self, scope: Scope) -> TableData:
        if scope.view.device.published:
            raise NotTestable("the paper has no such scheme")
        found = list(self.cells(scope.view))
        if not found:
            raise NotTestable("no number of replications at which auto and another scheme were timed")
        words = [
            (one.model, str(one.count), quantity(one.auto.value, "s"), digits(one.ratio.value), one.best_name())
            for one in found
        ]
        plain = [
            (one.model, one.count, one.auto.value, one.least.value, one.ratio.value, one.best_name(), one.schemes)
            for one in found
        ]
        return TableData(
            self.name,
            self.title,
            scope.view.device.name,
            ("model", "replications", "auto", "auto / fastest other", "fastest other"),
            tuple(words),
            ("model", "replications", "auto_s", "best_s", "ratio", "best", "schemes"),
            tuple(plain),
            source_of(scope.view, [one.best for one in found]),
            self.caption,
            command_for([one.best for one in found]),
        )
