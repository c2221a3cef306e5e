"""Numbers that are counted, not timed: functions of a device's rows that figures, claims and findings share.

Rows of the variant `iterations` have two counts of iterations. In the plain one a normal form is known as soon as its arguments are;
parallelism is defined by it. The one with the suffix `_marked` counts the paper's passes, which mark a term one pass after its subterms.
"""

from __future__ import annotations

from math import log2

from experiments.term_rewriting.workloads import PLAIN, TREE_22, TREE_SORT, TREE_SORT_23, workload_of
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import View
from plots.units import digits


def counted(view: View, name: str, **where: object) -> float:
    """A value that the variant `iterations` counts."""
    return view.metric(name, variant="iterations", **where).value


def parallelism(view: View) -> dict[tuple[str, ...], float]:
    """Average parallelism of each workload with counted iterations: rewrites divided by plain iterations."""
    rows = view.select(variant="iterations", case=lambda case: "average_parallelism" in case.metrics)
    return {workload_of(case): case.metrics["average_parallelism"] for case in rows}


def growth_over_depth(view: View) -> Measured:
    """Slopes of log2 of the largest and of the average parallelism over the depth of the tree."""
    rows = {
        int(case.axes["depth"]): case.metrics
        for case in view.select(variant="iterations", **TREE_SORT)
        if float(case.axes["depth"]) > 0
    }
    if len(rows) < 2:
        raise NotTestable(view.missing(dict(variant="iterations", **TREE_SORT), "its iterations at several depths"))
    first, last = min(rows), max(rows)
    slopes = {
        name: (log2(rows[last][name]) - log2(rows[first][name])) / (last - first)
        for name in ("max_redexes", "average_parallelism")
    }
    note = f"depth {first} to {last}; the average's slope is {digits(slopes['average_parallelism'])}"
    return Measured(exact(slopes["max_redexes"]), note)


def lists_sorted(view: View) -> Interval:
    if view.device.published:
        return exact(view.fact("tms_lists"))
    return exact(counted(view, "lists", **TREE_SORT_23))


def rewrites_per_leaf(view: View) -> Measured:
    if view.device.published:
        return Measured(exact(view.fact("tt_rewrites_per_leaf")))
    rewrites = view.metric("rewrites", **TREE_22).value
    leaves = 2.0**22
    return Measured(
        exact((rewrites - (2 * leaves - 1)) / leaves), f"{rewrites:.0f} rewrites, {2 * leaves - 1:.0f} of them expand"
    )


def counts_agree(view: View) -> Measured:
    """Share of the workloads on which all engines and machines count the same rewrites.

    Includes rows whose result disagrees with the reference: every other measure leaves them out.
    """
    found: dict[tuple[str, ...], set[object]] = {}
    engines: dict[tuple[str, ...], set[str]] = {}
    for case in view.cases:
        disagrees = case.status == "disagrees"
        if not disagrees and (case.status not in ("ok", "not_timed") or "rewrites" not in case.metrics):
            continue
        key = (*workload_of(case), case.seed)
        found.setdefault(key, set()).add(case.describe() if disagrees else case.metrics["rewrites"])
        engines.setdefault(key, set()).add(f"{case.variant} {case.machine}")
    shared = [key for key in found if len(engines[key]) > 1]
    if not shared:
        raise NotTestable("no workload with rows of two engines")
    same = sum(len(found[key]) == 1 for key in shared)
    most = max(len(engines[key]) for key in shared)
    return Measured(exact(same / len(shared)), f"{len(shared)} workloads, up to {most} engines and machines each")


def one_expand(view: View) -> Measured:
    where = dict(system="one_expand", depth="22", **PLAIN)
    most = counted(view, "max_redexes", **where)
    return Measured(exact(most), f"{counted(view, 'rewrites', **where):.0f} rewrites in all")


def list_of_lists(view: View) -> Parts:
    """Average parallelism of a list of lists over that of one list: 1 if the lists are sorted one after the other.

    The text allows two readings of a list of lists, and each is a part.
    """
    systems = ("mapped_list_of_lists", "list_of_lists", "tree_merge_sort")
    depths = set.intersection(
        *(set(view.values("depth", variant="iterations", system=system, elements="5", **PLAIN)) for system in systems)
    )
    if not depths:
        raise NotTestable(view.missing(dict(variant="iterations", system=systems), "the iterations of all three"))
    depth = max(depths, key=float)
    one = counted(view, "average_parallelism", system="merge_sort", elements="5", **PLAIN)
    wide = {
        system: counted(view, "average_parallelism", system=system, depth=depth, elements="5", **PLAIN) / one
        for system in systems
    }
    passes = {
        system: counted(view, "iterations_marked", system=system, depth=depth, elements="5", **PLAIN)
        for system in ("list_of_lists", "tree_merge_sort")
    }
    note = (
        f"{2 ** int(depth)} lists; given as a tree: {digits(wide['tree_merge_sort'])}; passes of the paper's algorithm: list "
        f"{digits(passes['list_of_lists'])}, tree {digits(passes['tree_merge_sort'])}"
    )
    readings = {"a rule walks along the list": "mapped_list_of_lists", "a list of sorts is given": "list_of_lists"}
    return parts({reading: exact(wide[system]) for reading, system in readings.items()}, note)


def widest_iterations(view: View) -> Measured:
    where = dict(**TREE_22)
    most = counted(view, "max_redexes", **where)
    return Measured(exact(counted(view, "iterations_at_most", **where)), f"of {digits(most)} redexes each")
