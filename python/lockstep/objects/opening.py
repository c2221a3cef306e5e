"""Opens the GPU in the background: this takes longer than everything else before a program's first section."""

from __future__ import annotations

import os
import sys
from threading import Thread

from lockstep._library import raise_failure

from .errors import ObjectsError
from .native import gpu_in_use, has_gpu, open_gpu

MACHINES = ("cpu", "emulator", "cuda", "python")

#: The number of queues that CUDA's context has for streams. Sections use one stream, and each further queue makes the
#: opening longer. CUDA's default is 8.
QUEUES = "CUDA_DEVICE_MAX_CONNECTIONS"
#: Libraries that use the same context as we do, with streams of their own.
WITH_STREAMS = ("cupy", "jax", "numba", "pycuda", "tensorflow", "torch")


class _Opening(Thread):
    """Not a daemon: Python waits for it when it exits."""

    def __init__(self, wanted: str, number: int) -> None:
        super().__init__(name="lockstep opens the GPU")
        self._wanted, self._number = wanted, number
        self.failure = (0, "")

    def run(self) -> None:
        try:
            if self._wanted == "cuda" or has_gpu():
                self.failure = open_gpu(self._number)
        finally:
            _stop_asking()


_opening: _Opening | None = None  # until its result is taken
_has_begun = False


def check_machine(wanted: str) -> None:
    """Raises ObjectsError if there is no such machine."""
    if wanted != "auto" and wanted not in MACHINES:
        raise ObjectsError(f"unknown machine {wanted!r} (known are auto, cpu, emulator, cuda, python)")


def begin(wanted: str) -> None:
    """Begins to open the GPU, if sections of that machine may run on it. A process does this once.

    Sections that find no opening begun open the GPU when they need it.
    """
    global _opening, _has_begun
    if wanted not in ("auto", "cuda") or _has_begun:
        return
    _has_begun = True
    opening = _Opening(wanted, gpu_in_use())
    _ask_for_one_queue()
    try:
        opening.start()
    except RuntimeError:  # no more threads
        _stop_asking()
        return
    _opening = opening


_asks_for_one_queue = False


def _ask_for_one_queue() -> None:
    """CUDA reads the variable when the context opens. A user's own value stays."""
    global _asks_for_one_queue
    if QUEUES not in os.environ and not any(name in sys.modules for name in WITH_STREAMS):
        os.environ[QUEUES] = "1"
        _asks_for_one_queue = True


def _stop_asking() -> None:
    """Processes that start once the context is open do not inherit the variable."""
    global _asks_for_one_queue
    if _asks_for_one_queue and os.environ.get(QUEUES) == "1":
        del os.environ[QUEUES]
    _asks_for_one_queue = False


def machine_name(wanted: str) -> str:
    """The machine, whose opening has ended. Raises the opening's failure."""
    global _opening
    check_machine(wanted)
    if wanted in ("auto", "cuda") and _opening is not None:
        _wait()
        (code, message), _opening = _opening.failure, None
        if code != 0:
            raise_failure(code, message)
    if wanted == "auto":
        return "cuda" if has_gpu() else "cpu"
    return wanted


def _wait() -> None:
    if _opening is not None:
        _opening.join()


# A child process has no thread that would end what the opening has begun.
os.register_at_fork(before=_wait)
