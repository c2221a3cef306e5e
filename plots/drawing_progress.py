"""The progress bar of `figures` and `report`: on a terminal, on stderr, and nothing elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from plots.gather import Section, gather, load_results
from plots.progress import Progress, Stage
from plots.results import Results
from plots.terminal import say

READING, DRAWING = "reading results", "figures"


@dataclass(frozen=True)
class Work:
    """What was read, and what to call for each line of output and after each figure or table."""

    loaded: Results
    sections: Sequence[Section]
    say: Callable[[str], None]
    step: Callable[[], None]


@contextmanager
def drawing_progress(results: Path, experiments: Sequence[str], with_tables: bool = False) -> Iterator[Work]:
    """Reads results and counts what is to be drawn. The bar is gone when the block ends, also by an error."""
    progress = Progress([Stage(READING, 2, 2.0), Stage(DRAWING, 100, 0.1)])
    shown = progress.terminal
    try:
        if shown:
            progress.begin(READING)
        loaded = load_results(results)
        progress.step()
        sections = gather(loaded, experiments, results)
        progress.step()
        progress.stages[-1].steps = steps_of(sections, with_tables)
        if shown:
            progress.begin(DRAWING)
        yield Work(loaded, sections, progress.aside(say), progress.step)
    finally:
        progress.end()


def steps_of(sections: Sequence[Section], with_tables: bool) -> int:
    pages = [page for section in sections for page in [section.across, *section.pages]]
    return sum(len(page.drawings) + with_tables * len(page.tables) for page in pages)
