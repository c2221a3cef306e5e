"""A filled table: formatted cells for people, the numbers behind them for sorting, and plain rows for the CSV."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

from plots.drawing import to_csv
from plots.escape import markdown
from plots.figures import machine_name
from plots.interval import Interval
from plots.markdown import table
from plots.results import Case
from plots.units import PREFIXES

MISSING = "–"
#: What the numbers of a table of measurements are.
MEDIANS = "medians, 95% intervals in brackets where they exceed 0.5%"

#: The name of an axis or property of a case, or a name and a function of the case.
Key = str | tuple[str, Callable[[Case], str]]

#: A number at the start of a cell, its interval, and what follows: a unit with or without a prefix.
NUMBER = re.compile(r"(-?[\d,]*\.?\d+(?:e[-+]?\d+)?)(?: \[[^\]]*\])?(.*)")
UNIT = re.compile(r" (billion|million)| ([TGMkmun]?)(?:s|B/s|Hz)$| ([TGMkmun]) \S+/s$|[ %,]|x(?:$| )")
LARGE = {"billion": 1e9, "million": 1e6}
SCALES = {prefix: scale for scale, prefix in PREFIXES}


@dataclass(frozen=True)
class TableData:
    """A table of formatted cells, and the same rows with plain numbers for the CSV.

    Columns without any content leave. `values` has the number behind each cell, by which the page sorts, or None where a cell is a text. A table that does not
    give them has those that its cells begin with.
    """

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
    values: tuple[tuple[float | None, ...], ...] = ()

    def __post_init__(self) -> None:
        if not self.values:
            read = tuple(tuple(map(number_in, row)) for row in self.rows)
            object.__setattr__(self, "values", read)
        filled = [any(row[column] not in ("", MISSING) for row in self.rows) for column in range(len(self.columns))]
        if not all(filled):
            for name in ("columns", "rows", "values"):
                object.__setattr__(self, name, _kept(getattr(self, name), filled, name != "columns"))

    @property
    def numeric(self) -> tuple[bool, ...]:
        """For each column: whether all of its cells that hold anything hold numbers."""
        return tuple(self._is_numeric(column) for column in range(len(self.columns)))

    def _is_numeric(self, column: int) -> bool:
        filled = [values[column] for row, values in zip(self.rows, self.values) if row[column] not in ("", MISSING)]
        return bool(filled) and None not in filled

    def csv(self) -> str:
        return to_csv(self.plain_columns, self.plain_rows)

    def markdown(self) -> str:
        cells = table(list(map(markdown, self.columns)), [list(map(markdown, row)) for row in self.rows])
        lines = [f"**{markdown(self.title)}: {markdown(self.device)}**", "", cells, ""]
        lines += [markdown(self.caption), ""] if self.caption else []
        return "\n".join([*lines, f"Source: {markdown(self.source)}", ""])


def _kept(cells: tuple[Any, ...], filled: Sequence[bool], nested: bool) -> tuple[Any, ...]:
    return tuple(_kept(row, filled, False) for row in cells) if nested else tuple(compress(cells, filled))


def number_in(text: str) -> float | None:
    """The number that a cell begins with, in its base unit: '28.5 G sets/s' has 2.85e10. None for other texts."""
    found = NUMBER.fullmatch(re.sub(r"^(?:k|more than|less than) ", "", text))
    unit = UNIT.match(found[2]) if found is not None else None
    if found is None or (found[2] and unit is None):
        return None
    name = next(filter(None, unit.groups()), "") if unit is not None else ""
    return float(found[1].replace(",", "")) * LARGE.get(name, SCALES.get(name, 1.0))


def key_name(key: Key) -> str:
    return key if isinstance(key, str) else key[0]


def key_of(case: Case, name: Key) -> str:
    if not isinstance(name, str):
        return name[1](case)
    if name == "machine":
        return machine_name(case.machine)
    return case.axes[name] if name in case.axes else str(getattr(case, name, MISSING))


def spread_words(values: Iterable[Interval | None]) -> str:
    """What the numbers of a table are, for the line that names their source."""
    return "counted" if all(value is None or value.is_exact for value in values) else MEDIANS


def sentences(*texts: str) -> str:
    """The texts that are not empty, each with a full stop, as one caption."""
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in texts if text)
