"""Sections of results/<device>/term_rewriting.md on the paper's rewriter: speed-ups, parallelism, passes, changes.

Every function takes the view of one device and raises NotTestable where that device lacks the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from experiments.term_rewriting import bandwidths, changes, measures
from experiments.term_rewriting.passes import Pass, idle_passes, idle_slots, kernel_seconds, seconds_of, traced
from experiments.term_rewriting.wording import count_text, listed, percent, rate_text, text_or_dash, times, title_of
from experiments.term_rewriting.workloads import (
    AS_PRINTED,
    COMPARED,
    CPU_AS_PRINTED,
    CPU_ENGINES,
    FOLDED,
    MERGE_SORT,
    ONE_CHANGE,
    TREE_22,
    TREE_SORT,
    TREE_SORT_23,
    workload_of,
)
from plots.errors import NotTestable
from plots.interval import Interval
from plots.markdown import table
from plots.results import View
from plots.units import digits, quantity

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


def merged_chains(view: View) -> str:
    """What the rate of `fast` counts on systems whose chains of rules the compiler merges, and the rate without that."""
    merged, each = (measures.rates(view, (engine,), "cuda") for engine in ("fast", "fast_each_rule"))
    both = [workload for workload in each if workload in merged and workload[0] in FOLDED]
    if not both:
        raise NotTestable(view.missing(dict(variant="fast_each_rule", machine="cuda", system=FOLDED)))
    parts = [
        f"{rate_text(each[workload])} instead of {rate_text(merged[workload])} on {title_of(workload)}"
        for workload in sorted(both, key=lambda workload: -merged[workload].value)
    ]
    return (
        f"On {listed([name.replace('_', ' ') for name in FOLDED])}, the compiler of `fast` merges chains of rules into one step, "
        "and the rate counts each rule of a chain as a rewrite. With a step for each rule (`fast_each_rule`), `fast` makes "
        f"{listed(parts)}."
    )


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
        f"A redex is a subterm that a rule can rewrite. With one redex at a time, a rewrite takes {quantity(1 / gpu.value, 's')} in the paper's GPU rewriter, which needs "
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
        "These times are of one run that is traced pass by pass. "
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
    aggregated = changes.against_printed("as_printed_aggregated")(view).interval
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
    shares = [part.interval.value for part in idle_slots(view).parts]
    return (
        f"In an average pass, {percent(min(shares))} to {percent(max(shares))} of the slots hold no redex, depending on the "
        f"workload. A pass that rewrites nothing takes {quantity(short, 's')} with {count_text(few)} slots and "
        f"{quantity(long, 's')} with {count_text(many)}."
    )


# One change at a time

SHARINGS = ("none", "numerals")


def changes_workload(view: View) -> str:
    """What the table of one change at a time was measured on, and its columns."""
    case, _ = view.best(lambda case: case.rate, variant=AS_PRINTED, machine="cuda", **COMPARED)
    return (
        f"The workload is {title_of(workload_of(case))}. Where numerals are *apart*, each numeral of the input is a term of its "
        "own; where they are *shared*, equal numerals are one term. The first row has rates. The other rows have speeds "
        f"relative to `{AS_PRINTED}` in the same column."
    )


def change_table(view: View) -> str:
    """Variants that differ from the paper's rewriter in one point: how many times as fast they are."""

    def cell(variant: str, sharing: str) -> str:
        return text_or_dash(lambda: times(changes.against_printed(variant, sharing=sharing)(view).interval))

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
    slots = changes.slots_without_collection(view).interval
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
