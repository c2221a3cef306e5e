"""Writes the site into a folder, or into one file. Nothing else in the folder is touched."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from plots.atomic import write_bytes
from plots.catalog import ROOT
from plots.gather import Section
from plots.speeds import AT_THEIR_BEST
from plots.results import Results
from plots.site.against import COLUMNS
from plots.site.data_files import archive, source_files
from plots.site.figure_card import Pictures
from plots.site.index import index
from plots.site.limits_page import device_limits
from plots.site.methods import METHODS
from plots.site.paper_page import paper_page
from plots.site.assets import TEMPLATES, script, style
from plots.site.place import ZIP, Place

Step = Callable[[], None]


def write_report(
    results: Results,
    sections: Sequence[Section],
    out: Path,
    step: Step = lambda: None,
    note: str = "",
    single_file: bool = False,
    folder: Path = ROOT / "results",
) -> Path:
    """Writes the site and returns the path of its index.

    `note` is a line at the top: what a run could not finish. `folder` holds the results that the archive contains.
    """
    for name, content in render(results, sections, step, note, single_file, folder).items():
        write_bytes(out / name, content)
    return out / "index.html"


def render(
    results: Results,
    sections: Sequence[Section],
    step: Step = lambda: None,
    note: str = "",
    single_file: bool = False,
    folder: Path = ROOT / "results",
) -> dict[str, bytes]:
    """The files of the site by their paths; with `single_file`, index.html alone."""
    place = Place(single_file)
    pictures = Pictures(sections, step)
    papers = [paper_page(section, pictures, place) for section in sections]
    front = index(results, sections, papers)
    shared = dict(
        place=place,
        index=front,
        papers=papers,
        limits=device_limits(results),
        date=datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        note=note,
        # One file holds the archive once.
        archive_link="#data" if single_file else ZIP,
        archive=place.archive(archive({**place.files, **source_files(folder)})),
        devices=sorted(results.devices, key=lambda device: not device.has_gpu),
        methods=METHODS,
        against_columns=COLUMNS,
        at_their_best=AT_THEIR_BEST,
        style=Markup(style()),
        script=Markup(script()),
    )
    environment = _environment()

    def page(template: str, **more: object) -> bytes:
        return environment.get_template(template).render(**shared, **more).encode("utf-8")

    if single_file:
        return {"index.html": page("single.html.j2", page_name="index")}
    files = {"index.html": page("index.html.j2", page_name="index"), ".nojekyll": b""}
    for paper in papers:
        files[f"{paper.name}.html"] = page("paper.html.j2", page_name=paper.name, paper=paper)
    if shared["limits"]:
        files["limits.html"] = page("limits.html.j2", page_name="limits")
    files["lockstep.css"] = style().encode("utf-8")
    files["lockstep.js"] = script().encode("utf-8")
    return files | place.files


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["with_code"] = with_code
    return environment


def with_code(text: str) -> Markup:
    """A sentence in the Markdown of the pages of results: `code`, *emphasis*, and 2^14 as a power."""
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text)))
    marked = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<em>\1</em>", marked)
    return Markup(re.sub(r"\b(\d+)\^(\d+)\b", r"\1<sup>\2</sup>", marked))
