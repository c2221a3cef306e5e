"""The index: what was reproduced, what was not, and how much faster ours is, on one screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from plots.drawing import Drawing
from plots.errors import NotTestable, attempt
from plots.gather import Page, Section
from plots.results import Results
from plots.site.claims_table import ClaimRow, by_machine
from plots.site.figure_card import figure_id
from plots.site.front_picture import front_picture
from plots.site.paper_page import PaperPage
from plots.site.verdict_bar import Segment, of_counts


@dataclass(frozen=True)
class Front:
    """A paper on the index: its page, and the one picture of it."""

    page: PaperPage
    cited: str
    asks: str
    answer: str
    main: ClaimRow | None
    svg: Markup | None
    figure: str
    title: str


@dataclass(frozen=True)
class Index:
    """`total` counts claims by kind over all papers; `contradicted` are those that fail in the paper's own numbers."""

    device: str
    devices: tuple[str, ...]
    fronts: tuple[Front, ...]
    total: tuple[Segment, ...]
    claims: int
    contradicted: tuple[tuple[PaperPage, ClaimRow], ...]
    partly: tuple[tuple[PaperPage, ClaimRow], ...]


def index(results: Results, sections: Sequence[Section], pages: Sequence[PaperPage]) -> Index:
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({segment.kind: segment.count for segment in page.segments})
    claims = sum(counts.values())
    names = [device.name for device in sorted(results.devices, key=lambda device: not device.has_gpu)]
    rows = [(page, row) for page in pages for row in page.claims]
    return Index(
        device=names[0] if names else "",
        devices=tuple(names),
        fronts=tuple(front(section, page) for section, page in zip(sections, pages)),
        total=tuple(of_counts(counts)),
        claims=claims,
        contradicted=tuple((page, row) for page, row in rows if row.own == "contradicted"),
        partly=tuple((page, row) for page, row in rows if row.own == "partly"),
    )


def front(section: Section, page: PaperPage) -> Front:
    about = section.experiment.about
    found = front_drawing(section)
    main = next((row for row in page.claims if row.claim.id == section.experiment.main_claim), None)
    said = (about.cited, about.asks or about.question, short_answer(section), main)
    if found is None:
        return Front(page, *said, None, "", "")
    owner, drawing = found
    svg = front_picture(drawing, section.looks, f"front-{section.experiment.name}")
    return Front(page, *said, svg, figure_id(section, owner, drawing.name), drawing.title)


def short_answer(section: Section) -> str:
    """The answer to the paper's question in a few words, on the first device with a GPU."""
    first = next(iter(by_machine(section.pages)), None)
    if first is None or first.view is None or section.experiment.answer is None:
        return ""
    try:
        return attempt(section.experiment.answer, first.view)
    except NotTestable:
        return ""


def front_drawing(section: Section) -> tuple[Page, Drawing] | None:
    """FRONT as declared, or a figure with the paper's numbers in it, or the first picture of the results' page."""
    owners = [section.across, *by_machine(section.pages)[:1]]
    drawn = [(owner, drawing) for owner in owners for drawing in owner.drawings if drawing.shape != "cells"]
    named = [section.experiment.front, *section.experiment.pictures]
    declared = [pair for name in named for pair in drawn if pair[1].name == name]
    compared = [pair for pair in drawn if {series.kind for series in pair[1].series} >= {"measured", "published"}]
    chosen = declared if section.experiment.front and declared else [*compared, *declared, *drawn]
    return next(iter(chosen), None)
