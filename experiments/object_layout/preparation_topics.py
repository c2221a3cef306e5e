"""What happens before and between kernels: job arrays, tracing, sections and chains of maps, in sentences."""

from __future__ import annotations

from experiments.object_layout import measures, preparation
from experiments.object_layout.measures import CPU, SCALES, grouped
from experiments.object_layout.lookups import chains, job_array_time, section_counts, section_time
from experiments.object_layout.paper import paper
from experiments.object_layout.wording import times
from plots.results import View
from plots.units import digits, quantity


def job_array_on_the_gpu(view: View) -> str:
    elements, types = max(preparation.job_times(view, "jobs_as_printed", CPU))
    gpu, core = (job_array_time(view, variant, elements, types) for variant in ("jobs_sorted", "jobs_counted"))
    return (
        f"A job array of {grouped(elements)} elements of {measures.classes(types)} takes {quantity(gpu.value, 's')} on the "
        f"GPU (`jobs_sorted`), {times(core / gpu)} as fast as counting on one CPU core (`jobs_counted`)."
    )


def job_array_scaling(view: View) -> str:
    slopes, more = measures.ends(preparation.slopes(view)), measures.ends(preparation.more_types(view))
    return (
        f"Algorithm 1 as printed has these slopes of log time against log elements: {slopes}. Its time with 1000 classes, "
        f"divided by its time with one class: {more}."
    )


def tracing(view: View) -> str:
    scale = SCALES[-1]
    ours, printed = (preparation.tracing(view, scale, variant) for variant in ("tracer", "algorithm2"))
    ruby = preparation.tracing(paper(), scale)
    return (
        f"On one CPU core, our `tracer` traces {grouped(preparation.objects_of(scale))} objects in "
        f"{quantity(ours.value, 's')}, including arrays and class tags. The paper's Algorithm 2 (`algorithm2`), which omits "
        f"both, takes {quantity(printed.value, 's')} here, and {quantity(ruby.value, 's')} in the paper's Ruby program."
    )


def preparation_over_kernel(view: View) -> str:
    """The paper calls both negligible."""
    jobs, traced = preparation.jobs_over_kernel(view), preparation.tracing_over_kernel(view)
    shares = (jobs, traced, preparation.tracing_over_kernel(paper()))
    of_jobs, of_tracing, of_paper = (f"{digits(100 * share.interval.value)}%" for share in shares)
    return (
        f"In the paper's scenario, the job array takes {of_jobs} of the kernel's time for a million ticks ({jobs.note}). "
        f"Tracing takes {of_tracing} of it ({traced.note}); in the paper it takes {of_paper}."
    )


def resident_columns(view: View) -> str:
    most = section_counts(view)[-1]
    ratio = section_time(view, "sections_sent", most) / section_time(view, "sections_resident", most)
    return (
        f"Keeping columns on the device makes {most} parallel sections {times(ratio)} as fast as sending "
        "them for every section."
    )


def fusion(view: View) -> str:
    longest = chains(view)[-1]
    ratio = measures.fusion(view, longest)
    return f"Fusing a chain of {longest} maps over 2^26 floats into one kernel makes the chain {times(ratio)} as fast."
