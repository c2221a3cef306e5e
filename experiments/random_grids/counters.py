"""Hardware counters of random_grids: `python3 -m experiments.random_grids.counters LOCKSTEP RESULTS`.

plots/counters.py describes how the counters join the rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from plots.counters import Counted, main

#: `logic` is the pipe of integer additions, comparisons and logic, `multiply` that of multiplications. `shared` is the
#: data pipe of loads and stores as shared memory uses it, `data` as everything does. Percentages are shares of the peak.
COUNTERS = {
    "logic_percent": "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active",
    "multiply_percent": "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
    "shared_percent": "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_active",
    "data_percent": "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_active",
    "issue_percent": "sm__inst_issued.avg.pct_of_peak_sustained_active",
    "instructions_per_clock": "sm__inst_executed.avg.per_cycle_active",
    "instructions": "smsp__inst_executed.sum",
    "lanes_per_instruction": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "occupancy_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
}

#: Cycles that a warp waits per instruction, by cause: for a result of shared memory (or of special functions), for one
#: of device memory, for room in the queue of shared memory, for a result of fixed latency, for a busy pipe, and for its
#: turn among warps that could issue.
STALLS = {
    f"stall_{cause}": f"smsp__average_warps_issue_stalled_{cause}_per_issue_active.ratio"
    for cause in ("short_scoreboard", "long_scoreboard", "mio_throttle", "wait", "math_pipe_throttle", "not_selected")
}

#: 100 if the lanes of a warp never part at a branch.
BRANCHES = {"uniform_branches_percent": "smsp__sass_average_branch_targets_threads_uniform.pct"}

#: Grid, values of k, streams, and grids per stream, as in the sweeps ours_*.
WORDS = (("32x1", ("half", "mixed"), "270336", "1024"), ("64x1", ("half", "mixed"), "270336", "1024"))
BOARDS = (
    ("32x32", ("half", "323", "mixed"), "304128", "96"),
    ("15x15", ("71,70",), "304128", "96"),
    ("64x64", ("half", "mixed"), "50688", "128"),
    ("128x128", ("1638", "mixed"), "12672", "128"),
)
#: The slides' kernels for the same axes: variant and kernel.
SLIDES_KERNELS = {"32x1": ("word", "word_sets"), "32x32": ("threadwise", "threadwise")}


#: What `auto` takes for the boards that are compared by what bounds them: variant, kernel, grid, k, streams, and grids per stream.
FASTEST = (
    ("pooled", "pooled", "32x32", "half", "304128", "96"),
    ("pooled", "pooled", "32x32", "323", "304128", "96"),
    ("tree", "tree_boards", "32x32", "mixed", "304128", "96"),
    ("tree", "tree_boards", "64x64", "mixed", "135168", "32"),
    ("tree", "coloured_boards", "15x15", "71,70", "304128", "96"),
    ("unranked", "unranked_words", "8x8", "half", "304128", "96"),
)


def wanted() -> Iterator[Counted]:
    """Our kernels and, for the grids in SLIDES_KERNELS, the slides' fastest kernel. Grids are stored; the engine is XORWOW.

    Branches are counted in the slides' two kernels for 32 x 32 grids, and causes of waiting in the kernels of FASTEST.
    Nothing is done with the grids after they are drawn.
    """
    for variant, kernel, grid, count, streams, length in FASTEST:
        axes = {"grid": grid, "occupied": count, "streams": streams, "length": length}
        yield Counted(
            variant, kernel, axes | {"output": "stored", "engine": "xorwow", "after": "none"}, COUNTERS | STALLS
        )
    for ours, kernel, sizes in (("unranked", "unranked_words", WORDS), ("dense", "dense", BOARDS)):
        for grid, occupied, streams, length in sizes:
            for count in occupied:
                axes = {"grid": grid, "occupied": count, "streams": streams, "length": length}
                axes |= {"output": "stored", "engine": "xorwow", "after": "none"}
                yield Counted(ours, kernel, axes, COUNTERS)
                if grid in SLIDES_KERNELS:
                    yield Counted(*SLIDES_KERNELS[grid], axes, COUNTERS)
    for variant in ("warpwise", "threadwise"):
        axes = {"grid": "32x32", "occupied": "half", "streams": "135168", "length": "64"}
        yield Counted(
            variant, variant, axes | {"output": "folded", "engine": "xorwow", "after": "none"}, COUNTERS | BRANCHES
        )


if __name__ == "__main__":
    raise SystemExit(main("random_grids", wanted()))
