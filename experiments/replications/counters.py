"""Hardware counters of replications: `python3 -m experiments.replications.counters LOCKSTEP RESULTS` (plots/counters.py)."""

from __future__ import annotations

from collections.abc import Iterator

from plots.counters import Counted, main

#: Loads and stores are counted per warp; a sector has 32 bytes.
INSTRUCTIONS = {
    "instructions": "smsp__inst_executed.sum",
    "lanes_per_instruction": "smsp__thread_inst_executed_per_inst_executed.ratio",
}
ALL = {
    **INSTRUCTIONS,
    "branches_uniform_percent": "smsp__sass_average_branch_targets_threads_uniform.pct",
    "loads": "smsp__inst_executed_op_global_ld.sum",
    "loads_max": "smsp__inst_executed_op_global_ld.max",
    "stores": "smsp__inst_executed_op_global_st.sum",
    "stores_max": "smsp__inst_executed_op_global_st.max",
    "sectors_read": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "sectors_written": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "sector_used_read_percent": "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
    "sector_used_written_percent": "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
    "occupancy_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "waits_for_memory": "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "waits_to_send": "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
    "cycles_per_instruction": "smsp__average_warp_latency_per_inst_issued.ratio",
}

OCCUPANCY = {"occupancy_percent": ALL["occupancy_percent"]}

DEFAULTS = {
    "draws": "100000",
    "clients": "10000",
    "steps": "1000",
    "utilisation": "0.75",
    "chunks": "30",
    "engine": "taus88",
    "block": "0",
    "lanes": "0",
}


def wanted() -> Iterator[Counted]:
    """One thread and one warp per replication, then the forms of the latter, then both schemes in blocks of one size."""
    for model in ("pi", "mm1", "walk"):
        for variant in ("threads", "warps"):
            yield Counted(variant, variant, {**DEFAULTS, "model": model, "replications": "64"}, ALL)
        for variant in ("warps", "warps_macros", "warps_woven", "warps_advised", "warps_policy", "warps_ptx"):
            yield Counted(variant, variant, {**DEFAULTS, "model": model, "replications": "50"}, INSTRUCTIONS)
    for replications in ("64", "4224"):
        for block in ("32", "128"):
            for variant in ("threads", "warps"):
                axes = {**DEFAULTS, "model": "walk", "replications": replications, "block": block}
                yield Counted(variant, variant, axes, OCCUPANCY)


if __name__ == "__main__":
    raise SystemExit(main("replications", wanted()))
