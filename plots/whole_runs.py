"""What a run costs from start to end: a row per tool, beside the time of the kernel alone."""

from __future__ import annotations

from collections.abc import Sequence

from plots.beside import axes_text
from plots.errors import NotTestable
from plots.figures import machine_name, source_of
from plots.results import Case, View
from plots.tables import MISSING, TableData
from plots.units import quantity

TITLE = "What a run costs from start to end"
STARTS = {"cold": "cold start", "warm": "warm start", "resident": "one more request"}
COLUMNS = ("case", "machine", "engine", *STARTS.values(), "on the device")
PLAIN = ("case", "machine", "engine", "start", "seconds", "low", "high", "samples")
EXPLANATION = (
    "A cold start begins a process with empty caches of compiled code, and a warm start finds everything there. One more "
    "request is a further request to a process that is running already (`./lockstep batch`). All three end when the whole output is "
    "written. The last column is the time of the same work on data that is on the device already."
)


def table(view: View) -> TableData:
    """Raises NotTestable if no tool was run from start to end on this device."""
    groups: dict[tuple[object, ...], dict[str, Case]] = {}
    for case in view.end_to_end:
        groups.setdefault((case.variant, case.machine, *sorted(case.axes.items())), {})[case.start] = case
    if not any(case.time is not None for case in view.end_to_end):
        raise NotTestable(f"no tool was run from start to end on {view.device.name}")
    timed = [case for case in view.end_to_end if case.time is not None]
    return TableData(
        "end_to_end",
        TITLE,
        view.device.name,
        COLUMNS,
        tuple(_words(group, view) for group in groups.values()),
        PLAIN,
        tuple(_plain(case) for case in timed),
        source_of(view, timed).replace(".json", ".end_to_end.json", 1),
        "A tool as a process, from its start to the end of its output, and the kernel alone.",
        f"./lockstep end-to-end {view.experiment}",
    )


def _words(group: dict[str, Case], view: View) -> tuple[str, ...]:
    first = next(iter(group.values()))
    return (
        axes_text(first),
        machine_name(first.machine),
        first.variant,
        *(_time(group.get(start)) for start in STARTS),
        _kernel(first, view),
    )


def _time(case: Case | None) -> str:
    return quantity(case.time.value, "s") if case is not None and case.time is not None else MISSING


def _kernel(run: Case, view: View) -> str:
    """The time of the same variant at the same axes, without a transfer."""
    rows = view.select(variant=run.variant, machine=run.machine)
    times = [case.time.value for case in rows if case.time is not None and _same_axes(case, run)]
    return quantity(min(times), "s") if times else MISSING


def _same_axes(case: Case, run: Case) -> bool:
    return dict(case.axes) == dict(run.axes) and case.cache != "cold"


def _plain(case: Case) -> tuple[object, ...]:
    time = case.time
    parts = (time.value, time.low, time.high) if time is not None else (None, None, None)
    return (axes_text(case), case.machine, case.variant, case.start, *parts, case.repetitions)


def missing(view: View) -> Sequence[str]:
    """The runs without a time, each with its reason."""
    return [
        f"`{case.variant}`, {STARTS.get(case.start, case.start)} ({case.status}): {case.reason.rstrip('.')}."
        for case in view.end_to_end
        if case.time is None
    ]
