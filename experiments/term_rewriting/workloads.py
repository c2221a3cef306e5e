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
    "as_printed_worklist": "a queue of the terms that are not normal",
}


PEERS = ("ocaml", "maude")


PLAIN: Mapping[str, object] = dict(sharing="none")


MERGE_SORT: Mapping[str, object] = dict(system="merge_sort", elements="50", **PLAIN)


TREE_SORT: Mapping[str, object] = dict(system="tree_merge_sort", elements="5", **PLAIN)


TREE_SORT_23: Mapping[str, object] = dict(depth="23", **TREE_SORT)


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
