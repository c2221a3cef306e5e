"""The hardware counters of rule_interpreter.

Run `python3 -m experiments.rule_interpreter.counters LOCKSTEP RESULTS`; see plots/counters.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from plots.counters import Counted, main

#: A wait is the average number of warps that are stalled for this reason per issued instruction. Warps that wait for
#: a register operand are counted under `dispatch_stall`.
COUNTERS = {
    "instructions": "smsp__inst_executed.sum",
    "issue_percent": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "fma_percent": "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
    "lanes_per_instruction": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "occupancy_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "shared_bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "memory_bytes_read": "dram__bytes_read.sum",
    "memory_bytes_written": "dram__bytes_write.sum",
    "waits_for_operands": "smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio",
    "waits_for_memory": "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "waits_at_barriers": "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
}

#: How long one launch takes, and the part of that in which a multiprocessor has a warp, on average.
LAUNCH = {
    "kernel_nanoseconds": "gpu__time_duration.sum",
    "elapsed_cycles": "gpc__cycles_elapsed.max",
    "active_cycles": "sm__cycles_active.avg",
}
#: Launches to skip, so that the counted launch is not one of the first.
WARM_UP = 2

KERNELS = {"wavefront": "evaluate_wavefront", "list": "evaluate_list"}

ALL = ("algorithm1", "algorithm3", "uncompacted", "wavefront", "queue", "list")
#: Variants that are compiled for layout C with a real division, whose rows are in the sweep `division`.
DIVIDED = ("algorithm1", "algorithm3", "queue")

#: One pass over four rules in sequence, at a load at which no variant with compaction is the fastest.
FOUR_RULES = {"rules": "several", "steps": "1", "load": "20", "states": "16384", "range": "1024", "layout": "A"}
FOUR_RULES |= {"enabled": "-1", "divergence": "2", "block": "0"}


def wanted() -> Iterator[Counted]:
    """A memory-bound and a compute-bound case at 2x2x2, for all variants that evaluate the same values.

    The memory-bound case also with the divisions of layout C_divided. Apart from these, `flat_queue` in the
    memory-bound case of layout A, and `fused` for four rules.
    """
    chosen = {"rules": "synthetic", "enabled": "-1", "divergence": "2", "shape": "2x2x2", "states": "16384"}
    chosen |= {axis: "0" for axis in ("block", "states_per_group", "warps_per_state", "states_per_warp")}
    memory_bound = {"load": "20", "range": "4096"}
    cases = [(axes, layout) for axes in (memory_bound, {"load": "2000", "range": "1024"}) for layout in ("A", "C")]
    for axes, layout in [*cases, (memory_bound, "C_divided")]:
        for variant in DIVIDED if layout == "C_divided" else ALL:
            kernel = "regex:" + KERNELS.get(variant, f"^{variant}")
            yield Counted(variant, kernel, {**chosen, **axes, "layout": layout}, COUNTERS)
    yield Counted("flat_queue", "flat_queue", {**chosen, **memory_bound, "layout": "A"}, COUNTERS | LAUNCH, WARM_UP)
    yield Counted("fused", "regex:^fused", FOUR_RULES, COUNTERS | LAUNCH, WARM_UP)


if __name__ == "__main__":
    raise SystemExit(main("rule_interpreter", wanted()))
