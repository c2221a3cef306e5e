"""CuPy: a Boolean mask selects the enabled values, batched products evaluate them (https://cupy.dev; no build).

Same work as torch_mask.py: the same values as ours, layout A, `load` products per enabled value, one result per enabled
value. Products of matrices are the operator @ on stacks of matrices, the scalar setting is elementwise arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from baselines.peers.arrays import cupy_on_gpu, cupy_samples
from baselines.rule_interpreter.peers._synthetic import (
    CHECKED,
    OF_INDEX,
    OF_VALUE,
    Synthetic,
    cases,
    check_results,
    values_of,
)
from processes.driver import Place, Reading


def apply_rule(cupy: Any, case: Synthetic, values: Any, results: Any) -> None:
    """Any library with NumPy's interface can be passed, which the tests use."""
    single = cupy.float32
    enabled = values != 0
    word = values[enabled].astype(cupy.uint32) * cupy.uint32(OF_VALUE)
    word = word + cupy.nonzero(enabled)[1].astype(cupy.uint32) * cupy.uint32(OF_INDEX)
    word = word ^ (word >> cupy.uint32(15))
    start = single(1) + (word >> cupy.uint32(9)).astype(single) * single(2.0**-23)
    small = start * single(2.0**-12)
    one = single(1)
    if case.size == 1:
        result = start
        for _ in range(case.load):
            result = (small - one) * result + one
    else:
        more = single(1.375) * small
        rotation = cupy.stack([small, one - small, one - more, more], 1).reshape(-1, 2, 2)
        product = cupy.stack([start * single((i + 1) / 4) + single(0.5) for i in range(4)], 1).reshape(-1, 2, 2)
        for _ in range(case.load):
            product = rotation @ product
        result = (product.reshape(-1, 4) * cupy.arange(1, 5, dtype=single)).sum(1)
    results[enabled] = result


class CupyMask:
    name = "cupy_mask"
    description = "a Boolean mask and batched products of CuPy"

    def build(self, place: Place) -> None:
        """Nothing: CuPy is installed or not."""

    def readings(self, place: Place) -> Iterator[Reading]:
        cupy = cupy_on_gpu()
        for case in cases():
            host = values_of(case)
            values = cupy.asarray(host)
            results = cupy.zeros(values.shape, dtype=cupy.float32)
            seconds = cupy_samples(cupy, lambda: apply_rule(cupy, case, values, results))
            check_results(case, host, cupy.asnumpy(results))
            yield Reading(
                variant=self.name,
                machine="cuda",
                version=f"CuPy {cupy.__version__}",
                axes=case.axes,
                seconds=seconds,
                items=case.items,
                verified=f"own check: {CHECKED}",
                timer="events",
                note="one batched or elementwise product per load step, with operands in device memory; another order of rounding",
            )
            cupy.get_default_memory_pool().free_all_blocks()


DRIVER = CupyMask()
