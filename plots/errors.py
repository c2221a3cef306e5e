"""Errors that a user can correct, in one line: *problem (why) suggestion*."""

from collections.abc import Callable
from typing import TypeVar

from plots.escape import line, message

T = TypeVar("T")


class UserError(Exception):
    """Bad input. The command prints the line and exits with code 2."""

    def __init__(self, problem: str, why: str, suggestion: str) -> None:
        super().__init__(message(f"{problem} ({why}) {suggestion}"))


class NotTestable(Exception):
    """A figure, table, claim or finding needs rows that these results do not have. The text names them."""


class NothingToReport(NotTestable):
    """The rows are there and have nothing of what a text would list. A page leaves the text out without a reason."""


def attempt(make: Callable[..., T], *given: object) -> T:
    """What a figure, table, claim or finding makes of rows. Raises NotTestable if it cannot compute with them.

    Rows that fit the schema can still lack an axis, count 0 of what a ratio divides by, or have a word where a variant needs a
    number. Only whoever declares a figure knows which, so this is the one place that catches it.
    """
    try:
        return make(*given)
    except (ArithmeticError, LookupError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise NotTestable(f"these rows do not give its numbers ({line(what)[:200]})") from error
