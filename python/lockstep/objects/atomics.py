"""Atomic operations of int fields of any object, in Python for machine "python".

Elements of a section may apply them to the same field. Ints commute, so the result does not depend on the order.
"""

from __future__ import annotations


def _wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def atomic_add(of: object, field: str, value: int) -> None:
    setattr(of, field, _wrapped(getattr(of, field) + value))


def atomic_min(of: object, field: str, value: int) -> None:
    setattr(of, field, min(getattr(of, field), value))


def atomic_max(of: object, field: str, value: int) -> None:
    setattr(of, field, max(getattr(of, field), value))
