"""The kinds of figure that an experiment can declare, each in a few lines of data in its figures.py.

Lines and Histogram are here; Dots and Ranking are in dots.py. Each turns a scope (a device's rows and the papers' numbers)
into a Drawing, or raises NotTestable with the reason.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from plots.dots import Dots, Ranking
from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable
from plots.interval import exact
from plots.quantity import Quantity, Variable
from plots.results import Case, View
from plots.spec import (
    Scope,
    Stated,
    Theory,
    Title,
    command_for,
    heading,
    machine_name,
    make_drawing,
    marks_of,
    one_machine,
    source_of,
)
from plots.style import NAMED_LINES

__all__ = ["Dots", "Histogram", "Lines", "Ranking", "Scope", "Stated", "Theory", "FigureSpec", "Key"]
__all__ += ["command_for", "machine_name", "one_machine", "source_of"]

#: What puts a case into a panel or on a line: an axis or property, or a name and a function of the case.
Key = str | tuple[str, Callable[[Case], str]]


@dataclass(frozen=True)
class Lines:
    """A quantity against an axis; one line per distinct tuple of the `by` keys.

    If a panel has more lines than can be named, names go to those that the title names, then to those of `keep`, to those
    that are best at some x, and to the next best. The others are grey. `published` selects rows of the papers, which are
    drawn as marks. `points` draws marks without lines. With `peers`, rows of other programs are drawn as well. `named`
    names a paper's numbers if they are not those of its GPU.
    """

    name: str
    title: str
    x: Variable
    y: Quantity
    where: Mapping[str, object] = field(default_factory=dict)
    by: tuple[Key, ...] = ("variant",)
    theory: tuple[Theory, ...] = ()
    caption: str = ""
    across: bool = False
    keep: tuple[str, ...] = ()
    finding: Title | None = None
    published: Mapping[str, object] | None = None
    stated: tuple[Stated, ...] = ()
    panels: Key | None = None
    points: bool = False
    peers: bool = False
    named: Callable[[View], str] | None = None

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        cases = self._cases(view, self.where)
        if cases and self.peers:
            cases += self._cases(replace(view, cases=list(view.peers)), self.where)
        if not cases:
            raise NotTestable(view.missing(self.where, self.y.axis.label))
        if len({self.x.number(case) for case in cases}) < 2:
            raise NotTestable(f"only one value of {self.x.axis.label}")
        if self.y.deterministic:
            cases = one_machine(cases)
        series = self._measured(cases) + self._published(scope)
        panels = list(dict.fromkeys(one.panel for one in series))
        heads = heading(self.title, self.finding, view)
        series = [
            one for panel in panels for one in self._named([one for one in series if one.panel == panel], heads[0])
        ]
        series += [replace(theory.series(view), panel=panel) for theory in self.theory for panel in panels]
        axes, marks = (self.x.axis, self.y.axis), marks_of(self.stated, view)
        return make_drawing(self.name, heads, view, cases, axes, series, "lines", self.caption, marks)

    def _cases(self, view: View, where: Mapping[str, object]) -> list[Case]:
        return [
            case for case in view.select(**where) if self.y.of(case) is not None and self.x.number(case) is not None
        ]

    def _measured(self, cases: Sequence[Case]) -> list[Series]:
        several = len({case.machine for case in cases}) > 1
        groups: dict[tuple[str, str, str, bool], list[Case]] = {}
        for case in cases:
            # A count is no less exact if the time beside it is extrapolated.
            extrapolated = case.extrapolated and not self.y.deterministic
            key = (self._panel(case), self._label(case, several), case.variant, extrapolated)
            groups.setdefault(key, []).append(case)
        kind = "points" if self.points else "measured"
        return [
            Series(
                label + (", extrapolated" if extrapolated else ""),
                self._points(rows),
                key if self.by == ("variant",) else label,
                "extrapolated" if extrapolated else kind,
                rows[0].role if self.by == ("variant",) else "paper",
                panel=panel,
            )
            for (panel, label, key, extrapolated), rows in groups.items()
        ]

    def _published(self, scope: Scope) -> list[Series]:
        """The papers' rows: a series per line, device and panel."""
        groups: dict[tuple[str, str], list[Case]] = {}
        for view in scope.papers if self.published is not None else ():
            name = self.named(view) if self.named is not None else view.device.name
            for case in self._cases(view, self.published or {}):
                label = ", ".join(filter(None, (self._label(case, False), name, case.note)))
                groups.setdefault((self._panel(case), label), []).append(case)
        return [
            Series(label, self._points(rows), label, "published", panel=panel)
            for (panel, label), rows in groups.items()
        ]

    def _panel(self, case: Case) -> str:
        if self.panels is None:
            return ""
        if isinstance(self.panels, tuple):
            return self.panels[1](case)
        return f"{self.panels} {case.axes.get(self.panels, getattr(case, self.panels, ''))}"

    def _named(self, series: list[Series], title: str) -> list[Series]:
        """At most NAMED_LINES measured lines of a panel keep their colours."""
        measured = [one for one in series if one.kind != "published"]
        rest = [one for one in series if one.kind == "published"]
        if len(measured) <= NAMED_LINES:
            return series
        sign = -1 if self.y.less_is_better else 1
        words = re.findall(r"\w+", title)
        best: dict[float | str, float] = {}
        for point in (point for one in measured for point in one.points):
            best[point.x] = max(best.get(point.x, -math.inf), sign * point.y.value)

        def order(one: Series) -> tuple[bool, bool, bool, float]:
            """Sorts by: in the title, in `keep`, best at some x, distance from the best."""
            ratios = [sign * best[point.x] / point.y.value for point in one.points if point.y.value > 0]
            near = min((ratio**sign for ratio in ratios), default=math.inf)
            return one.label not in words, one.label not in self.keep, near > 1 + 1e-9, near

        named = {one.label for one in sorted(measured, key=order)[:NAMED_LINES]}
        greyed = [replace(one, grey=one.label not in named) for one in measured]
        return sorted(greyed, key=lambda one: not one.grey) + rest

    def _label(self, case: Case, several_machines: bool) -> str:
        words = [
            key[1](case) if isinstance(key, tuple) else str(case.axes.get(key, getattr(case, key, "")))
            for key in self.by
        ]
        return ", ".join(words + ([machine_name(case.machine)] if several_machines and case.machine != "cuda" else []))

    def _points(self, cases: Sequence[Case]) -> tuple[Point, ...]:
        by_x: dict[float, list[Case]] = {}
        for case in cases:
            x = self.x.number(case)
            if x is not None:
                by_x.setdefault(x, []).append(case)
        best = {x: self.y.best(rows) for x, rows in by_x.items()}
        return tuple(
            Point(x, found[1], case=found[0].describe()) for x, found in sorted(best.items()) if found is not None
        )


@dataclass(frozen=True)
class Histogram:
    """Shares that a case records as metrics named `prefix` and a number: one line, or one panel, per tuple of the `by` keys.

    Lines stand in the order of the values in `where`.
    """

    name: str
    title: str
    x: Axis
    y: Axis
    prefix: str
    where: Mapping[str, object] = field(default_factory=dict)
    by: tuple[str, ...] = ("variant",)
    caption: str = ""
    across: bool = False
    finding: Title | None = None
    panels: bool = False

    def draw(self, scope: Scope) -> Drawing:
        cases: dict[str, Case] = {}
        for case in sorted(one_machine(scope.view.select(**self.where)), key=self._place):
            if any(name.startswith(self.prefix) for name in case.metrics):
                cases.setdefault(", ".join(str(case.axes.get(key, getattr(case, key, ""))) for key in self.by), case)
        if not cases:
            raise NotTestable(scope.view.missing(self.where, f"the metrics {self.prefix}*"))
        series = [
            Series(
                self.y.label if self.panels else label,
                self._points(case),
                self.name if self.panels else label,
                panel=label if self.panels else "",
            )
            for label, case in cases.items()
        ]
        heads = heading(self.title, self.finding, scope.view)
        rows = list(cases.values())
        return make_drawing(self.name, heads, scope.view, rows, (self.x, self.y), series, "lines", self.caption)

    def _place(self, case: Case) -> list[int]:
        wanted = [self.where.get(key) for key in self.by]
        return [
            values.index(case.axes[key]) if isinstance(values, (list, tuple)) and case.axes.get(key) in values else 0
            for key, values in zip(self.by, wanted)
        ]

    def _points(self, case: Case) -> tuple[Point, ...]:
        shares = {
            int(name.removeprefix(self.prefix)): share
            for name, share in case.metrics.items()
            if name.startswith(self.prefix)
        }
        numbers = range(min(shares), max(shares) + 1)
        return tuple(Point(float(number), exact(shares.get(number, 0.0)), case=case.describe()) for number in numbers)


FigureSpec = Lines | Dots | Ranking | Histogram
