"""Figures of a run over time, from the passes that a row records, and of rates over average parallelism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from experiments.term_rewriting import measures, workloads
from experiments.term_rewriting.passes import Pass
from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable
from plots.figures import Scope, command_for, source_of
from plots.interval import Interval, exact
from plots.results import View

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
RANDOM = Quantity(Axis("random accesses", "B/s"), lambda one: one.random_bytes / one.derive_seconds)
COALESCED = Quantity(Axis("coalesced accesses", "B/s"), lambda one: one.own_bytes / one.derive_seconds)


@dataclass(frozen=True)
class Box:
    begin: float
    end: float
    height: float


def boxes(passes: Sequence[Pass], quantity: Quantity) -> list[Box]:
    """One box per pass: its width is the pass's time, its height the quantity."""
    found, begin = [], 0.0
    for one in passes:
        found.append(Box(begin, begin + one.seconds, quantity.of(one)))
        begin += one.seconds
    return found


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
    """A quantity of the passes over time. `zoom`: how many passes to draw before and after the peak; 0 draws all."""

    name: str
    title: str
    quantity: Quantity
    passes: Callable[[View], list[Pass]]
    unit: str = "s"
    zoom: int = 0
    caption: str = ""
    across: bool = False

    def draw(self, scope: Scope) -> Drawing:
        passes = self.passes(scope.view)
        found = boxes(passes, self.quantity)
        found = around_the_peak(passes, found, self.zoom) if self.zoom else fewer(found, MAX_STEPS)
        points = [Point(x, exact(box.height)) for box in found for x in (box.begin, box.end)]
        cases = [
            case
            for case in scope.view.cases
            if case.variant in ("as_printed_traced", "as_printed_counted", "iterations")
        ]
        time = Axis("time" if self.unit == "s" else "iteration", self.unit)
        return Drawing(
            self.name,
            self.title,
            scope.view.device.name,
            time,
            self.quantity.axis,
            (Series(workloads.AS_PRINTED, tuple(points), workloads.AS_PRINTED, "trace"),),
            "lines",
            source_of(scope.view, cases, "one traced run"),
            self.caption,
            command_for(cases),
        )


@dataclass(frozen=True)
class OverParallelism:
    """Rewrites per second, or their ratio to another engine's, over the average parallelism of each workload.

    Points of all systems, or a line of one system.
    """

    name: str
    title: str
    #: Each engine with its machine; OCaml and Maude by name.
    engines: tuple[tuple[str, str], ...]
    against: str = ""
    system: str = ""
    caption: str = ""
    across: bool = False

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        wide = measures.parallelism(view)
        base = measures.rates(view, (self.against,), "cpu") if self.against else None
        series = []
        for engine, machine in self.engines:
            own = self._rates(view, engine, machine)
            if base is not None:
                own = {key: rate / base[key] for key, rate in own.items() if key in base}
            shown = {key: rate for key, rate in own.items() if key in wide and self.system in ("", key[0])}
            points = [Point(float(f"{wide[key]:.3g}"), rate) for key, rate in shown.items()]
            role = "baseline" if machine == "cpu" else "ours" if engine in ("fast", "auto") else "paper"
            if points:
                ordered = tuple(sorted(points, key=lambda point: float(point.x)))
                series.append(Series(engine, ordered, engine, "measured" if self.system else "points", role))
        if not any(len(one.points) > 1 for one in series):
            raise NotTestable(view.missing(dict(variant=tuple(name for name, _ in self.engines))))
        if base is not None:
            ends = [float(point.x) for one in series for point in one.points]
            line = tuple(Point(x, exact(1.0)) for x in (min(ends), max(ends)))
            series.append(Series(self.against, line, f"theory {self.against}", "theory"))
        unit = (
            Axis(f"speed-up over {self.against}", "1", "log10")
            if base is not None
            else Axis("speed", "rewrites/s", "log10")
        )
        names = [name for name, _ in self.engines]
        cases = view.select(variant=tuple(names))
        return Drawing(
            self.name,
            self.title,
            view.device.name,
            Axis("average parallelism (rewrites per iteration)", "rewrites", "log10"),
            unit,
            tuple(series),
            "lines",
            source_of(view, cases),
            self.caption,
            command_for(cases),
        )

    @staticmethod
    def _rates(view: View, engine: str, machine: str) -> dict[tuple[str, ...], Interval]:
        if engine in workloads.PEERS:
            return measures.peer_rates(view, engine)
        return measures.rates(view, (engine,), machine)
