"""Which rows figures and tables draw."""

from __future__ import annotations

from collections.abc import Callable

from plots.results import Case


def in_sweep(*names: str) -> Callable[[Case], bool]:
    """Measured rows of the named sweeps with hot caches, and all published rows."""
    return lambda case: case.device.published or (case.cache == "hot" and bool(set(names) & set(case.sweeps)))
