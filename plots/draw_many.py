"""Draws figures on all cores: a report has about a hundred, and each takes 0.1 s or more."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from plots.draw import draw
from plots.drawing import Drawing
from plots.style import Looks

Job = tuple[Drawing, Looks]

#: Set before the workers are forked, so that only indices and files pass between processes.
_jobs: Sequence[Job] = ()
_kinds: tuple[str, ...] = ()


def draw_many(jobs: Sequence[Job], *kinds: str) -> Iterator[dict[str, bytes]]:
    """Returns the result of draw() for each drawing, in order."""
    global _jobs, _kinds
    workers = min(len(os.sched_getaffinity(0)), len(jobs))
    if workers < 2:
        yield from (draw(drawing, looks, *kinds) for drawing, looks in jobs)
        return
    _jobs, _kinds = jobs, kinds
    gc.freeze()  # or each worker would look through, and so copy, all results again and again
    with ProcessPoolExecutor(workers, mp_context=get_context("fork"), initializer=_leave_interrupts) as pool:
        yield from pool.map(_draw, range(len(jobs)))
    gc.unfreeze()


def _leave_interrupts() -> None:
    """Leaves Ctrl-C to the parent process, which stops the workers and prints the message."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _draw(number: int) -> dict[str, bytes]:
    drawing, looks = _jobs[number]
    return draw(drawing, looks, *_kinds)
