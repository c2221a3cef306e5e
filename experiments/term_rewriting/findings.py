"""What the rows of a device say about term rewriting: sentences for README.md, sections for results/<device>/term_rewriting.md."""

from __future__ import annotations

from experiments.term_rewriting import counts, measures
from experiments.term_rewriting.engine_topics import (
    against_printed,
    aim_table,
    below_ten,
    fast_on_wide_systems,
    fast_table,
    idle_lanes,
    little_parallelism,
    older_races,
    peers_table,
    race_aim,
    race_table,
    turns_per_rewrite,
    wide_aim,
    wide_table,
)
from experiments.term_rewriting.counter_topics import bandwidth_shares, busiest_slice, counter_table, counters_read
from experiments.term_rewriting.paper_topics import (
    best_against_best_cpu,
    change_table,
    changes_workload,
    compiled_against_printed_cpu,
    cpu_sizes,
    derive_share,
    idle_terms,
    merged_chains,
    one_redex_at_once,
    rate_over_parallelism,
    reference_counts,
    shared_numerals,
    single_words,
    speed_up_table,
    transformation_passes,
    workload_names,
)
from experiments.term_rewriting.wording import Workload, all_cores_of, count_text, rate_text, times, title_of
from experiments.term_rewriting.workloads import (
    AS_PRINTED,
    COMPARED,
    CPU_AS_PRINTED,
    CPU_ENGINES,
    TREE_22,
    TREE_SORT_23,
)
from plots.errors import NotTestable
from plots.findings import Topic
from plots.results import View
from plots.speeds import speeds

#: Our engine, and with its options for narrow terms alone.
OURS = ("fast", "fast_walks")

# Sentences for README.md


def fast_on_many_lists(view: View) -> str:
    case, fast = view.best(lambda case: case.rate, variant=OURS, machine="cuda", **TREE_SORT_23)
    printed = view.rate(variant=AS_PRINTED, machine="cuda", **TREE_SORT_23)
    cores = view.rate(variant="all_cores", machine="cpu", **TREE_SORT_23)
    lists = counts.counted(view, "lists", **TREE_SORT_23)
    return (
        f"Our engine `{case.variant}` merge-sorts {count_text(lists)} lists of five numbers at {rate_text(fast)}, "
        f"{times(fast / printed)} as fast as the paper's GPU rewriter and {times(fast / cores)} as fast as generated C++ "
        f"on {all_cores_of(view)}{_with_fewer_lists(view)}."
    )


def _with_fewer_lists(view: View) -> str:
    """The CPU engine's collector runs on one core and takes much of its time with the most lists, as the note of R30 says."""
    where = dict(machine=("cpu", "cuda"), **COMPARED)
    try:
        ratio = view.rate(variant=OURS, **where) / view.rate(variant="all_cores", **where)
    except NotTestable:
        return ""
    lists = count_text(2.0 ** int(str(COMPARED["depth"])))
    return f" ({times(ratio)} with {lists} lists, where the CPU engine collects less garbage)"


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


def range_of_fast(view: View) -> str:
    ratios = list(against_printed(view).items())
    (lowest, low), (highest, high) = ratios[0], ratios[-1]
    return (
        f"Over {len(ratios)} workloads, `fast` is {times(low)} ({title_of(lowest)}) to {times(high)} "
        f"({title_of(highest)}) as fast as the paper's GPU rewriter{_loss(view, highest)}."
    )


def _loss(view: View, workload: Workload) -> str:
    """How much faster one core is where `fast` gains most over the paper's rewriter."""
    fast, one_core = (
        measures.rates(view, (engine,), machine) for engine, machine in (("fast", "cuda"), ("one_core", "cpu"))
    )
    if workload not in one_core or one_core[workload].value <= fast[workload].value:
        return ""
    return f"; on the latter, one CPU core is {times(one_core[workload] / fast[workload])} as fast as `fast`"


def answer(view: View) -> str:
    fast = view.rate(variant=OURS, machine="cuda", **TREE_SORT_23)
    ratio = fast / view.rate(variant="all_cores", machine="cpu", **TREE_SORT_23)
    wide = f"{times(ratio)} as fast as {all_cores_of(view).removesuffix(' CPU cores')} cores on tree merge sort"
    overall = speeds(view)
    if not overall:
        return wide
    ahead = len(overall[-1].ratios) - overall[-1].losses
    return f"{wide}; ahead in {ahead} of {len(overall[-1].ratios)}"


ANSWER = answer

#: The claim by which the paper is quoted on the index page.
MAIN_CLAIM = "R02"

#: The picture of the index page: it has the one rate that the paper's text gives.
FRONT = "rates_tree"

FINDINGS = (fast_on_many_lists, printed_against_cpu, parallelism_needed, range_of_fast)

PICTURES = ("rates_tree", "rates_sort", "speedups")

TOPICS = (
    Topic(
        "The paper's speed-ups",
        (
            workload_names,
            speed_up_table,
            merged_chains,
            cpu_sizes,
            compiled_against_printed_cpu,
            best_against_best_cpu,
        ),
    ),
    Topic("How much parallelism a GPU needs", (parallelism_needed, rate_over_parallelism, one_redex_at_once)),
    Topic("The paper's rewriter, pass by pass", (transformation_passes, single_words, derive_share, idle_terms)),
    Topic(
        "The paper's rewriter with one change at a time",
        (changes_workload, change_table, reference_counts, shared_numerals),
    ),
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
    Topic("The race of `all_cores` and `fast`", (race_aim, race_table, older_races)),
    Topic("Much parallelism: the GPU and the best CPU engine", (wide_aim, wide_table, idle_lanes)),
    Topic("OCaml and Maude", (fast_on_wide_systems, peers_table)),
)
