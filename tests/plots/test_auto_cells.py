"""The cells of `auto`: what it chose from."""

from __future__ import annotations

from plots.auto_cells import Cells
from plots.interval import exact
from plots.results import Case, Device, View

DEVICE = Device("x", "X")


def row(variant: str, seconds: float) -> Case:
    return Case(DEVICE, "e", variant, "ours", "cuda", {"n": "1"}, items=1.0, time=exact(seconds), cache="hot")


def test_a_control_is_no_rival_of_auto() -> None:
    cells = Cells(lambda case: dict(case.axes), lambda case: "", lambda case: "", "", left_out=("control",))
    (cell,) = cells.of(View("e", DEVICE, [row("auto", 2.0), row("control", 1.0), row("other", 3.0)]))
    assert (cell.best.variant, cell.speed.value) == ("other", 1.5)
