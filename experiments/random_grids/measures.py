"""The measures behind the figures and claims of random_grids. Each raises NotTestable where its rows are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import log2

from plots.claims import Measured
from plots.errors import NotTestable
from plots.interval import Interval, exact, hull
from plots.results import GPU, Case, View
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


def occupied(case: Case) -> float | None:
    """k as a number; None where k varies per grid or there are several colours."""
    text = case.axes.get("occupied", HALF)
    if text == HALF:
        return sites(case.axes["grid"]) // 2
    return float(text) if text.isdigit() else None


def half(case: Case) -> bool:
    """True for k = N/2, however the row spells it."""
    return occupied(case) == sites(case.axes["grid"]) // 2


def ranked(case: Case) -> bool:
    """Half occupied and not a control: what a ranking compares."""
    return case.variant not in CONTROLS and half(case)


def k_name(case: Case) -> str:
    """'k 512', 'k mixed'."""
    value = occupied(case)
    return f"k {case.axes.get('occupied', '')}" if value is None else f"k {value:.0f}"


def has_k(name: str, case: Case) -> bool:
    return k_name(case) == name


def named_hull(found: dict[str, Interval]) -> Measured:
    """The hull of the values. The note lists up to five of them, or else names the extremes."""
    rows = sorted(found.items(), key=lambda row: row[1].value)
    if len(rows) > 5:
        note = f"{len(rows)} values, smallest at {rows[0][0]}, largest at {rows[-1][0]}"
    else:
        note = "; ".join(f"{name}: {digits(value.value)}" for name, value in found.items()) if len(rows) > 1 else ""
    return Measured(hull(found.values()), note)


def by_k(view: View, ratio: Callable[[Callable[[Case], bool]], Interval], where: Mapping[str, object]) -> Measured:
    """The hull of a ratio over every k with rows at `where`. A paper's rows state no k and give one ratio."""
    if view.device.published:
        return Measured(ratio(lambda case: True))
    found: dict[str, Interval] = {}
    reason = NotTestable(view.missing(where))
    for name in dict.fromkeys(k_name(case) for case in view.select(**where)):
        try:
            found[name] = ratio(partial(has_k, name))
        except NotTestable as why:
            reason = why
    if not found:
        raise reason
    return named_hull(found)


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


def speed_ratio(above: str, below: str, where: Mapping[str, object], scale: float = 1.0) -> Callable[[View], Measured]:
    """The speed of one variant over that of another, at equal k."""

    def measure(view: View) -> Measured:
        def ratio(k: Callable[[Case], bool]) -> Interval:
            return view.rate(variant=above, case=k, **where) * scale / view.rate(variant=below, case=k, **where)

        return by_k(view, ratio, {"variant": below, **where})

    return measure


def speed(variant: str, where: Mapping[str, object], scale: float = 1.0) -> Callable[[View], Measured]:
    """The speed at the fastest k and launch; the note names that k."""

    def measure(view: View) -> Measured:
        case, value = view.best(lambda case: case.rate, variant=variant, **where)
        note = "" if view.device.published else f"at {k_name(case)}, {case.axes.get('engine', '')}"
        return Measured(value * scale, note)

    return measure


def divergence(where: Mapping[str, object], variant: str = "halving") -> Callable[[View], Interval]:
    """Steps of the slowest of 32 sets over the mean, by count."""
    return lambda view: view.metric("divergence_factor", variant=variant, **where)


def over_grids(metric: str, expected: Callable[[Case], float | None], **where: object) -> Callable[[View], Measured]:
    """A counted metric over its expected value, for every counted grid."""

    def measure(view: View) -> Measured:
        found: dict[str, Interval] = {}
        for case in view.select(**where):
            count, by = case.metrics.get(metric), expected(case)
            if count is not None and by:
                found.setdefault(f"{case.variant} {case.axes['grid']} {k_name(case)}", exact(count / by))
        if not found:
            raise NotTestable(view.missing(where, f"the metric {metric}"))
        return named_hull(found)

    return measure


def log_sites(case: Case) -> float | None:
    return log2(sites(case.axes["grid"])) or None


def probes_per_draw(view: View) -> Measured:
    """Probes per drawn site: a nearly full grid over a nearly empty one."""
    per_draw: dict[float, float] = {}
    for case in view.select(variant="probe"):
        k, steps = occupied(case), case.metrics.get("steps_mean")
        if k and steps is not None:
            per_draw[k / sites(case.axes["grid"])] = steps / k
    if not per_draw or min(per_draw) > 0.5 or max(per_draw) < 0.9:
        raise NotTestable("no counted probes of both a sparse and a dense set")
    sparse, dense = min(per_draw), max(per_draw)
    note = f"{digits(per_draw[dense])} per site at {dense:.0%} occupied, {digits(per_draw[sparse])} at {sparse:.0%}"
    return Measured(exact(per_draw[dense] / per_draw[sparse]), note)


def registers_against_storage(view: View) -> Measured:
    """Threadwise in registers over the faster of local and shared memory."""
    speeds = {storage: view.rate(variant=variant, **STORED_IN) for storage, variant in STORAGES.items()}
    other = max((value for name, value in speeds.items() if name != "registers"), key=lambda value: value.value)
    note = ", ".join(f"{name} {digits(value.value / 1e9)} G/s" for name, value in speeds.items())
    return Measured(speeds["registers"] / other, note)


def spills(view: View) -> Measured:
    """Local memory of threadwise at 64 x 64; the note has its speed per site, relative to 32 x 32."""
    small = dict[str, object](STORED_IN) | {"variant": "threadwise", "case": half}
    large = small | {"grid": "64x64"}
    spilled = view.kernel("local_bytes", **large)
    share = view.rate(**large) * 4 / view.rate(**small)
    return Measured(spilled, f"it runs nevertheless, at {digits(share.value)}x the speed per site of 32 x 32")


def expected_from_raw_speed(view: View) -> Measured:
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
    measured = named_hull(found)
    return Measured(measured.interval, f"{measured.note}; 1 means {digits(raw)}x the slides' speed")


def sum_compensated(view: View) -> Measured:
    """The cost of divergence, which warpwise avoids, over the cost of the warp sum; each relative to the time without it."""
    cost = view.rate(variant="warpwise_no_sum", **GRID) / view.rate(variant="warpwise", **GRID)
    saved = divergence(dict(grid="32x32", case=half))(view).value
    if cost.low <= 1:
        raise NotTestable("the cost of the sum is within the noise")
    share = Interval(*((saved - 1) / (bound - 1) for bound in (cost.value, cost.high, cost.low)))
    return Measured(
        share, f"the sum costs a factor of {digits(cost.value)}, divergence would cost a factor of {digits(saved)}"
    )


def branch_share(view: View) -> Measured:
    """Slowdown by all divergence over the part that the loop explains. Above 1, the branch adds to it."""
    loop = divergence(dict(grid="32x1", case=half))(view).value

    def at_half(case: Case) -> bool:
        return view.device.published or half(case)

    lone, full = (view.rate(variant=name, case=at_half, **WORD) for name in ("word_one_lane", "word"))
    return Measured(lone * 32 / full / loop, f"the loop alone explains a factor of {digits(loop)}")


def mitigates(view: View) -> Measured:
    """The speed of warpwise over threadwise, or 0 unless warpwise needs less than half the registers."""
    wide, narrow = (view.kernel("registers", variant=name, **GRID) for name in ("threadwise", "warpwise"))
    share = speed_ratio("warpwise", "threadwise", GRID)(view)
    note = f"{digits(narrow.value)} registers per thread instead of {digits(wide.value)}"
    return Measured(share.interval if narrow.value < wide.value / 2 else exact(0), note)


def refused_by_emulator(view: View) -> Measured:
    """A lane on another branch misses the next warp sum, and the emulator rejects a sum that a lane of its mask misses."""
    rows = [case for case in view.cases if case.variant == "warpwise" and case.machine == "emulator"]
    if not rows:
        raise NotTestable(view.missing({"variant": "warpwise", "machine": "emulator"}, "a run on the emulator"))
    return Measured(exact(sum(case.status != "not_timed" for case in rows)), f"of {len(rows)} cases")


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
