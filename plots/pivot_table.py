"""A table with a row per tuple of axes and a column per value of another, in the first layout that fits on the page."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from plots.errors import NotTestable
from plots.figures import Scope, command_for, source_of
from plots.interval import Interval
from plots.narrow import Grid, constant, first_that_fits, said_once, without
from plots.quantity import Quantity
from plots.ratio import CAPTION, is_speed, ratio_text, ratio_to_paper
from plots.results import Case, View
from plots.table_data import MISSING, Key, TableData, key_name, key_of, sentences, spread_words
from plots.units import PREFIXES, join_unit, paper_digits, prefix_of, spread

#: Share of a value within which its interval is not written.
WITHIN = 0.005

Labels = tuple[str, ...]
#: A cell's text, and the number by which it is sorted.
Cell = tuple[str, float | None]
#: Rows of labels and cells, below their heads.
Layout = tuple[Labels, list[tuple[Cell, ...]]]
Values = dict[tuple[Labels, str], tuple[Case, Interval]]

NO_CELL: Cell = (MISSING, None)


@dataclass(frozen=True)
class PivotTable:
    """A row per tuple of the `rows` keys, a column per value of the `columns` key, like most papers' tables.

    Columns are the papers' numbers, the device's, and how many times as fast the device is. What all rows have in common is
    in the caption. If the table is wider than the page, devices become rows, intervals leave, or rows become columns.
    `prefix` is that of the paper's unit, "m" for milliseconds.
    """

    name: str
    title: str
    rows: tuple[Key, ...]
    columns: Key
    quantity: Quantity
    where: Mapping[str, object] = field(default_factory=dict)
    caption: str = ""
    prefix: str = ""

    def fill(self, scope: Scope) -> TableData:
        pivot = self._pivot(scope)
        layouts = pivot.layouts()
        chosen = first_that_fits([lambda make=make: _texts(make()) for make, _ in layouts])  # type: ignore[misc]
        make, has_intervals = layouts[chosen]
        return self._data(scope, pivot, *make(), not has_intervals)

    def _data(
        self, scope: Scope, pivot: Pivot, heads: Labels, rows: Sequence[tuple[Cell, ...]], bare: bool
    ) -> TableData:
        cases = scope.view.select(**self.where)
        unit = self.quantity.axis.unit
        names = (*map(key_name, self.rows), key_name(self.columns))
        return TableData(
            self.name,
            f"{self.title}, {join_unit(pivot.prefix, unit)}" if unit != "1" else self.title,
            scope.view.device.name,
            heads,
            tuple(tuple(text for text, _ in row) for row in rows),
            ("device", *names, "value", "low", "high", "unit"),
            pivot.plain(),
            source_of(scope.view, cases, "medians" if bare and not pivot.is_counted else spread_words(pivot.own())),
            sentences(
                self.caption,
                pivot.common,
                "The intervals are in the CSV" if bare and not pivot.is_counted else "",
                CAPTION if any("times as fast" in text for text in [*heads, *(row[0][0] for row in rows)]) else "",
            ),
            command_for(cases, self.name),
            tuple(tuple(number for _, number in row) for row in rows),
        )

    def _pivot(self, scope: Scope) -> Pivot:
        others = [view for view in scope.everyone if view.device.has_gpu and view.device.slug != scope.view.device.slug]
        views = [*scope.papers, scope.view]
        values = {view.device.slug: self._values(view) for view in [*views, *others]}
        own = values[scope.view.device.slug]
        if not own:
            raise NotTestable(scope.view.missing(self.where, self.quantity.axis.label))
        if any(values[view.device.slug] for view in scope.papers):
            views += others
        shown = [view for view in views if any(cell in own for cell in values[view.device.slug])]
        return Pivot(tuple(map(key_name, self.rows)), shown, scope.view, values, self.quantity, self.prefix)

    def _values(self, view: View) -> Values:
        groups: dict[tuple[Labels, str], list[Case]] = {}
        for case in view.select(**self.where):
            row = tuple(key_of(case, name) for name in self.rows)
            groups.setdefault((row, key_of(case, self.columns)), []).append(case)
        best = {key: self.quantity.best(cases) for key, cases in groups.items()}
        return {key: found for key, found in best.items() if found is not None}


class Pivot:
    """The values of a table, and its layouts."""

    def __init__(
        self,
        names: Labels,
        views: Sequence[View],
        view: View,
        values: Mapping[str, Values],
        quantity: Quantity,
        prefix: str,
    ) -> None:
        self._views, self._view, self._values = views, view, values
        self._papers = [one for one in views if one.device.published and one is not view]
        self._unit = quantity.axis.unit
        own = values[view.device.slug]
        keys = list(dict.fromkeys(row for row, _ in own))
        left = constant(keys, len(names))
        self._names = without(names, left)
        self._keys = [(key, without(key, left)) for key in keys]
        self._heads = sorted(dict.fromkeys(head for _, head in own), key=natural)
        self.common = said_once(names, keys[0], left) if left else ""
        self.scale, self.prefix = self._prefix(prefix, [found.value for _, found in own.values()])

    def _prefix(self, wanted: str, values: Sequence[float]) -> tuple[float, str]:
        """The one prefix of the table: that of the paper's unit, or of the middle value."""
        if wanted:
            return next((scale, prefix) for scale, prefix in PREFIXES if prefix == wanted)
        return prefix_of(median(values), self._unit)

    def layouts(self) -> list[tuple[Callable[[], Layout], bool]]:
        """Ways to lay the table out, the best first, and whether they have intervals.

        Devices are rows if a paper has numbers in several columns: only there can ratios stand below them.
        """
        compared = [head for head in self._heads if any(self._has(head, view) for view in self._papers)]
        first, second = self.devices_as_columns, self.devices_as_rows
        if len(compared) > 1:
            first, second = second, first
        return [
            (lambda: first(WITHIN), True),
            (lambda: first(math.inf), False),
            (lambda: second(math.inf), False),
            (lambda: self.transposed(WITHIN), True),
            (lambda: self.transposed(math.inf), False),
        ]

    def devices_as_columns(self, least: float) -> Layout:
        """For each head the papers' numbers, the devices' and, if there is one head only, the ratios."""
        columns = [(head, view) for head in self._heads for view in self._views if self._has(head, view)]
        single = len(self._heads) == 1
        papers = self._papers if single else []
        heads = [self._column(head, view, single) for head, view in columns]
        ratios = [self._ratio_head(view, len(papers)) for view in papers]
        rows = []
        for key, labels in self._keys:
            cells = [self._cell(view, key, head, least) for head, view in columns]
            compared = [self._ratio(view, key, self._heads[0]) for view in papers]
            rows.append((*map(label, labels), *cells, *compared))
        return (*self._names, *heads, *ratios), rows

    def devices_as_rows(self, least: float) -> Layout:
        """A row per device that has numbers for the key, below them how many times as fast the device is."""
        papers = self._papers
        rows: list[tuple[Cell, ...]] = []
        for key, labels in self._keys:
            shown = [view for view in self._views if any((key, head) in self._of(view) for head in self._heads)]
            for view in shown:
                cells = [self._cell(view, key, head, least) for head in self._heads]
                rows.append((*map(label, labels), label(view.device.name), *cells))
            for paper in [view for view in papers if view in shown and is_speed(self._unit)]:
                ratios = [self._ratio(paper, key, head) for head in self._heads]
                rows.append((*map(label, labels), label(self._ratio_head(paper, len(papers))), *ratios))
        return (*self._names, "GPU", *self._heads), rows

    def transposed(self, least: float) -> Layout:
        heads, rows = self.devices_as_columns(least)
        count = len(self._names)
        turned = [tuple(row[column] for row in rows) for column in range(count, len(heads))]
        names = [" ".join(text for text, _ in row[:count]) for row in rows]
        return ("", *names), [(label(head), *cells) for head, cells in zip(heads[count:], turned)]

    def plain(self) -> tuple[tuple[object, ...], ...]:
        return tuple(
            (view.device.name, *key, head, value.value, value.low, value.high, self._unit)
            for view in self._views
            for (key, head), (_, value) in self._of(view).items()
        )

    @property
    def is_counted(self) -> bool:
        return all(value.is_exact for value in self.own())

    def own(self) -> list[Interval]:
        return [value for _, value in self._of(self._view).values()]

    def _of(self, view: View) -> Values:
        return self._values[view.device.slug]

    def _has(self, head: str, view: View) -> bool:
        return any((key, head) in self._of(view) for key, _ in self._keys)

    def _column(self, head: str, view: View, single: bool) -> str:
        if sum(self._has(head, other) for other in self._views) == 1:
            return head
        return view.device.name if single else f"{head}, {view.device.name}"

    def _cell(self, view: View, key: Labels, head: str, least: float) -> Cell:
        found = self._of(view).get((key, head))
        if found is None:
            return NO_CELL
        case, value = found
        if view.device.published:
            return case.printed or paper_digits(value, self.scale), value.value
        return spread(value, self.scale, least), value.value

    def _ratio_head(self, paper: View, count: int) -> str:
        name = paper.device.name.removesuffix(" (paper)")
        what = "times as fast" if is_speed(self._unit) else "ours / paper"
        return what if count == 1 else f"times as fast as {name}" if is_speed(self._unit) else f"ours / {name}"

    def _ratio(self, paper: View, key: Labels, head: str) -> Cell:
        measured, printed = self._of(self._view).get((key, head)), self._of(paper).get((key, head))
        if measured is None or printed is None:
            return NO_CELL
        ratio = ratio_to_paper(measured[1], printed[1], self._unit)
        return ratio_text(ratio), ratio


def label(text: str) -> Cell:
    """A cell that names its row, with its number if it is one."""
    kind, number, _ = natural(text)
    return text, number if kind == 0 else None


def natural(text: str) -> tuple[int, float, str]:
    leading = text.removeprefix("k ").split("x")[0]
    return (0, float(leading), text) if leading.replace(".", "", 1).isdigit() else (1, 0.0, text)


def _texts(layout: Layout) -> Grid:
    heads, rows = layout
    return heads, [[text for text, _ in row] for row in rows]
