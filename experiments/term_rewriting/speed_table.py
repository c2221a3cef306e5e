"""Table 2 in the paper's shape: a row per application, the paper's columns, then the device's, then those of faster engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from experiments.term_rewriting import measures
from experiments.term_rewriting.paper_topics import cpu_sizes
from experiments.term_rewriting.workloads import (
    AS_PRINTED,
    CPU_AS_PRINTED,
    CPU_ENGINES,
    MERGE_SORT,
    TREE_22,
    TREE_SORT,
    TREE_SORT_23,
)
from plots.errors import NotTestable, attempt
from plots.interval import Interval, exact
from plots.results import View
from plots.spec import Scope, command_for, source_of
from plots.tables import MISSING, TableData
from plots.units import digits


@dataclass(frozen=True)
class Application:
    """A row: what the GPU and the CPU rewrite, and the paper's fact of its speed-up."""

    name: str
    gpu: Mapping[str, object]
    cpu: Mapping[str, object]
    speed_up: str = ""


APPLICATIONS = (
    Application("Merge sort 50", MERGE_SORT, MERGE_SORT),
    Application("Tree merge sort 23 5", TREE_SORT_23, TREE_SORT, "tms_speedup"),
    Application("Transformation tree 22", TREE_22, TREE_22, "tt_speedup"),
)


@dataclass(frozen=True)
class Column:
    head: str
    unit: str
    of: Callable[[View, Application], Interval]
    least: bool = False  # the number is a bound: more than it


def _cpu(engine: str) -> Callable[[View, Application], Interval]:
    return lambda view, row: measures.deepest(view, engine, "cpu", **row.cpu)[1]


def _gpu(engine: str) -> Callable[[View, Application], Interval]:
    return lambda view, row: view.rate(variant=engine, machine=("cuda", "published"), **row.gpu)


def _over(gpu: str, cpu: str) -> Callable[[View, Application], Interval]:
    return lambda view, row: _gpu(gpu)(view, row) / _cpu(cpu)(view, row)


def _stated(view: View, row: Application) -> Interval:
    return exact(view.fact(row.speed_up))


PAPER = (Column("GPU", "rewrites/s", _gpu(AS_PRINTED)), Column("speed-up", "x", _stated, least=True))
OURS = (
    Column("CPU", "rewrites/s", _cpu(CPU_AS_PRINTED)),
    Column("GPU", "rewrites/s", _gpu(AS_PRINTED)),
    Column("speed-up", "x", _over(AS_PRINTED, CPU_AS_PRINTED)),
    Column("one_core", "rewrites/s", _cpu("one_core")),
    Column("all_cores", "rewrites/s", _cpu("all_cores")),
    Column("fast", "rewrites/s", _gpu("fast")),
    Column("fast over all_cores", "x", _over("fast", "all_cores")),
)


@dataclass(frozen=True)
class SpeedTable:
    """Columns without a number are left out: the cells of the paper's CPU are missing from our copy of the text."""

    name: str
    title: str
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        view = scope.view
        columns = [(paper, column) for paper in scope.papers for column in PAPER] + [(view, column) for column in OURS]
        values = [[_value(where, column, row) for row in APPLICATIONS] for where, column in columns]
        if not any(value for (where, _), cells in zip(columns, values) for value in cells if where is view):
            raise NotTestable(view.missing(dict(variant=(AS_PRINTED, *CPU_ENGINES)), "the rates of Table 2"))
        shown = [(*column, cells) for column, cells in zip(columns, values) if any(cells)]
        words = [[_text(column, value) for value in cells] for _, column, cells in shown]
        plain = [
            (row.name, column.head, where.device.name, value.value, value.low, value.high, column.unit)
            for where, column, cells in shown
            for row, value in zip(APPLICATIONS, cells)
            if value is not None
        ]
        cases = [
            case
            for row in APPLICATIONS
            for case in view.select(variant=ENGINES, **row.gpu)
            if case.machine != "emulator"
        ]
        return TableData(
            self.name,
            self.title,
            view.device.name,
            ("Application", *(_head(where, column) for where, column, _ in shown)),
            tuple((row.name, *(cells[index] for cells in words)) for index, row in enumerate(APPLICATIONS)),
            ("application", "quantity", "device", "value", "low", "high", "unit"),
            tuple(plain),
            source_of(view, cases),
            " ".join(filter(None, (self.caption, _sizes(view)))),
            command_for(cases, "table2_tree_merge_sort"),
        )


ENGINES = (AS_PRINTED, "fast", *CPU_ENGINES)


def _head(view: View, column: Column) -> str:
    return f"paper: {column.head}" if view.device.published else column.head


def _value(view: View, column: Column, row: Application) -> Interval | None:
    try:
        return attempt(lambda where: column.of(where, row), view)
    except NotTestable:
        return None


def _text(column: Column, value: Interval | None) -> str:
    if value is None:
        return MISSING
    if column.unit == "x":
        return f"{'more than ' if column.least else ''}{digits(value.value)}x"
    millions = value.value / 1e6
    return digits(millions) if millions < 1000 else f"{float(f'{millions:.3g}'):,.0f}"


def _sizes(view: View) -> str:
    try:
        return cpu_sizes(view).replace("`", "")
    except NotTestable:
        return ""
