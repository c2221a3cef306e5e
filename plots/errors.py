"""Errors that a user can correct, in one line: *problem (why) suggestion*."""


class UserError(Exception):
    """Bad input. The command prints the line and exits with code 2."""

    def __init__(self, problem: str, why: str, suggestion: str) -> None:
        super().__init__(f"{problem} ({why}) {suggestion}")


class NotTestable(Exception):
    """A figure, table, claim or finding needs rows that these results do not have. The text names them."""
