"""What the lanes of a warp do: active lanes, empty warps, shared memory. The numbers of claims and findings."""

from __future__ import annotations

from collections.abc import Iterable

from experiments.rule_interpreter.measures import cell_of
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import GPU, Case, View
from plots.units import digits

#: Bytes of a bank of shared memory, on every GPU that CUDA 13 supports.
BANK_BYTES = 4


def lanes(view: View, variant: str) -> dict[str, float]:
    """Share of lanes that are active during an evaluation, by the share of enabled values, in groups of 32 states."""
    found: dict[str, float] = {}
    for case in view.select(variant=variant, rules="synthetic", states_per_group="0"):
        if case.metrics.get("evaluations", 0) > 0 and "lanes_evaluating" in case.metrics:
            found.setdefault(enabled_name(case), case.metrics["lanes_evaluating"] / 32)
    return found


def enabled_name(case: Case) -> str:
    """'phi 2, 2048 states of 1024' or '5% enabled, ...'."""
    _, states, values, phi = cell_of(case)
    enabled = case.axes["enabled"]
    return f"{f'phi {phi}' if enabled == '-1' else f'{enabled}% enabled'}, {states} states of {values}"


def lanes_filled(view: View) -> Parts:
    own, without = lanes(view, "algorithm3"), lanes(view, "uncompacted")
    if not own or not without:
        raise NotTestable(view.missing({"variant": "algorithm3"}, "a count of active lanes"))
    lowest = min(own, key=lambda name: own[name])
    notes = [f"without compaction {digits(without[lowest])} at {lowest}"] if lowest in without else []
    notes += [f"by the hardware counter, over all instructions: {text}" for text in [counted_lanes(view)] if text]
    return parts({name: exact(value) for name, value in own.items()}, "; ".join(notes))


def counted_lanes(view: View) -> str:
    """'0.971 at phi 2 and load 2000', where counters.py read the counter."""
    found: dict[str, float] = {}
    for case in view.select(variant="algorithm3", rules="synthetic", machine=GPU, layout="A"):
        if "counter_lanes_per_instruction" in case.metrics:
            name = f"phi {case.axes['divergence']} and load {case.axes['load']}"
            found[name] = case.metrics["counter_lanes_per_instruction"] / 32
    return ", ".join(f"{digits(value)} at {name}" for name, value in found.items())


def empty_warps(view: View) -> Parts:
    found: dict[str, Interval] = {}
    for case in view.select(variant="algorithm3", rules="synthetic", states_per_group="0"):
        if case.metrics.get("evaluations", 0) > 0 and case.axes["enabled"] not in ("100", "0"):
            found.setdefault(enabled_name(case), exact(case.metrics["empty_warps"]))
    return parts(found)


def bytes_per_tuple(view: View) -> Measured:
    """Shared memory of Algorithm 3 per thread of its group, which is its tuple. The note has the counted conflicts."""
    cases = view.select(variant="algorithm3", rules="synthetic", machine=GPU, states_per_group="0")
    found = [
        float(kernel["shared_bytes"]) / float(kernel["block"][0])
        for case in cases
        for kernel in case.kernels
        if kernel.get("shared_bytes") and kernel.get("block")
    ]
    if not found:
        raise NotTestable(view.missing({"variant": "algorithm3", "machine": GPU}, "its shared memory"))
    return Measured(exact(max(found) / BANK_BYTES), conflicts_note(cases))


def conflicts_note(cases: Iterable[Case]) -> str:
    rates = [
        case.metrics["counter_shared_bank_conflicts"] / (case.metrics["evaluations"] / 32)
        for case in cases
        if "counter_shared_bank_conflicts" in case.metrics and case.metrics.get("evaluations", 0) > 0
    ]
    if not rates:
        return ""
    return (
        f"the counter of bank conflicts has {digits(min(rates))} to {digits(max(rates))} per 32 enabled values; it differs "
        "between layouts A and C, which use shared memory alike, so it does not count addresses alone"
    )
