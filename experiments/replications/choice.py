"""How near `auto` comes to the best scheme that was timed, at each power of two; claims and tables beside ask here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from experiments.replications.measures import CHOSEN, SHORT_MODELS, times
from plots.errors import NotTestable
from plots.figures import Scope, command_for, source_of
from plots.interval import Interval
from plots.results import GPU, Case, View
from plots.tables import TableData
from plots.units import digits, quantity

#: What auto could have chosen, every number of lanes and block size of it.
SCHEMES = ("threads", "warps", "lanes", "cooperative")


@dataclass(frozen=True)
class Choice:
    """Of one model at one number of replications: the time of auto, and the least of `schemes` others by `best`."""

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
        lanes = self.best.figures.get("team_lanes")
        if lanes is not None:
            block = self.best.kernels[0]["block"][0]
            return f"teams of {lanes:.0f}, blocks of {block:.0f}"
        return self.best.variant if self.best.variant != "lanes" else f"{self.best.axes['lanes']} lanes a warp"


def choices(view: View) -> Iterator[Choice]:
    for model, where in SHORT_MODELS.items():
        for count, auto in times(view, "auto", machine=GPU, **where, **CHOSEN).items():
            rows = view.select(variant=SCHEMES, machine=GPU, replications=str(count), **where)
            timed = [(row, row.time) for row in rows if row.time is not None]
            if count & (count - 1) == 0 and timed:
                best, least = min(timed, key=lambda pair: pair[1].value)
                yield Choice(model, count, auto, least, best, len(timed))


def auto_is_near_the_best(view: View) -> str:
    found = list(choices(view))
    worst = max(found, key=lambda choice: choice.ratio.value)
    counts = [choice.count for choice in found]
    return (
        f"auto against {sum(choice.schemes for choice in found)} timings of other schemes at every power of two from "
        f"{min(counts)} to {max(counts)} replications, all three models: at worst {digits(worst.ratio.value)} times the "
        f"best ({worst.model}, {worst.count} replications, where {worst.best_name()} was the best)."
    )


def auto_beats_the_cores(view: View) -> str:
    """Above 64 replications."""
    found: dict[str, Interval] = {}
    for model, where in SHORT_MODELS.items():
        auto = times(view, "auto", machine=GPU, **where, **CHOSEN)
        cores = times(view, "all_cores", machine="cpu", **where)
        for count in auto:
            if count in cores and count > 64:
                found[f"{model}, {count} replications"] = cores[count] / auto[count]
    if not found:
        raise NotTestable("no number of replications above 64 at which both auto and all_cores were timed")
    rows = sorted(found.items(), key=lambda row: row[1].value)
    return (
        f"Above 64 replications auto is {digits(rows[0][1].value)} ({rows[0][0]}) to {digits(rows[-1][1].value)} "
        f"({rows[-1][0]}) times as fast as all CPU cores."
    )


@dataclass(frozen=True)
class ChoiceTable:
    """A row a power of two, for each model the time of auto, what it is over the best other scheme, and that scheme."""

    name: str
    title: str
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        if scope.view.device.published:
            raise NotTestable("the paper has no such scheme")
        found = list(choices(scope.view))
        if not found:
            raise NotTestable("no power of two at which auto and another scheme were timed")
        at = {(choice.count, choice.model): choice for choice in found}
        models = list(dict.fromkeys(choice.model for choice in found))
        words = []
        for count in sorted({choice.count for choice in found}):
            cells = [str(count)]
            for model in models:
                one = at.get((count, model))
                cells += [quantity(one.auto.value, "s"), digits(one.ratio.value), one.best_name()] if one else ["–"] * 3
            words.append(tuple(cells))
        heads = [head for model in models for head in (f"{model}, auto", "over best other", "best other")]
        plain = [
            (one.model, one.count, one.auto.value, one.least.value, one.ratio.value, one.best_name(), one.schemes)
            for one in found
        ]
        return TableData(
            self.name,
            self.title,
            scope.view.device.name,
            ("replications", *heads),
            tuple(words),
            ("model", "replications", "auto_s", "best_s", "ratio", "best", "schemes"),
            tuple(plain),
            source_of(scope.view, [one.best for one in found]),
            self.caption,
            command_for([one.best for one in found]),
        )
