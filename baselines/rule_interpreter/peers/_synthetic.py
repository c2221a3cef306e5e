"""The synthetic rule's cases for array libraries: their input, equal to ours bit for bit, and a check by NumPy.

CUB's DeviceSelect with a second kernel is no peer here: it is our baseline `wavefront`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from baselines.peers.arrays import imported
from baselines.peers.programs import WrongResult

#: Multipliers of value and index (common/rule_interpreter/synthetic_rules.hpp), as unsigned words.
OF_VALUE, OF_INDEX = 0x9E3779B1, 0x85EBCA6B
#: States that are compared with NumPy.
COMPARED = 64
CHECKED = f"{COMPARED} states against NumPy within 0.1%, the enabled values have a result, the others do not"


@dataclass(frozen=True)
class Synthetic:
    """A case in layout A: a row of 1024 values per state. Matrices are `size` x `size`."""

    states: int
    size: int
    load: int
    enabled: int | None = None
    range: int = 1024

    @property
    def axes(self) -> Mapping[str, str]:
        named = {"states": str(self.states)}
        if self.size != 2:
            named["shape"] = f"{self.size}x{self.size}x{self.size}"
        if self.load != 20:
            named["load"] = str(self.load)
        if self.enabled is not None:
            named["enabled"] = str(self.enabled)
        return named

    @property
    def items(self) -> int:
        return self.states * self.range


def cases() -> Iterator[Synthetic]:
    yield Synthetic(states=16384, size=2, load=20)
    yield Synthetic(states=16384, size=1, load=20)
    yield Synthetic(states=16384, size=2, load=200, enabled=5)


def mixed(numpy: Any, word: Any) -> Any:
    """The mix of harness/bench/digest.hpp."""
    word = (word ^ (word >> numpy.uint64(31))) * numpy.uint64(0x9FB21C651E98DF25)
    word = (word ^ (word >> numpy.uint64(29))) * numpy.uint64(0xD6E8FEB86659FD93)
    return word ^ (word >> numpy.uint64(32))


@lru_cache(maxsize=4)  # drivers of one run share them
def values_of(case: Synthetic, seed: int = 1) -> Any:
    """The values that `lockstep run` makes (common/rule_interpreter/initial_values.hpp), a row per state."""
    numpy = imported("numpy")
    state = numpy.arange(1, case.states + 1, dtype=numpy.uint64)[:, None]
    index = numpy.arange(case.range, dtype=numpy.uint64)[None, :]
    first = mixed(numpy, numpy.uint64(seed) + numpy.uint64(0x9E3779B97F4A7C15) * state)
    word = mixed(numpy, first + index) >> numpy.uint64(32)
    if case.enabled is None:
        made = word * numpy.uint64(2) >> numpy.uint64(32)
    else:
        made = word * numpy.uint64(100) >> numpy.uint64(32) < numpy.uint64(case.enabled)
    return made.astype(numpy.int32)


def expected(case: Synthetic, values: Any) -> Any:
    """The results of some states in double precision, 0 where a value is disabled."""
    numpy = imported("numpy")
    index = numpy.arange(case.range, dtype=numpy.uint64)[None, :]
    word = (values.astype(numpy.uint64) * numpy.uint64(OF_VALUE) + index * numpy.uint64(OF_INDEX)) & numpy.uint64(
        0xFFFFFFFF
    )
    word = word ^ (word >> numpy.uint64(15))
    start = 1 + (word >> numpy.uint64(9)).astype(numpy.float64) / 2**23
    small = start / 2**12
    if case.size == 1:
        result = start
        for _ in range(case.load):
            result = (small - 1) * result + 1
    else:
        rotation = numpy.stack([small, 1 - small, 1 - 1.375 * small, 1.375 * small], -1).reshape(*values.shape, 2, 2)
        product = numpy.stack([start * (i + 1) / 4 + 0.5 for i in range(4)], -1).reshape(*values.shape, 2, 2)
        for _ in range(case.load):
            product = rotation @ product
        result = (product.reshape(*values.shape, 4) * numpy.arange(1, 5)).sum(-1)
    return numpy.where(values != 0, result, 0.0)


def check_results(case: Synthetic, values: Any, results: Any) -> None:
    """`results` is an array of NumPy with the bits of our result words as floats. Raises WrongResult."""
    numpy = imported("numpy")
    if results.shape != values.shape:
        raise WrongResult(f"the results have the shape {results.shape}")
    if not numpy.array_equal(results != 0, values != 0):
        raise WrongResult("a value is enabled and has no result, or the other way round")
    some = expected(case, values[:COMPARED])
    if not numpy.allclose(results[:COMPARED], some, rtol=1e-3, atol=1e-3):
        worst = float(numpy.abs(results[:COMPARED] - some).max())
        raise WrongResult(f"the results differ from NumPy's by up to {worst:.3g}")
