"""The forms of one warp per replication (function, macros, annotation, index by PTX), compared in time and registers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from experiments.replications.measures import CHOSEN, SHORT_MODELS, TITLES, ratios, replications_text
from plots.claims import Parts, parts
from plots.interval import Interval
from plots.results import GPU, View

#: How a note names the forms of one warp per replication.
FORMS = {"warps": "function", "warps_macros": "macros", "warps_woven": "annotation"}


def overhead(forms: Sequence[str]) -> Callable[[View], Parts]:
    """Time of forms of one warp per replication over the time of one lane without the mechanism.

    `threads` has no such mechanism. With one replication, both run one lane. The macros and the annotation were not timed
    with one replication: their time relative to the function is multiplied by the function's.
    """

    def measure(view: View) -> Parts:
        found: dict[str, Interval] = {}
        for model, where in SHORT_MODELS.items():
            without = ratios(view, "threads", "warps", {**where, **CHOSEN, "machine": GPU})
            if 1 not in without:
                continue
            for form in forms:
                if form == "warps":
                    found[f"function, {TITLES[model]}"] = without[1].inverse()
                    continue
                for count, ratio in ratios(view, form, "warps", {**where, **CHOSEN, "machine": GPU}).items():
                    found[f"{FORMS[form]}, {TITLES[model]}, {replications_text(count)}"] = ratio / without[1]
        return parts(found, registers_of(view, forms))

    return measure


def registers_of(view: View, forms: Sequence[str]) -> str:
    """'registers of threads/macros: Pi 36/36, ...'"""
    names = ("threads", *forms)
    found = []
    for model, where in SHORT_MODELS.items():
        counts = [view.kernel("registers", variant=name, machine=GPU, **where).value for name in names]
        found.append(f"{TITLES[model]} {'/'.join(f'{count:.0f}' for count in counts)}")
    return f"registers of {'/'.join(FORMS.get(name, name) for name in names)}: {', '.join(found)}"


def forms(view: View) -> dict[str, Interval]:
    """Time of the macros and of the annotation over the function's time, for every model."""
    found: dict[str, Interval] = {}
    for model, where in SHORT_MODELS.items():
        for form in ("warps_macros", "warps_woven"):
            for count, ratio in ratios(view, form, "warps", {**where, **CHOSEN, "machine": GPU}).items():
                found[f"{form}, {TITLES[model]}, {replications_text(count)}"] = ratio
    return found


def by_ptx(view: View) -> Parts:
    """Time with the warp's index by PTX over the time of the macros, for every model. The note has the registers."""
    found: dict[str, Interval] = {}
    registers: list[str] = []
    for model, where in SHORT_MODELS.items():
        for count, ratio in ratios(view, "warps_ptx", "warps_macros", {**where, **CHOSEN, "machine": GPU}).items():
            found[f"{TITLES[model]}, {replications_text(count)}"] = ratio
        both = [view.kernel("registers", variant=form, **where).value for form in ("warps_ptx", "warps_macros")]
        registers.append(f"{TITLES[model]} {both[0]:.0f}/{both[1]:.0f}")
    return parts(found, f"registers of PTX/macros: {', '.join(registers)}")
