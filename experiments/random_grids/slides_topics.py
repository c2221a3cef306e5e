"""Sections of the page on random_grids about the slides' kernels: variants, storage, sizes, steps, engines, streams.

Every function takes the view of one device and raises NotTestable where that device lacks the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from experiments.random_grids.measures import (
    GRID,
    SLIDES_RAW_SPEED,
    STORAGES,
    STORED_IN,
    WORD,
    half,
    has_k,
    in_sweeps,
    log_sites,
    sites,
    traced_steps,
)
from experiments.random_grids.wording import (
    GRIDS_PER_SECOND,
    Cell,
    Where,
    factor,
    factors,
    filled,
    giga,
    k_text,
    launch_text,
    listed,
    size,
    speed_cell,
    speed_ratios,
    table_of,
)
from plots.errors import NotTestable
from plots.results import View
from plots.tables import MISSING
from plots.units import digits

#: Rows of `length` 16, so that the sizes compare at one launch.
SIZES: Where = {**GRID, "grid": lambda grid: True, "sweeps": in_sweeps("sizes", "quick"), "case": half}

# The slides' kernels


#: A row of the slides' table: its name, its rows, what scales its speed, and the fact of the slides.
SlidesRow = tuple[str, Where, float, str]

#: The k of the slides' table.
SLIDES_KS = (
    ("N/2", half),
    ("323", partial(has_k, "k 323")),
    ("100", partial(has_k, "k 100")),
    ("mixed", partial(has_k, "k mixed")),
)


def slides_rows() -> Sequence[SlidesRow]:
    return (
        ("`word`, 32 bits", {"variant": "word", **WORD}, 1.0, "word_speed"),
        (
            "`word_one_lane`, 32 bits, times 32",
            {"variant": "word_one_lane", **WORD},
            32.0,
            "word_speed_no_divergence",
        ),
        ("`word64`, 64 bits", {**WORD, "variant": "word64", "grid": "64x1", "sweeps": lambda _: True}, 1.0, ""),
        ("`threadwise`", {"variant": "threadwise", **GRID}, 1.0, "threadwise_speed"),
        ("`warpwise`", {"variant": "warpwise", **GRID}, 1.0, "warpwise_speed"),
        ("`warpwise_reduce`", {"variant": "warpwise_reduce", **GRID}, 1.0, ""),
        ("`warpwise_reduce`, stored", {"variant": "warpwise_reduce", **GRID, "output": "stored"}, 1.0, ""),
        ("`warpwise_runtime_warp`", {"variant": "warpwise_runtime_warp", **GRID}, 1.0, ""),
        ("`warpwise_no_sum` (control)", {"variant": "warpwise_no_sum", **GRID}, 1.0, ""),
    )


def slides_launches(view: View) -> str:
    """What the table of the slides' kernels counts, and how many sets its rows draw."""
    launches: dict[str, list[str]] = {}
    for label, where, _, _ in slides_rows():
        for _, at_k in SLIDES_KS:
            try:
                case, _ = view.best(lambda case: case.rate, **{**where, "case": at_k})
            except NotTestable:
                continue
            names = launches.setdefault(launch_text(case), [])
            name = label.partition(",")[0].removesuffix(" (control)")
            if name not in names:
                names.append(name)
    if not launches:
        raise NotTestable(view.missing({"variant": ("word", "threadwise", "warpwise")}))
    drawn = "; ".join(f"{launch} sets for {listed(names)}" for launch, names in launches.items())
    return (
        "Each kernel folds its sets into a checksum, unless a row says *stored*. N is the number of sites, and k is the "
        "number of occupied sites; a set of *mixed* k draws its own k. Grids have 32 x 32 sites if a row names no size. A launch "
        f"draws {drawn}."
    )


def slides_table(view: View) -> str:
    """The slides' speeds beside those of every k."""
    columns = SLIDES_KS
    return table_of(
        (GRIDS_PER_SECOND, "slides, RTX 3060 Ti", *(f"k = {name}" if name != "mixed" else name for name, _ in columns)),
        (
            (
                label,
                giga(view.fact(fact)) if fact else MISSING,
                *(filled(speed_cell(view, {**where, "case": at_k}, scale)) for _, at_k in columns),
            )
            for label, where, scale, fact in slides_rows()
            if view.select(**where)
        ),
    )


def divergence_measured(view: View) -> str:
    ratios = speed_ratios(view, "word_one_lane", "word", WORD, 32)
    counted = view.metric("divergence_factor", variant="halving", grid="32x1", case=half).value
    by_k = listed([f"{factor(value)} at {k_text(name)}" for name, value in ratios.items()])
    return (
        f"**Divergence.** Divergence slows `word` down by {by_k} (the slides: {factor(view.fact('word_slowdown'))}). "
        f"The slowest of 32 lanes takes {factor(counted)} the mean number of steps at k = 16, by count."
    )


def threadwise_or_warpwise(view: View) -> str:
    ratios = speed_ratios(view, "threadwise", "warpwise", GRID)
    printed = view.fact("threadwise_speed") / view.fact("warpwise_speed")
    text = (
        f"**Threadwise or warpwise.** At 32 x 32, `threadwise` is {factors(ratios.values())} as fast as `warpwise`, "
        f"depending on k (the slides: {factor(printed)})."
    )
    reduced = speed_ratios(view, "threadwise", "warpwise_reduce", GRID)
    stored = speed_ratios(view, "threadwise", "warpwise_reduce", {**GRID, "output": "stored"})
    return (
        f"{text} It is {factors(reduced.values())} as fast as `warpwise_reduce`, which sums with one instruction, and "
        f"{factors(stored.values())} where grids are stored."
    )


def runtime_warp_size(view: View) -> str:
    ratios = speed_ratios(view, "warpwise", "warpwise_runtime_warp", GRID)
    return (
        f"**Run-time warp size.** With a compile-time warp size, `warpwise` is {factors(ratios.values())} as fast as with a "
        "run-time one (the slides: *almost 2*)."
    )


def cost_of_the_sum(view: View) -> str:
    """A control that is slower than the faster sum bounds nothing: then that sum does."""
    control = speed_ratios(view, "warpwise_no_sum", "warpwise", GRID)
    reduced = speed_ratios(view, "warpwise_reduce", "warpwise", GRID)
    text = (
        f"**The warp sum.** The control `warpwise_no_sum` is {factors(control.values())} as fast as `warpwise`, and "
        f"`warpwise_reduce` is {factors(reduced.values())} as fast."
    )
    slower = [k_text(k) for k, ratio in reduced.items() if ratio > control.get(k, ratio)]
    if not slower:
        return text
    return f"{text} At {listed(slower)} the control is the slower one, so it understates what the butterfly sum costs."


def growth_over_slides(view: View) -> str:
    raw = view.attribute("multiprocessors") * view.attribute("clock_khz") * 1e3 / SLIDES_RAW_SPEED
    printed: Sequence[tuple[str, str, Where]] = (
        ("word", "word_speed", WORD),
        ("threadwise", "threadwise_speed", GRID),
        ("warpwise", "warpwise_speed", GRID),
    )
    found = [view.rate(variant=name, **where).value / view.fact(fact) for name, fact, where in printed]
    return (
        f"**Raw speed.** Multiprocessors times clock is {factor(raw)} that of the slides' GPU. At the fastest k, "
        f"`word`, `threadwise` and `warpwise` reach {factors(found)} the printed speeds."
    )


def registers_taken(view: View) -> str:
    taken = [
        f"`{name}` takes {digits(view.kernel('registers', variant=name, **GRID).value)} registers per thread "
        f"(the slides: {digits(view.fact(f'{name}_registers'))})"
        for name in ("threadwise", "warpwise")
    ]
    return f"**Registers.** Compiled for this GPU, at 32 x 32, {listed(taken)}."


def storage(view: View) -> str:
    speeds = {where: view.rate(variant=variant, **STORED_IN).value for where, variant in STORAGES.items()}
    found = listed([f"{giga(value)} {GRIDS_PER_SECOND} in {where}" for where, value in speeds.items()])
    other = max(value for where, value in speeds.items() if where != "registers")
    return (
        f"**Storage.** With its arrays in registers, local memory or shared memory, `threadwise` draws {found} at 32 x 32. "
        f"Registers are {factor(speeds['registers'] / other)} as fast as the faster of the other two."
    )


def sizes_table(view: View) -> str:
    """Threadwise against warpwise folded, and what their compiled kernels take."""

    def row(grid: str) -> Sequence[str]:
        cells: list[Cell] = []
        for variant in ("threadwise", "warpwise_folded"):
            where: Where = {**SIZES, "grid": grid, "variant": variant}
            cells.append(speed_cell(view, where))
            cells += [partial(_attribute, view, name, where) for name in ("registers", "local_bytes")]
        cells.append(lambda: factor(_over_folded(view, grid)))
        return size(grid), *(filled(cell) for cell in cells)

    grids = sorted(view.values("grid", **SIZES, variant="threadwise"), key=sites)
    return table_of(
        (
            GRIDS_PER_SECOND,
            "`threadwise`",
            "its registers per thread",
            "its bytes of local memory per thread",
            "`warpwise_folded`",
            "its registers per thread",
            "its bytes of local memory per thread",
            "`threadwise` / `warpwise_folded`",
        ),
        (row(grid) for grid in grids),
    )


def _attribute(view: View, name: str, where: Where) -> str:
    return digits(view.kernel(name, **where).value)


def _over_folded(view: View, grid: str) -> float:
    where: Where = {**SIZES, "grid": grid}
    return (view.rate(**where, variant="threadwise") / view.rate(**where, variant="warpwise_folded")).value


def where_threadwise_loses(view: View) -> str:
    found: dict[str, float] = {}
    for grid in sorted(view.values("grid", **SIZES, variant="warpwise_folded"), key=sites):
        try:
            found[grid] = _over_folded(view, grid)
        except NotTestable:
            continue
    if not found:
        raise NotTestable("no size that both threadwise and warpwise_folded drew")
    behind = [grid for grid, ratio in found.items() if ratio < 1]
    if not behind:
        return "**Larger grids.** `threadwise` is faster than `warpwise_folded` at every size that both drew."
    text = (
        f"**Larger grids.** `warpwise_folded` is faster than `threadwise` at {listed([size(grid) for grid in behind])}."
    )
    if "64x64" not in found:
        return text
    return (
        f"{text} At 64 x 64, where the slides say that threadwise *does not work at all*, it runs at {factor(found['64x64'])} "
        "the speed of `warpwise_folded`."
    )


# What is counted


def counted_table(view: View) -> str:
    """Steps of the loop against log2 N, counted by the references."""

    def count(name: str, variant: str, grid: str) -> Cell:
        return lambda: digits(view.metric(name, variant=variant, grid=grid, case=half).value)

    def row(grid: str) -> Sequence[str]:
        case = view.select(variant="halving", grid=grid, case=half)[0]
        return (
            size(grid),
            digits(log_sites(case) or 0.0),
            filled(count("steps_mean", "halving", grid)),
            filled(count("steps_expected", "halving", grid)),
            filled(count("words_mean", "halving", grid)),
            filled(count("candidates_kept", "halving", grid)),
            filled(count("divergence_factor", "halving", grid)),
            filled(count("steps_mean", "probe", grid)),
        )

    grids = sorted(view.values("grid", variant="halving", case=half), key=sites)
    return table_of(
        (
            "half occupied",
            "log2 N",
            "steps, mean",
            "steps, exact",
            "random words",
            "candidates kept per step",
            "slowest of 32 over mean",
            "probes of `probe`",
        ),
        (row(grid) for grid in grids),
    )


def lanes_traced(view: View) -> str:
    """The lanes of a warp, with a set per thread and with a grid per warp, as the emulator recorded them."""
    (threads, of_threads), (warp, of_warp) = (traced_steps(view, panel) for panel in ("threads", "warp"))
    return (
        f"**Divergence within a warp.** In the SIMT emulator, the lanes of a warp part in {threads} of {of_threads} steps if each "
        f"thread draws a set of its own, and in {warp} of {of_warp} steps if the warp draws one grid (figures `lanes_threads` "
        "and `lanes_warp`)."
    )


# Engines and streams


def engines_table(view: View) -> str:
    launched_alike = in_sweeps("engines", "engines_word", "slides_grid", "quick", "quick_word")
    where: Where = dict(machine="cuda", output="folded", case=half, sweeps=launched_alike)
    engines = view.values("engine", **where)
    rows = (("word", "32x1"), ("threadwise", "32x32"), ("warpwise", "32x32"), ("warpwise_reduce", "32x32"))
    if len(engines) < 2:
        raise NotTestable("only one engine was run")
    return table_of(
        ("G grids/s, half occupied, folded", *engines),
        (
            (
                f"`{variant}`, {size(grid)}",
                *(
                    filled(speed_cell(view, {**where, "variant": variant, "grid": grid, "engine": engine}))
                    for engine in engines
                ),
            )
            for variant, grid in rows
        ),
    )


def length_table(view: View) -> str:
    """Speed against the number of grids per stream: the cost of starting a stream's engine."""
    where: Where = {**GRID, "case": half, "sweeps": lambda sweeps: "length" in sweeps}
    lengths = sorted(view.values("length", **where), key=float)
    return table_of(
        ("G grids/s, 32 x 32", *(f"{length} per stream" for length in lengths)),
        (
            (f"`{variant}`", *(filled(speed_cell(view, {**where, "variant": variant, "length": n})) for n in lengths))
            for variant in ("threadwise", "warpwise", "warpwise_reduce")
        ),
    )
