"""The measures behind the figures and claims of random_grids. Each raises NotTestable where its rows are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import log2

from experiments.random_grids import boards
from plots.auto_cells import AUTO
from plots.catalog import ROOT
from plots.claims import Measured, Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import GPU, Case, View
from plots.traces import load_traces
from plots.units import digits


def in_sweeps(*names: str) -> Callable[[Sequence[str]], bool]:
    """Accepts rows of these sweeps, which use the same launch, and rows of no sweep: a paper's, or a user's own run."""
    return lambda sweeps: not sweeps or any(name in sweeps for name in names)


#: The slides state neither k nor the output. Folding sets into a checksum is the fastest reading of them.
#: XORWOW is cuRAND's default engine.
WORD: Mapping[str, object] = dict(
    machine=GPU,
    grid="32x1",
    output="folded",
    engine=("xorwow", None),
    sweeps=in_sweeps("slides_word", "ours_word", "quick", "quick_word"),
)
GRID: Mapping[str, object] = dict(
    machine=GPU, grid="32x32", output="folded", engine=("xorwow", None), sweeps=in_sweeps("slides_grid", "quick")
)
#: The same for the shorter streams of the sweep `storage`.
STORED_IN: Mapping[str, object] = {**GRID, "sweeps": in_sweeps("storage", "quick")}
HALF = "half"
#: The default of the axis `after`.
NO_WORK = "none"
#: Threadwise by the memory of its three arrays. A number of rows that is known only at run time forces local memory.
STORAGES = {"registers": "threadwise", "local memory": "threadwise_runtime", "shared memory": "threadwise_shared"}
#: Controls isolate a cost. They do not draw sets at full speed, or draw none, so no ranking has them.
CONTROLS = ("warpwise_no_sum", "word_one_lane")
#: RTX 3060 Ti, the slides' GPU: multiprocessors times boost clock (NVIDIA's data sheet).
SLIDES_RAW_SPEED = 38 * 1.665e9


def sites(grid: str) -> float:
    """'32x32' is 1024 sites."""
    width, height = grid.split("x")
    return float(width) * float(height)


def work_after(case: Case) -> str:
    """The work on a board in the kernel that draws it."""
    return case.axes.get("after", NO_WORK)


def occupied(case: Case) -> float | None:
    """k as a number; None where k varies per grid, there are several colours, or the row has work after the draw.

    So no figure or claim about drawing compares a row that does more.
    """
    return None if work_after(case) != NO_WORK else _occupied(case)


def _occupied(case: Case) -> float | None:
    text = case.axes.get("occupied", HALF)
    if text == HALF:
        return sites(case.axes["grid"]) // 2
    return float(text) if text.isdigit() else None


def k_is_half(case: Case) -> bool:
    """True for k = N/2, also with work after the draw."""
    return _occupied(case) == sites(case.axes["grid"]) // 2


def half(case: Case) -> bool:
    """True for k = N/2, however the row spells it."""
    return occupied(case) == sites(case.axes["grid"]) // 2


def keeps_gpu_busy(case: Case) -> bool:
    """False for rows that only the sweep with few streams has: their speeds are not those of the boards."""
    return list(case.sweeps) != ["few_streams"]


def ranked(case: Case) -> bool:
    """Half occupied, no control, and not `auto`, which repeats another variant: what a ranking compares."""
    return case.variant not in (*CONTROLS, AUTO) and half(case)


def k_name(case: Case) -> str:
    """'k 512', 'k mixed'. Rows with work after the draw have other names."""
    value = occupied(case)
    name = f"k {case.axes.get('occupied', '')}" if value is None else f"k {value:.0f}"
    return name if work_after(case) == NO_WORK else f"{name}, then {work_after(case)}"


def has_k(name: str, case: Case) -> bool:
    return k_name(case) == name


def one_colour(case: Case) -> bool:
    return "," not in case.axes.get("occupied", HALF)


def by_k(
    view: View, number: Callable[[Callable[[Case], bool]], Interval], where: Mapping[str, object], note: str = ""
) -> Measured | Parts:
    """A number at every k with rows at `where`. A paper's rows state no k and give one number."""
    if view.device.published:
        return Measured(number(lambda case: True), note)
    found: dict[str, Interval] = {}
    reason = NotTestable(view.missing(where))
    for name in dict.fromkeys(k_name(case) for case in view.select(**where)):
        try:
            found[name] = number(partial(has_k, name))
        except NotTestable as why:
            reason = why
    if not found:
        raise reason
    return parts(found, note)


def memory_of_list(view: View) -> Measured:
    """Local memory per thread of `list` over the bytes of a 32 x 32 set. The note has the other sizes."""
    where: dict[str, object] = dict(variant="list", machine=GPU)
    over = {
        grid: view.kernel("local_bytes", **where, grid=grid) / (sites(grid) / 8)
        for grid in sorted(view.values("grid", **where), key=sites)
    }
    if "32x32" not in over:
        raise NotTestable(view.missing({**where, "grid": "32x32"}))
    return Measured(over["32x32"], ", ".join(f"{grid} {digits(value.value)}" for grid, value in over.items()))


def speed_ratio(
    above: str, below: str, where: Mapping[str, object], scale: float = 1.0
) -> Callable[[View], Measured | Parts]:
    """The speed of one variant over that of another, at every k."""

    def measure(view: View) -> Measured | Parts:
        def ratio(k: Callable[[Case], bool]) -> Interval:
            return view.rate(variant=above, case=k, **where) * scale / view.rate(variant=below, case=k, **where)

        return by_k(view, ratio, {"variant": below, **where})

    return measure


def speed(variant: str, where: Mapping[str, object], scale: float = 1.0) -> Callable[[View], Measured | Parts]:
    """The speed at every k, with its fastest launch."""

    def measure(view: View) -> Measured | Parts:
        def rate(k: Callable[[Case], bool]) -> Interval:
            return view.rate(variant=variant, case=k, **where) * scale

        return by_k(view, rate, {"variant": variant, **where})

    return measure


def divergence(where: Mapping[str, object], variant: str = "halving") -> Callable[[View], Interval]:
    """Steps of the slowest of 32 sets over the mean, by count."""
    return lambda view: view.metric("divergence_factor", variant=variant, **where)


def over_grids(metric: str, expected: Callable[[Case], float | None], **where: object) -> Callable[[View], Parts]:
    """A counted metric over its expected value, for every counted grid and k."""

    def measure(view: View) -> Parts:
        found: dict[str, Interval] = {}
        for case in view.select(**where):
            count, by = case.metrics.get(metric), expected(case)
            if count is not None and by:
                found.setdefault(f"{case.variant} {case.axes['grid']} {k_name(case)}", exact(count / by))
        if not found:
            raise NotTestable(view.missing(where, f"the metric {metric}"))
        return parts(found)

    return measure


def log_sites(case: Case) -> float | None:
    return log2(sites(case.axes["grid"])) or None


def probes_per_draw(view: View) -> Parts:
    """Probes per drawn site, for every grid with counts of both: its densest set over its sparsest."""
    grids: dict[str, dict[float, float]] = {}
    for case in view.select(variant="probe"):
        k, steps = occupied(case), case.metrics.get("steps_mean")
        if k and steps is not None:
            grids.setdefault(case.axes["grid"], {})[k / sites(case.axes["grid"])] = steps / k
    found: dict[str, Interval] = {}
    for grid, per_draw in grids.items():
        sparse, dense = min(per_draw), max(per_draw)
        if sparse <= 0.5 and dense >= 0.9:
            found[f"{grid}, {dense:.1%} over {sparse:.1%} occupied"] = exact(per_draw[dense] / per_draw[sparse])
    if not found:
        raise NotTestable("no counted probes of both a sparse and a dense set")
    return parts(found)


def uses_memory(case: Case) -> bool:
    """True if a kernel of the case has room for a grid in local or shared memory."""
    grid = sites(case.axes["grid"]) / 8
    memories = ("local_bytes", "shared_bytes")
    return any(float(kernel.get(memory, 0)) >= grid for kernel in case.kernels for memory in memories)


def registers_against_memory(view: View) -> Measured:
    """Threadwise in registers over the fastest kernel, of any algorithm, that keeps its grids in memory."""
    where: dict[str, object] = {**GRID, "sweeps": in_sweeps("storage", "sizes", "quick")}
    own = view.rate(variant="threadwise", case=half, **where)
    fastest, other = view.best(lambda case: case.rate, case=lambda case: ranked(case) and uses_memory(case), **where)
    names = {variant: storage for storage, variant in STORAGES.items()}
    speeds = {f"{fastest.variant}, {names.get(fastest.variant, 'in memory')}": other}
    for storage, variant in STORAGES.items():
        if variant != fastest.variant:
            speeds[f"{variant}, {storage}"] = view.rate(variant=variant, case=half, **where)
    note = "; ".join(f"{name}: {digits(value.value / 1e9)} G/s" for name, value in speeds.items())
    return Measured(own / other, note)


def speed_of_large_grids(view: View) -> Measured:
    """Speed per site of threadwise at 64 x 64 over that at 32 x 32."""
    small = dict[str, object](STORED_IN) | {"variant": "threadwise", "case": half}
    large = small | {"grid": "64x64"}
    spilled = view.kernel("local_bytes", **large)
    share = view.rate(**large) * (sites("64x64") / sites("32x32")) / view.rate(**small)
    return Measured(
        share, f"the registers do not suffice: {digits(spilled.value)} bytes per thread are in local memory"
    )


def slowdown_by_local_memory(view: View) -> Measured:
    """Threadwise in registers over threadwise with a run-time number of rows, or 0 if the latter has no local memory."""
    where: dict[str, object] = {**STORED_IN, "case": half}
    local = view.kernel("local_bytes", variant="threadwise_runtime", **where)
    ratio = view.rate(variant="threadwise", **where) / view.rate(variant="threadwise_runtime", **where)
    return Measured(ratio if local.value > 0 else exact(0), f"{digits(local.value)} bytes of local memory per thread")


def expected_from_raw_speed(view: View) -> Parts:
    """Speed relative to the slides, divided by multiprocessors times clock relative to the slides' GPU."""
    if view.device.published:
        raise NotTestable("the slides measure one GPU only")
    raw = view.attribute("multiprocessors") * view.attribute("clock_khz") * 1e3 / SLIDES_RAW_SPEED
    printed: Iterable[tuple[str, str, Mapping[str, object]]] = (
        ("word", "word_speed", WORD),
        ("threadwise", "threadwise_speed", GRID),
        ("warpwise", "warpwise_speed", GRID),
    )
    found = {name: view.rate(variant=name, **where) / (view.fact(fact) * raw) for name, fact, where in printed}
    return parts(found, f"1 means {digits(raw)}x the slides' speed")


def cost_of_sum(view: View, k: Callable[[Case], bool]) -> Interval:
    """Time of warpwise over the time that it would take without its sum.

    The control omits the sum, and our warpwise_reduce adds with one instruction. The faster of the two is closer to a sum
    that costs nothing, so the true cost is no less.
    """
    without: list[Interval] = []
    for variant in ("warpwise_no_sum", "warpwise_reduce"):
        without += [case.rate for case in view.select(variant=variant, case=k, **GRID) if case.rate is not None]
    if not without:
        raise NotTestable(view.missing({"variant": "warpwise_no_sum", **GRID}))
    return max(without, key=lambda rate: rate.value) / view.rate(variant="warpwise", case=k, **GRID)


def sum_compensated(view: View) -> Measured | Parts:
    """The cost of divergence, which warpwise avoids, over the cost of the warp sum; each relative to the time without it."""

    def share(k: Callable[[Case], bool]) -> Interval:
        cost, saved = cost_of_sum(view, k), divergence(dict(grid="32x32", case=k))(view).value
        if cost.low <= 1:
            raise NotTestable("the cost of the sum is within the noise")
        return Interval(*((saved - 1) / (bound - 1) for bound in (cost.value, cost.high, cost.low)))

    return by_k(view, share, {"variant": "warpwise", **GRID})


def branch_share(view: View) -> Measured | Parts:
    """Slowdown by all divergence over the part that the loop explains. Above 1, the branch adds to it."""

    def share(k: Callable[[Case], bool]) -> Interval:
        loop = divergence(dict(grid="32x1", case=k))(view).value
        lone, full = (view.rate(variant=name, case=k, **WORD) for name in ("word_one_lane", "word"))
        return lone * 32 / full / loop

    return by_k(view, share, {"variant": "word_one_lane", **WORD})


def mitigates(view: View) -> Measured | Parts:
    """The speed of warpwise over threadwise, or 0 unless warpwise needs less than half the registers."""
    wide, narrow = (view.kernel("registers", variant=name, **GRID) for name in ("threadwise", "warpwise"))
    note = f"{digits(narrow.value)} registers per thread instead of {digits(wide.value)}"
    if narrow.value >= wide.value / 2:
        return Measured(exact(0), note)
    return replace(speed_ratio("warpwise", "threadwise", GRID)(view), note=note)


def traced_steps(view: View, panel: str) -> tuple[int, int]:
    """Steps in which the lanes of a traced warp part, and all steps. The trace is the emulator's, so the same everywhere."""
    trace = load_traces(ROOT / "results", "random_grids").get(("lanes", panel))
    if trace is None or not view.cases:
        raise NotTestable("no trace of the lanes (./lockstep trace records it)")
    return boards.parted(trace)


def divergence_within_a_warp(view: View) -> Parts:
    """Counts that are 0 if the lanes of warpwise never part: emulated, and by the hardware counter of the GPU.

    A lane on another branch misses the next warp sum, and the emulator rejects a sum that a lane of its mask misses.
    """
    if view.device.published:
        raise NotTestable("the slides print no count of divergent branches")
    (apart, steps), (control, of) = traced_steps(view, "warp"), traced_steps(view, "threads")
    found = {f"emulated: steps in which lanes part, of {steps} of a draw": exact(apart)}
    emulated = [case for case in view.cases if case.variant == "warpwise" and case.machine == "emulator"]
    if emulated:
        refused = sum(case.status != "not_timed" for case in emulated)
        found[f"emulated: cases that the emulator refuses, of {len(emulated)}"] = exact(refused)
    for case in view.select(variant="warpwise", machine=GPU, grid="32x32"):
        percent = case.metric("counter_uniform_branches_percent")
        if percent is not None:
            found[f"hardware counter: share of divergent branch targets, {k_name(case)}"] = exact(
                1 - percent.value / 100
            )
    return parts(found, f"for comparison, with a set per thread the lanes part in {control} of {of} steps")


def sets_with_another_count(view: View) -> Measured:
    """How many sets of the timed rows on the GPU do not have k sites. A row counts the sites of every set that it draws.

    Every row of the slides' kernels and of ours must have counted. A baseline from a library may have no such count.
    """
    timed = [case for case in view.select(machine="cuda") if case.time is not None]
    if not timed:
        raise NotTestable(view.missing({"machine": "cuda"}))
    checked = [case for case in timed if case.metrics.get("sets_checked", 0) > 0]
    drawn = [case for case in timed if case.role in ("paper", "ours") and case.variant not in CONTROLS]
    drawn = [case for case in drawn if work_after(case) == NO_WORK]
    unchecked = [case for case in drawn if case.metrics.get("sets_checked", 0) == 0]
    if unchecked or not checked:
        raise NotTestable(f"{len(unchecked)} of {len(drawn)} timed rows do not count the sites of every set")
    wrong = sum(case.metrics.get("sets_with_another_count", 0) for case in checked)
    sets = sum(case.metrics["sets_checked"] for case in checked)
    return Measured(exact(wrong), f"{digits(sets)} sets checked, in {len(checked)} rows")


def verified_share(**where: object) -> Callable[[View], Measured]:
    """The share of compared cases whose sets equal the reference."""

    def measure(view: View) -> Measured:
        rows = [case for case in view.cases if case.machine != "published" and case.provenance.get("verified_units")]
        rows = [case for case in rows if all(case.axes.get(k, getattr(case, k, None)) == v for k, v in where.items())]
        if not rows:
            raise NotTestable(view.missing(where, "verified units"))
        good = sum(case.status in ("ok", "not_timed") for case in rows)
        return Measured(exact(good / len(rows)), f"{len(rows)} cases compared with the reference")

    return measure
