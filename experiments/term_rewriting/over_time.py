"""Figures of a run over time, from the passes that a row records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from experiments.term_rewriting.passes import Pass, counted_passes, traced
from experiments.term_rewriting.workloads import AS_PRINTED, GIB
from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable
from plots.interval import exact
from plots.results import View
from plots.spec import Scope, Stated, Title, heading, make_drawing, marks_of, source_of

#: The largest number of steps that a figure draws: of more passes it shows the maximum of each interval of time.
MAX_STEPS = 400


@dataclass(frozen=True)
class Quantity:
    """One number of a pass, and the axis that it is drawn on."""

    axis: Axis
    of: Callable[[Pass], float]


PARALLELISM = Quantity(Axis("rewritten in a pass", "terms"), lambda one: one.redexes)
MILLIONS = Quantity(Axis("rewritten in a pass", "million terms"), lambda one: one.redexes / 1e6)
THROUGHPUT = Quantity(Axis("throughput", "rewrites/s"), lambda one: one.redexes / one.seconds)
RANDOM = Quantity(Axis("random accesses", "GiB/s"), lambda one: one.random_bytes / one.derive_seconds / GIB)
COALESCED = Quantity(Axis("coalesced accesses", "GiB/s"), lambda one: one.own_bytes / one.derive_seconds / GIB)


@dataclass(frozen=True)
class Box:
    begin: float
    end: float
    height: float


def boxes(passes: Sequence[Pass], quantity: Quantity, derive_alone: bool = False) -> list[Box]:
    """One box per pass: its height is the quantity, its width the pass's time, or that of its derive kernel alone."""
    found, begin = [], 0.0
    for one in passes:
        width = one.derive_seconds if derive_alone and one.derive_seconds > 0 else one.seconds
        found.append(Box(begin, begin + width, quantity.of(one)))
        begin += one.seconds
    return found


def corners(found: Sequence[Box], apart: bool) -> list[tuple[float, float]]:
    """The line over the boxes; if they are apart, it returns to 0 between them."""
    if not apart:
        return [(x, box.height) for box in found for x in (box.begin, box.end)]
    return [
        (x, y)
        for box in found
        for x, y in ((box.begin, 0.0), (box.begin, box.height), (box.end, box.height), (box.end, 0.0))
    ]


def fewer(found: list[Box], steps: int) -> list[Box]:
    """At most `steps` boxes of equal width, each as high as the highest box that begins in it."""
    if len(found) <= steps:
        return found
    width = found[-1].end / steps
    heights = [0.0] * steps
    for box in found:
        index = min(steps - 1, int(box.begin / width))
        heights[index] = max(heights[index], box.height)
    return [Box(index * width, (index + 1) * width, height) for index, height in enumerate(heights)]


def around_the_peak(passes: Sequence[Pass], found: list[Box], each_way: int) -> list[Box]:
    peak = max(range(len(passes)), key=lambda index: passes[index].redexes)
    return found[max(0, peak - each_way) : peak + each_way + 1]


@dataclass(frozen=True)
class OverTime:
    """A quantity of the passes of a workload over time.

    `passes` reads them from a device's rows. `zoom` is how many to draw before and after the peak; 0 draws all.
    `derive_alone` draws a box as wide as the pass's derive kernel, at the pass's begin; the rest of the pass is a gap.
    `without_times` allows passes that are counted on the CPU, where no GPU was there to time them.
    """

    name: str
    title: str
    quantity: Quantity
    where: Mapping[str, object] = field(default_factory=dict)
    passes: Callable[..., list[Pass]] = traced
    zoom: int = 0
    derive_alone: bool = False
    without_times: bool = False
    caption: str = ""
    across: bool = False
    finding: Title | None = None
    stated: tuple[Stated, ...] = ()

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        passes, timed = self._run(view)
        apart = self.derive_alone and timed
        found = boxes(passes, self.quantity, apart)
        found = around_the_peak(passes, found, self.zoom) if self.zoom else fewer(found, MAX_STEPS)
        points = tuple(Point(x, exact(y)) for x, y in corners(found, apart))
        variants = ("as_printed_traced", "as_printed_counted") if timed else ("iterations",)
        cases = view.select(variant=variants, **self.where)
        time = Axis("time", "s") if timed else Axis("time, all passes taken to be equally long", "passes")
        drawn = make_drawing(
            self.name,
            heading(self.title, self.finding, view),
            view,
            cases,
            (time, self.quantity.axis),
            (Series(AS_PRINTED, points, AS_PRINTED, "trace"),),
            "lines",
            self.caption,
            marks_of(self.stated, view),
        )
        return drawn if timed else replace(drawn, source=source_of(view, cases, "counted"))

    def _run(self, view: View) -> tuple[list[Pass], bool]:
        """The passes, and whether they have times."""
        try:
            return self.passes(view, **self.where), True
        except NotTestable:
            if not self.without_times:
                raise
            return counted_passes(view, **self.where), False
