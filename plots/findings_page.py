"""results/<device>/<experiment>.md: what the rows of one device say about an experiment, in sentences and tables.

`./lockstep report --pages DEVICE` writes these pages. A test compares the committed pages with the committed rows, so no
number on a page can outlive the rows that it came from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plots import beside, cold_cache, whole_runs
from plots.atomic import write_bytes, write_text
from plots.catalog import ROOT, Experiment, load_all
from plots.claims import HOW_JUDGED, Judgement, judge_all, summary
from plots.commits import origin
from plots.draw import draw
from plots.drawing import Drawing
from plots.errors import NothingToReport, NotTestable, UserError, attempt
from plots.escape import markdown
from plots.figures import Scope
from plots.findings import Finding
from plots.gather import looks_of
from plots.markdown import bullet, paragraph, sentence, table, wrapped
from plots.results import Case, Device, Results, View
from plots.shards import parts_of
from plots.spec import command_for
from plots.tables import TableData

#: What a page says where rows are missing: the section, and the reason.
Missing = tuple[str, str]

#: The free texts of a row besides its axes, and the rows of a view.
TEXTS = ("name", "reason", "item", "verified", "timer", "version", "note")
ROWS = ("cases", "shard_sets", "peers", "end_to_end", "cold")


def device_of(results: Results, slug: str) -> Device:
    device = next((device for device in results.devices if device.slug == slug), None)
    if device is None:
        raise UserError(f"no results of {slug}", "the folder has none", "name a folder of results/")
    return device


def measured(results: Results, slug: str) -> list[tuple[Experiment, View]]:
    """The experiments that have rows of this device."""
    device = device_of(results, slug)
    pairs = [(experiment, results.view(experiment.name, device, experiment.facts)) for experiment in load_all(results)]
    return [(experiment, view) for experiment, view in pairs if view.cases]


def in_markdown(view: View) -> View:
    """The view with its free texts escaped: sentences of a page name them as they are. Names need no escape, by the schema."""

    def device(one: Device) -> Device:
        texts = {key: markdown(value) for key, value in one.attributes.items() if isinstance(value, str)}
        return replace(one, name=markdown(one.name), attributes={**one.attributes, **texts})

    def case(one: Case) -> Case:
        texts = {name: markdown(getattr(one, name)) for name in TEXTS}
        axes = {name: markdown(value) for name, value in one.axes.items()}
        return replace(one, axes=axes, **texts)

    groups = {name: [case(one) for one in getattr(view, name)] for name in ROWS}
    return replace(view, device=device(view.device), **groups)


def page(experiment: Experiment, rows: View) -> str:
    missing: list[Missing] = []
    measured_view, limits = with_noted_limits(rows)
    view = in_markdown(measured_view)
    blocks = _section(
        "Findings", [bullet(text) for text in sentences(experiment.findings, view, "Findings", missing)], "\n"
    )
    for drawing in drawings(experiment, measured_view, missing):
        path = picture_path(view.device.slug, experiment, drawing.name).removeprefix(f"{view.device.slug}/")
        blocks.append(f"![{drawing.title}]({path})")
    for topic in experiment.topics:
        blocks += _section(topic.title, map(paragraph, sentences(topic.paragraphs, view, topic.title, missing)))
    blocks += _claims(judge_all(experiment.claims, view))
    blocks += _cold_cache(view)
    blocks += _beside(view)
    blocks += _whole_runs(view)
    reasons = [bullet(f"{title}: {reason}.") for title, reason in dict.fromkeys(missing)]
    blocks += _section("Not measured on this device", reasons, "\n")
    return "\n\n".join([*_head(experiment, view, limits.was_read), *blocks]) + "\n"


def sentences(functions: Sequence[Finding], view: View, title: str, missing: list[Missing]) -> list[str]:
    """The texts that the rows support. The others go to `missing`, each with its reason."""
    texts = []
    for function in functions:
        try:
            texts.append(attempt(function, view))
        except NothingToReport:
            continue
        except NotTestable as reason:
            missing.append((title, str(reason).rstrip(".")))
    return texts


def picture_path(slug: str, experiment: Experiment, figure: str) -> str:
    """Relative to the results folder."""
    return f"{slug}/pictures/{experiment.name}_{figure}.svg"


def drawing_of(experiment: Experiment, view: View, figure: str) -> Drawing:
    spec = next((spec for spec in experiment.figures if spec.name == figure), None)
    if spec is None:
        known = ", ".join(spec.name for spec in experiment.figures)
        raise UserError(f"{experiment.name} has no figure {figure}", f"known are {known}", "correct the name")
    return spec.draw(Scope(view, experiment.papers(), [view]))


def drawings(experiment: Experiment, view: View, missing: list[Missing]) -> list[Drawing]:
    """The pictures of a page that the rows support. The others go to `missing`, each with its reason."""
    found = []
    for figure in experiment.pictures:
        try:
            found.append(attempt(drawing_of, experiment, view, figure))
        except NotTestable as reason:
            missing.append((f"The figure {figure}", str(reason).rstrip(".")))
    return found


def write_picture(experiment: Experiment, view: View, drawing: Drawing, folder: Path) -> Path:
    content = draw(drawing, looks_of([view], experiment), "svg")["svg"]
    return write_bytes(folder / picture_path(view.device.slug, experiment, drawing.name), content)


def write_pages(results: Results, slug: str, folder: Path) -> list[Path]:
    written = []
    for experiment, view in measured(results, slug):
        written.append(write_text(folder / slug / f"{experiment.name}.md", page(experiment, view)))
        written += [write_picture(experiment, view, drawing, folder) for drawing in drawings(experiment, view, [])]
    return written


def _head(experiment: Experiment, view: View, shows_limits: bool) -> list[str]:
    name, about = experiment.name, experiment.about
    documents = [file for file in ("README.md", "METHOD.md") if (ROOT / "experiments" / name / file).is_file()]
    links = " and ".join(f"[{file}](../../experiments/{name}/{file})" for file in documents)
    blocks = [f"# {about.title} on one {view.device.name}"]
    blocks += [wrapped(text) for text in (about.question, f"Paper: {about.paper}") if text and about.paper]
    if links:
        blocks.append(wrapped(f"{links} describe the experiment, its variants and its units."))
    blocks.append(wrapped(_machine(view.device)))
    blocks.append(
        wrapped(
            f"This page is generated from [{name}.json]({name}.json): {origin(_rows_of_file(view))}."
            f"{_older_counters(view)}{_shards(view)} To measure again and rewrite it:"
        )
    )
    blocks.append("\n".join(["```", *commands(view, shows_limits), "```"]))
    return blocks


def commands(view: View, shows_limits: bool) -> list[str]:
    """What measures the rows that a page shows, and then writes it."""
    name = view.experiment
    counters = any(metric.startswith("counter_") for case in view for metric in case.measurements)
    asked = {
        "./lockstep limits": shows_limits,
        f"./lockstep run {name} --preset full": True,
        **{f"{command_for([row])} --shard I/{parts_of(row)}": True for row in sorted(view.shard_sets, key=parts_of)},
        f"./lockstep peers {name}": bool(view.peers),
        f"./lockstep end-to-end {name}": bool(view.end_to_end),
        f"./lockstep reproduce {name} --preset full --counters": counters,
        f"./lockstep report --pages {view.device.slug}": True,
    }
    return [command for command, is_needed in asked.items() if is_needed]


def _rows_of_file(view: View) -> list[Case]:
    """The rows of the experiment's own file: hot and cold ones, but not those of shards."""
    return [case for case in [*view.cases, *view.cold] if parts_of(case) == 1]


def _shards(view: View) -> str:
    """Where the rows of shards come from. A set counts as one row."""
    return f" The sets of shards count as one row each: {origin(view.shard_sets)}." if view.shard_sets else ""


def _machine(device: Device) -> str:
    """'Device: NVIDIA H200, compute capability 9.0, 132 multiprocessors, driver 13.0.'"""
    known = {
        name: str(device.attributes.get(name) or "") for name in ("compute_capability", "multiprocessors", "driver")
    }
    parts = [
        f"compute capability {known['compute_capability']}" if known["compute_capability"] else "",
        f"{known['multiprocessors']} multiprocessors" if known["multiprocessors"] else "",
        f"CUDA driver {known['driver']}" if known["driver"] else "",
    ]
    return f"Device: {', '.join([device.name, *filter(None, parts)])}."


def _older_counters(view: View) -> str:
    """Rows whose hardware counters were read at another commit than their time (plots/counters.py)."""
    commits = Counter(
        str(case.provenance["counters_commit"])[:10]
        for case in view
        if case.provenance.get("counters_commit") not in (None, "", case.provenance.get("commit"))
    )
    return "".join(
        f" The hardware counters of {count} {'row' if count == 1 else 'rows'} were read at commit {commit}."
        for commit, count in commits.most_common()
    )


class NotedLimits(Mapping[str, Mapping[str, Any]]):
    """The limits of a device, which remember whether somebody read one."""

    def __init__(self, limits: Mapping[str, Mapping[str, Any]]) -> None:
        self.limits, self.was_read = limits, False

    def __getitem__(self, name: str) -> Mapping[str, Any]:
        found = self.limits[name]
        self.was_read = True
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.limits)

    def __len__(self) -> int:
        return len(self.limits)


def with_noted_limits(view: View) -> tuple[View, NotedLimits]:
    limits = NotedLimits(view.device.limits)
    return replace(view, device=replace(view.device, limits=limits)), limits


def _section(title: str, blocks: Iterable[str], between: str = "\n\n") -> list[str]:
    text = between.join(blocks)
    return [f"## {title}", text] if text else []


def _claims(judgements: Sequence[Judgement]) -> list[str]:
    if not judgements:
        return []
    rows = [
        (
            judgement.claim.id,
            f"“{judgement.claim.quote}” ({judgement.claim.place})",
            judgement.claim.published,
            _measured(judgement),
            judgement.verdict_text,
        )
        for judgement in judgements
    ]
    counts = sentence(summary(judgements, "the paper's "))
    return [
        "## The paper's claims",
        wrapped(f"{counts} {HOW_JUDGED}"),
        table(("claim", "the paper says", "printed", "measured here", "verdict"), rows),
    ]


def _beside(view: View) -> list[str]:
    """Foreign programs, if any was tried on this device: the comparison, what was checked, and what is missing."""
    blocks = [wrapped(beside.summary(view)), *_cells(beside.table, view)]
    blocks += ["\n".join(map(bullet, beside.remarks(view)))]
    skipped = beside.skipped(view)
    blocks += ["Not measured, with the reason:", "\n".join(map(bullet, skipped))] if skipped else []
    return _section(beside.TITLE, filter(None, blocks))


def _cold_cache(view: View) -> list[str]:
    rows = _cells(cold_cache.table, view)
    blocks = [wrapped(cold_cache.EXPLANATION), *rows, wrapped(cold_cache.fixed(view))] if rows else []
    return _section(cold_cache.TITLE, filter(None, blocks))


def _whole_runs(view: View) -> list[str]:
    rows = _cells(whole_runs.table, view)
    source = f" The rows are in {view.experiment}.end_to_end.json: {origin(view.end_to_end)}."
    blocks = [wrapped(whole_runs.EXPLANATION + source), *rows] if rows else []
    return _section(whole_runs.TITLE, [*blocks, *map(bullet, whole_runs.missing(view))])


def _cells(fill: Callable[[View], TableData], view: View) -> list[str]:
    try:
        data = attempt(fill, view)
    except NotTestable:
        return []
    return [table(data.columns, data.rows)]


def _measured(judgement: Judgement) -> str:
    if judgement.measured is None:
        return ""
    details = f" ({judgement.details})" if judgement.details else ""
    return f"{judgement.claim.how}: {judgement.measured_text}{details}; holds if {judgement.bound_text}"
