"""`lockstep report`: one self-contained HTML page.

Findings first, then a section per experiment. The page loads nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from plots.atomic import write_text
from plots.claims import HOW_JUDGED, Judgement, summary
from plots.draw_many import draw_many
from plots.drawing import Drawing
from plots.gather import Page, Section
from plots.markdown import sentence
from plots.results import Device, Results, frame
from plots.style import palette_css
from plots.svg import page_svg
from plots.tables import TableData
from plots.units import quantity
from plots.verdict import Verdict

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Row:
    """A claim and its verdict on each device."""

    first: Judgement
    judgements: tuple[Judgement, ...]


def write_report(
    results: Results,
    sections: Sequence[Section],
    out: Path,
    step: Callable[[], None] = lambda: None,
    note: str = "",
) -> Path:
    """Writes OUT/index.html and returns its path. `note` is a line at the top: what a run could not finish."""
    return write_text(out / "index.html", render(results, sections, step, note))


def render(
    results: Results, sections: Sequence[Section], step: Callable[[], None] = lambda: None, note: str = ""
) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    shown = [
        (drawing, section.looks)
        for section in sections
        for page in [section.across, *section.pages]
        for drawing in page.drawings
    ]
    drawn: dict[int, str] = {}
    for (drawing, _), files in zip(shown, draw_many(shown, "svg")):
        drawn[id(drawing)] = files["svg"].decode("utf-8")
        step()

    def picture(drawing: Drawing, identity: str) -> Markup:
        return Markup(page_svg(drawn[id(drawing)], identity, drawing))

    environment.globals.update(
        picture=picture,
        data_link=data_link,
        rows_link=rows_link,
        claim_rows=claim_rows,
        how_judged=HOW_JUDGED,
        provenance=provenance,
        headline=headline,
        command=command_of,
    )
    return environment.get_template("report.html.j2").render(
        sections=sections,
        devices=results.devices,
        limits=[(device, limit_rows(device)) for device in results.devices if device.limits],
        date=datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        note=note,
        style=Markup((TEMPLATES / "report.css").read_text(encoding="utf-8")),
        light=Markup(palette_css(dark=False)),
        dark=Markup(palette_css(dark=True)),
    )


def data_link(shown: Drawing | TableData, slug: str) -> Markup:
    """A link that contains the CSV itself."""
    return _csv_link(f"{slug}-{shown.name}", shown.csv(), "CSV")


def rows_link(page: Page) -> Markup:
    """A link to all rows of a device, a column per axis."""
    return _csv_link(f"{page.slug}-cases", frame(page.view or ()).to_csv(index=False), "all rows as CSV")


def _csv_link(name: str, content: str, text: str) -> Markup:
    encoded = base64.b64encode(content.encode("utf-8")).decode("ascii")
    return Markup('<a download="{}.csv" href="data:text/csv;base64,{}">{}</a>').format(name, encoded, text)


def claim_rows(section: Section) -> list[Row]:
    """The claims with verdicts: on the paper's own numbers first, then per device."""
    pages = judged_pages(section)
    return [Row(judgements[0], tuple(judgements)) for judgements in zip(*(page.judgements for page in pages))]


def judged_pages(section: Section) -> list[Page]:
    return [page for page in [*section.papers, *section.pages] if page.judgements]


def headline(page: Page) -> str:
    """The verdicts of a device in one sentence, with the ids of the claims that fail."""
    failing = [judgement.claim.id for judgement in page.judgements if judgement.verdict is Verdict.DOES_NOT_HOLD]
    named = f" Not holding: {', '.join(failing)}." if failing else ""
    return sentence(summary(page.judgements)) + named


def command_of(page: Page) -> str:
    """The command that measures a device's rows again."""
    if page.view is None:
        return ""
    sweeps = sorted({sweep for case in page.view for sweep in case.sweeps})
    return f"./lockstep run {page.view.experiment}" + (f" --sweep {','.join(sweeps)}" if sweeps else "")


def provenance(page: Page) -> list[tuple[str, str]]:
    """What produced the rows: one line each, with several values if rows differ."""
    if page.view is None or page.device is None:
        return []
    rows = [case.provenance for case in page.view]

    def several(key: str) -> str:
        return ", ".join(dict.fromkeys(str(row[key]) for row in rows if row.get(key) not in (None, "")))

    cpus = [row["cpu"] for row in rows if isinstance(row.get("cpu"), dict)]
    attributes = page.device.attributes
    dirty = any(row.get("dirty") for row in rows)
    publishable = all(row.get("publishable") for row in rows)
    states: dict[str, int] = {}
    for case in page.view:
        states[case.status] = states.get(case.status, 0) + 1
    dates = sorted(str(row["date"]) for row in rows if row.get("date"))
    lines = [
        ("device", ", ".join(f"{key} {value}" for key, value in attributes.items() if key not in ("slug", "machine"))),
        ("CPU", f"{cpus[0].get('name')}, {cpus[0].get('threads')} threads" if cpus else ""),
        ("compiler", several("compiler")),
        ("nvcc", several("nvcc")),
        (
            "commit",
            several("commit") + (", with changes" if dirty else "") + ("" if publishable else ", unpublishable"),
        ),
        ("measured", dates[0] if dates and dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}" if dates else ""),
        ("cases", ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in states.items())),
        ("seed", ", ".join(dict.fromkeys(case.seed for case in page.view))),
        ("command", several("command")),
    ]
    return [(name, value) for name, value in lines if value]


def limit_rows(device: Device) -> list[tuple[str, str]]:
    rows = []
    for name, entry in device.limits.items():
        rows.append((name, quantity(float(entry["value"]), str(entry.get("unit", "")))))
    return rows
