"""Reads hardware counters: `python3 -m experiments.object_layout.counters LOCKSTEP RESULTS` (see plots/counters.py)."""

from __future__ import annotations

from collections.abc import Iterator

from plots.counters import Counted, main

#: A sector has 32 bytes. A request is one load of one field by a warp.
COUNTERS = {
    "sectors_per_load": "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
    "sectors_per_store": "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
    "loads": "smsp__inst_executed_op_global_ld.sum",
    "stores": "smsp__inst_executed_op_global_st.sum",
    "l1_hit_percent": "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct",
    "l2_sectors_read": "lts__t_sectors_srcunit_tex_op_read.sum",
    "memory_sectors_read": "dram__sectors_read.sum",
    "lanes_per_instruction": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "branches_uniform_percent": "smsp__sass_average_branch_targets_threads_uniform.pct",
    "instructions": "smsp__inst_executed.sum",
    "occupancy_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "waits_for_memory": "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "cycles_per_instruction": "smsp__average_warp_latency_per_inst_issued.ratio",
}


def wanted() -> Iterator[Counted]:
    """Cases to profile: the paper's scenario in mode faithful and 2^20 agents in mode live, 1000 ticks each."""
    scenario = {"program": "traffic", "ticks": "1000", "mode": "faithful", "agents": "0", "object_bytes": "56"}
    large = {"program": "traffic", "ticks": "1000", "mode": "live", "agents": "1048576", "types": "2"}
    for axes in (scenario, large):
        for layout in ("soa", "aos", "aos_padded"):
            for order in ("shuffled", "jobs", "sorted"):
                yield Counted("switch", "switch_kernel", {**axes, "layout": layout, "order": order}, COUNTERS)
        for variant, kernel in (("registers", "near_kernel"), ("restrict_columns", "restrict_kernel")):
            yield Counted(variant, kernel, {**axes, "layout": "soa", "order": "sorted"}, COUNTERS)


if __name__ == "__main__":
    raise SystemExit(main("object_layout", wanted()))
