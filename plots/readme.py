"""`lockstep report --readme DEVICE`: the part of README.md that says what was found, and its pictures, from one device's results.

Every measured number of README.md stands between the two marks, so that none can outlive the rows it came from: a test
compares that part with what the committed results give.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plots.atomic import write_bytes, write_text
from plots.catalog import Experiment, load_all
from plots.claims import judge_all, summary
from plots.draw import draw
from plots.errors import NotTestable, UserError
from plots.figures import Scope
from plots.gather import load_results, looks_of
from plots.results import Results, View

BEGIN = "<!-- what was found: written by ./lockstep report --readme DEVICE -->"
END = "<!-- end of what was found -->"
#: Experiment, figure and what it shows.
PICTURES: Sequence[tuple[str, str, str]] = (
    ("random_grids", "ranking_grid", "Grids of 32 x 32 with half the sites occupied, a second"),
    ("rule_interpreter", "divergence", "Time against the share of values that are enabled"),
    ("object_layout", "agents", "Agent-ticks a second against the number of agents"),
)


def found(results: Results, slug: str, folder: Path) -> str:
    """The text between the marks: two findings and the count of verdicts an experiment, then the pictures."""
    device = next((device for device in results.devices if device.slug == slug), None)
    if device is None:
        raise UserError(f"no results of {slug}", "the folder has none", "name a folder of results/: --readme DEVICE")
    lines = [f"On one {device.name} (results/{slug}; all of it in the report):", ""]
    for experiment in load_all(results):
        view = results.view(experiment.name, device, experiment.facts)
        if view.cases:
            lines.append(f"- **{experiment.about.title}.** {' '.join(said(experiment, view))}")
    lines.append("")
    for name, figure, text in PICTURES:
        lines.append(f"![{text}]({picture(folder, slug, name, figure)})")
    return "\n".join(lines)


def said(experiment: Experiment, view: View) -> list[str]:
    texts = []
    for finding in experiment.findings:
        try:
            texts.append(finding(view))
        except NotTestable:
            continue
    judgements = judge_all(experiment.claims, view)
    return texts[:2] + [f"Of the paper's {len(judgements)} claims, {summary(judgements)}."]


def picture(folder: Path, slug: str, experiment: str, figure: str) -> str:
    return f"{folder.name}/{slug}/pictures/{experiment}_{figure}.svg"


def with_found(readme: str, text: str) -> str:
    """The page with the part between its marks replaced."""
    if BEGIN not in readme or END not in readme:
        raise UserError("README.md has no place for what was found", f"it lacks {BEGIN} or {END}", "add both lines")
    before, rest = readme.split(BEGIN, 1)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.split(END, 1)[1]}"


def write_readme(readme: Path, folder: Path, slug: str) -> Path:
    """Rewrites the part of README.md between the marks, and its pictures beside the results."""
    results = load_results(folder)
    text = with_found(readme.read_text(encoding="utf-8"), found(results, slug, folder))
    device = next(device for device in results.devices if device.slug == slug)
    for name, figure, _ in PICTURES:
        (experiment,) = load_all(results, only=[name])
        view = results.view(name, device, experiment.facts)
        spec = next(spec for spec in experiment.figures if spec.name == figure)
        drawing = spec.draw(Scope(view, experiment.papers(), [view], folder))
        write_bytes(
            folder.parent / picture(folder, slug, name, figure),
            draw(drawing, looks_of([view], experiment), "svg")["svg"],
        )
    return write_text(readme, text)
