"""lockstep.random_subsets in a thread of its own, which Ctrl-C ends."""

from __future__ import annotations

from collections.abc import Callable

import lockstep
import numpy
import pytest
from lockstep import _subsets

#: Says that it begins, and draws for minutes: a million subsets of half of 16384 elements.
LONG_CALL = """
import lockstep
print("begun", flush=True)
try:
    lockstep.random_subsets(1_000_000, 16384, 8192, device="cpu")
    print("ended")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_a_long_call(interrupted: Callable[..., str]) -> None:
    assert interrupted(LONG_CALL) == "interrupted\n"


def test_a_long_call_draws_what_short_calls_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    short = numpy.from_dlpack(lockstep.random_subsets(100, 225, 71, device="cpu"))
    monkeypatch.setattr(_subsets, "LONG", 1)
    assert numpy.array_equal(numpy.from_dlpack(lockstep.random_subsets(100, 225, 71, device="cpu")), short)
    words = numpy.zeros_like(short)
    lockstep.random_subsets(100, 225, 71, out=words)
    assert numpy.array_equal(words, short)


def test_an_error_of_a_long_call_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_subsets, "LONG", 1)
    with pytest.raises(lockstep.Error, match="k 226 is too large"):
        lockstep.random_subsets(100, 225, 226, device="cpu")
