"""`lockstep report --readme DEVICE`: the parts of README.md that depend on results, and a page per experiment.

Every measured number of README.md stands between two marks, so no number can outlive the rows that it came from: a test
compares these parts with what the committed results give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from plots.atomic import write_text
from plots.catalog import Experiment, load_experiment
from plots.claims import counted, judge_all, summary
from plots.errors import NotTestable, UserError, attempt
from plots.escape import markdown
from plots.findings_page import (
    device_of,
    drawing_of,
    in_markdown,
    measured,
    picture_path,
    sentences,
    write_pages,
    write_picture,
)
from plots.gather import load_results
from plots.markdown import bullet, sentence, table, wrapped
from plots.results import Results, View
from plots.speeds import AT_THEIR_BEST, speeds
from plots.verdict import Verdict

BEGIN = "<!-- {}: written by ./lockstep report --readme DEVICE -->"
END = "<!-- end of {} -->"

#: The picture at the top of README.md: experiment, figure, title, and how to read it on a device.
PICTURE = (
    "replications",
    "gains",
    "Speeds of replications",
    "Speedups of one warp per replication, in the paper and on one {device}, and of a team of lanes. Each lane of a team "
    "jumps to its own part of the replication's random stream. All results are equal bit for bit.",
)


def picture(results: Results, slug: str, folder: Path) -> str:
    name, figure, title, text = PICTURE
    path = f"{folder.name}/{picture_path(slug, load_experiment(name), figure)}"
    return f"![{title}]({path})\n\n{wrapped(text.format(device=_device_name(results, slug)))}"


def findings(results: Results, slug: str, folder: Path) -> str:
    """How many claims hold, and one sentence per experiment, with a link to its page."""
    pairs = measured(results, slug)
    judgements = [judgement for experiment, view in pairs for judgement in judge_all(experiment.claims, view)]
    counts = sentence(summary(judgements, "the papers' "))
    head = (
        f"Measured on one {_device_name(results, slug)}. {counts} Medians are ratios of our fastest GPU "
        f"method to the fastest other one, {AT_THEIR_BEST}."
    )
    lines = [wrapped(head), ""]
    for experiment, view in pairs:
        for text in sentences(experiment.findings, in_markdown(view), "", [])[:1]:
            page = f"{folder.name}/{slug}/{experiment.name}.md"
            lines.append(bullet(f"[{experiment.about.title}]({page}): {text}{_over_all(view)}"))
    return "\n".join(lines)


def papers(results: Results, slug: str, folder: Path) -> str:
    """Paper, answer and verdicts on this device: a row per experiment, short enough for 100 columns."""
    pairs = measured(results, slug)
    rows = [
        (
            _cited(experiment),
            _answer(experiment, in_markdown(view)),
            _counts(experiment, view),
        )
        for experiment, view in pairs
    ]
    links = [
        f"[{experiment.about.cited}]: {experiment.about.link}" for experiment, _ in pairs if _is_linked(experiment)
    ]
    head = ("paper", f"answer on the {_device_name(results, slug)}", "hold, mixed, fail, outdated")
    return "\n".join([table(head, rows), "", *links])


#: The generated parts of README.md.
PARTS: Mapping[str, Callable[[Results, str, Path], str]] = {"picture": picture, "findings": findings, "papers": papers}


def with_parts(readme: str, results: Results, slug: str, folder: Path) -> str:
    """README.md with every generated part replaced."""
    for name, write in PARTS.items():
        readme = with_part(readme, name, write(results, slug, folder))
    return readme


def with_part(readme: str, name: str, text: str) -> str:
    """The document with what stands between the marks of a part replaced."""
    begin, end = BEGIN.format(name), END.format(name)
    if begin not in readme or end not in readme:
        raise UserError(f"README.md has no place for its {name}", f"it lacks {begin} or {end}", "add both lines")
    before, rest = readme.split(begin, 1)
    return f"{before}{begin}\n{text}\n{end}{rest.split(end, 1)[1]}"


def write_readme(readme: Path, folder: Path, slug: str) -> list[Path]:
    """Rewrites the generated parts of README.md and, in the results folder, the pages and pictures of all experiments."""
    results = load_results(folder)
    text = with_parts(readme.read_text(encoding="utf-8"), results, slug, folder)
    experiment = load_experiment(PICTURE[0])
    view = results.view(experiment.name, device_of(results, slug), experiment.facts)
    try:
        drawing = attempt(drawing_of, experiment, view, PICTURE[1])
    except NotTestable as reason:
        again = f"run ./lockstep run {experiment.name}, or leave README.md as it is with --pages"
        raise UserError(f"cannot draw the picture of {readme.name}", str(reason), again) from None
    return [
        *write_pages(results, slug, folder),
        write_picture(experiment, view, drawing, folder),
        write_text(readme, text),
    ]


def _over_all(view: View) -> str:
    """How our methods fare on all workloads, not only on those of the headline."""
    found = speeds(view)
    if not found:
        return ""
    last = found[-1]
    number = len(last.ratios)
    with_cpu = "all" if last.with_cpu == number else str(last.with_cpu or "none")
    cpu = f"({with_cpu} with a CPU row)"
    return f" Median over {number} workloads {cpu}: {last.factor} as fast; slower in {last.losses or 'none'}."


def _device_name(results: Results, slug: str) -> str:
    return markdown(device_of(results, slug).name)


def _is_linked(experiment: Experiment) -> bool:
    return bool(experiment.about.cited and experiment.about.link)


def _cited(experiment: Experiment) -> str:
    about = experiment.about
    return f"[{about.cited}]" if _is_linked(experiment) else about.cited or about.paper


def _counts(experiment: Experiment, view: View) -> str:
    """'13, 3, 4, 0': claims by verdict; the findings above have the sums of the others."""
    kinds = [judgement.kind for judgement in judge_all(experiment.claims, view)]
    return ", ".join(str(kinds.count(kind)) for kind in ("holds", "mixed", "does-not-hold", "moved"))


def _answer(experiment: Experiment, view: View) -> str:
    """The answer in a few words, or else '16 of 27 claims hold': of those that a measurement can decide."""
    if experiment.answer is not None:
        try:
            return attempt(experiment.answer, view)
        except NotTestable:
            pass
    verdicts = [judgement.verdict for judgement in counted(judge_all(experiment.claims, view))]
    return f"{verdicts.count(Verdict.HOLDS)} of {len(verdicts)} claims hold"
