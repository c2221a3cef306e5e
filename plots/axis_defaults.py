"""Axes that an experiment got after some of its rows were measured: such rows have the axis' default.

The default is known from other rows, because the name of a case lists only axes that differ from their default.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from plots.results import Case


def with_defaults(cases: Iterable[Case]) -> list[Case]:
    """The cases, each with all axes that cases of its experiment have and whose default one of them shows."""
    rows = list(cases)
    defaults: dict[str, dict[str, str]] = {}
    for case in rows:
        known = defaults.setdefault(case.experiment, {})
        if case.axes.keys() <= known.keys():
            continue
        known |= {name: value for name, value in case.axes.items() if f"/{name}:" not in case.name}
    return [
        case if defaults[case.experiment].keys() <= case.axes.keys() else _filled(case, defaults[case.experiment])
        for case in rows
    ]


def _filled(case: Case, defaults: dict[str, str]) -> Case:
    return replace(case, axes={**defaults, **case.axes})
