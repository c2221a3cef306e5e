"""What the rows of a device say about object_layout: one sentence per finding, and the sections of its results page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from experiments.object_layout import measures
from experiments.object_layout.measures import CPU, PAPER_LAYOUTS, PLAIN, SCALES, grouped, in_sweep
from experiments.object_layout.tables import (
    COUNTED_AGENT_TICKS,
    rates_by_ticks,
    dispatch_rate,
    rate_of_classes,
    class_counts,
    padded,
    sizes,
    job_array_time,
    section_counts,
    section_time,
    chains,
    scenario_seconds,
    sorting_by_layout,
    agents_table,
    ticks_table,
    dispatch_table,
    classes_table,
    object_size_table,
    job_arrays_table,
    tracing_table,
    sections_table,
    fusion_table,
    modes_table,
)
from experiments.object_layout.wording import change, number, paper, span, speed, times
from plots.errors import NotTestable
from plots.findings import Topic
from plots.results import Case, View
from plots.units import digits, quantity


def answer(view: View) -> str:
    """Whether columns save time over structures in the paper's scenario: at best, and else at worst."""
    found = [
        measures.saved(measures.scenario(view, "aos", order), measures.scenario(view, "soa", order)).value
        for order in measures.PAPER_ORDERS
    ]
    if min(found) < 0 < max(found):
        return f"{digits(-100 * min(found))}% more to {digits(100 * max(found))}% less time"
    most = digits(100 * max(abs(share) for share in found))
    verdict, change_word = ("Yes", "less") if min(found) >= 0 else ("No", "more")
    return f"{verdict} at its size: up to {most}% {change_word} time"


# The paper's scenario, Figure 8.


def columns_against(of: View, layout: str) -> str:
    """'27.4% less time if agents are shuffled and 36.3% less time if they are sorted'."""
    changes = []
    for order, words in (("shuffled", "agents are shuffled"), ("sorted", "they are sorted")):
        saved = measures.saved(measures.scenario(of, layout, order), measures.scenario(of, "soa", order))
        changes.append(f"{change(saved)} time if {words}")
    return " and ".join(changes)


def layouts_in_the_scenario(view: View) -> str:
    name = paper().device.name.removesuffix(" (paper)")
    return (
        f"In the paper's scenario of {number(measures.AGENTS)} agents, compared with an array of structures, columns take "
        f"{columns_against(view, 'aos')}; on the paper's {name} they take {columns_against(paper(), 'aos')}."
    )


def padded_layouts_in_the_scenario(view: View) -> str:
    size = measures.lane_figure("agent_bytes", layout="aos_padded", object_bytes="56")(view)
    return (
        f"Compared with structures padded to {digits(size.value)} bytes, columns take "
        f"{columns_against(view, 'aos_padded')}; in the paper they take {columns_against(paper(), 'aos_padded')}."
    )


def sorting(view: View) -> str:
    shuffled = measures.scenario(view, "soa", "shuffled")
    sorted_, jobs = (measures.scenario(view, "soa", order) / shuffled for order in ("sorted", "jobs"))
    return (
        f"In the paper's scenario, sorting the agents by class makes the paper's kernel {times(sorted_)} as fast with "
        f"columns; the job array of Algorithm 1 over shuffled agents makes it {times(jobs)} as fast."
    )


def whole_scenario(view: View) -> str:
    """Whether the rate over a tenth of the ticks stands for all of them."""
    where: Mapping[str, object] = dict(
        variant="switch", machine="cuda", layout="soa", order="sorted", mode="faithful", **measures.SCENARIO
    )
    whole = view.time(case=in_sweep("figure8_whole"), ticks="1000000", **where)
    part = view.time(case=in_sweep("figure8"), ticks="100000", **where)
    return (
        "The table is computed from the rate over 100 000 ticks. All 1 000 000 ticks, measured for sorted columns, take "
        f"{digits((whole / part).value)} times as long as 100 000."
    )


def scenario_in_the_caches(view: View) -> str:
    """The state that the kernel reads, beside the L2 cache of the device."""
    streets, cars, pedestrians = SCALES[0]
    state = view.metric(
        "column_bytes", variant="tracer", program="tracing", streets=streets, cars=cars, pedestrians=pedestrians
    )
    cache_bytes = view.attribute("l2_bytes")
    relation = "fit into" if state.value < cache_bytes else "exceed"
    return (
        f"The columns of the scenario hold {digits(state.value / 1e6)} MB and {relation} the L2 cache of "
        f"{digits(cache_bytes / 1e6)} MB."
    )


def job_array_on_structures(view: View) -> str:
    """A job array over many agents, whose accesses are scattered."""
    agents = str(1 << 20)
    jobs, sorted_ = (
        view.rate(variant="switch", agents=agents, layout="aos", order=order, **measures.BY_AGENTS)
        for order in ("jobs", "sorted")
    )
    return (
        f"For {number(float(agents))} agents stored as structures, a job array over shuffled agents reaches "
        f"{speed(jobs)}, against {speed(sorted_)} for sorted agents."
    )


# More agents, and other numbers of ticks.


def speedup(view: View) -> str:
    """The headline: our kernel against the paper's."""
    gains = measures.gains(view, "switch", PAPER_LAYOUTS)
    agents = list(gains)
    fastest = max((measures.rate_of_agents(view, "registers", str(count)) for count in agents), key=lambda r: r.value)
    return (
        f"Our traffic simulation kernel keeps agents in registers and streets in shared memory: it reaches "
        f"{speed(fastest)} and, for {number(agents[0])} to {number(agents[-1])} agents, is {span(gains.values())} as "
        "fast as the paper's kernel in its best layout and order."
    )


def speedup_over_restrict(view: View) -> str:
    gains = measures.gains(view, "restrict_columns")
    return (
        f"`registers` is {span(gains.values())} as fast as hand-tuned columns with `__restrict__` pointers "
        "(`restrict_columns`)."
    )


def speedup_over_blocks(view: View) -> str:
    gains = measures.gains(view, "switch")
    return (
        "The paper does not have the layout `aosoa`. With `aosoa` among the layouts of its kernel, `registers` is "
        f"{span(gains.values())} as fast."
    )


def share_of_random_words(view: View) -> str:
    """A pedestrian draws one word per tick, a car only when it enters a street."""
    fastest = max(
        (measures.rate_of_agents(view, "registers", count).value for count in measures.agent_counts(view)), default=0
    )
    if not fastest:
        raise NotTestable("no row of registers")
    share = fastest / view.limit("random_words.philox7")
    return (
        "Most ticks take at most one random word per agent. `registers` processes agent-ticks at "
        f"{digits(100 * share)}% of the rate at which this device generates words of Philox4x32-7."
    )


def speedup_in_mode_faithful(view: View) -> str:
    where: Mapping[str, object] = dict(
        **PLAIN, machine="cuda", mode="faithful", ticks="1000", streets="500", case=measures.counted
    )
    ratios = []
    for agents in view.values("agents", variant="registers", **where):
        ours = view.rate(variant="registers", agents=agents, **where)
        ratios.append(ours / view.rate(variant="switch", agents=agents, layout=PAPER_LAYOUTS, **where))
    if not ratios:
        raise NotTestable(view.missing(where))
    return f"In mode faithful, `registers` is {span(ratios)} as fast as the paper's kernel."


def ticks_that_pay(view: View) -> str:
    """From how many ticks per launch on the copy of the streets into shared memory pays."""
    rates = rates_by_ticks(view)
    fastest = {ticks: max(row, key=lambda variant: row[variant].value) for ticks, row in rates.items()}
    few = min(fastest)
    won = [ticks for ticks in fastest if all(fastest[later] == "registers" for later in fastest if later >= ticks)]
    text = f"With {grouped(few)} {'tick' if few == 1 else 'ticks'} per launch, `{fastest[few]}` is the fastest"
    if "registers" not in rates[few]:
        raise NotTestable("no row of registers in the sweep ticks")
    if fastest[few] != "registers":
        ratio = rates[few]["registers"] / rates[few][fastest[few]]
        text += f" and `registers` is {times(ratio)} as fast, since each block copies the streets into shared memory"
    return text + (f"; from {grouped(won[0])} ticks on, `registers` is the fastest." if won else ".")


# Dispatch and classes.


def dispatch(view: View) -> str:
    switch = dispatch_rate(view, "switch", "sorted")
    ratios = {variant: switch / dispatch_rate(view, variant, "sorted") for variant in ("virtual", "table")}
    return (
        f"For 2^20 sorted agents stored as structures, the paper's switch over class tags reaches {speed(switch)}, "
        f"{times(ratios['virtual'])} as fast as virtual calls and {times(ratios['table'])} as fast as a table of functions."
    )


def dispatch_cost(view: View) -> str:
    """The lookup of a method against the call that cannot be inlined."""
    rates = {variant: dispatch_rate(view, variant, "sorted") for variant in ("switch", "inlined", "table", "virtual")}
    hoisted, call = rates["inlined"] / rates["switch"], rates["switch"] / rates["table"]
    text = (
        f"A switch before the loop over ticks (`inlined`) is {times(hoisted)} as fast as a switch in each tick, and a "
        f"table of functions is {times(rates['table'] / rates['virtual'])} as fast as virtual calls"
    )
    lookup_is_cheap = hoisted.high < call.low
    return text + (": a call that cannot be inlined costs more than the lookup." if lookup_is_cheap else ".")


def many_classes(view: View) -> str:
    most = class_counts(view)[-1]
    shuffled, sorted_ = (rate_of_classes(view, "switch", most, order) for order in ("shuffled", "sorted"))
    return (
        f"With {most} classes, the paper's switch reaches {speed(sorted_)} on sorted agents, "
        f"{times(sorted_ / shuffled)} as fast as on shuffled agents."
    )


# Object size and caches.


def object_size(view: View) -> str:
    small, *_, large = sizes(view)
    ratio = view.rate(**padded(small)) / view.rate(**padded(large))
    return (
        f"For 2^20 sorted agents, a tick takes {digits(ratio.value)} times as long with {large}-byte objects as with "
        f"{small}-byte objects."
    )


def object_size_in_the_caches(view: View) -> str:
    small, *_, large = sizes(view)
    hits, sectors, cycles = (
        [digits(view.metric(f"counter_{name}", **padded(size)).value / scale) for size in (small, large)]
        for name, scale in (
            ("l1_hit_percent", 1),
            ("l2_sectors_read", COUNTED_AGENT_TICKS),
            ("cycles_per_instruction", 1),
        )
    )
    return (
        f"With {small}-byte objects, {hits[0]}% of the sectors hit the L1 cache, an agent-tick reads {sectors[0]} sectors "
        f"from L2, and a warp issues an instruction every {cycles[0]} cycles. With {large}-byte objects, {hits[1]}% hit, "
        f"an agent-tick reads {sectors[1]} sectors, and a warp issues an instruction every {cycles[1]} cycles."
    )


def sectors_by_layout(view: View) -> str:
    """Counters of the three layouts that the paper has."""
    found = []
    for layout, name in (("soa", "columns"), ("aos", "16-byte structures"), ("aos_padded", "56-byte structures")):
        sectors = view.metric(
            "counter_sectors_per_load",
            variant="switch",
            layout=layout,
            order="sorted",
            object_bytes="56",
            agents=str(1 << 20),
            **measures.BY_AGENTS,
        )
        found.append(f"{digits(sectors.value)} sectors with {name}")
    return (
        f"For 2^20 sorted agents, a load of a warp requests {', '.join(found[:-1])} and {found[-1]}. Most loads are of streets, random draws and "
        "neighbours, which the layout of the agents does not change."
    )


def stated_sizes(view: View) -> str:
    agent = measures.lane_figure("agent_bytes", layout="aos")(view)
    padded_agent = measures.lane_figure("agent_bytes", layout="aos_padded", object_bytes="56")(view)
    return (
        f"An agent takes {digits(agent.value)} bytes, and {digits(padded_agent.value)} bytes with ten more fields; the "
        f"paper states {digits(view.fact('agent_bytes'))} and {digits(view.fact('agent_bytes_padded'))} bytes."
    )


# Job arrays and tracing, Figures 9 and 10.


def job_array_on_the_gpu(view: View) -> str:
    elements, types = max(measures.job_times(view, "jobs_as_printed", CPU))
    gpu, core = (job_array_time(view, variant, elements, types) for variant in ("jobs_sorted", "jobs_counted"))
    return (
        f"A job array of {grouped(elements)} elements of {measures.classes(types)} takes {quantity(gpu.value, 's')} on the "
        f"GPU (`jobs_sorted`), {times(core / gpu)} as fast as counting on one CPU core (`jobs_counted`)."
    )


def job_array_scaling(view: View) -> str:
    slopes, more = measures.ends(measures.slopes(view)), measures.ends(measures.more_types(view))
    return (
        f"Algorithm 1 as printed has these slopes of log time against log elements: {slopes}. Its time with 1000 classes, "
        f"divided by its time with one class: {more}."
    )


def tracing(view: View) -> str:
    scale = SCALES[-1]
    ours, ruby = measures.tracing(view, scale, "tracer"), measures.tracing(paper(), scale)
    return (
        f"Tracing {grouped(measures.objects_of(scale))} objects takes {quantity(ours.value, 's')} on one CPU core, "
        f"including arrays and class tags; the paper's Ruby program omits both and takes {quantity(ruby.value, 's')}."
    )


def preparation_over_kernel(view: View) -> str:
    """The paper calls both negligible."""
    jobs, traced = measures.jobs_over_kernel(view), measures.tracing_over_kernel(view)
    shares = (jobs, traced, measures.tracing_over_kernel(paper()))
    of_jobs, of_tracing, of_paper = (f"{digits(100 * share.interval.value)}%" for share in shares)
    return (
        f"In the paper's scenario, the job array takes {of_jobs} of the kernel's time for a million ticks ({jobs.note}). "
        f"Tracing takes {of_tracing} of it ({traced.note}); in the paper it takes {of_paper}."
    )


# Parallel sections and maps.


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


# The simulation itself.


def frozen_workload(view: View) -> str:
    shares = {
        mode: view.metric("pedestrian_still_walking", variant="objects", mode=mode, case=in_sweep("modes"))
        for mode in ("faithful", "live")
    }
    return (
        f"The paper's static table of random numbers lets its workload freeze: in the last tenth of 10 000 ticks, "
        f"{digits(100 * shares['faithful'].value)}% of the pedestrians change their street, against "
        f"{digits(100 * shares['live'].value)}% with a random stream per agent."
    )


def modes_note(view: View) -> str:
    """How many agents and streets the table of modes is about."""
    cases = view.select(variant="objects", case=in_sweep("modes"))
    if not cases:
        raise NotTestable("no row of the sweep modes")
    agents = measures.agents_of(cases[0])
    streets = float(cases[0].axes["streets"])
    return (
        f"Each row simulates {grouped(agents or 0)} agents on {grouped(streets)} streets, as plain objects on the CPU."
    )


def on_the_cpu(view: View) -> str:
    where: Mapping[str, object] = dict(machine="cpu", mode="live", case=in_sweep("cpu"))
    rows = view.select(variant="columns", **where)
    if not rows:
        raise NotTestable(view.missing(dict(variant="columns", **where)))
    threads = rows[0].provenance.get("cpu", {}).get("threads", "all")
    columns, objects = (view.rate(variant=variant, **where) for variant in ("columns", "objects"))
    return (
        f"On the CPU of this machine, `columns` on {threads} threads reaches {speed(columns)}, and plain objects on one "
        f"core (`objects`) reach {speed(objects)}."
    )


def bodies(view: View) -> str:
    counts = sorted(view.values("elements", program="bodies", machine="cuda", case=in_sweep("bodies")), key=int)
    if not counts:
        raise NotTestable("no row of the sweep bodies on a GPU")
    gpu, cpu = (
        view.rate(program="bodies", machine=machine, elements=counts[-1], case=in_sweep("bodies"))
        for machine in ("cuda", "cpu")
    )
    threads = view.attribute("multiprocessors") * view.attribute("max_threads_per_multiprocessor")
    return (
        f"The second program of the library, {grouped(float(counts[-1]))} bodies, evaluates "
        f"{quantity(gpu.value, 'pairs/s')} on the GPU, {times(gpu / cpu)} as fast as plain objects on one CPU core. "
        f"Its one thread per body is {digits(100 * float(counts[-1]) / threads)}% of the threads that the GPU can hold."
    )


def column_memory(view: View) -> str:
    """Exact counts, the same on every machine."""
    streets, cars, pedestrians = SCALES[0]
    where: Mapping[str, object] = dict(
        variant="tracer", program="tracing", streets=streets, cars=cars, pedestrians=pedestrians
    )
    total, nulls, single = (
        view.metric(name, **where) for name in ("column_bytes", "null_bytes", "bytes_with_one_numbering")
    )
    return (
        f"The columns of the paper's scenario take {grouped(total.value)} bytes, of which {grouped(nulls.value)} are null "
        f"values of fields that a subclass lacks. With one numbering of all objects they would take "
        f"{grouped(single.value)} bytes, {digits((single / total).value)} times as many."
    )


def rows_behind(view: View) -> str:
    """What a reader must know of the rows before the numbers."""
    ran = [case for case in view.cases if case.status in ("ok", "not_timed")]
    unsupported = sum(case.status == "refused" for case in view.cases)
    counters = sum(any(name.startswith("counter_") for name in case.metrics) for case in ran)
    samples = sorted({case.repetitions for case in ran if case.time is not None})
    if not samples:
        raise NotTestable("no row with a time")
    text = (
        f"{grouped(len(ran))} cases ran: {comparisons(ran)}. {grouped(counters)} of them have hardware counters. "
        f"{grouped(unsupported)} more cases are combinations that a variant does not support. A time is the median of "
        f"{samples[0]} to {samples[-1]} samples."
    )
    if samples[0] >= 6:
        return text
    return text + (
        " With fewer than six samples, the interval is their range, which covers the median with a probability below 95%."
    )


def comparisons(ran: Sequence[Case]) -> str:
    """'156 equal their reference in every unit, 154 in a sample of the units'"""
    whole = sum(case.verified.startswith("whole digest") for case in ran)
    every = sum(
        case.verified == "every unit"
        or (not case.verified and case.provenance.get("verified_units") == case.provenance.get("units_total"))
        for case in ran
    )
    found = (
        (every, "in every unit"),
        (whole, "in a digest of the whole output that another variant computed too"),
        (len(ran) - every - whole, "in a sample of the units"),
    )
    texts = [f"{grouped(count)} {how}" for count, how in found if count]
    first, _, rest = texts[0].partition(" ")
    return ", ".join([f"{first} equal their reference {rest}", *texts[1:]])


ANSWER = answer

PICTURES = ("agents",)

FINDINGS = (
    speedup,
    layouts_in_the_scenario,
    sorting,
    many_classes,
    object_size,
    dispatch,
    speedup_over_restrict,
    resident_columns,
    fusion,
    tracing,
    frozen_workload,
    stated_sizes,
)

TOPICS: Sequence[Topic] = (
    Topic("About the rows", (rows_behind,)),
    Topic(
        "The paper's scenario (Figure 8)",
        (
            layouts_in_the_scenario,
            padded_layouts_in_the_scenario,
            scenario_seconds,
            whole_scenario,
            scenario_in_the_caches,
            sorting,
            sorting_by_layout,
            job_array_on_structures,
        ),
    ),
    Topic(
        "More agents, and ticks per launch",
        (
            speedup,
            agents_table,
            speedup_over_restrict,
            speedup_over_blocks,
            speedup_in_mode_faithful,
            share_of_random_words,
            ticks_that_pay,
            ticks_table,
        ),
    ),
    Topic("Method dispatch and classes", (dispatch, dispatch_cost, dispatch_table, many_classes, classes_table)),
    Topic(
        "Object size and caches",
        (stated_sizes, object_size, object_size_in_the_caches, object_size_table, sectors_by_layout, column_memory),
    ),
    Topic(
        "Job arrays and tracing (Figures 9 and 10)",
        (job_array_on_the_gpu, job_arrays_table, job_array_scaling, tracing, tracing_table, preparation_over_kernel),
    ),
    Topic("Parallel sections and maps", (resident_columns, sections_table, fusion, fusion_table)),
    Topic("What the agents do", (frozen_workload, modes_table, modes_note)),
    Topic("The CPU, and a second program", (on_the_cpu, bodies)),
)
