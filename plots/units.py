"""Formats numbers for people: three significant digits, SI prefixes, intervals."""

from __future__ import annotations

import math

from plots.interval import Interval

#: Names of large counts, which have no prefix.
LARGE = ((1e9, "billion"), (1e6, "million"))
PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n"))


def prefix_of(value: float, unit: str) -> tuple[float, str]:
    """Scale and prefix for a value: rates and times get a prefix; counts, ratios and units with a prefix do not."""
    if unit == "GiB/s" or not takes_prefix(unit) or value == 0 or not math.isfinite(value):
        return 1.0, ""
    if unit == "s" and abs(value) >= 1:
        return 1.0, ""
    for scale, prefix in PREFIXES:
        if abs(value) >= scale * 0.9995:
            return scale, prefix
    return PREFIXES[-1]


def takes_prefix(unit: str) -> bool:
    return unit in ("s", "Hz") or unit.endswith("/s")


def digits(value: float, significant: int = 3) -> str:
    """1234 stays 1234, 0.12345 becomes 0.123, 8388608 becomes 8.39 million; exponents only for extreme values."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    if float(value).is_integer() and abs(value) < 1e6:
        return f"{value:.0f}"
    for scale, name in LARGE:
        if scale <= abs(value) < 1000 * scale:
            return f"{digits(value / scale, significant)} {name}"
    magnitude = math.floor(math.log10(abs(value)))
    if magnitude >= 9 or magnitude < -5:
        return f"{value:.{significant - 1}e}"
    return f"{round(value, significant - 1 - magnitude):.{max(0, significant - 1 - magnitude)}f}"


def quantity(value: float, unit: str) -> str:
    """2.85e10, 'sets/s' becomes '28.5 G sets/s'. The unit '1' of a ratio is not written."""
    scale, prefix = prefix_of(value, unit)
    return f"{digits(value / scale)} {join_unit(prefix, unit)}".strip()


def join_unit(prefix: str, unit: str) -> str:
    """'G' and 'sets/s' become 'G sets/s'; 'm' and 's' become 'ms'; 'G' and 'B/s' become 'GB/s'."""
    if not prefix:
        return "" if unit == "1" else unit
    return prefix + unit if unit in ("s", "B/s", "Hz") else f"{prefix} {unit}"


def axis_label(label: str, unit: str) -> str:
    """'time (ms)'; for a count or a ratio the label alone."""
    return label if unit in ("", "1") else f"{label} ({unit})"


def interval(value: Interval, unit: str, least: float = 0.0) -> str:
    """'28.5 [28.3, 28.9] G sets/s'."""
    scale, prefix = prefix_of(value.value, unit)
    return f"{spread(value, scale, least)} {join_unit(prefix, unit)}".strip()


def spread(value: Interval, scale: float = 1.0, least: float = 0.0) -> str:
    """'28.5 [28.3, 28.9]', all with the same decimals.

    The brackets leave where both ends read like the value or lie within the share `least` of it. An interval without an
    upper end is 'more than 3'.
    """
    if math.isinf(value.high) or math.isinf(value.low):
        return f"{'more' if math.isinf(value.high) else 'less'} than {digits(value.value / scale)}"
    if value.is_exact:
        return exact_digits(value.value / scale)
    middle, low, high = (
        _with_decimals_of(value.value / scale, end / scale) for end in (value.value, value.low, value.high)
    )
    narrow = value.value and max(value.high / value.value - 1, 1 - value.low / value.value) <= least
    return middle if narrow or low == middle == high else f"{middle} [{low}, {high}]"


def exact_digits(value: float) -> str:
    """An integer in full, '117,440,511'; other numbers with three digits."""
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) < 1e15 else three_digits(value)


def three_digits(value: float) -> str:
    """'1.00', '45.2', '3,860'."""
    return _with_decimals_of(value, value)


def percent(share: float) -> str:
    """'41%', and '<1%' for a share that is not 0 but would read so."""
    text = f"{100 * share:.0f}%"
    return "<1%" if text == "0%" and share > 0 else text


def percent_spread(share: Interval, places: int = 1) -> str:
    """'99.9% (99.8% to 99.9%)', with more decimals where both ends would read alike."""
    while places < 4 and not share.is_exact and f"{100 * share.low:.{places}f}" == f"{100 * share.high:.{places}f}":
        places += 1
    middle, low, high = (f"{100 * end:.{places}f}%" for end in (share.value, share.low, share.high))
    return middle if share.is_exact else f"{middle} ({low} to {high})"


def paper_digits(value: Interval, scale: float) -> str:
    """A printed number without zeros that the paper does not print."""
    if math.isinf(value.high) or math.isinf(value.low):
        return spread(value, scale)
    rounded = float(f"{value.value / scale:.4g}")
    return exact_digits(rounded) if rounded.is_integer() or rounded >= 1e9 else f"{rounded:,.10f}".rstrip("0")


def _with_decimals_of(model: float, value: float) -> str:
    """`value` to the place of the third digit of `model`."""
    if model == 0 or not math.isfinite(model) or abs(model) < 1e-5 or abs(model) >= 1e9:
        return digits(value)
    places = 2 - math.floor(math.log10(abs(model)) + 1e-12)
    return f"{round(value, places):,.{max(0, places)}f}"


def duration(seconds: float) -> str:
    """'48 s', '3 min 20 s', '1 h 05 min'."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
