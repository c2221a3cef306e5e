"""What rows and views answer when several kernels or machines could."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from plots.interval import exact
from plots.results import Case, View


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


def row(gpu: View, **more: Any) -> Case:
    return replace(
        gpu.cases[0], **({"variant": "v", "machine": "cuda", "axes": {"depth": "22"}, "time": exact(1)} | more)
    )


def test_what_is_missing_is_named_in_words(gpu: View) -> None:
    view = replace(gpu, cases=[row(gpu)])
    asked = {"variant": "v", "machine": ("cuda", "published"), "depth": "23"}
    assert view.missing(asked) == "no timed row of `v` on the GPU with depth 23"
    assert view.missing({**asked, "object_bytes": ("5", "50"), "engine": None}, "the metric steps") == (
        "no row of `v` on the GPU with depth 23, object bytes 5 or 50 and engine none has the metric `steps`"
    )
    assert (
        view.missing({"variant": re.compile("a|b"), "role": "ours"}) == "no timed row of `a|b` of a method of role ours"
    )


def test_nobody_denies_a_row_that_exists(gpu: View) -> None:
    view = replace(
        gpu, cases=[row(gpu), row(gpu, variant="untimed", time=None, status="not_timed", metrics={"m": 1.0})]
    )
    assert view.missing({"variant": "v"}) == "no timed row of `v` with all axes that this needs"
    assert view.missing({"variant": "v", "depth": "22", "case": lambda case: False}) == (
        "no timed row of `v` with depth 22 and all other axes that this needs"
    )
    assert view.missing({"variant": "untimed"}) == "no timed row of `untimed`"
    assert view.missing({"variant": "untimed"}, "the metric m").startswith(
        "no row of `untimed` with all axes that this needs"
    )
