"""Measured results as typed rows: devices, cases, and the view of one device that figures, claims and findings
query.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import chain
from typing import Any

import pandas as pd

from plots.errors import NotTestable
from plots.interval import Interval, exact

#: Machines whose speed is compared with a paper's.
GPU = ("cuda", "published")
#: Where to read a metric that is the same on all machines (steps, words) if several machines have it.
MACHINE_ORDER = ("cuda", "cpu", "emulator", "published")


@dataclass(frozen=True)
class Device:
    """Where rows come from: a GPU, a machine without one, or a paper (`published`), which has no provenance."""

    slug: str
    name: str
    machine: str = "cuda"
    published: bool = False
    attributes: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def has_gpu(self) -> bool:
        return self.machine == "cuda"


@dataclass(frozen=True)
class Case:
    """One variant on one machine at one axis tuple. `time` is seconds per launch, or None if it was not timed.

    `metrics` has all of its numbers by name. `measurements` names those that another run may report differently. `verified`
    to `discarded_samples` say how the result was checked and how the time was taken; rows of older programs lack them.
    `start` belongs to rows of scope `end_to_end`, `version` and `note` to rows of role `peer`. `printed` is a paper's number as
    the paper writes it.
    """

    device: Device
    experiment: str
    variant: str
    role: str
    machine: str
    axes: Mapping[str, str]
    status: str = "ok"
    reason: str = ""
    name: str = ""
    seed: str = ""
    digest: str = ""
    sweeps: tuple[str, ...] = ()
    item: str = ""
    items: float = 0.0
    bytes: float = 0.0
    operations: float = 0.0
    time: Interval | None = None
    extrapolated: bool = False
    cache: str = ""
    kernels: tuple[Mapping[str, Any], ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict)
    measurements: frozenset[str] = frozenset()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    verified: str = ""
    timer: str = ""
    noise: float | None = None
    clock: Mapping[str, Any] | None = None
    cycles: float | None = None
    repetitions: int = 0
    discarded_samples: int = 0
    scope: str = "device"
    start: str = ""
    version: str = ""
    note: str = ""
    printed: str = ""

    @property
    def rate(self) -> Interval | None:
        """Items per second, or None without a time."""
        return self.time.inverse() * self.items if self.time is not None and self.items > 0 else None

    def metric(self, name: str) -> Interval | None:
        return exact(self.metrics[name]) if name in self.metrics else None

    @property
    def counted_metrics(self) -> dict[str, float]:
        """The metrics that every run of this case reports alike."""
        return {name: value for name, value in self.metrics.items() if name not in self.measurements}

    def kernel(self, attribute: str) -> Interval | None:
        """The largest value of an attribute over the kernels of the case: the limiting one."""
        values = [float(kernel[attribute]) for kernel in self.kernels if attribute in kernel]
        return exact(max(values)) if values else None

    def describe(self) -> str:
        tuple_text = ", ".join(f"{name} {value}" for name, value in self.axes.items())
        return f"{self.variant} on {self.machine}" + (f" ({tuple_text})" if tuple_text else "")


def matches(case: Case, where: Mapping[str, object]) -> bool:
    """True if every key matches a value, one of several (a list or tuple), a pattern, or a predicate of the value.

    The key `case` takes a predicate of the whole case.
    """
    for key, wanted in where.items():
        if key == "case" and callable(wanted):
            if not wanted(case):
                return False
            continue
        actual = case.axes[key] if key in case.axes else getattr(case, key, None)
        if callable(wanted):
            if not wanted(actual):
                return False
        elif isinstance(wanted, re.Pattern):
            if wanted.fullmatch(str(actual)) is None:
                return False
        elif isinstance(wanted, (list, tuple)):
            if actual not in wanted:
                return False
        elif actual != wanted:
            return False
    return True


@dataclass(frozen=True)
class View:
    """The rows of one experiment on one device, and the paper's facts. Claims, figures and findings query it.

    They never see `peers`, the rows of foreign programs, `end_to_end`, those of whole runs of our tools, and `cold`, those
    that ran with a cold cache.
    """

    experiment: str
    device: Device
    cases: Sequence[Case]
    facts: Mapping[str, str] = field(default_factory=dict)
    shard_sets: Sequence[Case] = ()
    peers: Sequence[Case] = ()
    end_to_end: Sequence[Case] = ()
    cold: Sequence[Case] = ()

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)

    @cached_property
    def verified(self) -> dict[str, list[Case]]:
        """Verified rows, timed or not, by variant: a report makes thousands of queries for a few rows each."""
        by_variant: dict[str, list[Case]] = {}
        for case in self.cases:
            if case.status in ("ok", "not_timed"):
                by_variant.setdefault(case.variant, []).append(case)
        return by_variant

    def select(self, **where: object) -> list[Case]:
        """Verified rows that match, in the order of `cases`. See `matches`."""
        variant = where.get("variant")
        if isinstance(variant, str):
            return [case for case in self.verified.get(variant, []) if matches(case, where)]
        return [case for case in self.cases if case.status in ("ok", "not_timed") and matches(case, where)]

    def best(self, quantity: Callable[[Case], Interval | None], **where: object) -> tuple[Case, Interval]:
        """The matching row with the largest value; `where` need not name all axes.

        Raises NotTestable if no row matches.
        """
        found = [(case, value) for case in self.select(**where) if (value := quantity(case)) is not None]
        if not found:
            raise NotTestable(self.missing(where))
        return max(found, key=lambda pair: pair[1].value)

    def rate(self, **where: object) -> Interval:
        """The highest rate among the matching rows, in items per second."""
        return self.best(lambda case: case.rate, **where)[1]

    def time(self, **where: object) -> Interval:
        """The shortest time in seconds among the matching rows."""
        return self.best(lambda case: case.time.inverse() if case.time else None, **where)[1].inverse()

    def metric(self, name: str, **where: object) -> Interval:
        """A metric, from the first machine that has it: if it is deterministic, it is the same on all of them."""
        for machine in MACHINE_ORDER:
            for case in self.select(**(dict[str, object](machine=machine) | where)):
                value = case.metric(name)
                if value is not None:
                    return value
        raise NotTestable(self.missing(where, f"the metric {name}"))

    def kernel(self, attribute: str, **where: object) -> Interval:
        return self.best(lambda case: case.kernel(attribute), **where)[1]

    def values(self, axis: str, **where: object) -> list[str]:
        """The values that an axis takes among the matching rows, in order of appearance."""
        return list(dict.fromkeys(case.axes[axis] for case in self.select(**where) if axis in case.axes))

    def fact(self, name: str) -> float:
        if name not in self.facts:
            raise NotTestable(f"no published number called {name}")
        return float(self.facts[name])

    def attribute(self, name: str) -> float:
        if not self.device.has_gpu:
            raise NotTestable("needs a GPU")
        value = self.device.attributes.get(name)
        if value is None:
            raise NotTestable(f"the results of {self.device.name} do not say its {name}")
        return float(value)

    def limit(self, name: str) -> float:
        if name not in self.device.limits:
            raise NotTestable(f"the limit {name} was not measured on {self.device.name}")
        return float(self.device.limits[name]["value"])

    def missing(self, where: Mapping[str, object], what: str = "a time") -> str:
        """Which rows are missing, in words. It never says that there are none where the query asks for more than it states."""
        if self.device.published:
            return "the paper prints no number for it"
        if "cuda" in _all(where.get("machine")) and "cpu" not in _all(where.get("machine")) and not self.device.has_gpu:
            return "needs a GPU"
        refused = [case for case in self.cases if matches(case, where) and case.status not in ("ok", "not_timed")]
        if refused:
            return f"{refused[0].describe()}: {refused[0].status}" + (
                f", {refused[0].reason}" if refused[0].reason else ""
            )
        stated = {key: value for key, value in where.items() if not callable(value)}
        others = any(_has(case, what) for case in self.select(**stated))
        return no_row(stated, what, others)


@dataclass(frozen=True)
class WatchedView(View):
    """A view that remembers which rows answered its queries."""

    seen: list[Case] = field(default_factory=list)

    def select(self, **where: object) -> list[Case]:
        found = super().select(**where)
        self.seen.extend(found)
        return found


def watched(view: View) -> WatchedView:
    return WatchedView(**{one.name: getattr(view, one.name) for one in fields(View)})


def _all(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


#: What a query asks for unless it says otherwise.
A_TIME = "a time"
MACHINES = {"cuda": "the GPU", "cpu": "the CPU", "emulator": "the emulator"}


def no_row(where: Mapping[str, object], what: str = A_TIME, others: bool = False) -> str:
    """'no timed row of `as_printed` on the GPU with depth 23'. With `others`, rows like this exist for other axes."""
    axes = [f"{key.replace('_', ' ')} {_alternatives(value)}" for key, value in where.items() if key not in _NAMED]
    axes += [f"all {'other ' if axes else ''}axes that this needs"] if others else []
    words = [
        "no timed row" if what == A_TIME else "no row",
        f"of {_alternatives(where['variant'], '`')}" if "variant" in where else "",
        f"of a method of role {_alternatives(where['role'])}" if "role" in where else "",
        f"on {_alternatives(where['machine'])}" if "machine" in where else "",
        f"with {', '.join(axes[:-1])}{' and ' if axes[:-1] else ''}{axes[-1]}" if axes else "",
        f"has {re.sub(METRIC, CODE, what)}" if what != A_TIME else "",
    ]
    return " ".join(filter(None, words))


#: The keys of a query that are no axes.
_NAMED = ("variant", "role", "machine")
METRIC, CODE = re.compile(r"(?<=the metric )\w+$|(?<=the metrics )[\w*]+$"), r"`\g<0>`"


def _alternatives(value: object, mark: str = "") -> str:
    """'the GPU', '5 or 50', 'none' for an axis that must not be there."""
    texts = [MACHINES.get(_text(one), f"{mark}{_text(one)}{mark}") for one in _all(value) if one != "published"]
    return " or ".join(texts)


def _text(value: object) -> str:
    if isinstance(value, re.Pattern):
        return str(value.pattern)
    return "none" if value is None or value == "" else str(value)


def _has(case: Case, what: str) -> bool:
    """True if a row has a time or a metric. Nobody but the caller knows whether it has anything else."""
    name = what.removeprefix("the metric ")
    return case.time is not None if what == A_TIME else name != what and name in case.metrics


@dataclass(frozen=True)
class Results:
    """Everything that was loaded.

    If a case ran whole and in shards, `cases` has the whole run and `shard_sets` the sets.
    """

    cases: tuple[Case, ...]
    devices: tuple[Device, ...]
    shard_sets: tuple[Case, ...] = ()
    peers: tuple[Case, ...] = ()
    end_to_end: tuple[Case, ...] = ()

    def rows(self) -> Iterator[Case]:
        """All rows, of every kind."""
        return chain(self.cases, self.shard_sets, self.peers, self.end_to_end)

    def experiments(self) -> list[str]:
        return sorted({case.experiment for case in self.cases})

    def view(self, experiment: str, device: Device, facts: Mapping[str, str] | None = None) -> View:
        def mine(cases: Sequence[Case]) -> list[Case]:
            return [case for case in cases if case.experiment == experiment and case.device.slug == device.slug]

        cases = mine(self.cases)
        return View(
            experiment,
            device,
            [case for case in cases if case.cache != "cold"],
            facts or {},
            mine(self.shard_sets),
            mine(self.peers),
            mine(self.end_to_end),
            [case for case in cases if case.cache == "cold"],
        )


def frame(cases: Iterable[Case]) -> pd.DataFrame:
    """A row per case, a column per axis, for the CSV. Times are in seconds, rates in items per second."""
    return pd.DataFrame([flat(case) for case in cases])


def flat(case: Case) -> dict[str, object]:
    """A case as a row of a table."""
    row: dict[str, object] = {
        "device": case.device.name,
        "experiment": case.experiment,
        "variant": case.variant,
        "role": case.role,
        "machine": case.machine,
        **case.axes,
        "status": case.status,
        "item": case.item,
    }
    for label, value in (("time", case.time), ("rate", case.rate)):
        for part in ("value", "low", "high"):
            row[f"{label}_{part}"] = getattr(value, part) if value is not None else None
    row |= {"verified": case.verified, "timer": case.timer, "noise": case.noise, "cycles": case.cycles}
    return {**row, **case.metrics}
