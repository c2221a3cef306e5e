"""Work on a board in the kernel that draws it (axis `after`): registers, local memory and speed with and without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from experiments.random_grids.measures import NO_WORK, in_sweeps, k_is_half, work_after
from experiments.random_grids.wording import GRIDS_PER_SECOND, filled, giga, table_of
from plots.claims import Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval
from plots.quantity import Measure
from plots.results import View
from plots.units import digits

WORKS: Mapping[str, str] = {
    NO_WORK: "draw",
    "liberties": "draw, find liberties",
    "connected": "draw, find what the first row connects",
}
VARIANTS = ("threadwise", "warpwise", "warpwise_reduce", "dense")


def rows(variant: str, work: str) -> dict[str, object]:
    """The rows of a variant at one launch, with this work after each draw."""
    return dict(
        variant=variant,
        machine="cuda",
        grid="32x32",
        output="folded",
        engine="xorwow",
        sweeps=in_sweeps("after"),
        case=lambda case: k_is_half(case) and work_after(case) == work,
    )


def _rate(variant: str, work: str) -> Measure:
    return Measure(f"{variant}: {WORKS[work]}", "grids/s", lambda view: view.rate(**rows(variant, work)))


MEASURES = tuple(_rate(variant, work) for variant in VARIANTS for work in WORKS)


def spilled(view: View) -> Parts:
    """Local memory per thread of threadwise with each work. The note has its registers, and what the work costs."""
    if view.device.published:
        raise NotTestable("the slides print no kernel with work after the draw")
    found: dict[str, Interval] = {}
    registers: list[str] = []
    for work in WORKS:
        try:
            taken = view.kernel("registers", **rows("threadwise", work))
        except NotTestable:
            continue
        registers.append(f"{digits(taken.value)} ({WORKS[work]})")
        if work != NO_WORK:
            found[WORKS[work]] = view.kernel("local_bytes", **rows("threadwise", work))
    if not found:
        raise NotTestable(view.missing(rows("threadwise", "liberties"), "work after the draw"))
    return parts(found, f"registers per thread: {', '.join(registers)}, of 255")


def title(view: View) -> str:
    """What the heavier work leaves of the speed of both kernels of the slides."""
    left = [_share_left(view, variant, "connected") for variant in ("threadwise", "warpwise")]
    return f"With work after the draw, threadwise keeps {left[0]:.0%} of its speed and warpwise {left[1]:.0%}"


def _share_left(view: View, variant: str, work: str) -> float:
    return (view.rate(**rows(variant, work)) / view.rate(**rows(variant, NO_WORK))).value


def table(view: View) -> str:
    def cells(variant: str) -> Sequence[str]:
        speeds = [filled(partial(_speed, view, variant, work)) for work in WORKS]
        taken = [filled(partial(_taken, view, variant, work)) for work in WORKS]
        return (f"`{variant}`", *(f"{speed} ({kernel})" for speed, kernel in zip(speeds, taken)))

    if not view.select(machine="cuda", case=lambda case: work_after(case) != NO_WORK):
        raise NotTestable("no row with work after the draw")
    heads = [f"{what} (registers + local bytes)" for what in WORKS.values()]
    return table_of((f"{GRIDS_PER_SECOND}, 32 x 32, folded", *heads), map(cells, VARIANTS))


def _speed(view: View, variant: str, work: str) -> str:
    return giga(view.rate(**rows(variant, work)).value)


def _taken(view: View, variant: str, work: str) -> str:
    registers, local = (view.kernel(name, **rows(variant, work)).value for name in ("registers", "local_bytes"))
    return f"{digits(registers)} + {digits(local)}"
