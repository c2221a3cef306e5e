"""Single-precision numbers, with the arithmetic that generated code has; annotations of narrow columns."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    int8 = int
    int16 = int
    int32 = int
else:

    class int8:  # noqa: N801: named like the built-in types
        """As an annotation in a class: a column of ints of 8 bits. Methods work with ordinary ints."""

    class int16:  # noqa: N801
        """The same with 16 bits."""

    class int32:  # noqa: N801
        """The same with 32 bits."""


_single = struct.Struct("<f")


def to_single(value: float) -> float:
    """Rounds to the nearest single-precision number, as a conversion in C++ does: large values become infinite."""
    try:
        return float(_single.unpack(_single.pack(value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


class float32(float):  # noqa: N801: named like the built-in types
    """A single-precision number.

    An operation on a float32 and another number rounds the other number to single precision first and gives a float32.
    Double precision has more than twice the digits, so that rounding the double result of +, -, * or / of two float32
    gives exactly the single-precision result. As an annotation in a class, it makes a column of single precision.
    """

    __slots__ = ()

    def __new__(cls, value: float | int | str = 0.0) -> float32:
        return float.__new__(cls, to_single(float(value)))

    def __add__(self, other: float) -> float32:
        return float32(float.__add__(self, to_single(float(other))))

    __radd__ = __add__

    def __sub__(self, other: float) -> float32:
        return float32(float.__sub__(self, to_single(float(other))))

    def __rsub__(self, other: float) -> float32:
        return float32(to_single(float(other)) - float(self))

    def __mul__(self, other: float) -> float32:
        return float32(float.__mul__(self, to_single(float(other))))

    __rmul__ = __mul__

    def __truediv__(self, other: float) -> float32:
        return float32(float.__truediv__(self, to_single(float(other))))

    def __rtruediv__(self, other: float) -> float32:
        return float32(to_single(float(other)) / float(self))

    def __floordiv__(self, other: float) -> float32:
        return float32(float.__floordiv__(self, to_single(float(other))))

    def __rfloordiv__(self, other: float) -> float32:
        return float32(to_single(float(other)) // float(self))

    def __mod__(self, other: float) -> float32:
        return float32(float.__mod__(self, to_single(float(other))))

    def __rmod__(self, other: float) -> float32:
        return float32(to_single(float(other)) % float(self))

    def __pow__(self, exponent: int) -> float32:  # type: ignore[override]
        """Repeated multiplication, as in a section."""
        return self if exponent == 1 else self * self ** (exponent - 1)

    def __neg__(self) -> float32:
        return float32(-float(self))

    def __pos__(self) -> float32:
        return self

    def __abs__(self) -> float32:
        return float32(abs(float(self)))

    def _compared(self, other: object) -> float | None:
        """Comparisons round the other number, too."""
        return to_single(float(other)) if isinstance(other, (int, float)) else None

    def __lt__(self, other: float) -> bool:
        return float(self) < to_single(float(other))

    def __le__(self, other: float) -> bool:
        return float(self) <= to_single(float(other))

    def __gt__(self, other: float) -> bool:
        return float(self) > to_single(float(other))

    def __ge__(self, other: float) -> bool:
        return float(self) >= to_single(float(other))

    def __eq__(self, other: object) -> bool:
        number = self._compared(other)
        return number is not None and float(self) == number

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return float.__hash__(self)
