"""Checks of arguments before they become values of C."""

from __future__ import annotations

import math
import operator

from lockstep._library import Error, KindError


def _shown(number: int) -> str:
    """Python refuses to write integers of thousands of digits."""
    return str(number) if number.bit_length() <= 128 else f"of {number.bit_length()} bits"


def _index(value: object) -> int | None:
    """None if it is no integer."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def integer(name: str, value: object, lowest: int, highest: int, limits: str) -> int:
    """The value, if it is in the range that `limits` describes."""
    number = None if isinstance(value, bool) else _index(value)
    if number is None:
        raise KindError(f"{name} is not an integer (it is of type {type(value).__name__})")
    if not lowest <= number <= highest:
        raise Error(f"{name} {_shown(number)} is out of range ({limits})")
    return number


def natural(name: str, value: object, bits: int) -> int:
    return integer(name, value, 0, (1 << bits) - 1, f"0 to 2^{bits} - 1")


def place(at: object, size: int) -> int:
    """An index of a sequence, counted from its start."""
    number = _index(at)
    if number is None:
        hint = "Index an array that shares the memory, such as numpy.from_dlpack(subsets)."
        raise KindError(f"an index is not an integer (it is of type {type(at).__name__}) {hint}")
    if not -size <= number < size:
        raise IndexError(f"index {_shown(number)} is out of range (of {size})")
    return number % size


def text(name: str, value: object) -> bytes:
    if not isinstance(value, str):
        raise KindError(f"{name} is not a string (it is of type {type(value).__name__})")
    if "\0" in value:
        raise Error(f"{name} contains a NUL (no language and no name has one)")
    return value.encode("utf-8", "surrogatepass")


def seconds(name: str, value: object) -> float:
    """A time, which is above 0 and finite."""
    limits = "above 0, and finite"
    try:
        number = None if isinstance(value, (bool, str, bytes, bytearray)) else float(value)  # type: ignore[arg-type]
    except OverflowError:
        raise Error(f"{name} is too large ({limits})") from None
    except (TypeError, ValueError):
        number = None
    if number is None:
        raise KindError(f"{name} is not a number (it is of type {type(value).__name__})")
    if not 0 < number < math.inf:
        raise Error(f"{name} {number} is out of range ({limits})")
    return number
