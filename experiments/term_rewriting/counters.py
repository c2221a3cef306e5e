"""Hardware counters of term_rewriting: `python3 -m experiments.term_rewriting.counters LOCKSTEP RESULTS`; see plots/counters.py."""

from __future__ import annotations

from collections.abc import Iterator

from plots.counters import Counted, main

#: Counted in the first pass, which reads every term of the input and rewrites none (claim R32).
FIRST_PASS = {"sectors_per_request": "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"}

#: Waits: the average number of warps that are stalled for the reason per issued instruction.
COUNTERS = {
    "nanoseconds": "gpu__time_duration.sum",
    "instructions": "smsp__inst_executed.sum",
    "issue_percent": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "lanes_per_instruction": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "occupancy_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "memory_bytes_read": "dram__bytes_read.sum",
    "memory_bytes_written": "dram__bytes_write.sum",
    "memory_percent": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "l2_percent": "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "l2_atomics": "lts__t_requests_srcunit_tex_op_atom.sum",
    "l2_reductions": "lts__t_requests_srcunit_tex_op_red.sum",
    "busiest_l2_slice_atomics": "lts__t_requests_srcunit_tex_op_atom.max",
    "busiest_l2_slice_reductions": "lts__t_requests_srcunit_tex_op_red.max",
    "l2_requests": "lts__t_requests_srcunit_tex.sum",
    "busiest_l2_slice_requests": "lts__t_requests_srcunit_tex.max",
    "l2_sectors_read": "lts__t_sectors_srcunit_tex_op_read.sum",
    "l2_sectors_written": "lts__t_sectors_srcunit_tex_op_write.sum",
    "l2_sectors_of_atomics": "lts__t_sectors_srcunit_tex_op_atom.sum",
    "l2_sectors_of_reductions": "lts__t_sectors_srcunit_tex_op_red.sum",
    "waits_for_memory": "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "waits_for_a_queue_to_memory": "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
    "waits_for_shared_memory": "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
    "waits_at_barriers": "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "waits_for_branches": "smsp__average_warps_issue_stalled_branch_resolving_per_issue_active.ratio",
}

#: System, depth, and the launches before the pass that rewrites most there (figures pass_redexes_* of as_printed_traced).
WIDEST = (("tree_merge_sort", "20", 51), ("transformation_tree", "22", 49))


#: The timed kernel. Each case first runs one that also counts the rewrites.
DERIVE = "regex:uncounted_.*derive$"


def wanted() -> Iterator[Counted]:
    """Launches to count: the first and the widest pass of the paper's rewriter, and the first launch of `fast`."""
    for system, depth, passes in WIDEST:
        axes = {"system": system, "depth": depth, "elements": "5", "sharing": "none"}
        if system == "tree_merge_sort":
            yield Counted("as_printed", DERIVE, axes, FIRST_PASS)
            for variant in ("as_printed_aggregated", "as_printed_takes_together"):
                yield Counted(variant, DERIVE, axes, COUNTERS, passes)
        yield Counted("as_printed", DERIVE, axes, COUNTERS, passes)
        yield Counted("fast", "regex:_rewrite$", axes, COUNTERS)


if __name__ == "__main__":
    raise SystemExit(main("term_rewriting", wanted()))
