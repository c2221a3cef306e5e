"""Scales of axes: few ticks, in one notation per axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from plots.drawing import Axis
from plots.units import axis_label, join_unit, prefix_of

MAX_TICKS = 7
#: From here on, the ticks of a logarithmic axis are written as powers.
POWERS_FROM = 20_000.0
#: Two ticks are at least this factor apart.
APART = 1.5
#: On a narrow axis, this share of its length.
NARROW_SHARE = 0.19


def text(value: float, ticks: Sequence[float], base: int = 0) -> str:
    """A tick's label: a plain number, or a power of the base if one of the axis's ticks is large."""
    large = base and max((abs(tick) for tick in ticks), default=0.0) > POWERS_FROM
    if not large or value <= 0:
        return f"{value:.15f}".rstrip("0").rstrip(".") if 0 < abs(value) < 1e-3 else f"{value:.10g}"
    exponent = math.floor(math.log(value, base) + 1e-9)
    factor = value / base**exponent
    if exponent == 0 or not math.isclose(factor, round(factor)):
        return f"{value:g}"
    power = f"{base}^{{{exponent}}}"
    return f"${power}$" if round(factor) == 1 else f"${round(factor)}\\cdot{power}$"


def scale_axis(axis: Any, set_scale: Any, described: Axis, xs: Sequence[float], narrow: bool = False) -> None:
    """Sets the scale. If the data has few x values, the ticks are there."""
    axis.set_minor_formatter(NullFormatter())
    base = 2 if described.scale == "log2" else 10
    if described.scale == "linear":
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    elif xs and any(x <= 0 for x in xs):
        set_scale("symlog", base=2, linthresh=1)
    else:
        set_scale("log", base=base)
        axis.set_major_locator(LogLocator(base=base, numticks=MAX_TICKS))
        low, high = axis.get_view_interval()
        if base == 10 and high / low < 300:
            axis.set_major_locator(LogLocator(base=10, subs=(1.0, 2.0, 5.0), numticks=12))
    if described.scale != "linear" and 0 < len(xs) <= 2 * MAX_TICKS:
        kept = spread_out(xs, narrow)
        if len(kept) <= MAX_TICKS and (len(kept) == len(xs) or len(xs) <= MAX_TICKS):
            axis.set_major_locator(FixedLocator(kept))
    axis.set_minor_locator(FixedLocator([]))
    base = 0 if described.scale == "linear" else base
    axis.set_major_formatter(FuncFormatter(lambda value, _: text(value, _seen(axis), base)))


def _seen(axis: Any) -> list[float]:
    """The ticks within the plot: a logarithmic locator returns more."""
    low, high = axis.get_view_interval()
    return [tick for tick in axis.get_majorticklocs() if low <= tick <= high]


def spread_out(xs: Sequence[float], narrow: bool = False) -> list[float]:
    """The largest value, and down from it those that are apart; on a narrow axis, at most about five."""
    positive = [x for x in xs if x > 0]
    apart = max(APART, (max(positive) / min(positive)) ** NARROW_SHARE if narrow and positive else 0.0)
    kept: list[float] = []
    for x in sorted(set(xs), reverse=True):
        if not kept or x <= 0 or kept[-1] / x > apart:
            kept.append(x)
    return kept[::-1]


def scaled(axis: Axis, values: Sequence[float]) -> tuple[float, str]:
    """The prefix's factor for these values, and the axis's label with it."""
    scale, prefix = prefix_of(max(values, default=1.0), axis.unit)
    return scale, axis_label(axis.label, join_unit(prefix, axis.unit))
