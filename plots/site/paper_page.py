"""The page of one paper: question, answer, verdicts, claims, then what each device shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plots.claims import Judgement, summary
from plots.errors import NotTestable, attempt
from plots.gather import Page, Section
from plots.markdown import sentence
from plots.site.against import Against, comparisons
from plots.site.claims_table import ClaimRow, Judged, by_machine, claim_rows, judging_pages
from plots.site.data_files import claims_csv, folder, rows_csv
from plots.site.figure_card import FigureCard, Pictures, card
from plots.site.place import Place
from plots.site.provenance import provenance
from plots.site.reasons import cpu_variants, reason
from plots.speeds import Speed, speeds
from plots.site.table_card import TableCard, table_card
from plots.site.verdict_bar import Segment, segments
from plots.verdict import Verdict


@dataclass(frozen=True)
class DevicePart:
    """What a device shows of an experiment. `judged` has its verdicts if the table of claims has no column for it."""

    id: str
    slug: str
    name: str
    findings: tuple[str, ...]
    judged: tuple[Judged, ...]
    needs_gpu: int
    command: str
    figures: tuple[FigureCard, ...]
    tables: tuple[TableCard, ...]
    provenance: tuple[tuple[str, str], ...]
    rows_link: str
    missing: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PaperPage:
    name: str
    title: str
    question: str
    paper: str
    link: str
    answer: str
    device: str
    summary: str
    segments: tuple[Segment, ...]
    speeds: tuple[Speed, ...]
    claims: tuple[ClaimRow, ...]
    devices: tuple[str, ...]
    claims_link: str
    across: tuple[FigureCard, ...]
    parts: tuple[DevicePart, ...]
    against: tuple[Against, ...]


def paper_page(section: Section, pictures: Pictures, place: Place) -> PaperPage:
    experiment, about = section.experiment, section.experiment.about
    judging = judging_pages(section)
    judgements: Sequence[Judgement] = judging[0].judgements if judging else ()
    first = next(iter(by_machine(section.pages)), None)
    claims_file = f"data/{experiment.name}/claims.csv"
    return PaperPage(
        name=experiment.name,
        title=about.title,
        question=about.question,
        paper=about.paper,
        link=about.link,
        answer=_answer(section, first),
        device=first.device.name if first is not None and first.device is not None else "",
        summary=sentence(summary(judgements, "the paper's ")) if judgements else "",
        segments=tuple(segments(judgements)),
        speeds=tuple(speeds(first.view)) if first is not None and first.view is not None else (),
        claims=tuple(claim_rows(section)),
        devices=tuple(page.device.name for page in judging if page.device is not None),
        claims_link=place.data(claims_file, claims_csv(section)) if experiment.claims else "",
        across=tuple(card(section, section.across, drawing, pictures, place) for drawing in section.across.drawings),
        parts=tuple(_part(section, page, judging, pictures, place) for page in by_machine(section.pages)),
        against=tuple(comparisons(section)),
    )


def _answer(section: Section, first: Page | None) -> str:
    """The first finding of the device, or the few words of the README."""
    if first is None or first.view is None:
        return ""
    if first.findings:
        return first.findings[0]
    try:
        return attempt(section.experiment.answer, first.view) if section.experiment.answer else ""
    except NotTestable:
        return ""


def _part(section: Section, page: Page, judging: Sequence[Page], pictures: Pictures, place: Place) -> DevicePart:
    on_cpu = cpu_variants(section)
    listed = [] if page in judging else page.judgements
    decided = [one for one in listed if one.verdict is not Verdict.NOT_TESTABLE]
    return DevicePart(
        id=f"{section.experiment.name}-{page.slug}",
        slug=page.slug,
        name=page.device.name if page.device is not None else page.slug,
        findings=tuple(page.findings),
        judged=tuple(Judged(one, reason(one, on_cpu)) for one in decided),
        needs_gpu=len(listed) - len(decided),
        command=f"./lockstep run {section.experiment.name} --preset full" if section.experiment.sweeps else "",
        figures=tuple(card(section, page, drawing, pictures, place) for drawing in page.drawings),
        tables=tuple(table_card(section, page, table, place) for table in page.tables),
        provenance=tuple(provenance(page)),
        rows_link=place.archived(f"{folder(section, page)}/cases.csv", rows_csv(page)),
        missing=tuple(page.missing),
    )
