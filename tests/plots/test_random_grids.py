"""What is said of random_grids, from rows that a preset left out."""

from __future__ import annotations

from dataclasses import replace

from experiments.random_grids.measures import fastest
from plots.interval import exact
from plots.results import Case, View


def drawn(gpu: View, variant: str, role: str, seconds: float) -> Case:
    return replace(
        gpu.cases[0],
        variant=variant,
        role=role,
        machine="cuda",
        axes={"grid": "32x32", "occupied": "half", "output": "stored", "engine": "xorwow"},
        items=1e6,
        time=exact(seconds),
        status="ok",
        sweeps=(),
    )


def test_our_way_is_not_behind_where_it_was_not_run(gpu: View) -> None:
    printed = drawn(gpu, "threadwise", "paper", 0.5)
    alone = fastest(replace(gpu, cases=[printed]), "32x32", "grids")
    assert "is threadwise: 2 M sets/s, the slides' own method; dense and unranked, ours, were not run" in alone
    slower = fastest(replace(gpu, cases=[printed, drawn(gpu, "dense", "ours", 1.0)]), "32x32", "grids")
    assert slower.endswith("the slides' own method.")
    faster = fastest(replace(gpu, cases=[printed, drawn(gpu, "dense", "ours", 0.25)]), "32x32", "grids")
    assert faster.endswith("is dense: 4 M sets/s, 2 times the slides' threadwise.")
