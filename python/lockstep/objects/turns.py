"""Sections of all threads run one after another: an array and its objects have one state."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from threading import RLock
from typing import Any

_lock: AbstractContextManager[Any] = RLock()


def turn() -> AbstractContextManager[Any]:
    """For `with`: waits for the section of another thread. A section of the same thread may be inside."""
    return _lock


def _begin_anew() -> None:
    """A child process does not have the thread that would end the section."""
    global _lock
    _lock = RLock()


os.register_at_fork(after_in_child=_begin_anew)
