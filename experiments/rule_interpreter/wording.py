"""Selects rows by their axes and writes ratios and times as words and Markdown tables, for findings and topics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf

from experiments.rule_interpreter.measures import AT_DEFAULT, SCALAR, SQUARE, TABLE1, TABLE2, cell_of
from plots.errors import NotTestable
from plots.results import Case, View
from plots.units import digits, quantity

#: How prose names the variants.
NAMES: Mapping[str, str] = {
    "algorithm1": "Algorithm 1",
    "algorithm2": "Algorithm 2",
    "algorithm3": "Algorithm 3",
}

#: The axes of a cell of Tables 1 to 4, and how tables head them.
CELL = {"load": "load", "states": "states", "range": "values per state", "divergence": "phi"}

#: The variants of the synthetic rule, in the order of the tables; others follow.
ALL = (
    "algorithm1",
    "algorithm3",
    "uncompacted",
    "thread_per_state",
    "wavefront",
    "queue",
    "flat_queue",
    "block_queue",
    "list",
    "auto",
)

#: The shapes that every variant is measured with, and how prose names them.
SHAPES = ((SCALAR, "the scalar setting"), (SQUARE, "2x2x2"))

#: The values of some axes or fields of a case.
Key = tuple[str, ...]


def hot(**axes: object) -> dict[str, object]:
    """The condition on rows with hot caches, measured on a GPU."""
    return dict[str, object](machine="cuda", cache="hot") | axes


def synthetic(**axes: object) -> dict[str, object]:
    """The same for the synthetic rule, where the variant chooses its geometry."""
    return hot(**(dict[str, object](AT_DEFAULT) | axes))


def name_of_variant(variant: str) -> str:
    return NAMES.get(variant, f"`{variant}`")


def in_sweep(name: str) -> Callable[[Case], bool]:
    return lambda case: name in case.sweeps


def in_tables(case: Case) -> bool:
    """Whether the case is a cell of Tables 1 to 4, at one of the two shapes that every variant is measured with."""
    return cell_of(case) in TABLE1 + TABLE2 and case.axes["shape"] in (SCALAR, SQUARE)


def key_of(case: Case, keys: Sequence[str]) -> Key:
    """The values of axes, or of fields of a case such as its variant."""
    return tuple(str(case.axes[key] if key in case.axes else getattr(case, key)) for key in keys)


def seconds_by(view: View, keys: Sequence[str], **where: object) -> dict[Key, float]:
    """The shortest time for each tuple of values that the keys take. Raises NotTestable where no row matches."""
    found: dict[Key, float] = {}
    for case in view.select(**where):
        if case.time is not None:
            key = key_of(case, keys)
            found[key] = min(case.time.value, found.get(key, case.time.value))
    if not found:
        raise NotTestable(view.missing(where))
    return found


def ratios_by(numerator: Mapping[Key, float], denominator: Mapping[Key, float]) -> dict[Key, float]:
    """Ratios for the keys that both have. Raises NotTestable where they share none."""
    found = {key: value / denominator[key] for key, value in numerator.items() if key in denominator}
    if not found:
        raise NotTestable("no rows to compare")
    return found


def speeds(
    view: View, subject: Mapping[str, object], other: Mapping[str, object], keys: Sequence[str], **where: object
) -> list[float]:
    """How many times as fast the subject's rows are as the other's, for each tuple of keys that both have."""
    return list(
        ratios_by(seconds_by(view, keys, **{**where, **other}), seconds_by(view, keys, **{**where, **subject})).values()
    )


#: The workload of the sweep over the share of enabled values. The paper measures shares of 50% and 67%.
FEW_ENABLED: Mapping[str, str] = dict(load="200", states="16384", range="1024", shape=SQUARE, layout="A")


def speeds_where_few_are_enabled(view: View) -> dict[tuple[str, str], str]:
    """How many times as fast as Algorithm 1 a variant is, by the variant and the percentage of enabled values."""
    where = synthetic(**FEW_ENABLED)
    found = seconds_by(view, ("variant", "enabled"), **(where | {"enabled": ("5", "50")}))
    try:
        return {
            (variant, enabled): factor(found["algorithm1", enabled] / found[variant, enabled])
            for variant in ("algorithm3", "auto", "queue")
            for enabled in ("5", "50")
            if variant != "queue" or (variant, enabled) in found
        }
    except KeyError:
        raise NotTestable(view.missing({"variant": ("algorithm3", "auto"), "enabled": ("5", "50")})) from None


def factor(value: float) -> str:
    """'2.30x': two decimals between 0.1 and 10, else three significant digits."""
    return f"{value:.2f}x" if 0.1 <= value < 9.995 else f"{digits(value)}x"


def span(values: Iterable[float]) -> str:
    """'1.04x to 4.60x', or '1.04x' where all values read the same."""
    rows = list(values)
    low, high = factor(min(rows)), factor(max(rows))
    return low if low == high else f"{low} to {high}"


def percent(share: float) -> str:
    return f"{digits(100 * share, 2)}%"


def joined(parts: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b, and c'."""
    if len(parts) < 3:
        return " and ".join(parts)
    return ", ".join(parts[:-1]) + f", and {parts[-1]}"


def count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


#: Behind a time that was extrapolated from a part of the work.
EXTRAPOLATED = "†"


def time_table(
    view: View,
    keys: Mapping[str, str],
    across: str | tuple[str, ...],
    where: Mapping[str, object],
    columns: Sequence[str] = (),
    head: Callable[[str], str] = str,
) -> str:
    """Times in milliseconds: a row for each tuple of `keys`, a column for each value of `across`; the shortest is bold.

    `keys` maps an axis to the head of its column. `columns` are the values of `across` that come first; others follow. A
    time that was extrapolated has the mark `EXTRAPOLATED`.
    """
    outer = (across,) if isinstance(across, str) else across
    found = seconds_by(view, (*keys, *outer), **where)
    marked = extrapolated_keys(view, (*keys, *outer), found, **where)
    cut = len(keys)
    values = list(dict.fromkeys(" ".join(key[cut:]) for key in found))
    shown = [value for value in columns if value in values] + [value for value in values if value not in columns]
    rows: list[list[str]] = []
    for prefix in sorted({key[:cut] for key in found}, key=in_order):
        at = [(*prefix, *value.split(" ")) for value in shown]
        known = [found[key] for key in at if key in found]
        if known:
            marks = (f" {EXTRAPOLATED}" if key in marked else "" for key in at)
            rows.append([*prefix, *(_cell(found.get(key), min(known)) + mark for key, mark in zip(at, marks))])
    if not rows:
        raise NotTestable(view.missing(where))
    return markdown([*keys.values(), *(f"{head(value)}, ms" for value in shown)], rows)


def extrapolated_keys(view: View, keys: Sequence[str], times: Mapping[Key, float], **where: object) -> set[Key]:
    """The keys whose shortest time was extrapolated."""
    return {
        key_of(case, keys)
        for case in view.select(**where)
        if case.extrapolated and case.time is not None and case.time.value == times[key_of(case, keys)]
    }


def in_order(key: Key) -> list[tuple[float, str]]:
    """Sorts numbers by value, and words after them."""
    return [(float(part), "") if part.isdecimal() else (inf, part) for part in key]


def _cell(seconds: float | None, shortest: float) -> str:
    if seconds is None:
        return ""
    text = digits(1e3 * seconds)
    return f"**{text}**" if seconds == shortest else text


def time_text(seconds: float) -> str:
    return quantity(seconds, "s")


def seconds_of(case: Case) -> float:
    if case.time is None:
        raise NotTestable(f"{case.describe()} has no time")
    return case.time.value


def enabled_values(case: Case) -> float:
    """How many values of a synthetic case are enabled: its FP32 slots divided by the slots of one evaluation."""
    n = int(case.axes["shape"].split("x")[0])
    return case.operations / (int(case.axes["load"]) * n**3)
