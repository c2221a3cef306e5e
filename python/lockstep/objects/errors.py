"""Errors of a program that uses lockstep.objects."""

from __future__ import annotations


class ObjectsError(Exception):
    """A method, or the objects that it reaches, cannot be run in a parallel section.

    The message is one line: *place: problem (why)*. The place is the Python file and line, if there is one.
    """

    def __init__(self, problem: str, file: str = "", line: int = 0) -> None:
        self.problem = problem
        self.file = file
        self.line = line
        super().__init__(f"{file}:{line}: {problem}" if file else problem)
