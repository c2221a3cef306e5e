"""What produced the rows of a device, in words and units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from plots.gather import Page
from plots.units import digits, quantity

#: Attributes of a device: the words, the unit of the value as shown, and the factor to it.
ATTRIBUTES: Mapping[str, tuple[str, str, float]] = {
    "multiprocessors": ("multiprocessors", "", 1),
    "clock_khz": ("clock", "Hz", 1e3),
    "memory_bytes": ("memory", "B", 1),
    "memory_clock_khz": ("memory clock", "Hz", 1e3),
    "l2_bytes": ("L2 cache", "B", 1),
    "shared_bytes_per_multiprocessor": ("shared memory per multiprocessor", "B", 1),
    "registers_per_multiprocessor": ("registers per multiprocessor", "", 1),
    "max_threads_per_multiprocessor": ("threads per multiprocessor", "", 1),
}
PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
SKIPPED = ("name", "slug", "machine")


def with_unit(value: float, unit: str) -> str:
    """1980000000, 'Hz' becomes '1.98 GHz'."""
    for scale, prefix in PREFIXES if unit else ():
        if value >= scale:
            return f"{digits(value / scale)} {prefix}{unit}"
    return f"{digits(value)} {unit}".strip()


def attributes(found: Mapping[str, Any]) -> str:
    texts = []
    for name, value in found.items():
        if name in SKIPPED or value in (None, ""):
            continue
        if name in ATTRIBUTES and isinstance(value, (int, float)):
            words, unit, factor = ATTRIBUTES[name]
            texts.append(f"{words} {with_unit(value * factor, unit)}" if unit else f"{digits(float(value))} {words}")
        else:
            texts.append(f"{name.replace('_', ' ')} {value}")
    return ", ".join(texts)


def provenance(page: Page) -> list[tuple[str, str]]:
    """One line each, with several values if rows differ."""
    if page.view is None or page.device is None:
        return []
    rows = [case.provenance for case in page.view]

    def several(key: str) -> str:
        return ", ".join(dict.fromkeys(str(row[key]) for row in rows if row.get(key) not in (None, "")))

    cpus = [row["cpu"] for row in rows if isinstance(row.get("cpu"), dict)]
    marks = [
        "with changes" if any(row.get("dirty") for row in rows) else "",
        "" if all(row.get("publishable") for row in rows) else "not publishable",
    ]
    states = Counter(case.status for case in page.view)
    dates = sorted(str(row["date"])[:16].replace("T", " ") for row in rows if row.get("date"))
    lines = [
        ("device", ", ".join(filter(None, (page.device.name, attributes(page.device.attributes))))),
        ("CPU", f"{cpus[0].get('name')}, {cpus[0].get('threads')} threads" if cpus else ""),
        ("compiler", several("compiler")),
        ("nvcc", several("nvcc")),
        ("commit", ", ".join(filter(None, (several("commit"), *marks)))),
        ("measured", " to ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else ""),
        ("cases", ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in states.items())),
        ("seed", ", ".join(dict.fromkeys(case.seed for case in page.view))),
    ]
    return [(name, value) for name, value in lines if value]


def limit_text(value: float, unit: str) -> str:
    return with_unit(value, unit) if unit == "Hz" else quantity(value, unit)
