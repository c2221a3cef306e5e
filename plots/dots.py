"""Figures with a row per name: Dots shows named numbers, measured and published; Ranking shows variants by a quantity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable, attempt
from plots.interval import Interval
from plots.quantity import Measure, Quantity
from plots.results import Case, View, watched
from plots.spec import Scope, Stated, Title, heading, machine_name, make_drawing, marks_of


@dataclass(frozen=True)
class Dots:
    """Named numbers of one unit, one per row: the device's and the papers'. With `across`, those of every device.

    `named` names a device's numbers if they are not those of its GPU. `bars` draws them as bars that start at zero.
    `where` selects the rows for the source and the command below the figure, if they are not those that the numbers ask
    for.
    """

    name: str
    title: str
    axis: Axis
    rows: tuple[Measure, ...]
    caption: str = ""
    across: bool = False
    finding: Title | None = None
    stated: tuple[Stated, ...] = ()
    bars: bool = False
    where: Mapping[str, object] = field(default_factory=dict)
    named: Callable[[View], str] | None = None

    def draw(self, scope: Scope) -> Drawing:
        views = [watched(view) for view in (scope.everyone if self.across else [scope.view])]
        series = [_dots(view, self.rows) for view in [*views, *scope.papers]]
        if self.named is not None:
            names = map(self.named, [*views, *scope.papers])
            series = [replace(one, label=name) for one, name in zip(series, names)]
        if not any(one.points for one in series if one.kind == "measured"):
            raise NotTestable(_first_reason(self.rows, scope.view))
        kept = [one for one in series if one.points]
        seen = [case for view in views for case in (view.select(**self.where) if self.where else view.seen)]
        cases = list({id(case): case for case in seen}.values())
        heads = heading(self.title, self.finding, scope.view)
        axes, marks = (Axis("row", "name"), self.axis), marks_of(self.stated, scope.view)
        shape = "bars" if self.bars else "dots"
        drawn = make_drawing(self.name, heads, scope.view, cases, axes, kept, shape, self.caption, marks)
        drawn = replace(drawn, order=tuple(row.label for row in self.rows))
        if not self.across:
            return drawn
        shown = ", ".join(one.label for one in kept if one.kind == "measured")
        return replace(drawn, device=shown, source=drawn.source.replace(f"/{scope.view.device.slug}/", "/*/"))


@dataclass(frozen=True)
class Ranking:
    """Every variant that has the quantity at these axes, best first. `published` selects rows of the papers.

    `size` says in words how much a case computes. Then all variants have the size that most of them have. The topic names
    it. A variant that lacks it is shown at its best other size, which its label names.
    """

    name: str
    title: str
    quantity: Quantity
    where: Mapping[str, object] = field(default_factory=dict)
    caption: str = ""
    across: bool = False
    finding: Title | None = None
    published: Mapping[str, object] | None = None
    size: Callable[[Case], str] | None = None

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        shown = [case for case in view.select(**self.where) if self.quantity.of(case) is not None]
        shared = shared_size(shown, self.size) if self.size is not None else ""
        groups: dict[str, list[Case]] = {}
        for case in shown:
            groups.setdefault(_ranked_name(case), []).append(case)
        found: dict[str, tuple[Case, Interval]] = {}
        labels: dict[str, str] = {}
        for name, rows in groups.items():
            alike = [case for case in rows if self.size is None or self.size(case) == shared]
            best = self.quantity.best(alike or rows)
            if best is not None:
                other = f", {self.size(best[0])}" if self.size is not None and not alike else ""
                labels[name] = name + other
                found[name + other] = best
        if not found:
            raise NotTestable(view.missing(self.where, self.quantity.axis.label))
        order = sorted(found, key=lambda label: found[label][1].value, reverse=not self.quantity.less_is_better)
        series = [
            Series(
                role,
                tuple(
                    Point(label, found[label][1], case=found[label][0].describe())
                    for label in order
                    if found[label][0].role == role
                ),
                role,
                role=role,
            )
            for role in dict.fromkeys(found[label][0].role for label in order)
        ]
        series += [one for paper in scope.papers if (one := self._published(paper, labels)).points]
        cases = [case for case, _ in found.values()]
        heads = heading(", ".join(filter(None, (self.title, shared))), self.finding, view)
        axes = (Axis("variant", "name"), self.quantity.axis)
        drawn = make_drawing(self.name, heads, view, cases, axes, series, "dots", self.caption)
        return replace(drawn, order=tuple(order))

    def _published(self, paper: View, labels: Mapping[str, str]) -> Series:
        """The paper's numbers, each in the row of the device's variant of that name. `labels`: of rows, by that name."""
        groups: dict[str, list[Case]] = {}
        for case in paper.select(**self.published) if self.published is not None else ():
            groups.setdefault(f"{case.variant}, GPU", []).append(case)
        points = [
            Point(labels[name], best[1], case=best[0].describe())
            for name, rows in groups.items()
            if name in labels and (best := self.quantity.best(rows)) is not None
        ]
        return Series(paper.device.name, tuple(points), paper.device.slug, "published")


def _ranked_name(case: Case) -> str:
    return f"{case.variant}, {machine_name(case.machine)}"


def shared_size(cases: Iterable[Case], size: Callable[[Case], str]) -> str:
    """The size that most variants have, the larger one of two. Empty without cases."""
    names: dict[str, set[str]] = {}
    items: dict[str, float] = {}
    for case in cases:
        names.setdefault(size(case), set()).add(_ranked_name(case))
        items[size(case)] = max(case.items, items.get(size(case), 0.0))
    return max(names, key=lambda one: (len(names[one]), items[one]), default="")


def _dots(view: View, rows: Sequence[Measure]) -> Series:
    points = []
    for row in rows:
        try:
            points.append(Point(row.label, attempt(row.of, view), case=f"{row.label}, {view.device.name}"))
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
