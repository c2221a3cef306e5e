"""Tables 1 and 3 in the paper's shape: the paper's rows, then those of the device and of other GPUs, in GiB/s."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from experiments.term_rewriting import bandwidths
from experiments.term_rewriting.hardware import host_name
from experiments.term_rewriting.workloads import GIB
from plots.errors import NotTestable, attempt
from plots.interval import Interval
from plots.ratio import CAPTION, ratio_text, ratio_to_paper
from plots.results import View
from plots.spec import Scope, command_for, source_of
from plots.tables import MISSING, TableData, table_views
from plots.units import digits, paper_digits, three_digits

Bandwidth = Callable[[View], Interval]


@dataclass(frozen=True)
class Row:
    """The texts before the bandwidths, and the bandwidths, of a paper's device or of a measured one."""

    texts: tuple[str, ...]
    published: bool
    values: tuple[Interval | None, ...]


@dataclass(frozen=True)
class ComparisonOfDevices:
    """Table 1: type, year, name, memory, and the bandwidths of aligned and random accesses of each CPU and GPU."""

    name: str
    title: str
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        both = (
            ("CPU", _cpu_texts, (bandwidths.cpu_aligned, bandwidths.cpu_random)),
            ("GPU", _gpu_texts, (bandwidths.gpu_aligned, bandwidths.gpu_random)),
        )
        rows = [
            Row((kind, *texts(view)), view.device.published, _values(of, view))
            for view in table_views(scope)
            for kind, texts, of in both
            if any(_values(of, view))
        ]
        heads = ("Type", "Year", "Name", "Mem (GB)")
        return _table(self.name, self.title, self.caption, scope, heads, ("BW aligned", "BW random"), rows)


@dataclass(frozen=True)
class UsedBandwidths:
    """Table 3: the bandwidths that the paper's rewriter uses."""

    name: str
    title: str
    application: str
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        of = (bandwidths.random_bandwidth, bandwidths.aligned_bandwidth)
        rows = [
            Row((self.application, view.device.name), view.device.published, _values(of, view))
            for view in table_views(scope)
            if any(_values(of, view))
        ]
        heads = ("Application", "Device")
        return _table(self.name, self.title, self.caption, scope, heads, ("BW random", "BW aligned"), rows)


def _cpu_texts(view: View) -> tuple[str, str, str]:
    if view.device.published:
        return _year(view, "t1_cpu_year"), "Intel Core i5-7600 (paper)", digits(view.fact("t1_cpu_memory"))
    return MISSING, host_name(view) if view.device.has_gpu else view.device.name, MISSING


def _gpu_texts(view: View) -> tuple[str, str, str]:
    if view.device.published:
        return _year(view, "t1_gpu_year"), view.device.name, digits(view.fact("t1_gpu_memory"))
    memory = view.device.attributes.get("memory_bytes")
    return MISSING, view.device.name, digits(memory / 1e9) if memory else MISSING


def _year(view: View, fact: str) -> str:
    return f"{view.fact(fact):.0f}"


def _values(of: Sequence[Bandwidth], view: View) -> tuple[Interval | None, ...]:
    return tuple(_value(bandwidth, view) for bandwidth in of)


def _value(of: Bandwidth, view: View) -> Interval | None:
    try:
        return attempt(of, view) / GIB
    except NotTestable:
        return None


def _table(
    name: str,
    title: str,
    caption: str,
    scope: Scope,
    heads: tuple[str, ...],
    quantities: tuple[str, str],
    rows: Sequence[Row],
) -> TableData:
    """A measured row is compared with the paper's row that begins with the same text."""
    if all(row.published for row in rows):
        raise NotTestable(f"no bandwidth was measured on {scope.view.device.name}")
    papers = {row.texts[0]: row for row in rows if row.published}
    words: list[tuple[str, ...]] = []
    plain: list[tuple[object, ...]] = []
    numbers: list[tuple[float | None, ...]] = []
    for row in rows:
        paper = papers.get(row.texts[0])
        compared = _ratios(row, paper if not row.published else None)
        shown = [MISSING if value is None else _digits(value, row.published) for value in row.values]
        words.append((*row.texts, *shown, *map(ratio_text, compared)))
        values = [value.value if value is not None else None for value in row.values]
        numbers.append((*(None for _ in row.texts), *values, *compared))
        plain.append((*row.texts, *values))
    return TableData(
        name,
        title,
        scope.view.device.name,
        (*heads, *(f"{one} (GiB/s)" for one in quantities), *(f"{one}, times as fast" for one in quantities)),
        tuple(words),
        (*heads, *(f"{one} (GiB/s)" for one in quantities)),
        tuple(plain),
        source_of(scope.view, scope.view.cases),
        f"{caption} {CAPTION}.".strip(),
        command_for(scope.view.cases, name),
        tuple(numbers),
    )


def _ratios(row: Row, paper: Row | None) -> list[float | None]:
    printed = paper.values if paper is not None else (None,) * len(row.values)
    return [ratio_to_paper(own, value, "GiB/s") for own, value in zip(row.values, printed)]


def _digits(value: Interval, published: bool) -> str:
    return paper_digits(value, 1) if published else three_digits(value.value)
