"""CuPy: argpartition of random keys per board (https://cupy.dev, any version; no build).

Same work: boards of exactly k occupied sites, drawn on the device. The first k indices of a row are its occupied sites,
64 bits each; our variants store one bit per site. CuPy documents that its argpartition sorts completely.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from baselines.peers.arrays import cupy_on_gpu, cupy_samples
from baselines.random_grids.peers._boards import ON_A_GPU, UNIFORM, Boards, check_masks
from processes.driver import Place, Reading


def indices(cupy: Any, case: Boards) -> Any:
    keys = cupy.random.random((case.count, case.sites), dtype=cupy.float32)
    return cupy.argpartition(keys, case.occupied - 1, axis=1)[:, : case.occupied]


def mask(cupy: Any, case: Boards, selected: Any) -> Any:
    made = cupy.zeros((case.count, case.sites), dtype=cupy.int32)
    made[cupy.arange(case.count)[:, None], selected] = 1
    return made


class CupyArgpartition:
    name = "cupy_argpartition"
    description = "random keys and cupy.argpartition per board"

    def build(self, place: Place) -> None:
        """Nothing: CuPy is installed or not."""

    def readings(self, place: Place) -> Iterator[Reading]:
        cupy = cupy_on_gpu()
        for case in ON_A_GPU:
            seconds = cupy_samples(cupy, lambda: indices(cupy, case))
            check_masks(mask(cupy, case, indices(cupy, case)), case)
            yield Reading(
                variant=self.name,
                machine="cuda",
                version=f"CuPy {cupy.__version__}",
                axes=case.axes,
                seconds=seconds,
                items=case.count,
                verified=f"own check: {UNIFORM}",
                timer="events",
                note="writes an index of 64 bits per site, not one bit",
            )
            cupy.get_default_memory_pool().free_all_blocks()


DRIVER = CupyArgpartition()
