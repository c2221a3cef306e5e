"""Makes tables narrow: columns that say the same in every row leave, and of several layouts the first that fits is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

#: Pixels for a table on a page of 1400, of a letter in the page's font, and of a cell's padding.
PAGE, LETTER, PADDING = 1080, 8.2, 13

Grid = tuple[Sequence[str], Sequence[Sequence[str]]]


def width(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> float:
    """The estimated width of a table in pixels. Heads wrap at spaces, cells do not."""
    letters = [max((len(word) for word in head.split()), default=0) for head in heads]
    for row in rows:
        letters = [max(known, len(cell)) for known, cell in zip(letters, row)]
    return sum(count * LETTER + PADDING for count in letters)


def first_that_fits(layouts: Sequence[Callable[[], Grid]]) -> int:
    """The index of the first layout that fits on the page, or else of the narrowest."""
    widths: list[float] = []
    for layout in layouts:
        widths.append(width(*layout()))
        if widths[-1] <= PAGE:
            break
    return min(range(len(widths)), key=lambda index: (widths[index] > PAGE, widths[index]))


def constant(rows: Sequence[Sequence[str]], count: int) -> list[int]:
    """Which of the first `count` columns say the same in every row. The first column stays if all of them do."""
    if len(rows) < 2:
        return []
    found = [column for column in range(count) if len({row[column] for row in rows}) == 1]
    return found[1:] if len(found) == count else found


def without(row: Sequence[str], columns: Sequence[int]) -> tuple[str, ...]:
    return tuple(cell for index, cell in enumerate(row) if index not in columns)


def said_once(heads: Sequence[str], row: Sequence[str], columns: Sequence[int]) -> str:
    """'Load 20, layout A', for the caption: what the columns that left say."""
    text = ", ".join(f"{heads[column]} {row[column]}" for column in columns)
    return f"{text[:1].upper()}{text[1:]}"
