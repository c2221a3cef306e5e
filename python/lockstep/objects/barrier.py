"""The function synchronize() as Python sees it; phases.py has its translation."""

from __future__ import annotations

from .errors import ObjectsError, caller

MISPLACED = (
    "call synchronize() at the top level of the section's method, not in a branch, a loop or a method that it calls"
)


def synchronize() -> None:
    """A barrier: no element of the section goes on before all are here. It also ends each tick of such a method."""
    raise ObjectsError(MISPLACED, *caller())
