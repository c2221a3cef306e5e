"""Sections of results/<device>/term_rewriting.md on our engine `fast`, its race with all cores, and OCaml and Maude.

Most functions take the view of one device and raise NotTestable where that device lacks the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from experiments.term_rewriting import counts, measures
from experiments.term_rewriting.wording import Workload, count_text, full_title, listed, rate_text, times, title_of
from experiments.term_rewriting.workloads import (
    AS_PRINTED,
    CPU_ENGINES,
    PEERS,
    TREE,
    TREE_22,
    TREE_SORT_23,
    workload_of,
)
from plots.errors import NotTestable
from plots.markdown import table
from plots.results import Case, View
from plots.units import digits, quantity

#: Threads per block of `fast`: its rows count the rounds of all blocks together.
FAST_BLOCK = 256


def against_printed(view: View) -> dict[Workload, float]:
    """How many times as fast as the paper's GPU rewriter `fast` is, at each workload that both have, ascending."""
    printed, fast = measures.rates(view, (AS_PRINTED,), "cuda"), measures.rates(view, ("fast",), "cuda")
    ratios = {workload: fast[workload].value / printed[workload].value for workload in fast if workload in printed}
    if not ratios:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda")))
    return dict(sorted(ratios.items(), key=lambda item: item[1]))


# The engine fast


def rates_with_sharing(view: View, engine: str, machine: str) -> dict[tuple[Workload, str], Case]:
    """The fastest row of the engine at each workload and sharing of the input."""
    found: dict[tuple[Workload, str], Case] = {}
    for case in view.select(variant=engine, machine=machine):
        key = workload_of(case), case.axes["sharing"]
        if case.time is not None and (key not in found or case.time.value < _seconds(found[key])):
            found[key] = case
    return found


def _seconds(case: Case) -> float:
    if case.time is None:
        raise NotTestable(f"{case.describe()} has no time")
    return case.time.value


def fast_table(view: View) -> str:
    rows = rates_with_sharing(view, "fast", "cuda")
    if not rows:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda")))
    others = [
        rates_with_sharing(view, engine, machine)
        for engine, machine in ((AS_PRINTED, "cuda"), ("one_core", "cpu"), ("all_cores", "cpu"))
    ]
    wide = counts.parallelism(view)
    lines = []
    for key, case in sorted(rows.items(), key=lambda row: -row[1].items / _seconds(row[1])):
        workload = key[0]
        ratios = [times(_seconds(other[key]) / _seconds(case)) if key in other else "–" for other in others]
        lines.append(
            [
                full_title(case),
                count_text(wide[workload]) if workload in wide else "–",
                quantity(_seconds(case), "s"),
                rate_text(case.items / _seconds(case)),
                *ratios,
            ]
        )
    head = ["workload", "average parallelism", "time", "rate"]
    return table([*head, *(f"rate / `{engine}`" for engine in (AS_PRINTED, "one_core", "all_cores"))], lines)


def below_ten(view: View) -> str:
    ratios = against_printed(view)
    slow = [f"{title_of(workload)} ({times(ratio)})" for workload, ratio in ratios.items() if ratio < 10]
    rest = f" The others are {listed(slow)}." if slow else ""
    return (
        f"`fast` is at least 10x as fast as the paper's GPU rewriter on {len(ratios) - len(slow)} of {len(ratios)} "
        f"workloads.{rest}"
    )


#: Rewrites per second that were aimed at before any tuning.
AIMS: Sequence[tuple[Mapping[str, object], float]] = (
    (TREE_SORT_23, 20e9),
    (dict(TREE_SORT_23) | dict(sharing="numerals"), 20e9),
    (TREE_22, 150e9),
)
#: The payload tree is to reach this share of the plain tree's rate.
PAYLOAD_AIM = 0.8


def aim_table(view: View) -> str:
    lines = []
    for where, aim in AIMS:
        try:
            case, rate = view.best(lambda case: case.rate, variant="fast", machine="cuda", **where)
        except NotTestable:
            continue
        lines.append([full_title(case), f"at least {rate_text(aim)}", rate_text(rate), _met(rate.value >= aim)])
    for depth in view.values("depth", variant="fast", machine="cuda", system="payload_tree"):
        try:
            plain = view.rate(variant="fast", machine="cuda", depth=depth, **TREE)
            payload = view.rate(variant="fast", machine="cuda", depth=depth, system="payload_tree")
        except NotTestable:
            continue
        share = payload.value / plain.value
        aim_text = f"at least {PAYLOAD_AIM:g}x the rate of transformation tree {depth}"
        lines.append([f"payload tree {depth}", aim_text, times(share), _met(share >= PAYLOAD_AIM)])
    if not lines:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda")))
    return table(["workload", "aim set before tuning", "measured", "verdict"], lines)


def _met(met: bool) -> str:
    return "met" if met else "missed"


def little_parallelism(view: View) -> str:
    """What a round of `fast` does at the workload where it is furthest behind the paper's rewriter."""
    workload = next(iter(against_printed(view)))
    case = rates_with_sharing(view, "fast", "cuda")[workload, "none"]
    rounds = case.metrics["rounds"] / (case.metrics["lanes"] / FAST_BLOCK)
    return (
        f"On {title_of(workload)}, a block makes {count_text(rounds)} rounds of "
        f"{quantity(_seconds(case) / rounds, 's')}, and in a round all warps of the GPU together take "
        f"{digits(case.metrics['warp_turns'] / rounds, 2)} turns of a warp."
    )


def turns_per_rewrite(view: View) -> str:
    parts = []
    for where in (TREE_SORT_23, TREE_22):
        for case in view.select(variant="fast", machine="cuda", **where):
            turns = case.metrics["lane_turns"]
            parts.append(
                f"{digits(turns / case.items)} turns of a lane per rewrite, with {digits(turns / case.metrics['warp_turns'])} "
                f"lanes in a turn of a warp, on {title_of(workload_of(case))}"
            )
    if not parts:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda", **TREE_SORT_23)))
    return (
        "In a turn, a lane executes one step of the compiled program: it matches a term, makes the nodes of the result, and "
        f"chooses its next step. By the counts in the rows, `fast` takes {listed(parts)}."
    )


# The race of both engines


def race_rows(view: View) -> dict[tuple[Workload, str], dict[str, Case]]:
    """Rows of `auto`, of its two engines and of one core, in descending order of the time of the best of them."""
    engines = (("one_core", "cpu"), ("all_cores", "cpu"), ("fast", "cuda"), ("auto", "cuda"))
    found: dict[tuple[Workload, str], dict[str, Case]] = {}
    for engine, machine in engines:
        for key, case in rates_with_sharing(view, engine, machine).items():
            found.setdefault(key, {})[engine] = case
    complete = {key: cases for key, cases in found.items() if "auto" in cases and len(cases) > 1}
    if not complete:
        raise NotTestable(view.missing(dict(variant="auto", machine="cuda"), "its times and those of its engines"))
    return dict(sorted(complete.items(), key=lambda row: -better_seconds(row[1])))


def better_seconds(cases: Mapping[str, Case]) -> float:
    return min(_seconds(case) for engine, case in cases.items() if engine != "auto")


def race_table(view: View) -> str:
    lines = []
    for cases in race_rows(view).values():
        lines.append(
            [
                full_title(cases["auto"]),
                *(
                    quantity(_seconds(cases[name]), "s") if name in cases else "–"
                    for name in ("one_core", "all_cores", "fast", "auto")
                ),
                times(_seconds(cases["auto"]) / better_seconds(cases)),
            ]
        )
    return table(
        [
            "workload",
            "`one_core`",
            "`all_cores`",
            "`fast`",
            "`auto`",
            "time of `auto` / best engine",
        ],
        lines,
    )


#: The aim of `auto`: at most this over the time of the better engine where that is over measures.LONG.
RACE_AIM = 1.2


def race_aim(view: View) -> str:
    """The largest time of `auto` over the best engine's, by that engine's time, and whether its aim is met."""
    parts = []
    for name, low, high in (
        (f"at least {quantity(measures.LONG, 's')}", measures.LONG, float("inf")),
        (f"5 ms to {quantity(measures.LONG, 's')}", 5e-3, measures.LONG),
        ("less than 5 ms", 0.0, 5e-3),
    ):
        ratios = {
            workload: _seconds(cases["auto"]) / better_seconds(cases)
            for (workload, _), cases in race_rows(view).items()
            if low <= better_seconds(cases) < high
        }
        if ratios:
            most = max(ratios, key=lambda workload: ratios[workload])
            parts.append(f"at most {times(ratios[most])} ({title_of(most)}) where the best engine takes {name}")
    met = _met(measures.auto_over_better(view).value <= RACE_AIM)
    long = sum(better_seconds(cases) >= measures.LONG for cases in race_rows(view).values())
    return (
        f"The time of `auto` over that of the best engine, one core included, is {listed(parts)}. The aim, at most {RACE_AIM:g}x where that "
        f"engine takes over {quantity(measures.LONG, 's')}, is {met} ({long} workloads decide that)."
    )


#: Where the average parallelism is at least this, the GPU is to be at least WIDE_AIM times as fast as the best CPU engine.
WIDE, WIDE_AIM = 1e5, 10.0


def wide_cases(view: View) -> dict[str, tuple[float, dict[str, Case], float]]:
    """Parallelism, rows of `fast` and `auto`, and seconds of the best CPU engine of each wide workload, ascending."""
    wide = counts.parallelism(view)
    cpu = measures.rates(view, CPU_ENGINES, "cpu")
    found: dict[str, tuple[float, dict[str, Case], float]] = {}
    for engine in ("fast", "auto"):
        for (workload, sharing), case in rates_with_sharing(view, engine, "cuda").items():
            if sharing == "none" and workload in cpu and wide.get(workload, 0.0) >= WIDE:
                name = title_of(workload)
                found.setdefault(name, (wide[workload], {}, case.items / cpu[workload].value))[1][engine] = case
    if not found:
        raise NotTestable(view.missing(dict(variant=("fast", "auto"), machine="cuda"), "a time at much parallelism"))
    return dict(sorted(found.items(), key=lambda item: item[1][0]))


def wide_aim(view: View) -> str:
    """How often the GPU engines reach their aim over the best CPU engine on wide workloads."""
    cases = wide_cases(view)
    parts = []
    for engine in ("fast", "auto"):
        ratios = [cpu / _seconds(rows[engine]) for _, rows, cpu in cases.values() if engine in rows]
        if ratios:
            parts.append(f"`{engine}` on {sum(ratio >= WIDE_AIM for ratio in ratios)} of {len(ratios)} workloads")
    return (
        f"Where the average parallelism is at least {count_text(WIDE)}, the aim is {WIDE_AIM:g}x the speed of the best CPU "
        f"engine. It is met by {listed(parts)}."
    )


def wide_table(view: View) -> str:
    lines = []
    for name, (wide, rows, cpu) in wide_cases(view).items():
        ratios = [times(cpu / _seconds(rows[engine])) if engine in rows else "–" for engine in ("fast", "auto")]
        idle = rows["fast"].metrics.get("idle_share") if "fast" in rows else None
        share = "–" if idle is None else f"{digits(100 * idle, 2)}%"
        lines.append([name, count_text(wide), quantity(cpu, "s"), *ratios, share])
    head = ["workload", "average parallelism", "best CPU engine", "`fast`", "`auto`", "nearly all lanes wait"]
    return table(head, lines)


def idle_lanes(view: View) -> str:
    """What the column of idle lanes means, for the wide workload that misses the aim by most."""
    missed = {
        name: (cpu / _seconds(rows["fast"]), rows["fast"].metrics["idle_share"])
        for name, (_, rows, cpu) in wide_cases(view).items()
        if "fast" in rows
        and rows["fast"].metrics.get("idle_share", 1.0) < 1.0
        and cpu / _seconds(rows["fast"]) < WIDE_AIM
    }
    if not missed:
        raise NotTestable("every wide workload meets the aim, or its rows have no share of idle lanes")
    name = min(missed, key=lambda one: missed[one][0])
    ratio, idle = missed[name]
    return (
        "The last column is the share of the time in rounds in which at least seven eighths of the lanes that take part "
        "have no work: while work spreads, and while the last values go up to the root one after the other. "
        f"On {name}, `fast` is {times(ratio)} as fast as the best CPU engine. Without that time, it would be at most "
        f"{times(ratio / (1 - idle))} as fast."
    )


def older_races(view: View) -> str:
    """Whether `auto` was measured with the code of `fast`, which it runs."""
    pairs = [
        (cases["auto"].provenance.get("commit"), cases["fast"].provenance.get("commit"))
        for cases in race_rows(view).values()
        if "fast" in cases
    ]
    older = sum(auto != fast for auto, fast in pairs)
    if older == 0:
        return "The rows of `auto` and of `fast` are from one commit."
    return (
        f"On {older} of {len(pairs)} workloads, the row of `auto` is from another commit than that of `fast`, so their "
        "times may be those of different code."
    )


# OCaml and Maude


def peers_table(view: View) -> str:
    """OCaml and Maude against one core of generated C++, on this device's host."""
    one_core = measures.rates(view, ("one_core",), "cpu")
    fast = measures.rates(view, ("fast",), "cuda")
    peers = {peer: measures.peer_rates(view, peer) for peer in PEERS}
    lines = []
    for workload in sorted({workload for rates in peers.values() for workload in rates}):
        cells = [
            times(peers[peer][workload] / one_core[workload]) if workload in peers[peer] else "–" for peer in PEERS
        ]
        own = times(fast[workload] / one_core[workload]) if workload in fast else "–"
        lines.append([title_of(workload), *cells, own])
    if not lines:
        raise NotTestable("OCaml and Maude were not run on this device's host (./lockstep peers term_rewriting)")
    return table(["rate / rate of `one_core`", "OCaml", "Maude", "`fast`"], lines)


def fast_on_wide_systems(view: View) -> str:
    """`fast` against one core on the largest systems like those of the Rewrite Engines Competition."""
    one_core, fast = measures.rates(view, ("one_core",), "cpu"), measures.rates(view, ("fast",), "cuda")
    wide = ("expression", "symbolic", "binary_search", "binary_fibonacci")
    parts = []
    for system in wide:
        both = [workload for workload in fast if workload in one_core and workload[0] == system]
        if both:
            largest = max(both, key=lambda workload: float(workload[1]))
            parts.append(f"{times(fast[largest] / one_core[largest])} ({title_of(largest)})")
    if not parts:
        raise NotTestable(view.missing(dict(variant="fast", machine="cuda", system=wide)))
    return (
        "On large systems like those of the Rewrite Engines Competition, `fast` runs at these multiples of the speed of "
        f"generated C++ on one core: {listed(parts)}."
    )
