"""How a device compares with a paper's: times as fast for times and rates, a plain ratio for everything else."""

from __future__ import annotations

import math

from plots.interval import Interval
from plots.table_data import MISSING
from plots.units import three_digits

CAPTION = "Times as fast: above 1, this device is faster than the paper's"


def is_speed(unit: str) -> bool:
    return unit == "s" or unit.endswith("/s")


def ratio_to_paper(measured: Interval | None, paper: Interval | None, unit: str) -> float | None:
    """None if a number is missing, or if the paper gives only a bound for it."""
    if measured is None or paper is None or not paper.value or not measured.value:
        return None
    if math.isinf(paper.high) or math.isinf(paper.low):
        return None
    return paper.value / measured.value if unit == "s" else measured.value / paper.value


def ratio_text(ratio: float | None) -> str:
    return MISSING if ratio is None else f"{three_digits(ratio)}x"
