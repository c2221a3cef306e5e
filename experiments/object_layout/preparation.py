"""Reads the numbers of Figures 9 and 10, job arrays and tracing, from the rows of a device."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import log

from experiments.object_layout.measures import CPU, SCALES, classes, collected, grouped, in_sweep, seconds
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import View
from plots.units import quantity


def job_times(view: View, variant: str, machine: object) -> dict[tuple[int, int], Interval]:
    """Maps (elements, types) to the time of one job array."""
    found = {
        (int(case.axes["elements"]), int(case.axes["types"])): case.time
        for case in view.select(program="jobs", variant=variant, machine=machine, case=in_sweep("figure9"))
        if case.time is not None
    }
    if not found:
        raise NotTestable(view.missing(dict(program="jobs", variant=variant, machine=machine)))
    return found


def slopes(view: View) -> dict[str, Interval]:
    """The slope of log time over log elements per number of classes, Algorithm 1 as printed on one core."""
    times = job_times(view, "jobs_as_printed", CPU)
    found: dict[str, Interval] = {}
    for types in sorted({types for _, types in times}):
        sizes = sorted(size for size, of in times if of == types)
        if len(sizes) < 2:
            continue
        first, last = times[sizes[0], types], times[sizes[-1], types]
        span = log(sizes[-1] / sizes[0])
        found[classes(types)] = Interval(
            log(last.value / first.value) / span, log(last.low / first.high) / span, log(last.high / first.low) / span
        )
    if not found:
        raise NotTestable("one number of elements only")
    return found


def more_types(view: View) -> dict[str, Interval]:
    """Time with 1000 classes over time with one class, per number of elements."""
    times = job_times(view, "jobs_as_printed", CPU)
    found = {
        f"{grouped(size)} elements": times[size, 1000] / times[size, 1]
        for size, types in times
        if types == 1 and (size, 1000) in times
    }
    if not found:
        raise NotTestable("no number of elements with one class and with 1000")
    return found


def jobs_over_kernel(view: View) -> Measured:
    """Time of the job array of the scenario's agents over the time of the kernel's million ticks."""
    if view.device.published:
        raise NotTestable("the paper prints no time for 20,480 elements")
    array = view.time(program="jobs", variant="jobs_as_printed", machine="cpu", elements="20480", types="2")
    return Measured(array / seconds(view, "soa", "sorted"), f"job array on one core: {quantity(array.value, 's')}")


def tracing(view: View, scale: tuple[str, str, str], variant: str = "algorithm2") -> Interval:
    streets, cars, pedestrians = scale
    return view.time(
        program="tracing", variant=variant, machine=CPU, streets=streets, cars=cars, pedestrians=pedestrians
    )


def objects_of(scale: tuple[str, str, str]) -> float:
    return float(sum(int(part) for part in scale))


def tracing_over_kernel(view: View) -> Measured:
    traced = tracing(view, SCALES[0])
    return Measured(traced / seconds(view, "soa", "sorted"), f"tracing on one core: {quantity(traced.value, 's')}")


def tracing_per_object(view: View) -> Parts:
    """Seconds per object at each scale."""
    return collected(
        {
            f"{grouped(objects_of(scale))} objects": lambda scale=scale: tracing(view, scale) / objects_of(scale)  # type: ignore[misc]
            for scale in SCALES
        }
    )


def of_job_arrays(name: str, over: str, variant: str = ".*") -> Callable[[View], Parts]:
    """A metric of every job array over one of its axes."""

    def measure(view: View) -> Parts:
        where: Mapping[str, object] = dict(program="jobs", variant=re.compile(variant))
        found = {
            f"{grouped(float(case.axes['elements']))} elements, {classes(int(case.axes['types']))}": exact(
                case.metrics[name] / float(case.axes[over])
            )
            for case in view.select(**where)
            if name in case.metrics and float(case.axes[over]) > 0
        }
        if not found:
            raise NotTestable(view.missing(where, f"the metric {name}"))
        return parts(found)

    return measure
