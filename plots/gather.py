"""Collects what an experiment shows: figures, tables and verdicts per device, and the reason for each that is
missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from plots import beside, cold_cache, whole_runs
from plots.catalog import ROOT, Experiment, load_all, with_items
from plots.claims import Judgement, judge_all
from plots.drawing import Drawing
from plots.errors import NotTestable, attempt
from plots.figures import Lines, Scope
from plots.load import load
from plots.results import Device, Results, View
from plots.scaling import scaling
from plots.style import ROLE_ORDER, Looks
from plots.tables import TableData
from plots.verdict import Verdict

#: Folder and key of figures that show all devices together.
ALL_DEVICES = "all-devices"


@dataclass
class Page:
    """What one device (or `ALL_DEVICES`) shows of an experiment. `missing` has what could not be drawn, and why."""

    slug: str
    device: Device | None
    view: View | None
    drawings: list[Drawing] = field(default_factory=list)
    tables: list[TableData] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    missing: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Section:
    """An experiment: figures across devices, a page per device, and the verdicts on the paper's own numbers."""

    experiment: Experiment
    looks: Looks
    across: Page
    pages: list[Page]
    papers: list[Page]


def load_results(root: Path) -> Results:
    """The results under a folder, or none if it does not exist yet: the published numbers still make a page."""
    return most_decided_first(with_items(load(root))) if root.is_dir() else Results((), ())


def most_decided_first(results: Results) -> Results:
    """Devices with a GPU first, and of these the one that decides most claims: pages about one device show the first."""
    if len(results.devices) < 2:
        return results
    decided: Counter[str] = Counter()
    for experiment in load_all(results):
        for device in results.devices:
            judged = judge_all(experiment.claims, results.view(experiment.name, device, experiment.facts))
            decided[device.slug] += sum(one.verdict is not Verdict.NOT_TESTABLE for one in judged)
    order = sorted(results.devices, key=lambda device: (not device.has_gpu, -decided[device.slug]))
    return replace(results, devices=tuple(order))


def gather(results: Results, only: Sequence[str] = (), folder: Path = ROOT / "results") -> list[Section]:
    """The sections, measured experiments first. `folder` holds the results and the traces."""
    sections = [section(experiment, results, folder) for experiment in load_all(results, only=only)]
    shown = [section for section in sections if section.pages or section.papers or section.across.drawings]
    return sorted(shown, key=lambda section: not section.pages)


def section(experiment: Experiment, results: Results, folder: Path) -> Section:
    papers = experiment.papers()
    views = [results.view(experiment.name, device, experiment.facts) for device in results.devices]
    views = [view for view in views if view.cases]
    empty = View(experiment.name, Device("none", "no device"), [], experiment.facts)
    across = Page(ALL_DEVICES, None, None)
    _draw(across, experiment, Scope(views[0] if views else empty, papers, views, folder), across_devices=True)
    pages = []
    for view in views:
        page = Page(view.device.slug, view.device, view)
        _draw(page, experiment, Scope(view, papers, views, folder), across_devices=False)
        _tables(page, experiment, Scope(view, papers, views, folder))
        page.judgements = judge_all(experiment.claims, view)
        page.findings = _findings(experiment, view)
        pages.append(page)
    judged = [
        Page(view.device.slug, view.device, view, judgements=judge_all(experiment.claims, view)) for view in papers
    ]
    return Section(experiment, looks_of(views, experiment), across, pages, judged)


def looks_of(views: Sequence[View], experiment: Experiment) -> Looks:
    """Assigns colours: first to variants that figures always name, then by role.

    So a variant keeps its colour in all figures.
    """
    cases = [case for view in views for case in view.cases]
    variants = [variant for _, variant in sorted({(ROLE_ORDER.index(case.role), case.variant) for case in cases})]
    kept = [label.split(", ")[0] for figure in experiment.figures if isinstance(figure, Lines) for label in figure.keep]
    keys = list(dict.fromkeys([*(name for name in kept if name in variants), *variants]))
    return Looks(keys, experiment.colours)


def _draw(page: Page, experiment: Experiment, scope: Scope, across_devices: bool) -> None:
    for spec in experiment.figures:
        if spec.across != across_devices:
            continue
        try:
            page.drawings.append(attempt(spec.draw, scope))
        except NotTestable as reason:
            page.missing.append((spec.title, str(reason)))


def _tables(page: Page, experiment: Experiment, scope: Scope) -> None:
    for spec in experiment.tables:
        try:
            page.tables.append(attempt(spec.fill, scope))
        except NotTestable as reason:
            page.missing.append((spec.title, str(reason)))
    if scope.view.shard_sets:
        page.tables.append(scaling(scope.view))
    for fill in (cold_cache.table, beside.table, whole_runs.table):
        try:
            page.tables.append(attempt(fill, scope.view))
        except NotTestable:
            continue  # No list of what to draw asks for these tables.
    reasons = [*beside.skipped(scope.view), *whole_runs.missing(scope.view)]
    page.missing += [(head.replace("`", ""), why) for head, _, why in (line.partition(": ") for line in reasons)]


def _findings(experiment: Experiment, view: View) -> list[str]:
    found = []
    for finding in experiment.findings:
        try:
            found.append(attempt(finding, view))
        except NotTestable:
            continue
    return found
