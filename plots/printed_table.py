"""A table as the paper prints it, from results/published/: not a measurement, or without a unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from plots.figures import Scope
from plots.published import Published
from plots.table_data import TableData

FOLDER = Path(__file__).resolve().parent.parent / "results" / "published"


@dataclass(frozen=True)
class PrintedTable:
    """Every row of results/published/`file`.csv, the same on any device. `columns` maps columns of the file to headings.

    Raises UserError if the file does not exist, KeyError if it lacks a column.
    """

    name: str
    title: str
    file: str
    columns: Mapping[str, str]
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        table = Published(FOLDER, scope.view.experiment).table(self.file)
        rows = tuple(tuple(row) for row in table[list(self.columns)].itertuples(index=False))
        heads = tuple(self.columns.values())
        source = f"the paper, results/published/{self.file}.csv"
        return TableData(
            self.name, self.title, "as printed", heads, rows, tuple(self.columns), rows, source, self.caption
        )
