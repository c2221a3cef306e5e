"""A row per case, a column per recorded metric (coverage of intervals, hardware counters)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from plots.errors import NotTestable
from plots.figures import Scope, command_for, source_of
from plots.narrow import PAGE, constant, said_once, width, without
from plots.pivot_table import label
from plots.table_data import Key, TableData, key_name, key_of, sentences
from plots.units import exact_digits

Metrics = Mapping[str, float]


def named(name: str) -> Callable[[Metrics], float]:
    """The metric of this name; raises KeyError if it was not recorded."""
    return lambda metrics: metrics[name]


@dataclass(frozen=True)
class MetricTable:
    """Leaves out cases that lack a metric of any column. Keys that all rows have in common are in the caption.

    Rows are sorted by the column `sort_by`, or keep their order.
    """

    name: str
    title: str
    keys: tuple[Key, ...]
    columns: Mapping[str, Callable[[Metrics], float]]
    where: Mapping[str, object]
    caption: str = ""
    sort_by: str = ""

    def fill(self, scope: Scope) -> TableData:
        rows: dict[tuple[str, ...], tuple[float, ...]] = {}
        used = []
        for case in scope.view.select(**self.where):
            try:
                values = tuple(of(case.metrics) for of in self.columns.values())
            except KeyError:
                continue
            rows[tuple(key_of(case, key) for key in self.keys)] = values
            used.append(case)
        if not rows:
            raise NotTestable(scope.view.missing(self.where, f"the metrics of {', '.join(self.columns)}"))
        if self.sort_by:
            column = list(self.columns).index(self.sort_by)
            rows = dict(sorted(rows.items(), key=lambda row: row[1][column]))
        names = tuple(map(key_name, self.keys))
        keys = list(rows)
        left = constant(keys, len(names))
        labels = [without(key, left) for key in keys]
        heads, cells = _columns(self.columns, rows.values(), in_millions=False)
        if width((*without(names, left), *heads), [(*words, *row) for words, row in zip(labels, cells)]) > PAGE:
            heads, cells = _columns(self.columns, rows.values(), in_millions=True)
        return TableData(
            self.name,
            self.title,
            scope.view.device.name,
            (*without(names, left), *heads),
            tuple((*words, *numbers) for words, numbers in zip(labels, cells)),
            (*names, *self.columns),
            tuple((*key, *values) for key, values in rows.items()),
            source_of(scope.view, used, "counted"),
            sentences(self.caption, said_once(names, keys[0], left) if left else ""),
            command_for(used, self.name),
            tuple((*(label(text)[1] for text in words), *rows[key]) for words, key in zip(labels, keys)),
        )


def _columns(
    names: Iterable[str], rows: Iterable[Sequence[float]], in_millions: bool
) -> tuple[list[str], list[list[str]]]:
    """Heads and cells. Counts are exact, or, to save width, in millions in columns that reach them."""
    heads, columns = [], []
    for name, values in zip(names, zip(*rows)):
        scaled = in_millions and max(values) >= 1e7
        heads.append(f"{name}, million" if scaled else name)
        columns.append([exact_digits(value / 1e6) if scaled else exact_digits(value) for value in values])
    return heads, [list(row) for row in zip(*columns)]
