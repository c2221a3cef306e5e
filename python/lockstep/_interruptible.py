"""Calls of the library that Ctrl-C ends."""

from __future__ import annotations

import threading
from collections.abc import Callable

from lockstep._library import Handle, library


class Stop(Handle):
    """Ends the call that has its handle."""

    def __init__(self) -> None:
        self.handle = library.lockstep_stop_make()
        if self.handle is None:
            raise MemoryError

    def request(self) -> None:
        library.lockstep_stop_request(self.handle)

    def __del__(self) -> None:
        if getattr(self, "handle", None) is not None:
            library.lockstep_stop_delete(self.handle)


def interruptible(work: Callable[[], None], stop: Stop) -> None:
    """Calls `work`, in a thread of its own: Python handles signals in the main thread, and not within a C function."""
    if threading.current_thread() is not threading.main_thread():
        work()
        return
    errors: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="lockstep")
    try:
        thread.start()
        thread.join()
    except BaseException:
        stop.request()
        if thread.ident is not None:  # it has begun
            thread.join()
        raise
    if errors:
        raise errors[0]
