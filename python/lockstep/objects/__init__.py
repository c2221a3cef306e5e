"""Parallel sections over plain Python objects, as in Ikra (Springer, Masuhara: ARRAY 2016).

    agents = lockstep.objects.array(cars + pedestrians, seed=1)
    agents.peach("move", weather, ticks=1000)

The objects that the methods reach become columns, the methods become one program for the GPU or the CPU, and the fields
that they change come back. python/lockstep/objects/README.md says what a method may do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .array_type import Array, array, peach, prepare
from .atomics import atomic_add, atomic_max, atomic_min
from .barrier import synchronize
from .draws import Stream, random_below, random_word
from .errors import ObjectsError
from .scalars import float32, int8, int16, int32

if TYPE_CHECKING:
    from .execute import Report

__all__ = [
    "Array",
    "ObjectsError",
    "Report",
    "Stream",
    "array",
    "atomic_add",
    "atomic_max",
    "atomic_min",
    "float32",
    "int16",
    "int32",
    "int8",
    "last_report",
    "peach",
    "prepare",
    "random_below",
    "random_word",
    "synchronize",
]


def last_report() -> Report:
    """What the latest section did."""
    from .execute import latest

    return latest()


def __getattr__(name: str) -> object:
    """Report is defined where sections run, which the first section imports."""
    if name == "Report":
        from .execute import Report

        return Report
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
