"""The cells of `auto`: what it chose from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plots.auto_cells import Cells
from plots.errors import NothingToReport, NotTestable
from plots.interval import exact
from plots.results import Case, Device, View

DEVICE = Device("x", "X")
CELLS = Cells(lambda case: dict(case.axes), lambda case: "", lambda case: "", "", left_out=("control",))


def row(variant: str, seconds: float, kernel: str = "kernel") -> Case:
    launched = ({"name": kernel},) if kernel else ()
    known = Case(DEVICE, "e", variant, "ours", "cuda", {"n": "1"}, items=1.0, time=exact(seconds), cache="hot")
    return replace(known, kernels=launched)


def test_a_control_is_no_rival_of_auto() -> None:
    (cell,) = CELLS.of(View("e", DEVICE, [row("auto", 2.0), row("control", 1.0), row("other", 3.0)]))
    assert (cell.best.variant, cell.speed.value) == ("other", 1.5)


@pytest.mark.parametrize("kernel", ["another", ""])
def test_a_gain_counts_only_if_the_kernels_of_auto_were_timed(kernel: str) -> None:
    with pytest.raises(NotTestable):
        CELLS.of(View("e", DEVICE, [row("auto", 2.0, kernel), row("other", 3.0, "" if kernel == "" else "kernel")]))
    (loss,) = CELLS.of(View("e", DEVICE, [row("auto", 4.0, kernel), row("other", 3.0)]))
    assert loss.speed.value == 0.75


def test_a_table_without_a_loss_says_nothing() -> None:
    with pytest.raises(NothingToReport):
        CELLS.listed(View("e", DEVICE, [row("auto", 1.0), row("other", 3.0)]))
    assert "| other |" in CELLS.listed(View("e", DEVICE, [row("auto", 4.0), row("other", 3.0)]), str)
