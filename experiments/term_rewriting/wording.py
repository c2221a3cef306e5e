"""Writes workloads, counts, ratios and rates of term rewriting as words, for findings and topics."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from experiments.term_rewriting.workloads import workload_of
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import Case, View
from plots.units import digits, quantity

Workload = tuple[str, ...]


def title_of(workload: Workload) -> str:
    """('tree_merge_sort', '23', '5') becomes 'tree merge sort 23 5'."""
    return " ".join(workload).replace("_", " ").replace("langtons", "Langton's")


def count_text(value: float) -> str:
    """13758846 becomes '13.8 million', 26876 becomes '26,900'."""
    if value >= 1e6:
        return f"{digits(value / 1e6)} million"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 1e4 else digits(value)


def times(ratio: Interval | float) -> str:
    """'2.3x'."""
    return f"{digits(ratio.value if isinstance(ratio, Interval) else ratio)}x"


def percent(share: float) -> str:
    return f"{digits(100 * share)}%"


def rate_text(rate: Interval | float) -> str:
    return quantity(rate.value if isinstance(rate, Interval) else rate, "rewrites/s")


def listed(parts: Sequence[str]) -> str:
    """'a, b and c'."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def full_title(case: Case) -> str:
    return title_of(workload_of(case)) + (", numerals shared" if case.axes["sharing"] == "numerals" else "")


def text_or_dash(text: Callable[[], str]) -> str:
    """The text, or a dash where its rows are missing."""
    try:
        return text()
    except NotTestable:
        return "–"


def all_cores_of(view: View) -> str:
    """'16 CPU cores', as far as the rows say how many."""
    for case in view.select(variant="all_cores", machine="cpu"):
        threads = dict(case.provenance.get("cpu", {})).get("threads")
        if threads:
            return f"{threads} CPU cores"
    return "all CPU cores"
