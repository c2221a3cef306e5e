"""What rows and views answer when several kernels or machines could."""

from __future__ import annotations

from dataclasses import replace

from plots.interval import exact
from plots.results import View


def test_the_kernel_that_limits_a_case_is_the_largest(gpu: View) -> None:
    row = replace(gpu.cases[0], kernels=({"registers": 40}, {"registers": 124}, {"local_bytes": 8}))
    assert row.kernel("registers") == exact(124) and row.kernel("local_bytes") == exact(8)
    assert row.kernel("shared_bytes") is None


def test_a_metric_is_that_of_the_gpu_first(gpu: View) -> None:
    rows = [
        replace(gpu.cases[0], variant="v", machine=machine, metrics={"m": value})
        for machine, value in (("emulator", 1.0), ("cpu", 2.0), ("cuda", 3.0))
    ]
    assert replace(gpu, cases=rows).metric("m", variant="v") == exact(3.0)
