"""Draws figures on all cores: a report has about a hundred, and each takes 0.1 s or more."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context

from plots.draw import draw
from plots.drawing import Drawing
from plots.process import hold_signals, leave_signals_to_parent
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
    with ProcessPoolExecutor(
        workers, mp_context=get_context("fork"), initializer=_prepare, initargs=(os.getpid(),)
    ) as pool:
        try:
            with hold_signals():  # the pool cannot be closed while its thread starts
                drawn = pool.map(_draw, range(len(jobs)))
            yield from drawn
        except BaseException:  # a signal: the pool would draw what is left before it closes
            pool.shutdown(cancel_futures=True)
            raise
    gc.unfreeze()


#: PR_SET_PDEATHSIG of prctl(2).
PARENT_DEATH_SIGNAL = 1


def _prepare(parent: int) -> None:
    """Leaves signals to the parent process, which stops the workers and prints the message. A worker ends with a parent that is
    killed: it would wait for work forever.
    """
    leave_signals_to_parent()
    with suppress(OSError, AttributeError):  # not Linux
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _draw(number: int) -> dict[str, bytes]:
    drawing, looks = _jobs[number]
    return draw(drawing, looks, *_kinds)
