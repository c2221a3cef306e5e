"""A sentence names a difference only if it is beyond the noise of its rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from experiments.object_layout import speed_topics
from experiments.replications import headlines, measures, phase, steps
from plots.catalog import Experiment, load_experiment
from plots.claims import judge
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import Case, Device, View

DEVICE = Device("d", "D", attributes={"multiprocessors": 1})


def spread(seconds: float, noise: float) -> Interval:
    return Interval(seconds, seconds * (1 - noise), seconds * (1 + noise))


def dispatch(variant: str, seconds: float, noise: float, layout: str = "soa") -> Case:
    """A row of the sweep of object_layout that compares calls."""
    axes = dict(program="traffic", agents="4194304", layout=layout, order="sorted", ticks="1", launch_ticks="0")
    row = Case(DEVICE, "object_layout", variant, "ours", "cuda", axes, sweeps=("dispatch",), items=1e6)
    return replace(row, time=spread(seconds, noise))


def layouts(*rows: Case) -> View:
    return View("object_layout", DEVICE, rows)


def walk(variant: str, count: int, seconds: float, noise: float = 0.0, block: str = "0") -> Case:
    """A row of replications of the random walk."""
    axes = {key: str(value) for key, value in measures.MODELS["walk"].items() if key != "engine"}
    axes |= {"replications": str(count), "lanes": "0", "block": block, "engine": "taus88"}
    return Case(DEVICE, "replications", variant, "paper", "cuda", axes, time=spread(seconds, noise))


def replications(*rows: Case) -> View:
    return View("replications", DEVICE, rows, load_experiment("replications").papers()[0].facts)


def test_a_gain_of_delayed_within_the_noise_is_no_win() -> None:
    rows = [dispatch("factored", 1.03, 0.02), dispatch("delayed", 1.0, 0.02)]
    assert "In none of them, `delayed` is more than 1% faster" in speed_topics.delayed_branches(layouts(*rows))


@pytest.mark.parametrize(("noise", "said"), [(0.001, True), (0.2, False)])
def test_a_call_costs_more_than_the_lookup_only_beyond_the_noise(noise: float, said: bool) -> None:
    seconds = {"switch": 1.0, "inlined": 0.9, "table": 1.2, "virtual": 1.5}
    view = layouts(*(dispatch(name, time, noise, layout="aos") for name, time in seconds.items()))
    assert ("costs more than the lookup" in speed_topics.dispatch_cost(view)) is said


def test_a_sum_within_the_noise_is_compared_with_nothing(grids: Experiment, gpu: View) -> None:
    rows = [*gpu.select(variant="warpwise", grid="32x32", output="folded"), *gpu.select(variant="halving")]
    assert rows[0].time is not None
    control = replace(rows[0], variant="warpwise_no_sum", time=rows[0].time / 1.005)
    claim = next(one for one in grids.claims if one.id == "B16")
    assert "within the noise" in judge(claim, replace(gpu, cases=[*rows, control])).note


def test_the_range_in_which_the_warp_is_the_fastest_is_beyond_the_noise() -> None:
    rows = []
    for count, threads in ((32, 1.02), (64, 2.0), (128, 1.02)):
        rows += [walk("threads", count, threads, 0.02), walk("warps", count, 1.0, 0.02)]
        rows.append(replace(walk("sequential", count, 9.0), machine="cpu"))
    found = measures.warps_against_the_faster(replications(*rows))
    assert "the warp is the fastest of the three from 64 to 64 replications" in found.note


def test_a_ratio_that_spans_1_is_no_difference() -> None:
    names = ("One warp", "one thread")
    assert headlines.faster(Interval(1.01, 0.99, 1.03), *names) == "One warp and one thread take equally long"
    assert headlines.faster(Interval(0.5, 0.49, 0.51), *names) == "one thread is 2x as fast as One warp"


def test_a_rise_is_beyond_the_noise() -> None:
    rows = {64: exact(1.0), 128: Interval(1.12, 1.0, 1.3), 256: exact(1.2)}
    assert steps.rise_between(rows, "warps") == (128, 256)


def test_times_far_from_stairs_are_not_called_stairs() -> None:
    rows = [walk("warps", 4 * count, float(count), block="32") for count in (4, 5, 8)]
    assert "rises by equal steps" in headlines.stairs(replications(*rows))
    rows[1] = walk("warps", 20, 5.5, block="32")
    with pytest.raises(NotTestable, match="away from stairs"):
        headlines.stairs(replications(*rows))


def test_a_win_of_a_warp_is_beyond_the_noise() -> None:
    axes = dict(replications="32", lanes="0", block="0", engine="taus88", model="branches", ways="8", rounds="64")
    warps = Case(DEVICE, "replications", "warps", "paper", "cuda", {**axes, "loads": "0"}, time=exact(1.0))
    threads = replace(warps, variant="threads", time=Interval(1.15, 1.0, 1.3))
    assert "1.1x as fast as a thread in 0" in phase.where_warps_win(replications(warps, threads))
