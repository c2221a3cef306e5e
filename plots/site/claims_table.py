"""The claims of a paper with their verdicts, the reasons in words, and the figure that decides each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from plots.claims import Claim, Judgement
from plots.gather import Page, Section
from plots.site.figure_card import figure_id
from plots.site.reasons import cpu_variants, reason
from plots.site.table_card import table_id
from plots.verdict import Verdict

#: What the paper's own printed numbers say of a claim: the value of data-paper-verdict, and the words.
OWN_NUMBERS = {
    "contradicted": "contradicted by its own numbers",
    "partly": "contradicted by some of its own numbers",
    "reading": "its own numbers fail only as it is read here",
    "agrees": "agrees with its own numbers",
    "none": "prints no number to check",
}
NUMBERED = re.compile(r"\b(Figure|Table) (\d+)")


@dataclass(frozen=True)
class Judged:
    """A verdict as the pages show it."""

    judgement: Judgement
    reason: str


@dataclass(frozen=True)
class ClaimRow:
    """`kind` is the verdict on the first device, `own` the one on the paper's numbers, `shown_in` id and title of a figure."""

    claim: Claim
    kind: str
    own: str
    judged: tuple[Judged, ...]
    papers: tuple[Judged, ...]
    shown_in: tuple[str, str] | None

    @property
    def is_measured(self) -> bool:
        return any(one.judgement.measured is not None for one in self.judged)

    @property
    def own_words(self) -> str:
        return OWN_NUMBERS[self.own]


def judging_pages(section: Section) -> list[Page]:
    """The devices that the table shows: those with a GPU, or else all. A CPU decides few claims about GPUs."""
    judged = [page for page in by_machine(section.pages) if page.judgements]
    return [page for page in judged if page.device is not None and page.device.has_gpu] or judged


def by_machine(pages: Sequence[Page]) -> list[Page]:
    """Devices with a GPU first."""
    return sorted(pages, key=lambda page: page.device is None or not page.device.has_gpu)


def claim_rows(section: Section) -> list[ClaimRow]:
    on_cpu = cpu_variants(section)
    pages = judging_pages(section)
    papers = [page for page in section.papers if page.judgements]
    rows = []
    for index, claim in enumerate(section.experiment.claims):
        judged = [Judged(one, reason(one, on_cpu)) for one in (page.judgements[index] for page in pages)]
        own = [Judged(one, reason(one, on_cpu)) for one in (page.judgements[index] for page in papers)]
        known = tuple(one for one in own if one.judgement.measured is not None)
        kind = judged[0].judgement.kind if judged else "not-testable"
        rows.append(ClaimRow(claim, kind, own_verdict(known), tuple(judged), known, shown_in(section, pages, claim)))
    return rows


def own_verdict(known: Sequence[Judged]) -> str:
    """A key of OWN_NUMBERS. Numbers within their own error decide nothing, and a mixed claim has a number that holds."""
    verdicts = {one.judgement.verdict for one in known}
    fails = any(one.judgement.fails_somewhere for one in known)
    if fails and any(one.judgement.claim.reading for one in known):
        return "reading"
    if Verdict.DOES_NOT_HOLD in verdicts:
        return "contradicted"
    if fails:
        return "partly"
    return "agrees" if verdicts & {Verdict.HOLDS, Verdict.MIXED} else "none"


def shown_in(section: Section, pages: Sequence[Page], claim: Claim) -> tuple[str, str] | None:
    """The id and the title of what shows the deciding numbers: as declared, or the figure that the paper names."""
    wanted = [claim.figure] if claim.figure else []
    wanted += [f"{kind.lower()}{number}" for kind, number in NUMBERED.findall(f"{claim.place} {claim.published}")]
    shown: dict[str, tuple[str, str]] = {}
    for page in [*pages[:1], section.across]:
        for drawing in page.drawings:
            shown.setdefault(drawing.name, (figure_id(section, page, drawing.name), drawing.title))
        for table in page.tables:
            shown.setdefault(table.name, (table_id(section, page, table.name), table.title))
    for name in wanted:
        found = [key for key in shown if key == name or (not claim.figure and re.match(rf"{name}(?!\d)", key))]
        if found:
            return shown[found[0]]
    return None
