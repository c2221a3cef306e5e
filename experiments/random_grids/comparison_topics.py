"""Sections of the page on random_grids that compare: other ways to draw, our methods, counters, several devices.

Every function takes the view of one device and raises NotTestable where that device lacks the rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from experiments.random_grids.curves import against_k
from experiments.random_grids.measures import GRID, half, has_k, in_sweeps, sites
from experiments.random_grids.wording import (
    GRIDS_PER_SECOND,
    Where,
    beside_slides,
    factor,
    factors,
    filled,
    giga,
    is_ours,
    is_slides,
    k_order,
    k_text,
    ks,
    listed,
    names_of,
    percent,
    size,
    speed_cell,
    speed_of,
    spread,
    table_of,
)
from plots.auto_cells import seconds
from plots.errors import NotTestable
from plots.findings import Finding
from plots.results import GPU, Case, View
from plots.shards import ASTERISK, commit_mark, parts_of, whole_of
from plots.tables import MISSING
from plots.units import digits

COUNTERS = {
    "logic_percent": "logic %",
    "multiply_percent": "multiply %",
    "shared_percent": "shared memory %",
    "data_percent": "all loads and stores %",
    "issue_percent": "issue slots %",
    "occupancy_percent": "occupancy %",
    "instructions_per_clock": "instructions per clock",
    "lanes_per_instruction": "active lanes per instruction",
}

# Other ways to draw


def traditional_table(view: View) -> str:
    """Speed against k at 32 sites."""
    where: Where = dict(
        machine=GPU,
        grid="32x1",
        output="folded",
        sweeps=lambda sweeps: not sweeps or "traditional" in sweeps or "quick_word" in sweeps,
    )
    names = ks(view, variant=("list", "probe"), **where)
    return table_of(
        ("G sets/s, 32 bits", *(k_text(name) for name in names)),
        (
            (
                f"`{variant}`",
                *(filled(speed_cell(view, {**where, "variant": variant, "case": partial(has_k, k)})) for k in names),
            )
            for variant in ("word", "list", "probe")
        ),
    )


def traditional_at_32x32(view: View) -> str:
    where: Where = {**GRID, "case": half, "sweeps": in_sweeps("sizes", "sizes_traditional", "quick")}
    threadwise = view.rate(variant="threadwise", **where)
    found = [
        f"`{name}` draws {giga(view.rate(variant=name, **where).value)} {GRIDS_PER_SECOND}, "
        f"and `threadwise` is {factor((threadwise / view.rate(variant=name, **where)).value)} as fast"
        for name in ("list", "probe")
    ]
    return f"At 32 x 32, half occupied, {'; '.join(found)}."


def library_table(view: View) -> str:
    """Random keys and CUB's segmented sort beside the slides' kernels on the same streams."""

    def row(case: Case) -> Sequence[str]:
        slides, speed = view.best(lambda case: case.rate, **case.axes, machine="cuda", case=is_slides)
        return (
            f"{size(case.axes['grid'])}, {k_text(case)}",
            f"{case.axes['streams']} x {case.axes['length']}",
            giga(speed_of(case)),
            f"`{slides.variant}`",
            giga(speed.value),
            factor(speed.value / speed_of(case)),
        )

    timed = [case for case in view.select(variant="cub_segmented_sort", machine="cuda") if case.rate is not None]
    return table_of(
        ("stored", "streams x grids", "`cub_segmented_sort`", "slides' fastest", GRIDS_PER_SECOND, "ratio"),
        (row(case) for case in timed),
    )


def occupied_launch(view: View) -> str:
    """The launch of the table against k: other tables have the same k at other launches."""
    rows = view.select(machine=view.device.machine, grid="32x32", output="stored", case=against_k)
    launches = {(case.axes["streams"], case.axes["length"]) for case in rows if case.rate is not None}
    if len(launches) != 1:
        raise NotTestable(f"{len(launches)} launches with every k")
    streams, length = launches.pop()
    return (
        f"Every k at one launch: {streams} streams of {length} grids. The tables of our methods use other launches, so their "
        "speeds at the same k differ."
    )


def occupied_table(view: View) -> str:
    """Speed against k at 32 x 32, stored: each of our methods, then the others."""
    where: Where = dict(
        grid="32x32",
        output="stored",
        sweeps=lambda sweeps: not sweeps or any(name in ("occupied", "occupied_cpu", "quick") for name in sweeps),
    )
    ours = dict.fromkeys(case.variant for case in view.select(machine="cuda", **where, case=is_ours))
    others = ("threadwise", "warpwise_reduce", "probe", "list")
    shown = (*((name, "cuda") for name in (*ours, *others)), ("all_cores", "cpu"))
    names = ks(view, **where, variant=tuple(name for name, _ in shown), machine=("cuda", "cpu"))
    return table_of(
        ("G grids/s, 32 x 32, stored", *(k_text(name) for name in names)),
        (
            (
                f"`{variant}`" + (", CPU" if machine == "cpu" else ""),
                *(
                    filled(
                        speed_cell(
                            view, {**where, "variant": variant, "machine": machine, "case": partial(has_k, name)}
                        )
                    )
                    for name in names
                ),
            )
            for variant, machine in shown
        ),
    )


# Our methods


def ours_table(engine: str) -> Finding:
    """Ours beside the slides' fastest kernel for the same grids."""

    def finding(view: View) -> str:
        def row(ours: Case, slides: Case) -> Sequence[str]:
            return (
                f"{size(ours.axes['grid'])}, {k_text(ours)}",
                f"`{ours.variant}`",
                giga(speed_of(ours)),
                filled(lambda: percent(speed_of(ours) / ours.items * ours.bytes / view.limit("store"))),
                f"`{slides.variant}`",
                giga(speed_of(slides)),
                factor(speed_of(ours) / speed_of(slides)),
            )

        return table_of(
            ("stored", "ours", GRIDS_PER_SECOND, "of store bandwidth", "slides", GRIDS_PER_SECOND, "ratio"),
            (row(*pair) for pair in beside_slides(view, engine)),
        )

    return finding


def ours_summary(engine: str, name: str) -> Finding:
    """In how many cases the fastest of ours is ahead, and between which factors; by the variant that is the fastest."""

    def finding(view: View) -> str:
        text = f"**{name}.**"
        pairs = beside_slides(view, engine)
        for variant in dict.fromkeys(ours.variant for ours, _ in pairs):
            ratios = {
                f"{size(ours.axes['grid'])}, {k_text(ours)}": speed_of(ours) / speed_of(slides)
                for ours, slides in pairs
                if ours.variant == variant
            }
            text += f" `{variant}` is {factors(ratios.values())} as fast as the fastest of the slides' kernels"
            behind = [case for case, ratio in ratios.items() if ratio < 1]
            text += f"; it is slower at {listed(behind)}." if behind else "."
        text += " Each side has its fastest launch, draws with the same engine, and stores the grids."
        return text + two_colors([ours for ours, _ in pairs])

    return finding


def two_colors(cases: Sequence[Case]) -> str:
    """Explains 'k = 71,70' if a row has two colors."""
    two = [case.axes["occupied"] for case in cases if re.fullmatch(r"\d+,\d+", case.axes["occupied"])]
    if not two:
        return ""
    first, second = two[0].split(",")
    return f" k = {two[0]} means {first} sites of one color and {second} sites of another."


def stored_or_folded(view: View) -> str:
    """What storing costs ours: the speed of folded rows over that of stored rows with otherwise the same axes."""
    found: list[float] = []
    rows = view.select(machine="cuda", case=is_ours, output="stored")
    for stored in rows:
        twin: Where = {**stored.axes, "output": "folded", "variant": stored.variant, "machine": "cuda"}
        folded = [case for case in view.select(**twin) if case.rate is not None]
        if folded and stored.rate is not None:
            found.append(speed_of(folded[0]) / speed_of(stored))
    if not found:
        raise NotTestable("no row of ours both stored and folded")
    return (
        f"**Storing.** Where sets are folded into a checksum instead of stored, {listed(names_of(rows))} are "
        f"{factors(found)} as fast, over {len(found)} pairs of rows."
    )


# Hardware counters


def counted_cases(view: View) -> list[Case]:
    cases = [case for case in view.select(machine="cuda") if "counter_instructions" in case.metrics]
    if not cases:
        raise NotTestable("no row has hardware counters (./lockstep reproduce --counters)")
    return sorted(cases, key=lambda case: (not is_ours(case), sites(case.axes["grid"]), k_order(case)))


def counters_table(view: View) -> str:
    """Instructions are those of warps: per 32 grids, whether a lane or a warp draws one."""

    def row(case: Case) -> Sequence[str]:
        shown = [case.metrics.get(f"counter_{name}") for name in COUNTERS]
        return (
            f"`{case.variant}`, {size(case.axes['grid'])}, {k_text(case)}, {case.axes['output']}",
            *(digits(value) if value is not None else MISSING for value in shown),
            f"{case.metrics['counter_instructions'] * 32 / case.items:.0f}",
        )

    return table_of(
        ("case", *COUNTERS.values(), "warp instructions per 32 grids"), (row(case) for case in counted_cases(view))
    )


#: Causes of waiting, as counters.py reads them.
STALLS = {
    "short_scoreboard": "result of shared memory",
    "mio_throttle": "room in the queue of shared memory",
    "long_scoreboard": "result of device memory",
    "wait": "fixed latency",
    "math_pipe_throttle": "busy pipe",
    "not_selected": "a turn, while others issue",
}


def stalls_table(view: View) -> str:
    """Cycles that a warp waits per instruction, in the kernels that `auto` takes for some boards."""
    cases = [case for case in counted_cases(view) if f"counter_stall_{next(iter(STALLS))}" in case.metrics]
    if not cases:
        raise NotTestable("no row has counters of waiting (./lockstep reproduce --counters)")

    def row(case: Case) -> Sequence[str]:
        waits = [case.metrics.get(f"counter_stall_{cause}") for cause in STALLS]
        return (
            f"`{case.variant}`, {size(case.axes['grid'])}, {k_text(case)}",
            *(digits(value) if value is not None else MISSING for value in waits),
        )

    return table_of(
        ("stall cycles of a warp per issued instruction, by what it waits for", *STALLS.values()),
        (row(case) for case in cases),
    )


#: What a kernel can be bound by, as counters.py reads it.
RESOURCES = {
    "issue_percent": "issue slots",
    "data_percent": "data pipe of loads and stores",
    "logic_percent": "pipe of additions and logic",
    "multiply_percent": "pipe of multiplications",
}


def limits_of_the_fastest(view: View) -> str:
    """What is nearest to its peak in each kernel whose causes of waiting were read, and the speed if it reached it."""

    def row(case: Case) -> Sequence[str]:
        shares = {name: case.metrics[f"counter_{name}"] for name in RESOURCES}
        first, second = sorted(shares, key=lambda name: -shares[name])[:2]
        speed = case.items / seconds(case).value
        return (
            f"`{case.variant}`, {size(case.axes['grid'])}, {k_text(case)}",
            digits(speed / 1e9),
            f"{RESOURCES[first]}, {percent(shares[first] / 100)}",
            digits(speed / shares[first] * 100 / 1e9),
            f"{RESOURCES[second]}, {percent(shares[second] / 100)}",
        )

    cases = [case for case in counted_cases(view) if f"counter_stall_{next(iter(STALLS))}" in case.metrics]
    if not cases:
        raise NotTestable("no row has counters of waiting (./lockstep reproduce --counters)")
    return (
        "The kernels that `auto` takes, and how fast they would be if nothing but one resource bound them:\n\n"
        + table_of(
            ("stored", "G grids/s", "nearest to its peak", "G grids/s at that peak", "next"),
            (row(case) for case in cases),
        )
    )


def busiest_pipe(view: View) -> str:
    """The share of its peak that the pipe of additions and logic reaches, a range per variant."""
    found: dict[str, list[float]] = {}
    for case in counted_cases(view):
        found.setdefault(case.variant, []).append(case.metrics["counter_logic_percent"] / 100)
    ranges = [f"`{name}` {spread(shares, percent)}" for name, shares in found.items()]
    return (
        "Use of the pipe of integer additions, comparisons and logic, as a share of its peak over the cases of the table: "
        f"{listed(ranges)}."
    )


# Several devices


def devices_table(view: View) -> str:
    """The speed of sets of shards over that of the whole run."""
    found: dict[tuple[str, str], dict[int, str]] = {}
    for row in view.shard_sets:
        whole = whole_of(row, view.cases)
        if whole is not None and whole.time is not None and row.time is not None:
            ratio = factor((whole.time / row.time).value) + commit_mark(row, whole)
            found.setdefault((row.axes["streams"], row.variant), {})[parts_of(row)] = ratio
    if not found:
        raise NotTestable("no case ran both whole and in shards")
    parts = sorted({part for ratios in found.values() for part in ratios})
    return table_of(
        ("streams", "variant", *(f"{part} devices" for part in parts)),
        (
            (streams, f"`{variant}`", *(ratios.get(part, MISSING) for part in parts))
            for (streams, variant), ratios in sorted(found.items(), key=lambda item: (float(item[0][0]), item[0][1]))
        ),
    )


def equal_digests(view: View) -> str:
    """Sets whose digests do not add up to that of the whole run lose their status when they are loaded."""
    sets = [row for row in view.shard_sets if whole_of(row, view.cases) is not None]
    if not sets:
        raise NotTestable("no case ran both whole and in shards")
    equal = sum(row.status in ("ok", "not_timed") for row in sets)
    return (
        f"In {equal} of {len(sets)} sets of shards, the digests add up to that of the whole run. Speed is relative to one "
        f"device; a set takes as long as its slowest shard. {ASTERISK}"
    )
