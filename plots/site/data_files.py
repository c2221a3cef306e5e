"""The data behind the pages: CSV and JSON per figure and table, all rows, the verdicts, and one zip of everything."""

from __future__ import annotations

import csv
import io
import json
import math
import zipfile
from collections.abc import Mapping
from pathlib import Path

from plots.drawing import Drawing, to_csv
from plots.figure_data import data_of
from plots.gather import Page, Section
from plots.load import NOT_DEVICES
from plots.results import flat
from plots.tables import TableData

#: Files in an archive have one date, so that the same data gives the same archive.
DATE = (1980, 1, 1, 0, 0, 0)
ABOUT_ARCHIVE = """Data of the Lockstep report.

data/EXPERIMENT/DEVICE/cases.csv      every row: axes, time in seconds, rate in items per second, metrics
data/EXPERIMENT/DEVICE/NAME.csv       the points of a figure; table_NAME.csv has the numbers of a table
data/EXPERIMENT/claims.csv            the claims of the paper and the verdict on each device
results/                              the files of results that the report was made from (results/schema.json)
"""


def figure_json(drawing: Drawing) -> dict[str, object]:
    """The points of a figure with their texts, for other programs."""
    return {"title": drawing.title, "device": drawing.device, "caption": drawing.caption, **data_of(drawing)}


def number(value: float) -> float | None:
    """JSON has no infinity."""
    return value if math.isfinite(value) else None


def table_json(table: TableData) -> dict[str, object]:
    rows = [[number(cell) if isinstance(cell, float) else cell for cell in row] for row in table.plain_rows]
    return {"title": table.title, "device": table.device, "columns": list(table.plain_columns), "rows": rows}


def as_json(content: object) -> bytes:
    return (json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=str) + "\n").encode("utf-8")


def folder(section: Section, page: Page) -> str:
    return f"data/{section.experiment.name}/{page.slug}"


def rows_csv(page: Page) -> bytes:
    """A row per case, a column per axis and metric. A data frame would take ten times as long: metrics are many and sparse."""
    rows = [flat(case) for case in page.view or ()]
    header = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, header, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")


def claims_csv(section: Section) -> bytes:
    """A row per claim and device, and per claim and GPU of the paper."""
    header = ("claim", "quote", "place", "printed", "how", "device", "verdict", "measured", "holds_if", "reason")
    rows = [
        (
            judgement.claim.id,
            judgement.claim.quote,
            judgement.claim.place,
            judgement.claim.published,
            judgement.claim.how,
            judgement.device.name,
            judgement.short_text,
            judgement.measured_text,
            judgement.bound_text,
            "; ".join(filter(None, (judgement.reason, judgement.details))),
        )
        for page in [*section.pages, *section.papers]
        for judgement in page.judgements
    ]
    return to_csv(header, rows).encode("utf-8")


def source_files(results: Path) -> dict[str, bytes]:
    """The committed files of results: those of each device, and the papers' numbers."""
    if not results.is_dir():
        return {}
    paths = [results / "schema.json", *results.glob("published/*"), *results.glob("schematics/*.json")]
    folders = [path for path in results.iterdir() if path.is_dir() and path.name not in NOT_DEVICES]
    paths += [path for folder in folders for path in folder.glob("*.json")]
    return {f"results/{path.relative_to(results)}": path.read_bytes() for path in paths if path.is_file()}


def archive(files: Mapping[str, bytes]) -> bytes:
    """A zip that depends on its contents only."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as target:
        for name, data in sorted({"README.txt": ABOUT_ARCHIVE.encode("utf-8"), **files}.items()):
            entry = zipfile.ZipInfo(f"lockstep-results/{name}", DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix on every system
            entry.external_attr = 0o644 << 16
            target.writestr(entry, data, compresslevel=9)
    return content.getvalue()
