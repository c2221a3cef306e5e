"""Figures of speed over average parallelism: rates of engines, and the GPU's engines against the best CPU engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from experiments.term_rewriting import counts, measures
from experiments.term_rewriting.wording import Workload, count_text, title_of
from experiments.term_rewriting.workloads import AS_PRINTED, CPU_AS_PRINTED, CPU_ENGINES, PEERS
from plots.drawing import Axis, Drawing, Mark, Point, Series
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import View
from plots.spec import Scope, Title, heading, make_drawing
from plots.style import NAMED_LINES

PARALLELISM = Axis("average parallelism", "redexes", "log10")

#: The rows of all systems are in about twenty sweeps.
EVERY_SYSTEM = "./lockstep run term_rewriting --preset full"


@dataclass(frozen=True)
class Engine:
    """A variant on a machine, or a peer, and the panel that shows it."""

    variant: str
    machine: str
    panel: str = ""

    @property
    def role(self) -> str:
        if self.machine == "cpu":
            return "baseline"
        return "paper" if self.variant == AS_PRINTED else "ours"

    def rates(self, view: View) -> Mapping[Workload, Interval]:
        if self.variant in PEERS:
            return measures.peer_rates(view, self.variant)
        return measures.rates(view, (self.variant,), self.machine)


PANELS = PAPERS, COMPILED, OURS, INTERPRETED = "the paper's rewriters", "generated C++", "ours", "OCaml and Maude"

#: The most important first: the index of the report shows the first ones, and those beyond NAMED_LINES have no name.
ENGINES = (
    Engine("fast", "cuda", OURS),
    Engine(AS_PRINTED, "cuda", PAPERS),
    Engine("all_cores", "cpu", COMPILED),
    Engine(CPU_AS_PRINTED, "cpu", PAPERS),
    Engine("one_core", "cpu", COMPILED),
    Engine("auto", "cuda", OURS),
    Engine("ocaml", "cpu", INTERPRETED),
    Engine("maude", "cpu", INTERPRETED),
)


@dataclass(frozen=True)
class OverParallelism:
    """Rewrites per second over the average parallelism of each workload.

    With a `system`, a line per engine, and the papers' rates beside them. Otherwise points of all systems, in panels.
    """

    name: str
    title: str
    system: str = ""
    caption: str = ""
    across: bool = False
    finding: Title | None = None

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        wide = {
            workload: value for workload, value in counts.parallelism(view).items() if self.system in ("", workload[0])
        }
        series = [one for engine in ENGINES if (one := self._measured(view, engine, wide)).points]
        if not any(len(one.points) > 1 for one in series):
            raise NotTestable(view.missing(dict(variant=tuple(engine.variant for engine in ENGINES))))
        if self.system:
            series = [replace(one, grey=index >= NAMED_LINES) for index, one in enumerate(series)]
            series += [one for paper in scope.papers if (one := _published(paper, wide)).points]
        else:
            series.sort(key=lambda one: PANELS.index(one.panel))
        speed = Axis("speed", "rewrites/s", "log10")
        cases = view.select(variant=tuple(engine.variant for engine in ENGINES), **self._where())
        heads = heading(self.title, self.finding, view)
        drawn = make_drawing(self.name, heads, view, cases, (PARALLELISM, speed), series, "lines", self.caption)
        return drawn if self.system else replace(drawn, command=EVERY_SYSTEM)

    def _where(self) -> dict[str, object]:
        return dict(system=self.system) if self.system else {}

    def _measured(self, view: View, engine: Engine, wide: Mapping[Workload, float]) -> Series:
        kind, panel = ("measured", "") if self.system else ("points", engine.panel)
        points = _points(engine.rates(view), wide)
        return Series(engine.variant, points, engine.variant, kind, engine.role, panel=panel)


def _published(paper: View, wide: Mapping[Workload, float]) -> Series:
    points = _points(measures.rates(paper, (AS_PRINTED,), "published"), wide)
    name = paper.device.name.removesuffix(" (paper)")
    return Series(f"paper, {name}", points, paper.device.slug, "published")


def _points(rates: Mapping[Workload, Interval], wide: Mapping[Workload, float]) -> tuple[Point, ...]:
    found = [
        Point(float(f"{wide[workload]:.3g}"), rate, case=title_of(workload))
        for workload, rate in rates.items()
        if workload in wide
    ]
    return tuple(sorted(found, key=lambda point: float(point.x)))


@dataclass(frozen=True)
class AgainstCpu:
    """Speed of each GPU engine over that of the best CPU engine, a row per system at the largest size that both ran."""

    name: str
    title: str
    caption: str = ""
    across: bool = False
    finding: Title | None = None

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        rows = largest_sizes(view)
        cpu = measures.rates(view, CPU_ENGINES, "cpu")
        wide = counts.parallelism(view)
        names = {
            workload: title_of(workload) + (f" ({count_text(wide[workload])})" if workload in wide else "")
            for workload in rows
        }
        series = []
        for variant, role in (("fast", "ours"), (AS_PRINTED, "paper")):
            rates = measures.rates(view, (variant,), "cuda")
            points = [
                Point(names[workload], rates[workload] / cpu[workload], case=f"{variant}, {title_of(workload)}")
                for workload in rows
                if workload in rates
            ]
            series.append(Series(variant, tuple(points), variant, role=role))
        shown = [one for one in series if one.points]
        cases = view.select(variant=(AS_PRINTED, "fast", *CPU_ENGINES), machine=("cpu", "cuda"))
        axes = (Axis("workload", "name"), Axis("speed over the best CPU engine's", "1", "log10"))
        heads = heading(self.title, self.finding, view)
        mark = (Mark(1.0, "the best CPU engine"),)
        drawn = make_drawing(self.name, heads, view, cases, axes, shown, "dots", self.caption, mark)
        return replace(drawn, order=tuple(names.values()), command=EVERY_SYSTEM)


def largest_sizes(view: View) -> Sequence[Workload]:
    """The largest workload of each system that the GPU and the CPU have run, in ascending order of the system's parallelism.

    Parallelism is not counted at every size, so the largest one that was counted orders the systems.
    """
    widest: dict[str, float] = {}
    for workload, parallelism in counts.parallelism(view).items():
        widest[workload[0]] = max(parallelism, widest.get(workload[0], 0.0))
    gpu, cpu = measures.best_gpu_rates(view), measures.rates(view, CPU_ENGINES, "cpu")
    largest: dict[str, Workload] = {}
    for workload in sorted((one for one in gpu if one in cpu), key=lambda one: [float(size) for size in one[1:]]):
        largest[workload[0]] = workload
    if not largest:
        raise NotTestable(view.missing(dict(variant=(AS_PRINTED, "fast"), machine="cuda")))
    return sorted(largest.values(), key=lambda workload: widest.get(workload[0], 0.0))
