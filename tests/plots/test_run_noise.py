"""The noise between two runs: from a repeated run, and from the spread of the ratios themselves."""

from __future__ import annotations

import math

import pytest

from plots.run_noise import MAX_SPREAD, estimated, measured

GROUP = ("e", "cuda")


def test_the_noise_of_two_runs_is_what_95_percent_of_their_ratios_stay_within() -> None:
    ratios = [(GROUP, math.exp(sign * number / 100)) for number in range(1, 11) for sign in (1, -1)]
    assert measured(ratios)[GROUP] == pytest.approx(0.1)
    assert measured([*ratios, *ratios, (GROUP, 9.0)])[GROUP] == pytest.approx(0.1), "1 of 41 is an outlier"


def test_a_large_spread_is_not_taken_for_noise() -> None:
    assert estimated([(GROUP, ratio) for ratio in (0.5, 2.0) * 4]) == {GROUP: MAX_SPREAD}


def test_few_pairs_show_no_noise() -> None:
    seven = [(GROUP, 1 + number / 100) for number in range(7)]
    assert measured(seven) == estimated(seven) == {}
    assert measured([*seven, (GROUP, 1.0)]) and estimated([*seven, (GROUP, 1.0)])
