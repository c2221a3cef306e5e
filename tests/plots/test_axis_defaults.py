"""Rows from before an axis existed have its default, which the names of other rows show."""

from __future__ import annotations

from dataclasses import replace

from plots.axis_defaults import with_defaults
from plots.results import Case, View


def row(gpu: View, name: str, **axes: str) -> Case:
    return replace(gpu.cases[0], name=f"random_grids/word/cuda{name}", axes=axes)


def test_an_older_row_gets_the_default_of_a_newer_axis(gpu: View) -> None:
    old = row(gpu, "/grid:32x1", grid="32x1")
    newer = [
        row(gpu, "/grid:32x1/after:liberties", grid="32x1", after="liberties"),
        row(gpu, "", grid="32x32", after="none"),
    ]
    filled = with_defaults([old, *newer])
    assert [case.axes["after"] for case in filled] == ["none", "liberties", "none"]
    assert filled[0].axes == {"grid": "32x1", "after": "none"} and filled[1:] == newer


def test_an_axis_whose_default_no_row_shows_stays_out(gpu: View) -> None:
    old = row(gpu, "/grid:32x1", grid="32x1")
    newer = row(gpu, "/grid:32x1/after:liberties", grid="32x1", after="liberties")
    assert with_defaults([old, newer]) == [old, newer]


def test_experiments_do_not_share_axes(gpu: View) -> None:
    other = replace(row(gpu, "", shape="1"), experiment="elsewhere")
    assert with_defaults([row(gpu, "", grid="1x1"), other])[1] == other
