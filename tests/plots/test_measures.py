"""What object_layout, replications, rule_interpreter and term_rewriting compute from rows whose answer is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from experiments.object_layout.measures import saved
from experiments.replications import choice, measures
from experiments.rule_interpreter import lane_counts
from experiments.term_rewriting.passes import Pass, time_above
from plots.interval import Interval, exact
from plots.results import Case, Device, View

DEVICE = Device("d", "D", attributes={"multiprocessors": 1})


def pi(variant: str, count: int, seconds: float, machine: str = "cuda") -> Case:
    """A row of replications of the estimate of pi."""
    axes = {key: str(value) for key, value in measures.MODELS["pi"].items() if key != "engine"}
    axes |= {"replications": str(count), "lanes": "0", "block": "0", "engine": "taus88"}
    return Case(DEVICE, "replications", variant, "paper", machine, axes, time=exact(seconds))


def test_a_share_of_time_saved_has_both_ends() -> None:
    found = saved(Interval(2, 1.8, 2.2), exact(4))
    assert [found.value, found.low, found.high] == pytest.approx([0.5, 0.45, 0.55])


@pytest.mark.parametrize(
    ("times", "crossing"), [({4: 1.0, 8: 1.0}, 4), ({1: 1.4, 2: 1.4, 4: 1.4}, 3)], ids=["from-4", "from-1"]
)
def test_the_crossing_is_no_less_than_a_measured_number(times: dict[int, float], crossing: int) -> None:
    """The CPU makes two replications per second."""
    rows = [pi("sequential", 64, 32.0, "cpu"), *(pi("warps", count, seconds) for count, seconds in times.items())]
    assert measures.crossing_of(View("replications", DEVICE, rows), "pi") == crossing


def test_teams_of_an_unseen_sweep_are_no_unseen_point() -> None:
    names = {"unseen_1": True, "unseen_12": True, "unseen_1_teams": False, "scaling": False}
    assert {name: choice.is_unseen(replace(pi("auto", 64, 1.0), sweeps=(name,))) for name in names} == names


def test_the_bytes_of_a_tuple_are_those_of_the_largest_group(gpu: View) -> None:
    axes = {"rules": "synthetic", "states_per_group": "0"}
    kernels = [{"shared_bytes": size, "block": [128, 1, 1]} for size in (1024, 2048)]
    row = replace(gpu.cases[0], variant="algorithm3", machine="cuda", axes=axes)
    rows = [replace(row, kernels=(kernel,)) for kernel in kernels]
    assert lane_counts.bytes_per_tuple(replace(gpu, cases=rows)).interval.value == 4


def test_a_pass_of_a_tenth_of_the_peak_is_not_above_it() -> None:
    assert time_above([Pass(10.0, 3.0), Pass(100.0, 1.0)], 0.1) == 0.25
