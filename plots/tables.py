"""Tables in the papers' shape: the paper's numbers first, then the devices', then how many times as fast a device is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plots.errors import NotTestable, attempt
from plots.figures import Scope, command_for, source_of
from plots.interval import Interval
from plots.pivot_table import PivotTable
from plots.quantity import Measure
from plots.ratio import CAPTION, is_speed, ratio_text, ratio_to_paper
from plots.results import View
from plots.table_data import MISSING, Key, TableData, key_name, key_of, sentences, spread_words
from plots.units import join_unit, paper_digits, prefix_of, spread

__all__ = ["FactTable", "PivotTable", "TableSpec", "TableData", "Key", "MISSING", "key_name", "key_of", "table_views"]

#: Share of a value within which its interval is not written.
WITHIN = 0.005

Row = tuple[Measure, list[Interval | None]]


@dataclass(frozen=True)
class FactTable:
    """A row per number: each paper's value, the device's, and their ratio."""

    name: str
    title: str
    rows: tuple[Measure, ...]
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        if all(_value(row, scope.view) is None for row in self.rows):
            raise NotTestable(f"none of these numbers was measured on {scope.view.device.name}")
        views = [view for view in table_views(scope) if any(_value(row, view) is not None for row in self.rows)]
        rows: list[Row] = [(row, [_value(row, view) for view in views]) for row in self.rows]
        own = views.index(scope.view)
        papers = [index for index, view in enumerate(views) if view.device.published and _compared(rows, own, index)]
        heads = [_ratio_head(rows, own, index, views[index] if len(papers) > 1 else None) for index in papers]
        return TableData(
            self.name,
            self.title,
            scope.view.device.name,
            ("", *(view.device.name for view in views), *heads),
            tuple(_words(row, values, views, own, papers, heads) for row, values in rows),
            ("quantity", "device", "value", "low", "high", "unit"),
            tuple(_plain(rows, views)),
            source_of(scope.view, scope.view.cases, spread_words(value for _, values in rows for value in values)),
            sentences(self.caption, CAPTION if any("fast" in head for head in heads) else ""),
            command_for(scope.view.cases, self.name),
            tuple(_numbers(row, values, own, papers) for row, values in rows),
        )


TableSpec = FactTable | PivotTable


def table_views(scope: Scope) -> list[View]:
    """The papers, the device, and, if there are papers to compare with, the other GPUs."""
    others = [view for view in scope.everyone if view.device.has_gpu and view.device.slug != scope.view.device.slug]
    return [*scope.papers, scope.view, *(others if scope.papers else [])]


def _compared(rows: Sequence[Row], own: int, paper: int) -> bool:
    return any(ratio_to_paper(values[own], values[paper], row.unit) is not None for row, values in rows)


def _ratio_head(rows: Sequence[Row], own: int, paper: int, named: View | None) -> str:
    """What the ratios of a column are. In a column of both kinds the cells say it."""
    known = [row.unit for row, values in rows if ratio_to_paper(values[own], values[paper], row.unit) is not None]
    name = named.device.name.removesuffix(" (paper)") if named is not None else "paper"
    if all(map(is_speed, known)):
        return f"times as fast as {name}" if named is not None else "times as fast"
    return f"ours against {name}" if any(map(is_speed, known)) else f"ours / {name}"


def _words(
    row: Measure,
    values: Sequence[Interval | None],
    views: Sequence[View],
    own: int,
    papers: Sequence[int],
    heads: list[str],
) -> tuple[str, ...]:
    first = next(value for value in [*values, Interval(0, 0, 0)] if value is not None)
    scale, prefix = prefix_of(first.value, row.unit)
    unit = join_unit(prefix, row.unit)
    cells = [_cell(value, view, scale, unit) for value, view in zip(values, views)]
    ratios = [ratio_text(ratio_to_paper(values[own], values[paper], row.unit)) for paper in papers]
    suffixes = [" as fast" if head.startswith("ours against") and is_speed(row.unit) else "" for head in heads]
    return (row.label, *cells, *(text + (end if text != MISSING else "") for text, end in zip(ratios, suffixes)))


def _cell(value: Interval | None, view: View, scale: float, unit: str) -> str:
    if value is None:
        return MISSING
    text = paper_digits(value, scale) if view.device.published else spread(value, scale, WITHIN)
    return f"{text} {unit}".strip()


def _numbers(
    row: Measure, values: Sequence[Interval | None], own: int, papers: Sequence[int]
) -> tuple[float | None, ...]:
    ratios = [ratio_to_paper(values[own], values[paper], row.unit) for paper in papers]
    return (None, *(value.value if value is not None else None for value in values), *ratios)


def _plain(rows: Sequence[Row], views: Sequence[View]) -> list[tuple[object, ...]]:
    return [
        (row.label, view.device.name, value.value, value.low, value.high, row.unit)
        for row, values in rows
        for view, value in zip(views, values)
        if value is not None
    ]


def _value(row: Measure, view: View) -> Interval | None:
    try:
        return attempt(row.of, view)
    except NotTestable:
        return None
