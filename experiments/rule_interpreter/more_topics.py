"""Sections of the generated page on rule_interpreter that go beyond the paper: other states, rules, choices, machines.

Every function takes the view of one device and raises NotTestable where that device lacks the rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from experiments.rule_interpreter import algorithms
from experiments.rule_interpreter.measures import OURS, SQUARE
from experiments.rule_interpreter.wording import (
    ALL,
    CELL,
    EXTRAPOLATED,
    SHAPES,
    count,
    enabled_values,
    factor,
    hot,
    in_sweep,
    in_tables,
    joined,
    key_of,
    markdown,
    name_of_variant,
    seconds_of,
    span,
    speeds,
    synthetic,
    time_table,
    time_text,
)
from plots.errors import NotTestable
from plots.results import Case, View
from plots.shards import ASTERISK, commit_mark, parts_of, whole_of
from plots.units import digits

# States of other sizes and numbers.


def thread_per_state(view: View) -> str:
    parts: list[str] = []
    for shape, name in SHAPES:
        where = synthetic(shape=shape, case=in_tables)
        found = speeds(view, {"variant": "algorithm3"}, {"variant": "thread_per_state"}, tuple(CELL), **where)
        parts.append(f"{span(found)} at {name}")
    return (
        "In the cells of the tables, one thread per state takes this multiple of Algorithm 3's time, each in its best "
        f"layout: {joined(parts)}.{_where_threads_win(view)}"
    )


def _where_threads_win(view: View) -> str:
    """Outside of the tables' cells: the numbers of states from which one thread per state is ahead."""
    found = algorithms.times_of_one_thread(view, SQUARE)
    ahead = sorted(cell[1] for cell, ratio in found.items() if ratio.high < 1 and cell[0] == 20)
    if not ahead:
        return ""
    return f" With {joined([str(states) for states in ahead])} states (load 20, 2x2x2), it is faster than Algorithm 3."


def number_of_states(view: View) -> str:
    where = synthetic(case=in_sweep("states"))
    return "1024 values per state, load 20, 2x2x2, in the better of layouts A and B:\n\n" + time_table(
        view, {"states": "states"}, "variant", where, ALL, name_of_variant
    )


def small_states(view: View) -> str:
    where = hot(rules="synthetic", variant="queue", case=in_sweep("small_states"))
    table = time_table(
        view,
        {"range": "values per state", "load": "load"},
        "states_per_warp",
        where,
        ("1", "2", "4", "16", "0"),
        lambda states: "chosen" if states == "0" else f"{states} per warp",
    )
    return (
        "The queue on 262144 small states, by the number of states that one warp takes (2x2x2, layout A):\n\n" + table
    )


def states_per_warp_chosen(view: View) -> str:
    where = hot(rules="synthetic", variant="queue", case=in_sweep("small_states"))
    keys = ("range", "load")
    chosen = {"states_per_warp": "0"}
    gain = speeds(view, chosen, {"states_per_warp": "1"}, keys, **where)
    any_number = {"states_per_warp": lambda states: states != "0"}
    loss = speeds(view, any_number, chosen, keys, **where)
    return (
        f"The number that the queue chooses is {span(gain)} as fast as one state per warp, "
        f"and takes {span(loss)} the time of the best number tried."
    )


def few_states(view: View) -> str:
    where = synthetic(case=in_sweep("grid_stride"))
    keys = {"states": "states", "range": "values per state", "load": "load"}
    return (
        "Algorithm 1 gives each state one block; in `grid_stride`, the whole grid works on one state after the other "
        "(2x2x2, layout A).\n\n"
        + time_table(view, keys, "variant", where, ("algorithm1", "grid_stride", "auto"), name_of_variant)
    )


# Other rules.


def moved_words(view: View) -> str:
    where = hot(rules="accesses", case=in_sweep("accesses"))
    return (
        "The rule loads and stores this number of words per evaluation (2048 states of 1024 values, phi 2):\n\n"
        + time_table(
            view,
            {"accesses": "words"},
            ("variant", "layout"),
            where,
            head=lambda both: f"{name_of_variant(both.split(' ')[0])} {both.split(' ')[1]}",
        )
    )


def moved_words_in_layout_c(view: View) -> str:
    parts: list[str] = []
    for variant in ("algorithm1", "algorithm3", "auto"):
        where = hot(rules="accesses", variant=variant, case=in_sweep("accesses"))
        found = speeds(view, {"layout": "A"}, {"layout": "C"}, ("accesses",), **where)
        parts.append(f"{span(found)} the time with {name_of_variant(variant)}")
    return f"Relative to layout A, layout C takes {joined(parts)}."


def several_rules(view: View) -> str:
    where = hot(rules="several", case=in_sweep("rules"))
    keys = {"states": "states", "load": "load", "steps": "steps"}
    columns = (
        "algorithm1",
        "algorithm2",
        "algorithm3",
        "uncompacted",
        "thread_per_state",
        "queue",
        "block_queue",
        "refill_queue",
        "auto",
    )
    return "Scalar products, 1024 values per state, layout A:\n\n" + time_table(
        view, keys, "variant", where, columns, name_of_variant
    )


def sudoku(view: View) -> str:
    where = hot(rules="sudoku", case=in_sweep("sudoku"))
    return (
        "16384 generated grids, each to its fixed point, with every variant in the better of layouts A and C:\n\n"
        + time_table(view, {"clues": "clues"}, "variant", where, head=name_of_variant)
    )


def queue_on_sudoku(view: View) -> str:
    where = hot(rules="sudoku", case=in_sweep("sudoku"))
    found = speeds(view, {"variant": "cached"}, {"variant": "queue"}, ("clues",), **where)
    return f"The queue takes {span(found)} the time of `cached`."


def matrix_sizes(view: View) -> str:
    where = synthetic(case=in_sweep("shapes"))
    return "16384 states of 1024 values, load 20, phi 2, layout A:\n\n" + time_table(
        view, {"shape": "shape"}, "variant", where, ALL, name_of_variant
    )


def local_memory(view: View) -> str:
    spills: dict[tuple[str, ...], float] = {}
    for case in view.select(**synthetic(case=in_sweep("shapes"))):
        bytes_used = case.kernel("local_bytes")
        if bytes_used is not None:
            spills[key_of(case, ("shape", "variant"))] = bytes_used.value
    if not spills:
        raise NotTestable("the rows do not state the local memory of the kernels")
    parts = [
        f"{name_of_variant(variant)} at {shape} ({digits(size)} bytes per thread)"
        for (shape, variant), size in spills.items()
        if size > 0
    ]
    return f"Kernels that spill registers: {joined(parts) or 'none'}."


# What `auto` chooses between, and how far the hardware is used.


def queue_or_list(view: View) -> str:
    chosen = ("queue", "list", "auto")
    where = synthetic(variant=chosen, range="1024", divergence="2", layout=("A", "C"), case=in_tables)
    keys = {"shape": "shape", "load": "load", "states": "states"}
    table = time_table(view, keys, "variant", where, chosen, name_of_variant)
    return (
        "For matrix products, `auto` uses `list` from a number of FP32 slots per evaluation on, and `queue` below that "
        "(METHOD.md). The table has 1024 values per state, phi 2 and the better of layouts A and C.\n\n" + table
    )


COUNTERS = {
    "counter_issue_percent": "issue slots used, %",
    "counter_fma_percent": "FMA pipe busy, %",
    "counter_lanes_per_instruction": "active lanes per instruction",
    "counter_waits_for_operands": "warps stalled on operands",
    "counter_waits_for_memory": "warps stalled on memory",
    "counter_waits_at_barriers": "warps stalled at barriers",
}


def counters(view: View) -> str:
    cases = [case for case in view.select(machine="cuda") if set(COUNTERS) <= set(case.metrics)]
    if not cases:
        raise NotTestable("the rows have no hardware counters (counters.py)")
    keys = ("load", "range", "layout", "variant")
    # The four rules use scalar products at every shape, so rows that differ in the shape alone repeat the same work.
    once = {(case.axes["rules"], *key_of(case, keys)): case for case in reversed(cases)}
    rows = [
        [
            "four" if case.axes["rules"] == "several" else "one",
            *key_of(case, keys)[:3],
            name_of_variant(case.variant),
            *(digits(case.metrics[name]) for name in COUNTERS),
        ]
        for case in sorted(
            (case for case in cases if once[(case.axes["rules"], *key_of(case, keys))] is case),
            key=lambda case: [case.axes["rules"] == "several", int(case.axes["load"]), case.axes["layout"]],
        )
    ]
    return (
        "16384 states, phi 2; the single rule multiplies 2x2 matrices, and the four rules use scalar products. A stall is the average "
        "number of warps that wait for this reason per issued instruction.\n\n"
        + markdown(["rules", "load", "values per state", "layout", "variant", *COUNTERS.values()], rows)
    )


#: Warp schedulers of a multiprocessor, from compute capability 7.0 on. Each issues one instruction per cycle.
SCHEDULERS = 4
MEMORY_COUNTERS = ("counter_memory_bytes_read", "counter_memory_bytes_written")


def issue_slots_at_low_load(view: View) -> str:
    """How long the instructions of the kernels at load 20, and their bytes, take by themselves."""
    kernels = (
        ("one rule", "flat_queue", synthetic(shape=SQUARE, load="20", layout="A")),
        ("four rules", "fused", hot(rules="several", load="20", steps="1", case=in_sweep("rules"))),
    )
    needed = ("counter_instructions", "counter_issue_percent", *MEMORY_COUNTERS)
    slots_per_second = SCHEDULERS * view.attribute("multiprocessors") * view.limit("clock")
    sentences = []
    for rules, variant, where in kernels:
        cases = [case for case in view.select(variant=variant, **where) if set(needed) <= set(case.metrics)]
        if not cases:
            raise NotTestable(f"the rows of {variant} have no hardware counters (counters.py)")
        case, metrics = cases[0], cases[0].metrics
        percent = metrics["counter_issue_percent"]
        all_slots = metrics["counter_instructions"] / slots_per_second
        moved = sum(metrics[name] for name in MEMORY_COUNTERS)
        sentences.append(
            f"With {rules} and {case.axes['states']} states of {case.axes['range']} values, the instructions of "
            f"`{variant}` take {time_text(all_slots)} if they use all issue slots, and "
            f"{time_text(all_slots / (percent / 100))} at the {digits(percent)}% that they use. The traffic of device "
            f"memory takes {time_text(moved / view.limit('copy.memcpy'))} at the speed of a copy. "
            + parts_of_a_run(case)
        )
    return "The following times are at load 20 in layout A. " + " ".join(sentences)


def parts_of_a_run(case: Case) -> str:
    """How long a run takes between its events, and its kernel alone under Nsight Compute, if that was read."""
    run = f"A run takes {time_text(seconds_of(case))}"
    needed = ("counter_kernel_nanoseconds", "counter_active_cycles", "counter_elapsed_cycles")
    if not set(needed) <= set(case.metrics):
        return run + "."
    kernel, active_cycles, elapsed_cycles = (case.metrics[name] for name in needed)
    active = active_cycles / elapsed_cycles
    return (
        f"{run} from event to event. Under Nsight Compute, which empties the caches first, its kernel takes "
        f"{time_text(kernel * 1e-9)}, and a "
        f"multiprocessor has warps for {digits(100 * active)}% of the kernel's cycles on average."
    )


def queue_at_low_load(view: View) -> str:
    where = synthetic(variant="queue", shape=SQUARE, load="20", layout="A")
    needed = ("counter_instructions", "counter_issue_percent", *MEMORY_COUNTERS)
    cases = [case for case in view.select(**where) if set(needed) <= set(case.metrics)]
    if not cases:
        raise NotTestable("the queue's rows have no hardware counters (counters.py)")
    metrics = cases[0].metrics
    moved = sum(metrics[name] for name in MEMORY_COUNTERS)
    per_warp = metrics["counter_instructions"] / (enabled_values(cases[0]) / 32)
    return (
        f"At load 20 and {cases[0].axes['range']} values per state in layout A, the queue issues {digits(per_warp)} "
        f"warp instructions per 32 enabled values, 160 of them for the products, and uses "
        f"{digits(metrics['counter_issue_percent'])}% of the issue slots. Device memory moves "
        f"{digits(moved / cases[0].bytes)}x the bytes of the values and results, since the kernel writes only half of the "
        f"words in each sector of results, and the rest has to be read. At the speed of a copy, these bytes take "
        f"{time_text(moved / view.limit('copy.memcpy'))} of the {time_text(seconds_of(cases[0]))}."
    )


def floors(view: View) -> str:
    rows: list[list[str]] = []
    for load, values, phi in (("2000", "1024", "2"), ("20", "4096", "2"), ("20", "4096", "3")):
        where = synthetic(shape=SQUARE, states="16384", load=load, range=values, divergence=phi)
        cases = [case for case in view.select(role=OURS, **where) if case.time is not None]
        if not cases:
            raise NotTestable(view.missing({"role": OURS, "shape": SQUARE}))
        best = min(cases, key=seconds_of)
        issue, memory = best.operations / view.limit("fma"), best.bytes / view.limit("copy.memcpy")
        rows.append(
            [
                load,
                values,
                phi,
                f"`{best.variant}` {best.axes['layout']}",
                *(time_text(seconds) for seconds in (seconds_of(best), issue, memory)),
                factor(seconds_of(best) / max(issue, memory)),
            ]
        )
    heads = ["load", "values per state", "phi", "fastest of ours", "time", "FP32 floor", "memory floor", "time / floor"]
    return "16384 states at 2x2x2; METHOD.md defines the floors.\n\n" + markdown(heads, rows)


# Other machines.


def cpu(view: View) -> str:
    where: dict[str, object] = dict(machine="cpu", case=in_sweep("cpu"))
    cases = view.select(**where)
    if not cases:
        raise NotTestable(view.missing({"machine": "cpu"}))
    described = cases[0].provenance.get("cpu") or {}
    name = f"{described.get('threads', '?')} threads of {described.get('name', 'an unnamed CPU')}"
    return f"{name}; 2048 states. The synthetic rule has 1024 values, load 20 and phi 2. Sudoku has no shape, so its two rows " "repeat the same work." + _extrapolated_note(
        cases
    ) + "\n\n" + time_table(
        view, {"rules": "rules", "shape": "shape"}, "variant", where
    )


def _extrapolated_note(cases: Sequence[Case]) -> str:
    if not any(case.extrapolated for case in cases):
        return ""
    return f" {EXTRAPOLATED} marks an extrapolated time: a part of the states was timed, and the time was scaled up."


def several_devices(view: View) -> str:
    speed: dict[tuple[str, ...], dict[int, str]] = {}
    for row in view.shard_sets:
        whole = whole_of(row, view.cases)
        if row.time is not None and whole is not None and whole.time is not None:
            key = key_of(row, ("variant", "load", "states"))
            ratio = factor(whole.time.value / row.time.value)
            speed.setdefault(key, {})[parts_of(row)] = ratio + commit_mark(row, whole)
    if not speed:
        raise NotTestable("nothing ran in shards")
    numbers = sorted({parts for row in speed.values() for parts in row})
    rows = [
        [name_of_variant(variant), load, states, *(row.get(n, "") for n in numbers)]
        for (variant, load, states), row in sorted(speed.items(), key=lambda item: (item[0][0], *map(int, item[0][1:])))
    ]
    heads = ["variant", "load", "states", *(f"{count(n, 'GPU')}" for n in numbers)]
    head = f"Speed relative to one GPU, when each GPU takes a shard of the states. {ASTERISK}"
    return f"{head}\n\n{markdown(heads, rows)}"


def equal_digests(view: View) -> str:
    compared = [(row, whole) for row in view.shard_sets if (whole := whole_of(row, view.cases)) is not None]
    if not compared:
        raise NotTestable("nothing ran both whole and in shards")
    equal = sum(row.digest == whole.digest and row.digest != "" for row, whole in compared)
    return f"The digests of the shards add up to the digest of the whole run in {equal} of {len(compared)} comparisons."
