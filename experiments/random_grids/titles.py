"""The titles of the figures of random_grids: what the rows of one device show. Each raises NotTestable without its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from math import comb, log2

from experiments.random_grids import curves
from experiments.random_grids.measures import (
    GRID,
    STORAGES,
    STORED_IN,
    WORD,
    half,
    has_k,
    in_sweeps,
    log_sites,
    occupied,
    ranked,
    sites,
)
from experiments.random_grids.wording import (
    Where,
    factor,
    factors,
    is_ours,
    is_slides,
    k_text,
    ks,
    launch_text,
    percent,
    size,
)
from plots.dots import shared_size
from plots.errors import NotTestable
from plots.results import Case, View
from plots.units import digits

WARP = 32
#: A curve within this share of another one is called equal to it, as in the claims.
CLOSE = 0.1
#: Rows of the sweep `sizes`, whose launches are alike.
SIZES: Where = {**GRID, "grid": lambda grid: True, "sweeps": in_sweeps("sizes"), "case": half}


def over_slides(view: View) -> str:
    """The measured speeds of the slides' kernels over the printed ones."""
    printed: Mapping[str, tuple[str, Where]] = {
        "word": ("word_speed", WORD),
        "threadwise": ("threadwise_speed", GRID),
        "warpwise": ("warpwise_speed", GRID),
    }
    ratios = [view.rate(variant=name, **where).value / view.fact(fact) for name, (fact, where) in printed.items()]
    alone = view.rate(variant="word_one_lane", **WORD).value * WARP
    ratios.append(alone / view.fact("word_speed_no_divergence"))
    return f"{view.device.name} runs the slides' kernels {factors(ratios)} as fast as their RTX 3060 Ti"


def leader(grid: str, what: str) -> Callable[[View], str]:
    """The fastest variant that stores sets, and its lead over the slides' fastest kernel, both at the ranking's size."""

    def title(view: View) -> str:
        where: Where = dict(grid=grid, output="stored")
        shown = [case for case in view.select(**where, case=ranked) if curves.on_device(case) and case.rate is not None]
        size = shared_size(shown, curves.launched)
        alike = replace(view, cases=[case for case in shown if curves.launched(case) == size])
        where = {**where, "machine": view.device.machine}
        best, speed = alike.best(lambda case: case.rate, **where)
        theirs: Where = {**where, "case": is_slides}
        if not view.device.has_gpu:
            theirs = {**where, "variant": "halving"}
        slides, slides_speed = alike.best(lambda case: case.rate, **theirs)
        if best.variant == slides.variant:
            return f"The slides' {best.variant} draws {what} faster than any other variant"
        lead = factor(speed.value / slides_speed.value)
        at = f"At {launch_text(best)}, "
        name = f"the slides' {slides.variant}" if view.device.has_gpu else "the slides' method on one core"
        ours = "our " if is_ours(best) else ""
        return f"{at}{ours}{best.variant} draws {what} {lead} as fast as {name}"

    return title


def storage(view: View) -> str:
    speeds = {place: view.rate(variant=variant, **STORED_IN).value for place, variant in STORAGES.items()}
    own = speeds.pop("registers")
    place, other = max(speeds.items(), key=lambda pair: pair[1])
    if own <= other:
        return f"Threadwise is no faster in registers than in {place}"
    return f"Threadwise is {factor(own / other)} as fast in registers as in {place}"


def engines(view: View) -> str:
    """The fastest engine of each kernel."""
    where: Where = {**GRID, "sweeps": in_sweeps("engines", "slides_grid", "quick")}
    best: dict[str, str] = {}
    for variant in ("threadwise", "warpwise"):
        rows: Where = {**where, "variant": variant, "engine": lambda engine: True}
        if len(view.values("engine", **rows)) < 2:
            raise NotTestable(f"only one engine of {variant}")
        best[variant] = view.best(lambda case: case.rate, **rows)[0].axes["engine"]
    if len(set(best.values())) == 1:
        return f"{best['threadwise']} is the fastest engine of threadwise and of warpwise"
    return f"The fastest engine is {best['threadwise']} for threadwise and {best['warpwise']} for warpwise"


def against_k(view: View) -> str:
    """The fastest of ours against the slides' method at every k: threadwise on a GPU, one core without a GPU."""
    where: Where = dict(machine=view.device.machine, grid="32x32", output="stored")
    slides = "threadwise" if view.device.has_gpu else "halving"
    # Without a GPU, ours are references.
    own = is_ours if view.device.has_gpu else (lambda case: case.variant == "dense")
    found: dict[str, float] = {}
    fastest: list[str] = []
    shown = view.select(**where, case=lambda case: curves.against_k(case) and bool(occupied(case)) and own(case))
    for name in ks(replace(view, cases=shown)):
        at_k = _at(name)
        best, ours = view.best(lambda case: case.rate, **where, case=lambda case: own(case) and at_k(case))
        found[name] = (ours / view.rate(**where, variant=slides, case=at_k)).value
        fastest.append(best.variant)
    if not found:
        raise NotTestable(view.missing({**where, "variant": "dense"}))
    names = " or ".join(dict.fromkeys(fastest))
    if min(found.values()) > 1:
        return f"At every k, {names} draws grids {factors(found.values())} as fast as the slides' {slides}"
    behind = [k_text(name) for name, ratio in found.items() if ratio <= 1]
    return f"Our {names} is slower than the slides' {slides} at {len(behind)} of {len(found)} k, first at {behind[0]}"


def _at(name: str) -> Callable[[Case], bool]:
    return lambda case: curves.against_k(case) and has_k(name, case)


def cliff(view: View) -> str:
    """What the 33rd column costs: a row takes two words instead of one."""
    where: Where = {key: value for key, value in SIZES.items() if key != "grid"}
    one_word, two_words = (view.rate(**where, variant="threadwise", grid=grid).value for grid in ("32x32", "33x33"))
    lost = 1 - two_words / one_word
    if lost <= CLOSE:
        return "Threadwise keeps its speed from 32 x 32 to 33 x 33 sites, where a row takes two words"
    return f"A 33rd row and column cost threadwise {percent(lost)} of its speed: rows take two words"


def registers_taken(view: View) -> str:
    taken = {name: digits(view.kernel("registers", variant=name, **GRID).value) for name in ("threadwise", "warpwise")}
    printed = {name: digits(view.fact(f"{name}_registers")) for name in taken}
    return (
        f"At 32 x 32, threadwise takes {taken['threadwise']} registers and warpwise {taken['warpwise']} "
        f"(the slides: {printed['threadwise']} and {printed['warpwise']})"
    )


def spilled(view: View) -> str:
    """From which size on threadwise has arrays in local memory."""
    where: Where = dict(machine="cuda", variant="threadwise", output="folded")
    local = {
        grid: view.kernel("local_bytes", **where, grid=grid).value
        for grid in sorted(view.values("grid", **where), key=sites)
    }
    if len(local) < 2:
        raise NotTestable("only one size of threadwise")
    spills = [grid for grid, bytes_ in local.items() if bytes_ > 0]
    if not spills:
        return f"Threadwise keeps its arrays in registers up to {size(list(local)[-1])} sites"
    if "64x64" in local and local["64x64"] > 0:
        return f"Threadwise spills to local memory from {size(spills[0])} on, and still runs at 64 x 64"
    return f"Threadwise spills to local memory from {size(spills[0])} on"


def steps(view: View) -> str:
    """How far the counted steps are from log2 N."""
    counted = view.select(variant="halving", case=half)
    ratios = [
        case.metrics["steps_mean"] / bits
        for case in counted
        if "steps_mean" in case.metrics and (bits := log_sites(case))
    ]
    if not ratios:
        raise NotTestable(view.missing(dict(variant="halving"), "the metric steps_mean"))
    off = max(abs(ratio - 1) for ratio in ratios)
    return f"Halving takes log2 N steps, within {percent(off)} at every N"


def words(view: View) -> str:
    where: Where = dict(grid="32x32", case=partial(has_k, "k 512"))
    ours, slides = (view.metric("words_mean", variant=name, **where).value for name in ("dense", "halving"))
    entropy = log2(comb(1024, 512)) / 32
    return f"At k = 512, dense draws {digits(ours)} words, halving {digits(slides)}; the entropy is {digits(entropy)}"


def words_at_32(view: View) -> str:
    where: Where = dict(grid="32x1", case=half)
    ours, slides = (view.metric("words_mean", variant=name, **where).value for name in ("unranked", "halving"))
    entropy = log2(comb(32, 16)) / 32
    return (
        f"For 32 bits, unranked draws {digits(ours)} words, halving {digits(slides)}; the entropy is {digits(entropy)}"
    )


def divergence(view: View) -> str:
    small, large = (
        view.metric("divergence_factor", variant="halving", grid=grid, case=half).value for grid in ("32x1", "32x32")
    )
    return f"The slowest of 32 lanes takes {factor(small)} the mean steps at 32 sites, {factor(large)} at 1024"


def likeliest(view: View) -> str:
    """The most frequent number of steps of the smallest and of the largest grid."""
    found = [
        (sites(case.axes["grid"]), curves.shares_of_steps(case)) for case in view.select(variant="halving", case=half)
    ]
    found = sorted(((grid, shares) for grid, shares in found if shares), key=lambda pair: pair[0])
    if len(found) < 2 or found[0][0] == found[-1][0]:
        raise NotTestable("the steps of only one size were counted")
    modes = [max(shares, key=lambda step: shares[step]) for _, shares in (found[0], found[-1])]
    return (
        f"The most frequent number of steps is {modes[0]} for {digits(found[0][0])} sites and {modes[1]} "
        f"for {digits(found[-1][0])}"
    )
