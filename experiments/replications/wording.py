"""Selects rows of replications and writes ratios, shares and workloads as words, for findings and topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from experiments.replications.measures import CHOSEN, SHORT_MODELS, TITLES, ratios
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import GPU, Case, View
from plots.units import digits

Workload = Mapping[str, object]
Value = TypeVar("Value")

#: The number of replications at which the paper compares its schemes, and at which hardware counters are read.
COMPARED = "64"
#: How a sentence names a model, and the parameter that is its size.
PHRASES = {"pi": "Pi", "mm1": "M/M/1", "walk": "the random walk"}
SIZES = {"pi": "draws", "mm1": "clients", "walk": "steps"}


def workload_name(where: Workload) -> str:
    """'Pi, 10,000,000 draws'."""
    model = str(where["model"])
    size = int(str(where[SIZES[model]]))
    return f"{TITLES[model]}, {grouped(size)} {SIZES[model]}"


def grouped(number: float) -> str:
    """With commas from 10,000 on."""
    return f"{number:,.0f}" if number >= 10000 else f"{number:.0f}"


def counted(number: int, what: str) -> str:
    """'1 replication', '16,384 replications'."""
    return f"{grouped(number)} {what}{'' if number == 1 else 's'}"


def branches(ways: int) -> str:
    """'1 branch', '8 branches'."""
    return f"{ways} branch{'' if ways == 1 else 'es'}"


def times_as_fast(ratio: float | Interval) -> str:
    return f"{digits(ratio.value if isinstance(ratio, Interval) else ratio)}x"


def share(part: float) -> str:
    return f"{digits(100 * part, 3 if part >= 0.1 else 2)}%"


def where_rows_exist(
    compute: Callable[[Workload], Value], workloads: Sequence[Workload]
) -> list[tuple[Workload, Value]]:
    """The value of every workload that has the rows. Raises the last reason where none has them."""
    found = []
    reason = NotTestable("no workload to compare")
    for where in workloads:
        try:
            found.append((where, compute(where)))
        except NotTestable as why:
            reason = why
    if not found:
        raise reason
    return found


def span(found: Sequence[tuple[str, float]]) -> str:
    """'14.5x (random walk) to 366x (Pi)', or the one value with its name."""
    ordered = sorted(found, key=lambda pair: pair[1])
    ends = ordered[:1] if len(ordered) == 1 else [ordered[0], ordered[-1]]
    return " to ".join(f"{times_as_fast(value)} ({name})" for name, value in ends)


def fastest_team(view: View, where: Workload) -> tuple[Case, float, float]:
    """At 64 replications: the row with the fastest team, its time, and how often that time fits into one warp's."""
    full: dict[str, object] = {**where, "replications": COMPARED, "machine": GPU}
    warps = view.time(variant="warps", **full)
    case, rate = view.best(lambda row: row.rate, variant=("auto", "cooperative"), **full)
    time = case.items / rate.value
    return case, time, warps.value / time


def speeds(
    view: View, slower: str, faster: str, wanted: Callable[[int], bool] = lambda _: True
) -> list[tuple[str, float]]:
    """The time of `slower` over that of `faster`, by model and number of replications."""
    by_model = where_rows_exist(
        lambda where: ratios(view, slower, faster, {**where, **CHOSEN}), list(SHORT_MODELS.values())
    )
    found = [
        (f"{TITLES[str(where['model'])]}, {grouped(count)} replications", ratio.value)
        for where, by_count in by_model
        for count, ratio in by_count.items()
        if wanted(count)
    ]
    if not found:
        raise NotTestable(f"too few replications at which both {slower} and {faster} were timed")
    return found
