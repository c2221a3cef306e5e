"""How object_layout writes numbers of agents, ratios, speeds and tables into sentences and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from experiments.object_layout.measures import grouped
from plots.errors import NotTestable
from plots.interval import Interval
from plots.markdown import table
from plots.units import digits, quantity, spread

AGENT_TICKS = "agent-ticks/s"
#: What a layout and an order are called in a table.
LAYOUT_NAMES = {"soa": "columns", "aos": "structures", "aos_padded": "padded structures", "aosoa": "blocks of columns"}
ORDER_NAMES = {"shuffled": "shuffled", "jobs": "shuffled, job array", "sorted": "sorted"}
MISSING = "–"
#: An interval that reaches further than this share is written beside its value.
WIDE = 0.05


def number(count: float) -> str:
    """'2^20' for a power of two from 2^14 on, '20,480' for other counts: numbers of agents."""
    exponent = int(count).bit_length() - 1
    return f"2^{exponent}" if exponent >= 14 and count == 1 << exponent else grouped(count)


def times(ratio: Interval) -> str:
    return f"{digits(ratio.value)}x"


def span(ratios: Iterable[Interval]) -> str:
    """'2.31x to 3.14x'."""
    rows = sorted(ratios, key=lambda ratio: ratio.value)
    ends = list(dict.fromkeys((times(rows[0]), times(rows[-1]))))
    return " to ".join(ends)


def change(saved: Interval) -> str:
    """'27.4% less' or '5.13% more', from a share of time saved."""
    return f"{digits(100 * abs(saved.value))}% {'less' if saved.value >= 0 else 'more'}"


def speed(rate: Interval) -> str:
    return quantity(rate.value, AGENT_TICKS)


def giga(rate: Interval) -> str:
    """The number alone, for a column in G agent-ticks/s."""
    return digits(rate.value / 1e9)


def cell(text: Callable[..., str], *arguments: object) -> str:
    """The text of a table's cell, or a dash if its row is missing."""
    try:
        return text(*arguments)
    except NotTestable:
        return MISSING


def table_of(header: Sequence[str], rows: Iterable[Sequence[str]], of_the_paper: int = 0) -> str:
    """A Markdown table of those rows that have a measured number. Raises NotTestable if none has.

    The last `of_the_paper` columns are the paper's.
    """
    kept = [row for row in rows if any(text != MISSING for text in row[1 : len(header) - of_the_paper])]
    if not kept:
        raise NotTestable(f"no row with {header[1]}")
    return table(header, kept)


def where_wide(value: Interval, of: float = 0.0) -> str:
    """'65.1 [52.5, 79.2]': with its interval if an end is further away than the share `WIDE` of the value, or of `of`."""
    off = max(value.high - value.value, value.value - value.low)
    return spread(value) if off > WIDE * (of or value.value) else digits(value.value)
