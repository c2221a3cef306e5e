"""Tables in the papers' shape, with printed and measured numbers; written as Markdown, CSV and HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from plots.drawing import to_csv
from plots.errors import NotTestable, attempt
from plots.escape import markdown
from plots.figures import Scope, command_for, machine_name, source_of
from plots.interval import Interval
from plots.markdown import table
from plots.quantity import Measure, Quantity
from plots.results import Case, View
from plots.units import digits, interval, join_unit, prefix_of

MISSING = "–"

#: The name of an axis or property of a case, or a name and a function of the case.
Key = str | tuple[str, Callable[[Case], str]]


@dataclass(frozen=True)
class TableData:
    """A table of formatted cells, and the same rows with plain numbers for the CSV."""

    name: str
    title: str
    device: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    plain_columns: tuple[str, ...]
    plain_rows: tuple[tuple[object, ...], ...]
    source: str
    caption: str = ""
    command: str = ""

    def csv(self) -> str:
        return to_csv(self.plain_columns, self.plain_rows)

    def markdown(self) -> str:
        cells = table(list(map(markdown, self.columns)), [list(map(markdown, row)) for row in self.rows])
        lines = [f"**{markdown(self.title)}: {markdown(self.device)}**", "", cells, ""]
        lines += [self.caption, ""] if self.caption else []
        return "\n".join([*lines, f"Source: {markdown(self.source)}", ""])


@dataclass(frozen=True)
class FactTable:
    """A row per number: each paper's value, the device's, and their ratio."""

    name: str
    title: str
    rows: tuple[Measure, ...]
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        views = [*scope.papers, scope.view]
        words: list[tuple[str, ...]] = []
        plain: list[tuple[object, ...]] = []
        for row in self.rows:
            values = [_value(row, view) for view in views]
            words.append(
                (
                    row.label,
                    *(interval(value, row.unit) if value is not None else MISSING for value in values),
                    *(_ratio(values[-1], paper) for paper in values[:-1]),
                )
            )
            for view, value in zip(views, values):
                if value is not None:
                    plain.append((row.label, view.device.name, value.value, value.low, value.high, row.unit))
        if all(_value(row, scope.view) is None for row in self.rows):
            raise NotTestable(f"none of these numbers was measured on {scope.view.device.name}")
        names = [view.device.name for view in views]
        ratios = ["ratio" if len(scope.papers) == 1 else f"over {view.device.name}" for view in scope.papers]
        return TableData(
            self.name,
            self.title,
            scope.view.device.name,
            ("", *names, *ratios),
            tuple(words),
            ("quantity", "device", "value", "low", "high", "unit"),
            tuple(plain),
            source_of(scope.view, scope.view.cases),
            self.caption,
            command_for(scope.view.cases),
        )


@dataclass(frozen=True)
class PivotTable:
    """A row per tuple of the `rows` keys, a column per value of the `columns` key, like most papers' tables.

    Each paper's number, if it printed one, is next to the device's.
    """

    name: str
    title: str
    rows: tuple[Key, ...]
    columns: Key
    quantity: Quantity
    where: Mapping[str, object] = field(default_factory=dict)
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        views = [*scope.papers, scope.view]
        cells = {view.device.slug: self._cells(view) for view in views}
        own = cells[scope.view.device.slug]
        if not own:
            raise NotTestable(scope.view.missing(self.where, self.quantity.axis.label))
        shown = [view for view in views if cells[view.device.slug]]
        keys = list(dict.fromkeys(row for row, _ in own))
        heads = sorted(dict.fromkeys(column for _, column in own), key=_natural)
        unit = self.quantity.axis.unit
        biggest = max(value.value for value in own.values())
        scale, prefix = prefix_of(biggest, unit)
        words = tuple(
            (*key, *(_cell(cells[view.device.slug].get((key, head)), scale) for head in heads for view in shown))
            for key in keys
        )
        names = [f"{head}" + (f", {view.device.name}" if len(shown) > 1 else "") for head in heads for view in shown]
        plain = tuple(
            (view.device.name, *key, head, value.value, value.low, value.high, unit)
            for view in shown
            for (key, head), value in cells[view.device.slug].items()
        )
        cases = scope.view.select(**self.where)
        return TableData(
            self.name,
            f"{self.title}, {join_unit(prefix, unit)}" if unit != "1" else self.title,
            scope.view.device.name,
            (*map(key_name, self.rows), *names),
            words,
            ("device", *map(key_name, self.rows), key_name(self.columns), "value", "low", "high", "unit"),
            plain,
            source_of(scope.view, cases),
            self.caption,
            command_for(cases),
        )

    def _cells(self, view: View) -> dict[tuple[tuple[str, ...], str], Interval]:
        groups: dict[tuple[tuple[str, ...], str], list[Case]] = {}
        for case in view.select(**self.where):
            row = tuple(key_of(case, name) for name in self.rows)
            groups.setdefault((row, key_of(case, self.columns)), []).append(case)
        best = {key: self.quantity.best(cases) for key, cases in groups.items()}
        return {key: found[1] for key, found in best.items() if found is not None}


TableSpec = FactTable | PivotTable


def key_name(key: Key) -> str:
    return key if isinstance(key, str) else key[0]


def key_of(case: Case, name: Key) -> str:
    if not isinstance(name, str):
        return name[1](case)
    if name == "machine":
        return machine_name(case.machine)
    return case.axes[name] if name in case.axes else str(getattr(case, name, MISSING))


def _natural(text: str) -> tuple[int, float, str]:
    leading = text.removeprefix("k ").split("x")[0]
    return (0, float(leading), text) if leading.replace(".", "", 1).isdigit() else (1, 0.0, text)


def _cell(value: Interval | None, scale: float) -> str:
    if value is None:
        return MISSING
    spread = (value.high - value.low) / 2
    share = "" if value.is_exact else f" ± {digits(spread / scale, 2)}"
    return f"{digits(value.value / scale)}{share}"


def _value(row: Measure, view: View) -> Interval | None:
    try:
        return attempt(row.of, view)
    except NotTestable:
        return None


def _ratio(measured: Interval | None, paper: Interval | None) -> str:
    if measured is None or paper is None or paper.value == 0:
        return MISSING
    return f"{digits(measured.value / paper.value)}"
