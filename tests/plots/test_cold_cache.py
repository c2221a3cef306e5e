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


def test_axes_without_a_column_that_are_no_defaults_are_named(gpu: View, word: Case) -> None:
    named = replace(
        word, name="e/word/cuda/grid:32x1/output:stored", axes={"grid": "32x1", "output": "stored", "engine": "x"}
    )
    view = replace(gpu, cases=[replace(named, time=exact(1e-5))], cold=[replace(named, cache="cold", time=exact(3e-5))])
    expected = "All cases have grid 32x1 and output stored. Other axes without a column have their default (`./lockstep list`)."
    assert cold_cache.fixed(view) == expected and cold_cache.table(view).caption.endswith(expected)
    assert cold_cache.fixed(replace(view, cold=[])) == ""
    unnamed = replace(view, cold=[replace(view.cold[0], name="e/word/cuda")])
    assert cold_cache.fixed(unnamed) == "Axes without a column have their default (`./lockstep list`)."
