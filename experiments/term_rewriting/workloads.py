"""Names in the rows of term_rewriting: engines, the paper's workloads, and the axes that give the size of a system."""

from __future__ import annotations

from collections.abc import Mapping

from plots.results import Case


GIB = 2.0**30


#: The paper's rewriters for GPU and CPU.
AS_PRINTED, CPU_AS_PRINTED = "as_printed", "cpu_as_printed"


CPU_ENGINES = (CPU_AS_PRINTED, "one_core", "all_cores")


GPU_ENGINES = (AS_PRINTED, "fast")


#: Variants that differ from the paper's GPU rewriter in one point, and in which.
ONE_CHANGE: Mapping[str, str] = {
    "as_printed_no_collection": "no reference counts, no collection",
    "as_printed_binned": "redexes sorted by head symbol",
    "as_printed_net_references": "references that a rule keeps are not counted up and down",
    "as_printed_no_shortcut": "the last checked subterm is not remembered",
    "as_printed_decision_trees": "decision trees instead of nested tests",
    "as_printed_aggregated": "slots are allocated and freed by one atomic per warp",
    "as_printed_takes_together": "one atomic allocates all slots of a step",
    "as_printed_unrolled": "up to eight steps of a term in one pass",
    "as_printed_worklist": "a queue of the terms that are not normal",
    "as_printed_rule_counts": "applications of each rule are counted in every pass",
}


#: The same program with other numbers of threads per block. The paper does not give its own; as_printed has 256.
BLOCK_SIZES = tuple(f"as_printed_block_{threads}" for threads in (64, 128, 512, 1024))


#: Variants that take the terms to process from a queue. `fast` has a queue per block and one for all blocks.
DATA_DRIVEN = ("as_printed_worklist", "fast")


#: Systems with chains of rules, which `fast` takes in one step. It counts every rule of the chain as a rewrite.
FOLDED = ("transformation_tree", "payload_tree")


PEERS = ("ocaml", "maude")


PLAIN: Mapping[str, object] = dict(sharing="none")


MERGE_SORT: Mapping[str, object] = dict(system="merge_sort", elements="50", **PLAIN)


TREE_SORT: Mapping[str, object] = dict(system="tree_merge_sort", elements="5", **PLAIN)


#: The depth at which every CPU engine has a row.
TREE_SORT_18: Mapping[str, object] = dict(depth="18", **TREE_SORT)


TREE_SORT_23: Mapping[str, object] = dict(depth="23", **TREE_SORT)


#: The workload on which the block sizes are compared.
BLOCKS_COMPARED: Mapping[str, object] = TREE_SORT_18


TREE: Mapping[str, object] = dict(system="transformation_tree", **PLAIN)


TREE_22: Mapping[str, object] = dict(depth="22", **TREE)


#: The workload on which the variants of ONE_CHANGE are compared.
COMPARED: Mapping[str, object] = dict(depth="20", **TREE_SORT)


def name_of(case: Case) -> str:
    """'tree_merge_sort 14 5': a system at its size."""
    sizes = [case.axes[axis] for axis in ("depth", "elements") if axis in SIZES.get(case.axes["system"], ("depth",))]
    return " ".join([case.axes["system"], *sizes])


#: The axes that give the size of a system.
SIZES: Mapping[str, tuple[str, ...]] = {
    "merge_sort": ("elements",),
    "tree_merge_sort": ("depth", "elements"),
    "transformation_tree": ("depth",),
    "count": ("elements",),
    "insertion_sort": ("elements",),
    "tree_fold": ("depth",),
    "one_expand": ("depth",),
    "mapped_list_of_lists": ("depth", "elements"),
    "list_of_lists": ("depth", "elements"),
    "queens": ("elements",),
    "binary_fibonacci": ("depth",),
    "langtons_ant": ("elements",),
    "quick_sort": ("elements",),
    "sieve": ("elements",),
    "payload_tree": ("depth",),
    "expression": ("depth",),
    "symbolic": ("depth",),
    "binary_search": ("depth",),
    "mirrors": ("depth", "elements"),
}


def workload_of(case: Case) -> tuple[str, ...]:
    return (case.axes["system"], *(case.axes[axis] for axis in SIZES[case.axes["system"]]))
