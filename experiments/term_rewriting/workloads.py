"""What the rows of term_rewriting are of: engines by role, the paper's workloads, and what names the size of a system."""

from __future__ import annotations

from collections.abc import Mapping

from plots.results import Case


GIB = 2.0**30


#: The paper's methods, ours, and who rewrites on the CPU.
GPU_PRINTED, CPU_PRINTED = "gpu_printed", "cpu_printed"


CPU_ENGINES = (CPU_PRINTED, "one_core", "all_cores")


GPU_ENGINES = (GPU_PRINTED, "fast")


PEERS = ("ocaml", "maude")


PLAIN: Mapping[str, object] = dict(sharing="none")


MERGE_SORT: Mapping[str, object] = dict(system="merge_sort", elements="50", **PLAIN)


TREE_SORT: Mapping[str, object] = dict(system="tree_merge_sort", elements="5", **PLAIN)


TREE_SORT_23: Mapping[str, object] = dict(depth="23", **TREE_SORT)


TREE: Mapping[str, object] = dict(system="transformation_tree", **PLAIN)


TREE_22: Mapping[str, object] = dict(depth="22", **TREE)


#: What variants are compared on that differ in one point from the paper's.
COMPARED: Mapping[str, object] = dict(depth="20", **TREE_SORT)


def name_of(case: Case) -> str:
    """'tree_merge_sort 14 5': a system at its size."""
    sizes = [case.axes[axis] for axis in ("depth", "elements") if axis in SIZES.get(case.axes["system"], ("depth",))]
    return " ".join([case.axes["system"], *sizes])


#: Which axes are the size of a system.
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
