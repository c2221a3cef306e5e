"""Rows with a cold cache beside those with a hot one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plots import cold_cache
from plots.interval import exact
from plots.results import Case, View


def test_a_cold_row_is_compared_with_the_hot_row_of_its_machine(gpu: View, word: Case) -> None:
    cold = replace(word, cache="cold", time=exact(3e-5))
    rows = [replace(word, time=exact(1e-5)), replace(word, machine="cpu", time=exact(1.0))]
    (pair,) = cold_cache.pairs(replace(gpu, cases=rows, cold=[cold]))
    assert pair == (rows[0], cold) and cold_cache.ratio(*pair).value == pytest.approx(3)
