"""What the figures and claims of random_grids measure, each a function of a device's rows that raises NotTestable without them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import log2

from plots.claims import Measured
from plots.errors import NotTestable
from plots.interval import Interval, exact, hull
from plots.results import GPU, Case, View
from plots.units import digits, quantity


def in_sweeps(*names: str) -> Callable[[Sequence[str]], bool]:
    """Rows of these sweeps, which launch alike. A paper's rows, and what a user ran by axes, are of none."""
    return lambda sweeps: not sweeps or any(name in sweeps for name in names)


#: The slides time sets that are folded into a checksum, with cuRAND's default engine; they state neither k nor this.
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
#: The same where the sweep `storage` has them, with shorter streams.
STORED_IN: Mapping[str, object] = {**GRID, "sweeps": in_sweeps("storage", "quick")}
HALF = "half"
#: Threadwise by where its three arrays lie. The compiler puts them into local memory where the rows are known at run time alone.
STORAGES = {"registers": "threadwise", "local memory": "threadwise_runtime", "shared memory": "threadwise_shared"}
#: They show a cost and draw no sets at full speed, or none at all: never ranked.
CONTROLS = ("warpwise_no_sum", "word_one_lane")
#: RTX 3060 Ti, the slides' GPU: SMs times boost clock.
SLIDES_RAW_SPEED = 38 * 1.665e9


def sites(grid: str) -> float:
    """'32x32' is 1024 sites."""
    width, height = grid.split("x")
    return float(width) * float(height)


def occupied(case: Case) -> float | None:
    """k as a number; None where it differs from grid to grid or there are several colours."""
    text = case.axes.get("occupied", HALF)
    if text == HALF:
        return sites(case.axes["grid"]) // 2
    return float(text) if text.isdigit() else None


def half(case: Case) -> bool:
    """k = N/2, however it was asked for."""
    return occupied(case) == sites(case.axes["grid"]) // 2


def ranked(case: Case) -> bool:
    """Half occupied, and a sampler: what a ranking compares."""
    return case.variant not in CONTROLS and half(case)


def k_name(case: Case) -> str:
    """'k 512', 'k mixed'."""
    value = occupied(case)
    return f"k {case.axes.get('occupied', '')}" if value is None else f"k {value:.0f}"


def has_k(name: str, case: Case) -> bool:
    return k_name(case) == name


def named_hull(found: dict[str, Interval]) -> Measured:
    """The hull, and each value in the note, or where the ends lie."""
    rows = sorted(found.items(), key=lambda row: row[1].value)
    if len(rows) > 5:
        note = f"{len(rows)} values, least at {rows[0][0]}, most at {rows[-1][0]}"
    else:
        note = "; ".join(f"{name}: {digits(value.value)}" for name, value in found.items()) if len(rows) > 1 else ""
    return Measured(hull(found.values()), note)


def by_k(view: View, ratio: Callable[[Callable[[Case], bool]], Interval], where: Mapping[str, object]) -> Measured:
    """The hull of a ratio over every k that has rows at `where`. A paper's rows have no k: its one ratio."""
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
    """Local memory a thread of `list` over the bytes of the set, 32 x 32; other sizes in the note. A large stack serves many sizes."""
    where: dict[str, object] = dict(variant="list", machine=GPU)
    over = {
        grid: view.kernel("local_bytes", **where, grid=grid) / (sites(grid) / 8)
        for grid in sorted(view.values("grid", **where), key=sites)
    }
    if "32x32" not in over:
        raise NotTestable(view.missing({**where, "grid": "32x32"}))
    return Measured(over["32x32"], ", ".join(f"{grid} {digits(value.value)}" for grid, value in over.items()))


def speed_ratio(above: str, below: str, where: Mapping[str, object], scale: float = 1.0) -> Callable[[View], Measured]:
    """Speed of one variant over another's, at equal k."""

    def measure(view: View) -> Measured:
        def ratio(k: Callable[[Case], bool]) -> Interval:
            return view.rate(variant=above, case=k, **where) * scale / view.rate(variant=below, case=k, **where)

        return by_k(view, ratio, {"variant": below, **where})

    return measure


def speed(variant: str, where: Mapping[str, object], scale: float = 1.0) -> Callable[[View], Measured]:
    """The fastest k and launch, and which k that was."""

    def measure(view: View) -> Measured:
        case, value = view.best(lambda case: case.rate, variant=variant, **where)
        note = "" if view.device.published else f"at {k_name(case)}, {case.axes.get('engine', '')}"
        return Measured(value * scale, note)

    return measure


def divergence(where: Mapping[str, object], variant: str = "halving") -> Callable[[View], Interval]:
    """Steps of the slowest of 32 sets over the mean: counted, not timed."""
    return lambda view: view.figure("divergence_factor", variant=variant, **where)


def over_grids(figure: str, expected: Callable[[Case], float | None], **where: object) -> Callable[[View], Measured]:
    """A counted figure over what is expected of it, for every grid that was counted."""

    def measure(view: View) -> Measured:
        found: dict[str, Interval] = {}
        for case in view.select(**where):
            count, by = case.figures.get(figure), expected(case)
            if count is not None and by:
                found.setdefault(f"{case.variant} {case.axes['grid']} {k_name(case)}", exact(count / by))
        if not found:
            raise NotTestable(view.missing(where, f"the figure {figure}"))
        return named_hull(found)

    return measure


def log_sites(case: Case) -> float | None:
    return log2(sites(case.axes["grid"])) or None


def probes_a_draw(view: View) -> Measured:
    """Probes for each site drawn: a nearly full grid over a nearly empty one."""
    per_draw: dict[float, float] = {}
    for case in view.select(variant="probe"):
        k, steps = occupied(case), case.figures.get("steps_mean")
        if k and steps is not None:
            per_draw[k / sites(case.axes["grid"])] = steps / k
    if not per_draw or min(per_draw) > 0.5 or max(per_draw) < 0.9:
        raise NotTestable("no counted probes of both a thin and a dense set")
    thin, dense = min(per_draw), max(per_draw)
    note = f"{digits(per_draw[dense])} a site at {dense:.0%} occupied, {digits(per_draw[thin])} at {thin:.0%}"
    return Measured(exact(per_draw[dense] / per_draw[thin]), note)


def registers_against_storage(view: View) -> Measured:
    """Threadwise in registers over the faster of local and shared memory."""
    speeds = {storage: view.rate(variant=variant, **STORED_IN) for storage, variant in STORAGES.items()}
    other = max((value for name, value in speeds.items() if name != "registers"), key=lambda value: value.value)
    note = ", ".join(f"{name} {digits(value.value / 1e9)} G/s" for name, value in speeds.items())
    return Measured(speeds["registers"] / other, note)


def spills(view: View) -> Measured:
    """Local memory that threadwise needs at 64 x 64, and what that costs a site against 32 x 32."""
    small = dict[str, object](STORED_IN) | {"variant": "threadwise", "case": half}
    large = small | {"grid": "64x64"}
    spilled = view.kernel("local_bytes", **large)
    share = view.rate(**large) * 4 / view.rate(**small)
    return Measured(spilled, f"it runs all the same, at {digits(share.value)} of the speed a site of 32 x 32")


def expected_from_raw_speed(view: View) -> Measured:
    """Speed over the slides', divided by multiprocessors times clock over the slides' GPU's."""
    if view.device.published:
        raise NotTestable("the slides measured one GPU")
    raw = view.attribute("multiprocessors") * view.attribute("clock_khz") * 1e3 / SLIDES_RAW_SPEED
    printed: Iterable[tuple[str, str, Mapping[str, object]]] = (
        ("word", "word_speed", WORD),
        ("threadwise", "threadwise_speed", GRID),
        ("warpwise", "warpwise_speed", GRID),
    )
    found = {name: view.rate(variant=name, **where) / (view.fact(fact) * raw) for name, fact, where in printed}
    measured = named_hull(found)
    return Measured(measured.interval, f"{measured.note}; 1 would be {digits(raw)} times the slides' speed")


def sum_compensated(view: View) -> Measured:
    """What freedom from divergence saves, over what the warp sum costs, each as a share of the time without it."""
    cost = view.rate(variant="warpwise_no_sum", **GRID) / view.rate(variant="warpwise", **GRID)
    saved = divergence(dict(grid="32x32", case=half))(view).value
    if cost.low <= 1:
        raise NotTestable("the sum costs nothing that can be told from noise")
    share = Interval(*((saved - 1) / (bound - 1) for bound in (cost.value, cost.high, cost.low)))
    return Measured(share, f"the sum costs a factor {digits(cost.value)}, divergence would cost {digits(saved)}")


def branch_share(view: View) -> Measured:
    """Slowdown by all divergence over the part that the loop explains: above 1, the branch adds to it."""
    loop = divergence(dict(grid="32x1", case=half))(view).value

    def at_half(case: Case) -> bool:
        return view.device.published or half(case)

    lone, full = (view.rate(variant=name, case=at_half, **WORD) for name in ("word_one_lane", "word"))
    return Measured(lone * 32 / full / loop, f"the loop alone explains a factor {digits(loop)}")


def mitigates(view: View) -> Measured:
    """Warpwise's share of threadwise's speed, where it needs less than half the registers and spills nothing."""
    wide, narrow = (view.kernel("registers", variant=name, **GRID) for name in ("threadwise", "warpwise"))
    share = speed_ratio("warpwise", "threadwise", GRID)(view)
    note = f"{digits(narrow.value)} registers instead of {digits(wide.value)}"
    return Measured(share.interval if narrow.value < wide.value / 2 else exact(0), note)


def lanes_that_part(view: View) -> Measured:
    """A lane that took another branch would miss the next warp sum, and the emulator refuses a sum that a named lane misses."""
    rows = [case for case in view.cases if case.variant == "warpwise" and case.machine == "emulator"]
    if not rows:
        raise NotTestable(view.missing({"variant": "warpwise", "machine": "emulator"}, "a run by the emulator"))
    return Measured(exact(sum(case.status != "not_timed" for case in rows)), f"of {len(rows)} cases")


def verified_share(**where: object) -> Callable[[View], Measured]:
    """Units whose sets equal the reference's, of all that were compared; every case of them."""

    def measure(view: View) -> Measured:
        rows = [case for case in view.cases if case.machine != "published" and case.provenance.get("verified_units")]
        rows = [case for case in rows if all(case.axes.get(k, getattr(case, k, None)) == v for k, v in where.items())]
        if not rows:
            raise NotTestable(view.missing(where, "verified units"))
        good = sum(case.status in ("ok", "not_timed") for case in rows)
        return Measured(exact(good / len(rows)), f"{len(rows)} cases compared with the reference")

    return measure


#: Our ways to draw that a preset may leave out.
OURS = ("dense", "unranked")


def fastest(view: View, grid: str, what: str) -> str:
    """The best variant for stored sets of a size, and its lead over the slides' method."""
    where = dict[str, object](machine=view.device.machine, grid=grid, output="stored", case=ranked)
    case, best = view.best(lambda case: case.rate, **where)
    text = (
        f"The fastest way to draw and store {what}, half occupied, is {case.variant}: {quantity(best.value, 'sets/s')}"
    )
    if case.role == "paper" or case.variant == "halving":
        if view.select(**where, variant=OURS):
            return f"{text}, the slides' own method."
        return f"{text}, the slides' own method; {' and '.join(OURS)}, ours, were not run (`./lockstep reproduce --preset full` runs them)."
    printed = dict[str, object](role="paper") if view.device.has_gpu else dict[str, object](variant="halving")
    slides = view.best(lambda case: case.rate, **(printed | where))
    return f"{text}, {digits(best.value / slides[1].value)} times the slides' {slides[0].variant}."


def divergence_explained(view: View) -> str:
    """Counted, so it can be said without a GPU."""
    factor = view.figure("divergence_factor", variant="halving", grid="32x1", case=half)
    return (
        f"Waiting for the slowest of 32 lanes costs a factor {digits(factor.value)} in steps alone (32-bit sets, half occupied); "
        "the slides measured 2.05 in time, so the loop explains it and the branch adds nothing."
    )
