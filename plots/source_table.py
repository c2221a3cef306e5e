"""A table of passages of source files: what a paper's figure shows, and the lines that do it here, read from the tree."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path

from plots.errors import NotTestable
from plots.figures import Scope
from plots.tables import TableData

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Passage:
    """What the paper shows, and the lines of `file` from the first that has `begin` to the next that has `end`: one line
    without an `end`."""

    shows: str
    file: str
    begin: str
    end: str = ""

    def lines(self) -> list[tuple[int, str]]:
        """Numbered lines, without their common indentation. Raises NotTestable if the file has no such lines."""
        text = source_text(self.file).split("\n")
        first = next((index for index, line in enumerate(text) if self.begin in line), None)
        found = first is not None and (index for index in range(first, len(text)) if self.end in text[index])
        last = next(found, None) if self.end and found else first
        if first is None or last is None:
            raise NotTestable(f"{self.file} has no lines from {self.begin!r}")
        passage = textwrap.dedent("\n".join(text[first : last + 1])).split("\n")
        return list(enumerate(passage, start=first + 1))


@dataclass(frozen=True)
class SourceTable:
    """A row per line of the passages. The same on any device."""

    name: str
    title: str
    passages: tuple[Passage, ...]
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        rows = [
            (passage.shows if index == 0 else "", f"{Path(passage.file).name}:{number}", _indented(line))
            for passage in self.passages
            for index, (number, line) in enumerate(passage.lines())
        ]
        heads = ("the paper's figure", "line here", "source")
        files = ", ".join(dict.fromkeys(passage.file for passage in self.passages))
        return TableData(self.name, self.title, "sources", heads, tuple(rows), heads, tuple(rows), files, self.caption)


def source_text(file: str) -> str:
    """A file of the tree. Raises NotTestable without it."""
    try:
        return (ROOT / file).read_text(encoding="utf-8")
    except OSError:
        raise NotTestable(f"the tree has no file {file}") from None


def _indented(line: str) -> str:
    """The line with an indentation that HTML and Markdown keep."""
    code = line.lstrip(" ")
    return "\N{NO-BREAK SPACE}" * (len(line) - len(code)) + code
