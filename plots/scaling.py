"""What several devices gain: a case that ran whole, and the same case in 2, 4 ... shards, one per device."""

from __future__ import annotations

from collections.abc import Sequence

from plots.commits import origin
from plots.errors import NotTestable
from plots.figures import source_of
from plots.interval import Interval
from plots.results import Case, View
from plots.shards import parts_of, whole_of
from plots.tables import MISSING, TableData
from plots.units import interval, quantity, three_digits

COLUMNS = ("case", "shards", "slowest shard", "speed over whole run", "share of linear", "digest")
PLAIN = ("case", "shards", "seconds", "low", "high", "whole_seconds", "ratio", "status", "reason")


def scaling(view: View) -> TableData:
    """A row per set of shards. Raises NotTestable if nothing ran in shards."""
    sets = sorted(view.shard_sets, key=lambda row: (_label(row, view.shard_sets), parts_of(row)))
    if not sets:
        raise NotTestable(f"nothing ran in shards on {view.device.name} (./lockstep run ... --shard I/N)")
    words, plain = [], []
    for row in sets:
        whole = whole_of(row, view.cases)
        ratio = whole.time / row.time if whole is not None and whole.time is not None and row.time is not None else None
        words.append(
            (
                _label(row, sets),
                str(parts_of(row)),
                quantity(row.time.value, "s") if row.time is not None else MISSING,
                interval(ratio, "") if ratio is not None else MISSING,
                f"{three_digits(100 * ratio.value / parts_of(row))}%" if ratio is not None else MISSING,
                _verdict(row, whole),
            )
        )
        plain.append(_plain(row, whole, ratio, sets))
    return TableData(
        "scaling",
        "Several devices at once",
        view.device.name,
        COLUMNS,
        tuple(words),
        PLAIN,
        tuple(plain),
        source_of(view, sets),
        "Shards of one case, one device each. A set takes as long as its slowest shard. Its digests add up to that of the whole run. "
        f"The sets: {origin(sets)}.",
    )


def _verdict(row: Case, whole: Case | None) -> str:
    if row.status not in ("ok", "not_timed"):
        return f"{row.status}: {row.reason}"
    if whole is None or not whole.digest or not row.digest:
        return "not run whole" if whole is None else "none, not every unit ran"
    return "equal"


def _plain(row: Case, whole: Case | None, ratio: Interval | None, sets: Sequence[Case]) -> tuple[object, ...]:
    time = (row.time.value, row.time.low, row.time.high) if row.time is not None else ("", "", "")
    whole_time = whole.time.value if whole is not None and whole.time is not None else ""
    ratio_value = ratio.value if ratio is not None else ""
    return (_label(row, sets), parts_of(row), *time, whole_time, ratio_value, row.status, row.reason)


def _label(row: Case, sets: Sequence[Case]) -> str:
    """Variant, machine, and the axes in which the sets differ."""
    varying = [name for name in row.axes if len({other.axes.get(name) for other in sets}) > 1]
    return " ".join([f"{row.variant}/{row.machine}", *(f"{name}:{row.axes[name]}" for name in varying)])
