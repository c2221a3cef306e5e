"""Markdown for documents that are read as text too: lines of at most 100 columns, tables."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 100
#: A wrapped line must not begin like a list, a heading or a quotation. (Only a list that starts with 1 ends a paragraph.)
MARKER = re.compile(r"(?:[-+*>]|#{1,6}|1[.)])$")
#: Code and the text of a link stay on one line.
KEPT = re.compile(r"`[^`]{1,70}`|\[[^\]]{1,60}\](?=\()")
HARD_SPACE = "\0"


def row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(re.sub(r"(?<!\\)\|", r"\\|", cell) for cell in cells) + " |"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join([row(head), row(["---"] * len(head)), *map(row, rows)])


def sentence(text: str) -> str:
    """The text with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def bullet(text: str) -> str:
    return wrapped(f"- {text}", "  ")


def paragraph(text: str) -> str:
    """Wraps prose. Tables, lists and code, which carry their own line breaks, stay as they are."""
    blocks = [block.strip("\n") for block in text.split("\n\n") if block.strip()]
    return "\n\n".join(block if "\n" in block or block.startswith("|") else wrapped(block) for block in blocks)


def wrapped(text: str, indent: str = "") -> str:
    """Breaks a paragraph at 100 columns; `indent` precedes every line but the first."""
    kept = KEPT.sub(lambda found: found.group().replace(" ", HARD_SPACE), text)
    lines = textwrap.wrap(kept, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    for i in range(1, len(lines)):
        first, _, rest = lines[i].strip().partition(" ")
        if MARKER.match(first):
            lines[i - 1] += f" {first}"
            lines[i] = indent + rest
    return "\n".join(line for line in lines if line.strip()).replace(HARD_SPACE, " ")
