"""What random_grids computes from its rows: registers, local memory, probes, and the boards of the fastest variant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from experiments.random_grids import best_table, measures
from plots.catalog import Experiment
from plots.claims import Judgement, judge
from plots.errors import NotTestable
from plots.interval import exact
from plots.results import Case, View


def judged(grids: Experiment, claim: str, view: View) -> Judgement:
    return judge(next(one for one in grids.claims if one.id == claim), view)


def row(gpu: View, variant: str, role: str, seconds: float, **axes: str) -> Case:
    where = {"grid": "32x32", "occupied": "half", "output": "stored", "engine": "xorwow"} | axes
    some = replace(gpu.cases[0], variant=variant, role=role, machine="cuda", axes=where)
    return replace(some, items=1e6, time=exact(seconds), status="ok", sweeps=())


@pytest.mark.parametrize(("local", "value"), [(0, 0.0), (400, 8.0)])
def test_without_local_memory_nothing_is_slow_for_it(grids: Experiment, gpu: View, local: int, value: float) -> None:
    own = next(case for case in gpu.select(variant="threadwise", grid="32x32", output="folded"))
    assert own.time is not None
    kernel = {"registers": 32, "local_bytes": local}
    runtime = replace(own, variant="threadwise_runtime", time=own.time * 8, kernels=(kernel,))
    found = judged(grids, "B22", replace(gpu, cases=[own, runtime])).measured
    assert found is not None and found.value == pytest.approx(value)


@pytest.mark.parametrize(("registers", "value"), [(61, 0.5), (62, 0.0)])
def test_warpwise_mitigates_with_less_than_half_the_registers_only(
    grids: Experiment, gpu: View, registers: int, value: float
) -> None:
    kernel = {"name": "warpwise", "registers": registers}
    cases = [replace(case, kernels=(kernel,)) if case.variant == "warpwise" else case for case in gpu.cases]
    found = judged(grids, "B30", replace(gpu, cases=cases)).measured
    assert found is not None and found.value == pytest.approx(value)


def test_probes_are_compared_from_a_sparse_set_on(gpu: View) -> None:
    def probe(occupied: str, steps: float) -> Case:
        return replace(row(gpu, "probe", "baseline", 1.0, occupied=occupied), metrics={"steps_mean": steps})

    dense = [probe("614", 900.0), probe("1000", 5000.0)]
    with pytest.raises(NotTestable):
        measures.probes_per_draw(replace(gpu, cases=dense))
    (part,) = measures.probes_per_draw(replace(gpu, cases=[*dense, probe("100", 100.0)])).parts
    assert part.interval.value == pytest.approx(5.0)


def test_a_board_at_which_others_are_ahead_is_named(gpu: View) -> None:
    rows = [
        row(gpu, "threadwise", "paper", 0.5),
        row(gpu, "dense", "ours", 0.2),
        row(gpu, "cub", "baseline", 0.1),
    ]
    text = best_table.summary(replace(gpu, cases=rows))
    assert "ahead of all others in 0. It is behind at 32 x 32, " in text
