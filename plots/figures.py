"""The kinds of figure that an experiment can declare, each in a few lines of data in its figures.py.

Lines: a quantity against an axis, a line per variant. Dots: named numbers, measured and published. Ranking: variants by
quantity. Each turns a scope (a device's rows and the papers' numbers) into a Drawing, or raises NotTestable with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable, attempt
from plots.interval import exact
from plots.quantity import Measure, Quantity, Variable
from plots.results import MACHINE_ORDER, Case, View
from plots.style import PALETTE


@dataclass(frozen=True)
class Scope:
    """What a figure may draw: the rows of a device, of the papers' devices, of all devices (for figures with `across`), and other
    files in the results folder."""

    view: View
    papers: Sequence[View] = ()
    everyone: Sequence[View] = ()
    folder: Path = Path("results")


@dataclass(frozen=True)
class Theory:
    """A computed line: (x, y) pairs for a device's rows."""

    label: str
    curve: Callable[[View], Iterable[tuple[float, float]]]

    def series(self, view: View) -> Series:
        return Series(
            self.label, tuple(Point(x, exact(y)) for x, y in self.curve(view)), f"theory {self.label}", "theory"
        )


@dataclass(frozen=True)
class Lines:
    """A quantity against an axis; one line per distinct tuple of the `by` keys.

    If there are more variants than colours, colours go to those that are best at some x, then to those of `keep`, then to the
    next best. The others are grey.
    """

    name: str
    title: str
    x: Variable
    y: Quantity
    where: Mapping[str, object] = field(default_factory=dict)
    by: tuple[str, ...] = ("variant",)
    theory: tuple[Theory, ...] = ()
    caption: str = ""
    across: bool = False
    keep: tuple[str, ...] = ()

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        cases = [
            case
            for case in view.select(**self.where)
            if self.y.of(case) is not None and self.x.number(case) is not None
        ]
        if not cases:
            raise NotTestable(view.missing(self.where, self.y.axis.label))
        if len({self.x.number(case) for case in cases}) < 2:
            raise NotTestable(f"only one value of {self.x.axis.label}")
        if self.y.deterministic:
            cases = one_machine(cases)
        several = len({case.machine for case in cases}) > 1
        groups: dict[tuple[str, str, bool], list[Case]] = {}
        for case in cases:
            groups.setdefault((self._label(case, several), case.variant, case.extrapolated), []).append(case)
        series = [
            Series(
                label + (", extrapolated" if extrapolated else ""),
                self._points(rows),
                key if self.by == ("variant",) else label,
                "extrapolated" if extrapolated else "measured",
                rows[0].role if self.by == ("variant",) else "paper",
            )
            for (label, key, extrapolated), rows in groups.items()
        ]
        series = self._named(series)
        series += [theory.series(view) for theory in self.theory]
        return _drawing(self, view, cases, self.x.axis, self.y.axis, series, "lines")

    def _named(self, series: list[Series]) -> list[Series]:
        if self.by != ("variant",) or len(series) <= len(PALETTE):
            return series
        sign = -1 if self.y.less_is_better else 1
        best: dict[float | str, float] = {}
        for point in (point for one in series for point in one.points):
            best[point.x] = max(best.get(point.x, -math.inf), sign * point.y.value)

        def order(one: Series) -> tuple[bool, bool, float]:
            """Sorts by: best at some x, in `keep`, distance from the best."""
            ratios = [sign * best[point.x] / point.y.value for point in one.points if point.y.value > 0]
            near = min((ratio**sign for ratio in ratios), default=math.inf)
            return near > 1 + 1e-9, one.label not in self.keep, near

        named = {one.label for one in sorted(series, key=order)[: len(PALETTE)]}
        return sorted((replace(one, grey=one.label not in named) for one in series), key=lambda one: not one.grey)

    def _label(self, case: Case, several_machines: bool) -> str:
        words = [str(case.axes.get(key, getattr(case, key, ""))) for key in self.by]
        return ", ".join(words + ([machine_name(case.machine)] if several_machines and case.machine != "cuda" else []))

    def _points(self, cases: Sequence[Case]) -> tuple[Point, ...]:
        by_x: dict[float, list[Case]] = {}
        for case in cases:
            x = self.x.number(case)
            if x is not None:
                by_x.setdefault(x, []).append(case)
        best = {x: self.y.best(rows) for x, rows in by_x.items()}
        return tuple(Point(x, found[1]) for x, found in sorted(best.items()) if found is not None)


@dataclass(frozen=True)
class Dots:
    """Named numbers of one unit, one per row: the device's and the papers'. With `across`, those of every device."""

    name: str
    title: str
    axis: Axis
    rows: tuple[Measure, ...]
    caption: str = ""
    across: bool = False

    def draw(self, scope: Scope) -> Drawing:
        views = list(scope.everyone) if self.across else [scope.view]
        series = [_dots(view, self.rows) for view in [*views, *scope.papers]]
        if not any(one.points for one in series if one.kind == "measured"):
            raise NotTestable(_first_reason(self.rows, scope.view))
        kept = [one for one in series if one.points]
        cases = [case for view in views for case in view.cases]
        shown = ", ".join(one.label for one in kept if one.kind == "measured")
        drawn = _drawing(self, scope.view, cases, Axis("row", "name"), self.axis, kept, "dots")
        if not self.across:
            return drawn
        return replace(drawn, device=shown, source=drawn.source.replace(f"/{scope.view.device.slug}/", "/*/"))


@dataclass(frozen=True)
class Ranking:
    """Every variant that has the quantity at these axes, best first."""

    name: str
    title: str
    quantity: Quantity
    where: Mapping[str, object] = field(default_factory=dict)
    caption: str = ""
    across: bool = False

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        groups: dict[str, list[Case]] = {}
        for case in view.select(**self.where):
            groups.setdefault(f"{case.variant}, {machine_name(case.machine)}", []).append(case)
        found = {label: best for label, rows in groups.items() if (best := self.quantity.best(rows)) is not None}
        if not found:
            raise NotTestable(view.missing(self.where, self.quantity.axis.label))
        order = sorted(found, key=lambda label: found[label][1].value, reverse=not self.quantity.less_is_better)
        series = [
            Series(
                role,
                tuple(Point(label, found[label][1]) for label in order if found[label][0].role == role),
                role,
                role=role,
            )
            for role in dict.fromkeys(found[label][0].role for label in order)
        ]
        cases = [case for case, _ in found.values()]
        drawn = _drawing(self, view, cases, Axis("variant", "name"), self.quantity.axis, series, "dots")
        return replace(drawn, order=tuple(order))


@dataclass(frozen=True)
class Histogram:
    """Shares that a case records as metrics named `prefix` and a number: one line per tuple of the `by` keys."""

    name: str
    title: str
    x: Axis
    y: Axis
    prefix: str
    where: Mapping[str, object] = field(default_factory=dict)
    by: tuple[str, ...] = ("variant",)
    caption: str = ""
    across: bool = False

    def draw(self, scope: Scope) -> Drawing:
        cases: dict[str, Case] = {}
        for case in one_machine(scope.view.select(**self.where)):
            if any(name.startswith(self.prefix) for name in case.metrics):
                cases.setdefault(", ".join(str(case.axes.get(key, getattr(case, key, ""))) for key in self.by), case)
        if not cases:
            raise NotTestable(scope.view.missing(self.where, f"the metrics {self.prefix}*"))
        series = [Series(label, self._points(case), label) for label, case in cases.items()]
        return _drawing(self, scope.view, list(cases.values()), self.x, self.y, series, "lines")

    def _points(self, case: Case) -> tuple[Point, ...]:
        shares = {
            int(name.removeprefix(self.prefix)): share
            for name, share in case.metrics.items()
            if name.startswith(self.prefix)
        }
        numbers = range(min(shares), max(shares) + 1)
        return tuple(Point(float(number), exact(shares.get(number, 0.0))) for number in numbers)


FigureSpec = Lines | Dots | Ranking | Histogram


def one_machine(cases: Sequence[Case]) -> list[Case]:
    """A deterministic metric is the same on all machines: each variant keeps its first machine in MACHINE_ORDER."""
    machines: dict[str, str] = {}
    for case in sorted(cases, key=lambda case: MACHINE_ORDER.index(case.machine)):
        machines.setdefault(case.variant, case.machine)
    return [case for case in cases if case.machine == machines[case.variant]]


def machine_name(machine: str) -> str:
    return {"cpu": "CPU", "cuda": "GPU"}.get(machine, machine)


def command_for(cases: Iterable[Case]) -> str:
    """The command that measures the rows again, from the sweeps that they belong to."""
    rows = [case for case in cases if not case.device.published]
    if not rows:
        return ""
    sweeps = sorted({sweep for case in rows for sweep in case.sweeps})
    return f"./lockstep run {rows[0].experiment}" + (f" --sweep {','.join(sweeps)}" if sweeps else "")


def source_of(view: View, cases: Sequence[Case], counted: bool = False) -> str:
    """The line under a figure: file, commit, what a point shows."""
    commits = sorted({_commit(case) for case in cases} - {""})
    spread = "counted" if counted else "median, 95% interval"
    commit = f", commit {', '.join(commits[:2])}{' and others' if len(commits) > 2 else ''}" if commits else ""
    return f"results/{view.device.slug}/{view.experiment}.json{commit}; {spread}"


def _commit(case: Case) -> str:
    commit = str(case.provenance.get("commit") or "")[:10]
    return f"{commit} with changes" if commit and case.provenance.get("dirty") else commit


def _drawing(
    spec: FigureSpec, view: View, cases: Sequence[Case], x: Axis, y: Axis, series: Sequence[Series], shape: str
) -> Drawing:
    return Drawing(
        spec.name,
        spec.title,
        view.device.name,
        x,
        y,
        tuple(series),
        shape,
        source_of(view, cases, counted=_is_counted(spec)),
        spec.caption,
        command_for(cases),
    )


def _is_counted(spec: FigureSpec) -> bool:
    """True if its numbers are counts, which have no interval."""
    return isinstance(spec, Histogram) or (isinstance(spec, Lines) and spec.y.deterministic)


def _dots(view: View, rows: Sequence[Measure]) -> Series:
    points = []
    for row in rows:
        try:
            points.append(Point(row.label, attempt(row.of, view)))
        except NotTestable:
            continue
    kind = "published" if view.device.published else "measured"
    return Series(view.device.name, tuple(points), view.device.slug, kind)


def _first_reason(rows: Sequence[Measure], view: View) -> str:
    for row in rows:
        try:
            attempt(row.of, view)
        except NotTestable as reason:
            return str(reason)
    return "no rows"
