"""A table on a page: its cells with numbers to sort by, and the links below it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from plots.gather import Page, Section
from plots.site.data_files import as_json, folder, table_json
from plots.site.place import Place
from plots.tables import TableData

#: The number at the start of a cell, and its prefix.
NUMBER = re.compile(r"^[+-]?\d[\d,\u2009\u202f]*(?:\.\d+)?(?:e[+-]?\d+)?")
SCALES = {"T": 1e12, "G": 1e9, "M": 1e6, "k": 1e3, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "n": 1e-9}
WORDS = {"million": 1e6, "billion": 1e9}
UNIT = re.compile(r"^([TGMkmuµn]?)(?:B/s|s|Hz|B)$|^([TGMkmuµn]) \S|^([TGMk])$")


@dataclass(frozen=True)
class Cell:
    text: str
    value: float | None


@dataclass(frozen=True)
class TableCard:
    id: str
    title: str
    caption: str
    source: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    links: tuple[tuple[str, str], ...]


def table_id(section: Section, page: Page, name: str) -> str:
    return f"{section.experiment.name}-{page.slug}-table-{name}"


def table_card(section: Section, page: Page, table: TableData, place: Place) -> TableCard:
    base = f"{folder(section, page)}/table_{table.name}"
    files = ((".csv", "CSV", table.csv().encode("utf-8")), (".json", "JSON", as_json(table_json(table))))
    kept = files[:1] if place.single else files
    return TableCard(
        table_id(section, page, table.name),
        table.title,
        table.caption,
        table.source,
        tuple(map(str, table.columns)),
        tuple(tuple(Cell(str(cell), sort_value(str(cell))) for cell in row) for row in table.rows),
        tuple((text, place.data(base + suffix, content)) for suffix, text, content in kept),
    )


def sort_value(text: str) -> float | None:
    """'28.5 [28.3, 28.6] G sets/s' gives 28.5e9; a text without a number in front gives nothing."""
    found = NUMBER.match(text.strip())
    if found is None:
        return None
    value = float(re.sub(r"[,\u2009\u202f]", "", found.group()))
    rest = re.sub(r"^(?:\s*(?:\[[^]]*\]|± ?[\d.e+-]+))?\s*", "", text.strip()[found.end() :])
    if (word := rest.split(" ")[0]) in WORDS:
        return value * WORDS[word]
    unit = UNIT.match(rest)
    if rest and unit is None and re.match(r"^[A-Za-z0-9_x]", rest) and text.strip()[found.end()] != " ":
        return None  # 32x32, 2x2x2, 1st
    prefix = next(filter(None, unit.groups()), "") if unit is not None else ""
    return value * SCALES.get(prefix, 1.0)
