"""Random numbers in methods: the streams of the harness, in Python for machine "python".

Draw d of tick t by element e of a section is word t of the stream (seed, e, d) of Philox4x32-7
(common/object_layout/tick_words.hpp). It depends on nothing else, so every machine draws the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import local

_MASK = 0xFFFFFFFF


def philox(counter: tuple[int, int, int, int], seed: int, rounds: int = 7) -> tuple[int, int, int, int]:
    """Philox4x32: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011)."""
    x, y, z, w = counter
    low, high = seed & _MASK, seed >> 32 & _MASK
    for _ in range(rounds):
        first, second = 0xD2511F53 * x, 0xCD9E8D57 * z
        x, y, z, w = second >> 32 ^ y ^ low, second & _MASK, first >> 32 ^ w ^ high, first & _MASK
        low, high = (low + 0x9E3779B9) & _MASK, (high + 0xBB67AE85) & _MASK
    return x, y, z, w


class _Words:
    """Draws from 32-bit words."""

    def word(self) -> int:
        raise NotImplementedError

    def below(self, n: int) -> int:
        """The unbiased draw of harness/random/bounded.hpp: a uniform integer in 0 .. n - 1."""
        product = self.word() * n
        if product & _MASK < n:
            rejected = (-n & _MASK) % n
            while product & _MASK < rejected:
                product = self.word() * n
        return product >> 32


class Draws(_Words):
    """The draws of one element in one tick."""

    def __init__(self, seed: int, element: int, tick: int, first_draw: int = 0) -> None:
        self._seed, self._element, self._tick, self._draw = seed, element, tick, first_draw

    def word(self) -> int:
        counter = (self._tick // 4 & _MASK, self._draw, self._element & _MASK, self._element >> 32)
        self._draw += 1
        return philox(counter, self._seed)[self._tick % 4]


class Stream(_Words):
    """The stream (seed, unit, lane) of the harness, for code outside of sections: the same words on every machine."""

    def __init__(self, seed: int, unit: int, lane: int = 0) -> None:
        self._seed, self._unit, self._lane, self._block = seed, unit, lane, 0
        self._words: list[int] = []

    def word(self) -> int:
        if not self._words:
            counter = (self._block, self._lane, self._unit & _MASK, self._unit >> 32)
            self._words = list(philox(counter, self._seed))
            self._block += 1
        return self._words.pop(0)


class _Current(local):
    """Of the sections that run in this thread."""

    def __init__(self) -> None:
        self.draws: list[Draws] = []


_current = _Current()


@contextmanager
def drawing(draws: Draws) -> Iterator[None]:
    _current.draws.append(draws)
    try:
        yield
    finally:
        _current.draws.pop()


def is_drawing() -> bool:
    """True while a method of a section runs in Python."""
    return bool(_current.draws)


def random_below(n: int) -> int:
    """Returns a uniform integer in 0 .. n - 1, for n in 1 .. 2^32 - 1. Only methods of a parallel section may draw."""
    if not _current.draws:
        raise RuntimeError("random_below() draws from the streams of a parallel section, and none is running")
    if not 0 < n <= _MASK:
        raise ValueError(f"random_below({n}): n must be in 1 .. 2^32 - 1")
    return _current.draws[-1].below(n)


def random_word() -> int:
    """Returns 32 random bits."""
    if not _current.draws:
        raise RuntimeError("random_word() draws from the streams of a parallel section, and none is running")
    return _current.draws[-1].word()
