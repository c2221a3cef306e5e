"""What all kinds of figure share: what they may draw, their titles, lines for stated numbers, sources and commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plots.drawing import Axis, Drawing, Mark, Point, Series
from plots.errors import NotTestable, attempt
from plots.interval import exact
from plots.results import MACHINE_ORDER, Case, View
from plots.units import takes_prefix

#: Writes a figure's title from the rows of a device.
Title = Callable[[View], str]


@dataclass(frozen=True)
class Scope:
    """What a figure may draw: the rows of a device, of the papers' devices, of all devices (for figures with `across`), and other
    files in the results folder."""

    view: View
    papers: Sequence[View] = ()
    everyone: Sequence[View] = ()
    folder: Path = Path("results")


@dataclass(frozen=True)
class Theory:
    """A computed line: (x, y) pairs for a device's rows."""

    label: str
    curve: Callable[[View], Iterable[tuple[float, float]]]

    def series(self, view: View) -> Series:
        return Series(
            self.label, tuple(Point(x, exact(y)) for x, y in self.curve(view)), f"theory {self.label}", "theory"
        )


@dataclass(frozen=True)
class Stated:
    """A number that the paper states, as a line across the figure. The value is in the axis's unit without a prefix."""

    text: str
    value: Callable[[View], float]
    axis: str = "y"


def marks_of(stated: Iterable[Stated], view: View) -> tuple[Mark, ...]:
    """The lines whose numbers the device has."""
    found = []
    for one in stated:
        try:
            found.append(Mark(attempt(one.value, view), one.text, one.axis))
        except NotTestable:
            continue
    return tuple(found)


def heading(title: str, finding: Title | None, view: View) -> tuple[str, str]:
    """Title and topic: the finding and what is drawn, or what is drawn alone if these rows do not show the finding."""
    if finding is None or not view.cases:
        return title, ""
    try:
        return attempt(finding, view), title
    except NotTestable:
        return title, ""


def machine_name(machine: str) -> str:
    return {"cpu": "CPU", "cuda": "GPU"}.get(machine, machine)


def one_machine(cases: Sequence[Case]) -> list[Case]:
    """A deterministic metric is the same on all machines: each variant keeps its first machine in MACHINE_ORDER."""
    machines: dict[str, str] = {}
    for case in sorted(cases, key=lambda case: MACHINE_ORDER.index(case.machine)):
        machines.setdefault(case.variant, case.machine)
    return [case for case in cases if case.machine == machines[case.variant]]


def command_for(cases: Iterable[Case], name: str = "") -> str:
    """A short command that measures the rows again."""
    rows = [case for case in cases if not case.device.published]
    if not rows:
        return ""
    sweeps = covering_sweeps(rows, name)
    return f"./lockstep run {rows[0].experiment}" + (f" --sweep {','.join(sweeps)}" if sweeps else "")


def covering_sweeps(rows: Sequence[Case], name: str = "") -> list[str]:
    """Few sweeps that have all of the rows: first the one called `name`, then always the one with most of the rest."""
    left = [set(case.sweeps) for case in rows if case.sweeps]
    chosen: list[str] = []
    while left:
        counts: dict[str, int] = {}
        for sweep in (sweep for sweeps in left for sweep in sweeps):
            counts[sweep] = counts.get(sweep, 0) + 1
        best = name if name in counts else min(counts, key=lambda sweep: (-counts[sweep], sweep))
        chosen.append(best)
        left = [sweeps for sweeps in left if best not in sweeps]
    return sorted(chosen)


def source_of(view: View, cases: Sequence[Case], spread: str = "median, 95% interval") -> str:
    """The line under a figure: file, commit, what a point shows."""
    commits = sorted({_commit(case) for case in cases} - {""})
    commit = f", commit {', '.join(commits[:2])}{' and others' if len(commits) > 2 else ''}" if commits else ""
    return f"results/{view.device.slug}/{view.experiment}.json{commit}" + (f"; {spread}" if spread else "")


def spread_of(series: Iterable[Series], unit: str = "1") -> str:
    """What a point shows: a median with its interval, a count, or one traced run; nothing for times without intervals."""
    shown = [one for one in series if one.kind not in ("theory", "published")]
    if shown and all(one.kind == "trace" for one in shown):
        return "one traced run"
    if not all(point.y.is_exact for one in shown for point in one.points):
        return "median, 95% interval"
    return "" if takes_prefix(unit) else "counted"


def _commit(case: Case) -> str:
    commit = str(case.provenance.get("commit") or "")[:10]
    return f"{commit} with changes" if commit and case.provenance.get("dirty") else commit


def make_drawing(
    name: str,
    heads: tuple[str, str],
    view: View,
    cases: Sequence[Case],
    axes: tuple[Axis, Axis],
    series: Sequence[Series],
    shape: str,
    caption: str,
    marks: tuple[Mark, ...] = (),
) -> Drawing:
    return Drawing(
        name,
        heads[0],
        view.device.name,
        *axes,
        tuple(series),
        shape,
        source_of(view, cases, spread_of(series, axes[1].unit)),
        caption,
        command_for(cases, name),
        marks=marks,
        topic=heads[1],
    )
