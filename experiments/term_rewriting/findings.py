"""What the rows of a device say about term rewriting: sentences for README.md, sections for results/<device>/term_rewriting.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from experiments.term_rewriting import bandwidths, measures
from experiments.term_rewriting.passes import Pass, idle_passes, idle_slots, kernel_seconds, seconds_of, traced
from experiments.term_rewriting.workloads import (
    AS_PRINTED,
    COMPARED,
    CPU_AS_PRINTED,
    CPU_ENGINES,
    MERGE_SORT,
    ONE_CHANGE,
    PEERS,
    TREE,
    TREE_22,
    TREE_SORT,
    TREE_SORT_23,
    workload_of,
)
from plots.errors import NotTestable
from plots.findings import Topic
from plots.interval import Interval
from plots.markdown import table
from plots.results import Case, View
from plots.units import digits, quantity

Workload = tuple[str, ...]

#: Threads per block of `fast`: its rows count the rounds of all blocks together.
FAST_BLOCK = 256


def title_of(workload: Workload) -> str:
    """('tree_merge_sort', '23', '5') becomes 'tree merge sort 23 5'."""
    return " ".join(workload).replace("_", " ").replace("langtons", "Langton's")


def count_text(value: float) -> str:
    """13758846 becomes '13.8 million', 26876 becomes '26,900'."""
    if value >= 1e6:
        return f"{digits(value / 1e6)} million"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 1e4 else digits(value)


def times(ratio: Interval | float) -> str:
    """'2.3x'."""
    return f"{digits(ratio.value if isinstance(ratio, Interval) else ratio)}x"


def percent(share: float) -> str:
    return f"{digits(100 * share)}%"


def rate_text(rate: Interval | float) -> str:
    return quantity(rate.value if isinstance(rate, Interval) else rate, "rewrites/s")


def listed(parts: Sequence[str]) -> str:
    """'a, b and c'."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def full_title(case: Case) -> str:
    return title_of(workload_of(case)) + (", numerals shared" if case.axes["sharing"] == "numerals" else "")


def text_or_dash(text: Callable[[], str]) -> str:
    """The text, or a dash where its rows are missing."""
    try:
        return text()
    except NotTestable:
        return "–"


def all_cores_of(view: View) -> str:
    """'16 CPU cores', as far as the rows say how many."""
    for case in view.select(variant="all_cores", machine="cpu"):
        threads = dict(case.provenance.get("cpu", {})).get("threads")
        if threads:
            return f"{threads} CPU cores"
    return "all CPU cores"


# Sentences for README.md


def fast_on_many_lists(view: View) -> str:
    fast = view.rate(variant="fast", machine="cuda", **TREE_SORT_23)
    printed = view.rate(variant=AS_PRINTED, machine="cuda", **TREE_SORT_23)
    cores = view.rate(variant="all_cores", machine="cpu", **TREE_SORT_23)
    lists = measures.counted(view, "lists", **TREE_SORT_23)
    return (
        f"Our engine `fast` merge-sorts {count_text(lists)} lists of five numbers at {rate_text(fast)}, "
        f"{times(fast / printed)} as fast as the paper's GPU rewriter and {times(fast / cores)} as fast as generated C++ "
        f"on {all_cores_of(view)}."
    )


def printed_against_cpu(view: View) -> str:
    gpu = measures.deepest(view, AS_PRINTED, "cuda", **TREE_22)[1]
    ratios = {engine: gpu / measures.deepest(view, engine, "cpu", **TREE_22)[1] for engine in CPU_ENGINES}
    return (
        f"On the transformation tree of depth 22, the paper's GPU rewriter is {times(ratios[CPU_AS_PRINTED])} as fast as the "
        f"paper's CPU rewriter, {times(ratios['one_core'])} as fast as generated C++ on one core, and "
        f"{times(ratios['all_cores'])} as fast as generated C++ on {all_cores_of(view)}."
    )


def parallelism_needed(view: View) -> str:
    names = {
        CPU_AS_PRINTED: "the paper's CPU rewriter",
        "one_core": "generated C++ on one core",
        "all_cores": f"generated C++ on {all_cores_of(view)}",
    }
    parts = []
    for engine, name in names.items():
        least = measures.crossing(view, engine)
        parts.append(f"faster than {name} {f'from {count_text(least)} on' if least is not None else 'at no workload'}")
    return f"By the average parallelism of a workload, the paper's GPU rewriter is {', '.join(parts[:-1])}, and {parts[-1]}."


def against_printed(view: View) -> dict[Workload, float]:
    """How many times as fast as the paper's GPU rewriter `fast` is, at each workload that both have, ascending."""
    printed, fast = measures.rates(view, (AS_PRINTED,), "cuda"), measures.rates(view, ("fast",), "cuda")
    ratios = {workload: fast[workload].value / printed[workload].value for workload in fast if workload in printed}
    if not ratios:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda")))
    return dict(sorted(ratios.items(), key=lambda item: item[1]))


def range_of_fast(view: View) -> str:
    ratios = list(against_printed(view).items())
    (lowest, low), (highest, high) = ratios[0], ratios[-1]
    return (
        f"Over {len(ratios)} workloads, `fast` is {times(low)} ({title_of(lowest)}) to {times(high)} "
        f"({title_of(highest)}) as fast as the paper's GPU rewriter."
    )


# The paper's speed-ups


def speed_up_table(view: View) -> str:
    """Table 2 of the paper, with the engines that the paper does not have."""
    lines = []
    for title, gpu, cpu, fact in (
        ("merge sort 50", MERGE_SORT, MERGE_SORT, ""),
        ("tree merge sort 23 5", TREE_SORT_23, TREE_SORT, "tms_speedup"),
        ("transformation tree 22", TREE_22, TREE_22, "tt_speedup"),
    ):
        lines.append([title, f"> {view.facts[fact]}x" if fact in view.facts else "–", *_speeds(view, gpu, cpu)])
    if all(cell == "–" for line in lines for cell in line[2:]):
        raise NotTestable(view.missing(dict(variant=AS_PRINTED, machine="cuda")))
    head = ["workload", "paper: GPU / CPU", "`as_printed`", *(f"`as_printed` / `{engine}`" for engine in CPU_ENGINES)]
    return table([*head, "`fast`", "`fast` / `all_cores`"], lines)


def _speeds(view: View, gpu: Mapping[str, object], cpu: Mapping[str, object]) -> list[str]:
    def rate(engine: str, machine: str) -> Interval:
        return measures.deepest(view, engine, machine, **(gpu if machine == "cuda" else cpu))[1]

    def ratio(engine: str, baseline: str) -> str:
        return text_or_dash(lambda: times(rate(engine, "cuda") / rate(baseline, "cpu")))

    return [
        text_or_dash(lambda: rate_text(rate(AS_PRINTED, "cuda"))),
        *(ratio(AS_PRINTED, baseline) for baseline in CPU_ENGINES),
        text_or_dash(lambda: rate_text(rate("fast", "cuda"))),
        ratio("fast", "all_cores"),
    ]


def workload_names(view: View) -> str:
    """How this page names a workload."""
    if not view.cases:
        raise NotTestable("no rows")
    return (
        "A workload is named by its system and sizes: *tree merge sort 23 5* sorts 2^23 lists of five numbers, *merge sort 50* "
        "a list of 50 numbers, and *transformation tree 22* is a tree of depth 22."
    )


def cpu_sizes(view: View) -> str:
    """The depths of the trees that the CPU engines sort."""
    parts = []
    for engine in CPU_ENGINES:
        case, _ = measures.deepest(view, engine, "cpu", **TREE_SORT)
        parts.append(f"`{engine}` {case.axes['depth']}")
    return (
        "The ratios compare rewrites per second. For tree merge sort, the CPU engines rewrite trees of these depths: "
        f"{listed(parts)}."
    )


def compiled_against_printed_cpu(view: View) -> str:
    parts = []
    for where in (TREE_22, TREE_SORT):
        case, printed = measures.deepest(view, CPU_AS_PRINTED, "cpu", **where)
        rates = measures.rates(view, ("one_core",), "cpu")
        if workload_of(case) not in rates:
            raise NotTestable(view.missing(dict(variant="one_core", machine="cpu", **where)))
        parts.append(f"{times(rates[workload_of(case)] / printed)} as fast on {title_of(workload_of(case))}")
    return (
        "Generated C++ with decision trees and without reference counts makes one core faster than the paper's CPU "
        f"rewriter: it is {listed(parts)}."
    )


def best_against_best_cpu(view: View) -> str:
    cpu = measures.rates(view, CPU_ENGINES, "cpu")
    parts = []
    for engine, name in ((AS_PRINTED, "the paper's GPU rewriter"), ("fast", "`fast`")):
        gpu = measures.rates(view, (engine,), "cuda")
        ratios = {workload: gpu[workload] / cpu[workload] for workload in gpu if workload in cpu}
        if not ratios:
            raise NotTestable(view.missing(dict(variant=engine, machine="cuda")))
        best = max(ratios, key=lambda workload: ratios[workload].value)
        parts.append(f"{name} is at most {times(ratios[best])} as fast ({title_of(best)})")
    return f"Against the fastest CPU engine of each workload, {listed(parts)}."


# Parallelism


def one_redex_at_once(view: View) -> str:
    sizes = view.values("elements", variant=AS_PRINTED, machine="cuda", system="count")
    if not sizes:
        raise NotTestable(view.missing(dict(variant=AS_PRINTED, machine="cuda", system="count")))
    where = dict(system="count", elements=max(sizes, key=float))
    gpu = view.rate(variant=AS_PRINTED, machine="cuda", **where)
    cpu = view.rate(variant=CPU_AS_PRINTED, machine="cpu", **where)
    return (
        f"With one redex at a time, a rewrite takes {quantity(1 / gpu.value, 's')} in the paper's GPU rewriter, which needs "
        f"several passes for it, and {quantity(1 / cpu.value, 's')} in the paper's CPU rewriter."
    )


def rate_over_parallelism(view: View) -> str:
    rows = measures.printed_over_parallelism(view)
    (low, lowest, slow), (high, highest, fast) = rows[0], rows[-1]
    return (
        f"The paper's GPU rewriter reaches {rate_text(fast)} at an average parallelism of {count_text(high)} ({title_of(highest)}) "
        f"and {rate_text(slow)} at {digits(low)} ({title_of(lowest)})."
    )


# The paper's rewriter, pass by pass


def plateau_of(passes: Sequence[Pass]) -> list[int]:
    """The passes of the transformation tree that rewrite every leaf: one for the last Expand, then one per letter."""
    most = max(one.redexes for one in passes)
    return [index for index, one in enumerate(passes) if one.redexes == most]


def transformation_passes(view: View) -> str:
    passes = traced(view, **TREE_22)
    first, *letters = plateau_of(passes)
    if not letters or first == 0:
        raise NotTestable("the passes of the transformation tree have no plateau")
    of_letters = seconds_of([passes[index] for index in letters])
    rate = sum(passes[index].redexes for index in letters) / of_letters
    return (
        f"On the transformation tree of depth 22, the passes until every leaf is a letter take "
        f"{quantity(seconds_of(passes[: first + 1]), 's')} of {quantity(seconds_of(passes), 's')}. After them, the passes that "
        f"rewrite letters reach {rate_text(rate)}. The pass in which all {count_text(passes[first].redexes)} leaves "
        f"release the numeral that they share takes {quantity(passes[first].seconds, 's')}, as long as "
        f"{digits(passes[first].seconds / (of_letters / len(letters)))} passes of letters. The pass before it allocates "
        f"{count_text(passes[first].slots - passes[first - 1].slots)} terms and takes "
        f"{quantity(passes[first - 1].seconds, 's')}."
    )


def single_words(view: View) -> str:
    """The rate of atomics on one word, and the effect of one atomic per warp."""
    passes = traced(view, **TREE_22)
    first = plateau_of(passes)[0]
    rate = passes[first].redexes / passes[first].derive_seconds
    random = view.limit(bandwidths.ATOMIC_LIMIT)
    aggregated = measures.against_printed("as_printed_aggregated")(view).interval
    return (
        f"The leaves decrement one reference count at {quantity(rate, 'atomics/s')}; the device makes "
        f"{quantity(random, 'atomics/s')} on random words, {times(random / rate)} as many. With one atomic per warp to "
        f"allocate and free slots, tree merge sort 20 5 runs {times(aggregated)} as fast."
    )


def derive_share(view: View) -> str:
    passes = traced(view, **TREE_SORT_23)
    return (
        f"On tree merge sort 23 5, the derive kernel takes {quantity(kernel_seconds(passes), 's')} of the "
        f"{quantity(seconds_of(passes), 's')} of all passes. Copies, the collection of slots and the host take the rest."
    )


def idle_terms(view: View) -> str:
    found = idle_passes(view)
    if not found:
        raise NotTestable(
            view.missing(dict(variant="as_printed_traced", machine="cuda"), "passes that rewrite nothing")
        )
    (few, short), (many, long) = found[0], found[-1]
    share = idle_slots(view).interval
    return (
        f"In an average pass, {percent(share.low)} to {percent(share.high)} of the slots hold no redex, depending on the "
        f"workload. A pass that rewrites nothing takes {quantity(short, 's')} with {count_text(few)} slots and "
        f"{quantity(long, 's')} with {count_text(many)}."
    )


# One change at a time

SHARINGS = ("none", "numerals")


def change_table(view: View) -> str:
    """Variants that differ from the paper's rewriter in one point: how many times as fast they are."""

    def cell(variant: str, sharing: str) -> str:
        return text_or_dash(lambda: times(measures.against_printed(variant, sharing=sharing)(view).interval))

    def printed(sharing: str) -> str:
        where = dict(COMPARED) | dict(sharing=sharing)
        return text_or_dash(lambda: rate_text(view.rate(variant=AS_PRINTED, machine="cuda", **where)))

    lines = [[f"`{AS_PRINTED}`", "as the paper prints it", *map(printed, SHARINGS)]]
    for variant, change in ONE_CHANGE.items():
        lines.append([f"`{variant}`", change, *(cell(variant, sharing) for sharing in SHARINGS)])
    if all(text == "–" for line in lines for text in line[2:]):
        raise NotTestable(view.missing(dict(variant=AS_PRINTED, machine="cuda", **COMPARED)))
    return table(["variant", "what differs", "numerals apart", "numerals shared"], lines)


def reference_counts(view: View) -> str:
    where = dict(machine="cuda", **COMPARED)
    printed = view.rate(variant=AS_PRINTED, **where)
    without = view.rate(variant="as_printed_no_collection", **where)
    slots = measures.slots_without_collection(view).interval
    return (
        f"Without reference counts and collection, tree merge sort 20 5 runs at {rate_text(without)} instead of "
        f"{rate_text(printed)}, {times(without / printed)} as fast, and uses {times(slots)} as many slots."
    )


def shared_numerals(view: View) -> str:
    parts = []
    for engine, name in ((AS_PRINTED, "the paper's GPU rewriter"), ("fast", "`fast`")):
        apart, shared = (
            view.time(variant=engine, machine="cuda", **(dict(COMPARED) | dict(sharing=sharing)))
            for sharing in SHARINGS
        )
        parts.append(f"{name} is {times(apart / shared)} as fast")
    return f"If equal numerals of the input of tree merge sort 20 5 are one term, {listed(parts)}."


# Bandwidths and hardware counters


def bandwidth_shares(view: View) -> str:
    random, aligned = bandwidths.random_bandwidth(view), bandwidths.aligned_bandwidth(view)
    atomics = bandwidths.atomic_rate(view)
    return (
        f"On tree merge sort 23 5, the derive kernel of the paper's rewriter reaches {quantity(random.value, 'B/s')} of random "
        f"accesses, {percent((random / bandwidths.gpu_random(view)).value)} of what the device can do (the paper: 80%), "
        f"{quantity(aligned.value, 'B/s')} of aligned accesses "
        f"({percent((aligned / bandwidths.gpu_aligned(view)).value)}) and {quantity(atomics, 'atomics/s')} "
        f"({percent(atomics / view.limit(bandwidths.ATOMIC_LIMIT))})."
    )


def counted_case(view: View, variant: str, where: Mapping[str, object]) -> Case:
    for case in view.select(variant=variant, machine="cuda", **where):
        if "counter_issue_percent" in case.metrics:
            return case
    raise NotTestable(view.missing(dict(variant=variant, machine="cuda", **where), "hardware counters"))


def counter_table(variants: Sequence[str], workloads: Sequence[Mapping[str, object]]) -> Callable[[View], str]:
    """Hardware counters of one kernel launch per row."""
    columns = {
        "issue slots used, %": "counter_issue_percent",
        "lanes per instruction": "counter_lanes_per_instruction",
        "occupancy, %": "counter_occupancy_percent",
        "cycles waiting for memory": "counter_waits_for_memory",
        "cycles waiting at barriers": "counter_waits_at_barriers",
        "DRAM, %": "counter_memory_percent",
        "L2, %": "counter_l2_percent",
    }

    def write(view: View) -> str:
        lines = []
        for variant in variants:
            for where in workloads:
                try:
                    case = counted_case(view, variant, where)
                except NotTestable:
                    continue
                values = (digits(case.metrics[name]) if name in case.metrics else "–" for name in columns.values())
                lines.append([f"`{variant}`", title_of(workload_of(case)), *values])
        if not lines:
            raise NotTestable(view.missing(dict(variant=tuple(variants), machine="cuda"), "hardware counters"))
        return table(["variant", "workload", *columns], lines)

    return write


def counters_read(view: View) -> str:
    """What the counters of the widest pass say against the bandwidths."""
    case = counted_case(view, AS_PRINTED, COMPARED)
    metrics = case.metrics
    return (
        f"In the widest pass of {title_of(workload_of(case))}, a warp of the paper's rewriter waits "
        f"{digits(metrics['counter_waits_for_memory'])} cycles for memory per issued instruction, while DRAM is used to "
        f"{digits(metrics['counter_memory_percent'])}% and L2 to {digits(metrics['counter_l2_percent'])}% of their peaks."
    )


def busiest_slice(view: View) -> str:
    parts = []
    for variant in (AS_PRINTED, "as_printed_aggregated"):
        metrics = counted_case(view, variant, COMPARED).metrics
        if not metrics.get("counter_l2_atomics"):
            raise NotTestable("the counted pass has no atomics with a result")
        share = metrics["counter_busiest_l2_slice_atomics"] / metrics["counter_l2_atomics"]
        parts.append(f"{percent(share)} with `{variant}`")
    return f"Of the atomics of that pass that return a value, one slice of L2 gets {listed(parts)}."


# The engine fast


def rates_with_sharing(view: View, engine: str, machine: str) -> dict[tuple[Workload, str], Case]:
    """The fastest row of the engine at each workload and sharing of the input."""
    found: dict[tuple[Workload, str], Case] = {}
    for case in view.select(variant=engine, machine=machine):
        key = workload_of(case), case.axes["sharing"]
        if case.time is not None and (key not in found or case.time.value < _seconds(found[key])):
            found[key] = case
    return found


def _seconds(case: Case) -> float:
    if case.time is None:
        raise NotTestable(f"{case.describe()} has no time")
    return case.time.value


def fast_table(view: View) -> str:
    rows = rates_with_sharing(view, "fast", "cuda")
    if not rows:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda")))
    others = [
        rates_with_sharing(view, engine, machine)
        for engine, machine in ((AS_PRINTED, "cuda"), ("one_core", "cpu"), ("all_cores", "cpu"))
    ]
    wide = measures.parallelism(view)
    lines = []
    for key, case in sorted(rows.items(), key=lambda row: -row[1].items / _seconds(row[1])):
        workload = key[0]
        ratios = [times(_seconds(other[key]) / _seconds(case)) if key in other else "–" for other in others]
        lines.append(
            [
                full_title(case),
                count_text(wide[workload]) if workload in wide else "–",
                quantity(_seconds(case), "s"),
                rate_text(case.items / _seconds(case)),
                *ratios,
            ]
        )
    head = ["workload", "average parallelism", "time", "rate"]
    return table([*head, *(f"rate / `{engine}`" for engine in (AS_PRINTED, "one_core", "all_cores"))], lines)


def below_ten(view: View) -> str:
    ratios = against_printed(view)
    slow = [f"{title_of(workload)} ({times(ratio)})" for workload, ratio in ratios.items() if ratio < 10]
    rest = f" The others are {listed(slow)}." if slow else ""
    return (
        f"`fast` is at least 10x as fast as the paper's GPU rewriter on {len(ratios) - len(slow)} of {len(ratios)} "
        f"workloads.{rest}"
    )


#: Rewrites per second that were aimed at before any tuning.
AIMS: Sequence[tuple[Mapping[str, object], float]] = (
    (TREE_SORT_23, 20e9),
    (dict(TREE_SORT_23) | dict(sharing="numerals"), 20e9),
    (TREE_22, 150e9),
)
#: The payload tree is to reach this share of the plain tree's rate.
PAYLOAD_AIM = 0.8


def aim_table(view: View) -> str:
    lines = []
    for where, aim in AIMS:
        try:
            case, rate = view.best(lambda case: case.rate, variant="fast", machine="cuda", **where)
        except NotTestable:
            continue
        lines.append([full_title(case), f"at least {rate_text(aim)}", rate_text(rate), _met(rate.value >= aim)])
    for depth in view.values("depth", variant="fast", machine="cuda", system="payload_tree"):
        try:
            plain = view.rate(variant="fast", machine="cuda", depth=depth, **TREE)
            payload = view.rate(variant="fast", machine="cuda", depth=depth, system="payload_tree")
        except NotTestable:
            continue
        share = payload.value / plain.value
        aim_text = f"at least {PAYLOAD_AIM:g}x the rate of transformation tree {depth}"
        lines.append([f"payload tree {depth}", aim_text, times(share), _met(share >= PAYLOAD_AIM)])
    if not lines:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda")))
    return table(["workload", "aim set before tuning", "measured", "verdict"], lines)


def _met(met: bool) -> str:
    return "met" if met else "missed"


def little_parallelism(view: View) -> str:
    """What a round of `fast` does at the workload where it is furthest behind the paper's rewriter."""
    workload = next(iter(against_printed(view)))
    case = rates_with_sharing(view, "fast", "cuda")[workload, "none"]
    rounds = case.metrics["rounds"] / (case.metrics["lanes"] / FAST_BLOCK)
    return (
        f"On {title_of(workload)}, a block makes {count_text(rounds)} rounds of "
        f"{quantity(_seconds(case) / rounds, 's')}, and in a round all warps of the GPU together take "
        f"{digits(case.metrics['warp_turns'] / rounds, 2)} turns. Rounds stay short, so that work spreads, for as long as half "
        "of the lanes have never been busy; with little parallelism they never are."
    )


def turns_per_rewrite(view: View) -> str:
    parts = []
    for where in (TREE_SORT_23, TREE_22):
        for case in view.select(variant="fast", machine="cuda", **where):
            turns = case.metrics["lane_turns"]
            parts.append(
                f"{digits(turns / case.items)} turns per rewrite with {digits(turns / case.metrics['warp_turns'])} lanes in a "
                f"turn on {title_of(workload_of(case))}"
            )
    if not parts:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda", **TREE_SORT_23)))
    return f"By the counts in the rows, `fast` takes {listed(parts)}."


# The race of both engines


def race_rows(view: View) -> dict[tuple[Workload, str], dict[str, Case]]:
    """Rows of `auto` and of its two engines, in descending order of the time of the better engine."""
    engines = (("all_cores", "cpu"), ("fast", "cuda"), ("auto", "cuda"))
    found: dict[tuple[Workload, str], dict[str, Case]] = {}
    for engine, machine in engines:
        for key, case in rates_with_sharing(view, engine, machine).items():
            found.setdefault(key, {})[engine] = case
    complete = {key: cases for key, cases in found.items() if "auto" in cases and len(cases) > 1}
    if not complete:
        raise NotTestable(view.missing(dict(variant="auto", machine="cuda"), "its times and those of its engines"))
    return dict(sorted(complete.items(), key=lambda row: -better_seconds(row[1])))


def better_seconds(cases: Mapping[str, Case]) -> float:
    return min(_seconds(case) for engine, case in cases.items() if engine != "auto")


def race_table(view: View) -> str:
    lines = []
    for cases in race_rows(view).values():
        winner = {0.0: "`all_cores`", 1.0: "`fast`"}.get(cases["auto"].metrics.get("second_won", -1.0), "–")
        lines.append(
            [
                full_title(cases["auto"]),
                *(
                    quantity(_seconds(cases[name]), "s") if name in cases else "–"
                    for name in ("all_cores", "fast", "auto")
                ),
                times(_seconds(cases["auto"]) / better_seconds(cases)),
                winner,
            ]
        )
    return table(
        ["workload", "`all_cores`", "`fast`", "`auto`", "time of `auto` / better engine", "last run won by"], lines
    )


#: The aim of `auto`: at most this over the time of the better engine where that is over measures.LONG.
RACE_AIM = 1.2


def race_aim(view: View) -> str:
    """The largest time of `auto` over the better engine's, by that engine's time, and whether its aim is met."""
    parts = []
    for name, low, high in (
        (f"at least {quantity(measures.LONG, 's')}", measures.LONG, float("inf")),
        (f"5 ms to {quantity(measures.LONG, 's')}", 5e-3, measures.LONG),
        ("less than 5 ms", 0.0, 5e-3),
    ):
        ratios = {
            workload: _seconds(cases["auto"]) / better_seconds(cases)
            for (workload, _), cases in race_rows(view).items()
            if low <= better_seconds(cases) < high
        }
        if ratios:
            most = max(ratios, key=lambda workload: ratios[workload])
            parts.append(f"at most {times(ratios[most])} ({title_of(most)}) where the better engine takes {name}")
    met = _met(measures.auto_over_better(view).value <= RACE_AIM)
    return (
        f"The time of `auto` over that of the better engine is {listed(parts)}. The aim, at most {RACE_AIM:g}x where the better "
        f"engine takes over {quantity(measures.LONG, 's')}, is {met}."
    )


# OCaml and Maude


def peers_table(view: View) -> str:
    """OCaml and Maude against one core of generated C++, where their times were joined to the rows."""
    one_core = measures.rates(view, ("one_core",), "cpu")
    fast = measures.rates(view, ("fast",), "cuda")
    peers = {peer: measures.peer_rates(view, peer) for peer in PEERS}
    lines = []
    for workload in sorted({workload for rates in peers.values() for workload in rates}):
        cells = [
            times(peers[peer][workload] / one_core[workload]) if workload in peers[peer] else "–" for peer in PEERS
        ]
        own = times(fast[workload] / one_core[workload]) if workload in fast else "–"
        lines.append([title_of(workload), *cells, own])
    if not lines:
        raise NotTestable(view.missing(dict(variant="one_core", machine="cpu"), "times of OCaml or Maude"))
    return table(["rate / rate of `one_core`", "OCaml", "Maude", "`fast`"], lines)


def fast_on_wide_systems(view: View) -> str:
    """`fast` against one core on the largest systems like those of the Rewrite Engines Competition."""
    one_core, fast = measures.rates(view, ("one_core",), "cpu"), measures.rates(view, ("fast",), "cuda")
    wide = ("expression", "symbolic", "binary_search", "binary_fibonacci")
    parts = []
    for system in wide:
        both = [workload for workload in fast if workload in one_core and workload[0] == system]
        if both:
            largest = max(both, key=lambda workload: float(workload[1]))
            parts.append(f"{times(fast[largest] / one_core[largest])} ({title_of(largest)})")
    if not parts:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda", system=wide)))
    return (
        "On large systems like those of the Rewrite Engines Competition, `fast` runs at these multiples of the speed of "
        f"generated C++ on one core: {listed(parts)}."
    )


def answer(view: View) -> str:
    fast = view.rate(variant="fast", machine="cuda", **TREE_SORT_23)
    ratio = fast / view.rate(variant="all_cores", machine="cpu", **TREE_SORT_23)
    return f"{'Yes' if ratio.value > 1 else 'No'}: {times(ratio)} as fast as {all_cores_of(view).removesuffix(' CPU cores')} cores"


ANSWER = answer

FINDINGS = (fast_on_many_lists, printed_against_cpu, parallelism_needed, range_of_fast)

PICTURES = ("rates_sort", "rates")

TOPICS = (
    Topic(
        "The paper's speed-ups",
        (workload_names, speed_up_table, cpu_sizes, compiled_against_printed_cpu, best_against_best_cpu),
    ),
    Topic("How much parallelism a GPU needs", (parallelism_needed, rate_over_parallelism, one_redex_at_once)),
    Topic("The paper's rewriter, pass by pass", (transformation_passes, single_words, derive_share, idle_terms)),
    Topic("The paper's rewriter with one change at a time", (change_table, reference_counts, shared_numerals)),
    Topic(
        "Bandwidths and hardware counters",
        (
            bandwidth_shares,
            counters_read,
            busiest_slice,
            counter_table((AS_PRINTED, "as_printed_aggregated", "fast"), (COMPARED, TREE_22)),
        ),
    ),
    Topic(
        "The engine `fast`",
        (fast_table, below_ten, aim_table, turns_per_rewrite, little_parallelism),
    ),
    Topic("The race of `all_cores` and `fast`", (race_aim, race_table)),
    Topic("OCaml and Maude", (fast_on_wide_systems, peers_table)),
)
