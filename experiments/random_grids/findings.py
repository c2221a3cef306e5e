"""What the rows of one device say of random_grids, in sentences, tables and pictures (plots/findings.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from experiments.random_grids.measures import (
    CONTROLS,
    GRID,
    SLIDES_RAW_SPEED,
    STORAGES,
    STORED_IN,
    WORD,
    half,
    has_k,
    in_sweeps,
    k_name,
    log_sites,
    occupied,
    ranked,
    sites,
)
from plots.errors import NotTestable
from plots.findings import Finding, Topic
from plots.markdown import table
from plots.results import GPU, Case, View
from plots.shards import parts_of, whole_of
from plots.tables import MISSING
from plots.units import digits, quantity

Where = Mapping[str, object]
#: One cell of a table. Raises NotTestable where its row is missing.
Cell = Callable[[], str]

#: Our own methods, which a preset may leave out.
OURS = ("dense", "unranked")
METHODS = {
    "dense": "Our method `dense` (one random pass, then an exact repair)",
    "unranked": "Our method `unranked` (draws the number of a set and looks the set up)",
}
#: Rows of `length` 16, so that the sizes compare at one launch.
SIZES: Where = {**GRID, "grid": lambda grid: True, "sweeps": in_sweeps("sizes", "quick"), "case": half}
GRIDS_PER_SECOND = "G grids/s"
COUNTERS = {
    "logic_percent": "logic %",
    "multiply_percent": "multiply %",
    "shared_percent": "shared memory %",
    "occupancy_percent": "occupancy %",
    "instructions_per_clock": "instructions per clock",
    "lanes_per_instruction": "active lanes per instruction",
}


# Numbers and Markdown


def factor(value: float) -> str:
    """'4.20x', '12.3x'."""
    return f"{digits(value)}x"


def factors(values: Iterable[float]) -> str:
    """'1.51x to 1.69x'."""
    return spread(values, factor)


def percent(share: float) -> str:
    return f"{share:.0%}"


def spread(values: Iterable[float], text: Callable[[float], str]) -> str:
    """'low to high', or one number where both ends read alike."""
    ends = list(values)
    low, high = text(min(ends)), text(max(ends))
    return low if low == high else f"{low} to {high}"


def giga(rate: float) -> str:
    return digits(rate / 1e9)


def size(grid: str) -> str:
    """'32x32' is '32 x 32', '64x1' is '64 bits'."""
    width, height = grid.split("x")
    return f"{width} bits" if height == "1" else f"{width} x {height}"


def k_text(k: Case | str) -> str:
    """'k = 512', 'mixed k', from a case or from what k_name gives."""
    value = (k if isinstance(k, str) else k_name(k)).removeprefix("k ")
    return f"{value} k" if value == "mixed" else f"k = {value}"


def listed(names: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def table_of(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table without the rows that have no value. Raises NotTestable where none is left."""
    kept = [row for row in rows if any(cell != MISSING for cell in row[1:])]
    if not kept:
        raise NotTestable(f"no row with a value for the table with the columns {', '.join(columns)}")
    return table(columns, kept)


def filled(cell: Cell) -> str:
    try:
        return cell()
    except NotTestable:
        return MISSING


def speed_cell(view: View, where: Where, scale: float = 1.0) -> Cell:
    return lambda: giga(view.rate(**where).value * scale)


# Rows


def ks(view: View, **where: object) -> list[str]:
    """The k of the matching rows: numbers in rising order, then names such as 'k mixed'."""
    found = {k_name(case): occupied(case) for case in view.select(**where)}
    return sorted(found, key=lambda name: (found[name] is None, found[name] or 0.0, name))


def speed_ratios(view: View, above: str, below: str, where: Where, scale: float = 1.0) -> dict[str, float]:
    """The speed of one variant over that of another, for each k that both have. Raises NotTestable without any."""
    found: dict[str, float] = {}
    for name in ks(view, variant=below, **where):
        at_k: Where = {**where, "case": partial(has_k, name)}
        try:
            found[name] = (view.rate(variant=above, **at_k) / view.rate(variant=below, **at_k)).value * scale
        except NotTestable:
            continue
    if not found:
        raise NotTestable(view.missing({"variant": above, **where}))
    return found


def is_slides(case: Case) -> bool:
    """A kernel of the slides that draws sets at full speed."""
    return case.role == "paper" and case.variant not in CONTROLS


def beside_slides(view: View, engine: str, output: str = "stored") -> list[tuple[Case, Case]]:
    """Our fastest launch of each grid and k, and the slides' fastest kernel with the same axes."""
    slides: dict[tuple[tuple[str, str], ...], Case] = {}
    for case in view.select(machine="cuda", engine=engine, output=output, case=is_slides):
        key = tuple(sorted(case.axes.items()))
        if case.rate is not None and (key not in slides or _speed(case) > _speed(slides[key])):
            slides[key] = case
    best: dict[tuple[str, str], tuple[Case, Case]] = {}
    for case in view.select(machine="cuda", engine=engine, output=output, variant=OURS):
        other, name = slides.get(tuple(sorted(case.axes.items()))), (case.axes["grid"], k_name(case))
        if case.rate is not None and other and (name not in best or _speed(case) > _speed(best[name][0])):
            best[name] = case, other
    if not best:
        raise NotTestable(f"no rows of {listed(OURS)} beside the slides' kernels with engine {engine}")
    return sorted(best.values(), key=lambda pair: (sites(pair[0].axes["grid"]), _k_order(pair[0])))


def _speed(case: Case) -> float:
    return case.rate.value if case.rate is not None else 0.0


def _k_order(case: Case) -> tuple[bool, float, str]:
    k = occupied(case)
    return k is None, k or 0.0, k_name(case)


# Findings


def fastest(view: View, grid: str, item: str, what: str) -> str:
    """The fastest variant that stores what it draws, and its lead over the slides' method."""
    where: Where = dict(machine=view.device.machine, grid=grid, output="stored", case=ranked)
    case, best = view.best(lambda case: case.rate, **where)
    draws = f"draws and stores {quantity(best.value, f'{item}/s')} of {what}"
    if case.role == "paper" or case.variant == "halving":
        text = f"The slides' own `{case.variant}` {draws}, more than any other variant that was run."
        if view.select(**where, variant=OURS):
            return text
        return f"{text} Our methods, {listed(OURS)}, were not run (`./lockstep reproduce --preset full` runs them)."
    printed: Where = dict(role="paper") if view.device.has_gpu else dict(variant="halving")
    slides, slides_speed = view.best(lambda case: case.rate, **{**where, **printed})
    theirs = "the slides' fastest kernel" if view.device.has_gpu else "the slides' algorithm on one core"
    lead = f"{factor(best.value / slides_speed.value)} as fast as {theirs}, `{slides.variant}`"
    return f"{METHODS.get(case.variant, f'`{case.variant}`')} {draws}, {lead}."


def fastest_grid(view: View) -> str:
    return fastest(view, "32x32", "grids", "32 x 32 sites with half of them occupied")


def fastest_word(view: View) -> str:
    return fastest(view, "32x1", "sets", "16 out of 32 bits")


def divergence_explained(view: View) -> str:
    """Steps are counted, so this needs no GPU."""
    counted = view.metric("divergence_factor", variant="halving", grid="32x1", case=half).value
    printed = view.fact("word_slowdown")
    text = (
        f"For 32-bit sets, the slowest of 32 lanes takes {factor(counted)} the mean number of steps; the slides measured a "
        f"slowdown of {factor(printed)}"
    )
    return f"{text}, which loop divergence alone explains." if counted >= printed else f"{text}."


def answer(view: View) -> str:
    """The highest speed for sets of 16 out of 32 bits."""
    _, best = view.best(lambda case: case.rate, machine=view.device.machine, grid="32x1", output="stored", case=ranked)
    return f"{quantity(best.value, 'sets/s')} at 16 of 32"


ANSWER = answer

FINDINGS: Sequence[Finding] = (fastest_grid, fastest_word, divergence_explained)


# The slides' kernels


def slides_table(view: View) -> str:
    """The slides' speeds beside those of every k."""
    rows: Sequence[tuple[str, Where, float, str]] = (
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
    conditions = (("N/2", half), ("323", partial(has_k, "k 323")), ("100", partial(has_k, "k 100")))
    columns = (*conditions, ("mixed", partial(has_k, "k mixed")))
    return table_of(
        (GRIDS_PER_SECOND, "slides, RTX 3060 Ti", *(f"k = {name}" if name != "mixed" else name for name, _ in columns)),
        (
            (
                label,
                giga(view.fact(fact)) if fact else MISSING,
                *(filled(speed_cell(view, {**where, "case": at_k}, scale)) for _, at_k in columns),
            )
            for label, where, scale, fact in rows
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
            "its registers",
            "its local bytes",
            "`warpwise_folded`",
            "its registers",
            "its local bytes",
            "ratio of the speeds",
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
            giga(_speed(case)),
            f"`{slides.variant}`",
            giga(speed.value),
            factor(speed.value / _speed(case)),
        )

    timed = [case for case in view.select(variant="cub_segmented_sort", machine="cuda") if case.rate is not None]
    return table_of(
        ("stored", "streams x grids", "`cub_segmented_sort`", "slides' fastest", GRIDS_PER_SECOND, "ratio"),
        (row(case) for case in timed),
    )


def occupied_table(view: View) -> str:
    """Speed against k at 32 x 32, stored."""
    where: Where = dict(
        grid="32x32",
        output="stored",
        sweeps=lambda sweeps: not sweeps or any(name in ("occupied", "occupied_cpu", "quick") for name in sweeps),
    )
    rows = (("dense", "cuda"), ("threadwise", "cuda"), ("warpwise_reduce", "cuda"), ("probe", "cuda"), ("list", "cuda"))
    shown = (*rows, ("all_cores", "cpu"))
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
    """Ours beside the slides' fastest kernel with the same axes."""

    def finding(view: View) -> str:
        def row(ours: Case, slides: Case) -> Sequence[str]:
            return (
                f"{size(ours.axes['grid'])}, {k_text(ours)}",
                f"`{ours.variant}`",
                giga(_speed(ours)),
                filled(lambda: percent(_speed(ours) / ours.items * ours.bytes / view.limit("store"))),
                f"`{slides.variant}`",
                giga(_speed(slides)),
                factor(_speed(ours) / _speed(slides)),
            )

        return table_of(
            ("stored", "ours", GRIDS_PER_SECOND, "of store bandwidth", "slides", GRIDS_PER_SECOND, "ratio"),
            (row(*pair) for pair in beside_slides(view, engine)),
        )

    return finding


def ours_summary(engine: str, name: str) -> Finding:
    """In how many cases ours is ahead, and between which factors."""

    def finding(view: View) -> str:
        text = f"**{name}.**"
        for variant in OURS:
            ratios = {
                f"{size(ours.axes['grid'])}, {k_text(ours)}": _speed(ours) / _speed(slides)
                for ours, slides in beside_slides(view, engine)
                if ours.variant == variant
            }
            if not ratios:
                continue
            text += f" `{variant}` is {factors(ratios.values())} as fast as the slides' fastest kernel"
            behind = [case for case, ratio in ratios.items() if ratio < 1]
            text += f"; it is slower at {listed(behind)}." if behind else "."
        return f"{text} Each pair draws the same number of grids with the same engine, and stores them."

    return finding


def stored_or_folded(view: View) -> str:
    """What storing costs ours: the speed of folded rows over that of stored rows with otherwise the same axes."""
    found: list[float] = []
    for stored in view.select(machine="cuda", variant=OURS, output="stored"):
        twin: Where = {**stored.axes, "output": "folded", "variant": stored.variant, "machine": "cuda"}
        folded = [case for case in view.select(**twin) if case.rate is not None]
        if folded and stored.rate is not None:
            found.append(_speed(folded[0]) / _speed(stored))
    if not found:
        raise NotTestable("no row of ours both stored and folded")
    return (
        f"**Storing.** Where sets are folded into a checksum instead of stored, {listed([f'`{name}`' for name in OURS])} are "
        f"{factors(found)} as fast, over {len(found)} pairs of rows."
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


# Hardware counters


def counted_cases(view: View) -> list[Case]:
    cases = [case for case in view.select(machine="cuda") if "counter_instructions" in case.metrics]
    if not cases:
        raise NotTestable("no row has hardware counters (./lockstep reproduce --counters)")
    return sorted(cases, key=lambda case: (case.variant not in OURS, sites(case.axes["grid"]), _k_order(case)))


def counters_table(view: View) -> str:
    """Instructions are those of warps: per 32 grids, whether a lane or a warp draws one."""

    def row(case: Case) -> Sequence[str]:
        shown = [case.metrics.get(f"counter_{name}") for name in COUNTERS]
        return (
            f"`{case.variant}`, {size(case.axes['grid'])}, {k_text(case)}",
            *(digits(value) if value is not None else MISSING for value in shown),
            f"{case.metrics['counter_instructions'] * 32 / case.items:.0f}",
        )

    return table_of(
        ("stored", *COUNTERS.values(), "warp instructions per 32 grids"), (row(case) for case in counted_cases(view))
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
    found: dict[tuple[str, str], dict[int, float]] = {}
    for row in view.shard_sets:
        whole = whole_of(row, view.cases)
        if whole is not None and whole.time is not None and row.time is not None:
            found.setdefault((row.axes["streams"], row.variant), {})[parts_of(row)] = (whole.time / row.time).value
    if not found:
        raise NotTestable("no case ran both whole and in shards")
    parts = sorted({part for ratios in found.values() for part in ratios})
    return table_of(
        ("streams", "variant", *(f"{part} devices" for part in parts)),
        (
            (streams, f"`{variant}`", *(factor(ratios[part]) if part in ratios else MISSING for part in parts))
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
        "device; a set takes as long as its slowest shard."
    )


PICTURES = ("ranking_grid", "speed_occupied")

TOPICS: Sequence[Topic] = (
    Topic(
        "The slides' kernels",
        (
            slides_table,
            divergence_measured,
            threadwise_or_warpwise,
            runtime_warp_size,
            cost_of_the_sum,
            growth_over_slides,
            registers_taken,
        ),
    ),
    Topic("Storage and larger grids", (storage, where_threadwise_loses, sizes_table)),
    Topic("Steps, words and probes, counted", (counted_table,)),
    Topic("Other ways to draw", (traditional_table, traditional_at_32x32, library_table)),
    Topic(
        "Our methods beside the slides' fastest kernel",
        (ours_summary("xorwow", "With XORWOW"), ours_table("xorwow"), stored_or_folded),
    ),
    Topic("The same with Philox4x32-7", (ours_summary("philox7", "With Philox4x32-7"), ours_table("philox7"))),
    Topic("Speed against k", (occupied_table,)),
    Topic("Engines and stream lengths", (engines_table, length_table)),
    Topic("Hardware counters", (busiest_pipe, counters_table)),
    Topic("Several devices at once", (equal_digests, devices_table)),
)
