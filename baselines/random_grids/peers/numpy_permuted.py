"""NumPy on one core: Generator.permuted and Generator.choice with Philox (https://numpy.org, any version; no build).

Same work: boards of exactly k occupied sites. `numpy_permuted` writes one byte per site and `numpy_choice` an index of
64 bits per occupied site, in one call per board; our variants store one bit per site.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from baselines.peers.arrays import imported
from baselines.random_grids.peers._boards import ON_A_CPU, UNIFORM, Boards, check_masks
from processes.driver import Place, Reading, sample


def permuted(numpy: Any, generator: Any, case: Boards) -> Any:
    row = numpy.zeros(case.sites, dtype=numpy.uint8)
    row[: case.occupied] = 1
    return generator.permuted(numpy.broadcast_to(row, (case.count, case.sites)), axis=1)


def choice(numpy: Any, generator: Any, case: Boards) -> Any:
    rows = [generator.choice(case.sites, case.occupied, replace=False, shuffle=False) for _ in range(case.count)]
    return numpy.stack(rows)


def mask_of(numpy: Any, case: Boards, selected: Any) -> Any:
    made = numpy.zeros((case.count, case.sites), dtype=numpy.uint8)
    numpy.put_along_axis(made, selected, 1, axis=1)
    return made


def seconds_of(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


class NumpyPermuted:
    name = "numpy_permuted"
    description = "NumPy's permuted and choice on one core"

    def build(self, place: Place) -> None:
        """Nothing: NumPy is installed or not."""

    def readings(self, place: Place) -> Iterator[Reading]:
        numpy = imported("numpy")
        generator = numpy.random.Generator(numpy.random.Philox(1))
        for case in ON_A_CPU:
            for variant, draw, note in (
                ("numpy_permuted", permuted, "one core; writes one byte per site, not one bit"),
                ("numpy_choice", choice, "one core; writes an index of 64 bits per site, not one bit"),
            ):
                seconds = sample(lambda: seconds_of(lambda: draw(numpy, generator, case)), 15)
                drawn = draw(numpy, generator, case)
                check_masks(drawn if variant == "numpy_permuted" else mask_of(numpy, case, drawn), case)
                yield Reading(
                    variant=variant,
                    machine="cpu",
                    version=f"NumPy {numpy.__version__}",
                    axes=case.axes,
                    seconds=seconds,
                    items=case.count,
                    verified=f"own check: {UNIFORM}",
                    timer="steady clock",
                    note=note,
                )


DRIVER = NumpyPermuted()
