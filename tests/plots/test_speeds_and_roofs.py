"""Speeds beside other methods and beside the limits of the device: which row counts, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

from plots.figures import Scope
from plots.interval import exact
from plots.results import Case, View
from plots.roofs import MEMORY, RoofTable
from plots.speeds import Speed


def test_never_slower_names_the_least_ratio() -> None:
    assert Speed("x", (4.0, 1.5, 2.0)).losing == "never slower in 3 (least 1.50x)"


def test_a_roof_has_the_fastest_row_of_a_variant(gpu: View, word: Case) -> None:
    rows = [replace(word, bytes=6e6, items=1.0, time=exact(seconds)) for seconds in (2e-5, 1e-5, 4e-5)]
    table = RoofTable("roofs", "Roofs", (MEMORY,)).fill(Scope(replace(gpu, cases=rows)))
    assert [row[2] for row in table.rows] == ["50.0% of 1.20 TB/s"]
