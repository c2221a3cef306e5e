"""Errors of a program that uses lockstep.objects."""

from __future__ import annotations

import sys


class ObjectsError(Exception):
    """A method, or the objects that it reaches, cannot be run in a parallel section.

    The message is one line: *place: problem (why)*. The place is the Python file and line, if there is one.
    """

    def __init__(self, problem: str, file: str = "", line: int = 0) -> None:
        self.problem = problem
        self.file = file
        self.line = line
        super().__init__(f"{file}:{line}: {problem}" if file else problem)


def caller() -> tuple[str, int]:
    """The file and line outside of this package that called it."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("lockstep.objects"):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno
