"""The slides' claims B01 to B31 as code, and what to say first. How each number is measured: measures.py beside.

A hedged number (*about*, *almost*) holds within 10 %. The slides state neither k nor whether sets are stored: sets are folded, as
the fastest reading of them, and a ratio must hold for every k that was measured.
"""

from __future__ import annotations

from experiments.random_grids import measures
from experiments.random_grids.measures import GRID, WORD, half, occupied, over_grids, ranked, sites, speed, speed_ratio
from plots.claims import Claim, not_testable
from plots.interval import exact
from plots.results import GPU, View
from plots.units import digits, quantity
from plots.verdict import about, above, at_least, between, equals

CLAIMS = (
    Claim(
        "B01",
        "Generation speed: 28.5 billion subsets/second",
        "Speed, single word, l. 120",
        "28.5 G sets/s",
        "word: 32-bit sets a second",
        at_least(28.5e9),
        speed("word", WORD),
        "sets/s",
    ),
    Claim(
        "B02",
        "Hypothetical generation speed (as if there were no divergence): 58.5 billion subsets/second",
        "Speed, single word, l. 125",
        "58.5 G sets/s",
        "word_one_lane, one lane a warp: sets a second, times 32",
        at_least(58.5e9),
        speed("word_one_lane", WORD, 32),
        "sets/s",
    ),
    Claim(
        "B03",
        "the multithread slowdown factor, caused mostly by divergence, is 2.05",
        "Speed, single word, l. 126",
        "2.05",
        "speed of word_one_lane times 32 over word, every k",
        about(2.05),
        speed_ratio("word_one_lane", "word", WORD, 32),
    ),
    Claim(
        "B04",
        "So on the average the procedure stops in log(N) steps",
        "Efficiency, l. 65",
        "log2 N",
        "mean steps over log2 N, k = N/2, every N",
        about(1),
        over_grids("steps_mean", measures.log_sites, variant="halving", case=half),
    ),
    Claim(
        "B05",
        "a total of log(N) words of random bits are consumed",
        "Efficiency, l. 66",
        "log2 N words",
        "random words a 32-bit set over log2 32, k = 16",
        about(1),
        over_grids("words_mean", measures.log_sites, variant="halving", grid="32x1", case=half),
    ),
    Claim(
        "B06",
        "the candidate set is halved in Step 2 or Step 3",
        "Efficiency, l. 64",
        "1/2",
        "candidates after a step over those before, mean, every N",
        about(0.5),
        over_grids("candidates_kept", lambda case: 1.0, variant="halving", case=half),
    ),
    Claim(
        "B07",
        "They are inherently slow, at least K steps are needed",
        "Weaknesses, l. 45",
        "at least K",
        "steps a set of list and probe over k, every k",
        at_least(1),
        over_grids("steps_mean", occupied, variant=("list", "probe"), machine="cpu"),
    ),
    Claim(
        "B08",
        "Each step consumes a random number.",
        "Weaknesses, l. 46",
        "1 a step",
        "random words over steps of list and probe; an unbiased draw may reject",
        between(1, 1.05),
        over_grids("words_mean", lambda case: case.figures.get("steps_mean"), variant=("list", "probe"), machine="cpu"),
    ),
    Claim(
        "B09",
        "The list in Variation 1 needs a lot of memory",
        "Weaknesses, l. 47",
        "a lot",
        "local memory a thread of list at 32 x 32 over the 128 bytes of the set",
        at_least(8),
        lambda view: view.kernel("local_bytes", variant="list", machine=GPU, grid="32x32") / 128,
    ),
    Claim(
        "B10",
        "suffers to find a new empty place by random probing in densely populated sets",
        "Weaknesses, l. 48",
        "suffers",
        "probes a site of a dense set over those of a thin one",
        above(2),
        measures.probes_a_draw,
    ),
    Claim(
        "B11",
        "executes a random number of steps which is disadvantageous for SIMD computers",
        "Weaknesses, l. 49",
        "more than 1",
        "probe: steps of the slowest of 32 sets over the mean, half occupied",
        above(1),
        lambda view: view.figure("divergence_factor", variant="probe", case=half),
    ),
    Claim(
        "B12",
        "speed is expected to scale according to the raw computing speed",
        "Scaling, l. 130",
        "multiprocessors x clock",
        "speed over the slides', divided by the ratio of multiprocessors x clock",
        about(1),
        measures.expected_from_raw_speed,
    ),
    Claim(
        "B13",
        "Generation speed: 1.05 billion grids/second",
        "Speed of Threadwise, l. 181",
        "1.05 G grids/s",
        "threadwise, 32 x 32",
        at_least(1.05e9),
        speed("threadwise", GRID),
        "grids/s",
    ),
    Claim(
        "B14",
        "Generation speed: 650 million grids/second",
        "Speed of Warpwise, l. 272",
        "0.65 G grids/s",
        "warpwise, 32 x 32",
        at_least(0.65e9),
        speed("warpwise", GRID),
        "grids/s",
    ),
    Claim(
        "B15",
        "Threadwise implementation is faster (1.05 billion grids/s)",
        "Comparison, l. 280",
        "1.05/0.65 = 1.62",
        "speed of threadwise over warpwise, 32 x 32, every k",
        above(1),
        speed_ratio("threadwise", "warpwise", GRID),
    ),
    Claim(
        "B16",
        "the extra time to do the warp sum is mostly compensated",
        "Comparison, l. 283",
        "mostly",
        "what divergence would cost over what the sum costs (control warpwise_no_sum)",
        above(0.5),
        measures.sum_compensated,
    ),
    Claim(
        "B17",
        "the above code requires 120 registers for a grid of 32 by 32",
        "Storage problem, l. 191",
        "120",
        "registers of threadwise, 32 x 32",
        about(120),
        lambda view: view.kernel("registers", variant="threadwise", machine=GPU, grid="32x32"),
    ),
    Claim(
        "B18",
        "Warpwise 28 registers",
        "Comparison, l. 288",
        "28",
        "registers of warpwise, 32 x 32",
        about(28),
        lambda view: view.kernel("registers", variant="warpwise", machine=GPU, grid="32x32"),
    ),
    Claim(
        "B19",
        "But for 64x64 grids it does not work at all, not enough registers.",
        "Storage problem, l. 193",
        "not feasible",
        "bytes that threadwise 64 x 64 spills to local memory a thread",
        above(0),
        lambda view: view.kernel("local_bytes", variant="threadwise", machine=GPU, grid="64x64"),
        "bytes",
    ),
    Claim(
        "B20",
        "register storage is 4 times larger",
        "Larger grids: storage, l. 137",
        "4",
        "bytes of registers over bytes of shared memory, a multiprocessor",
        about(4),
        lambda view: exact(
            view.attribute("registers_per_multiprocessor") * 4 / view.attribute("shared_bytes_per_multiprocessor")
        ),
    ),
    Claim(
        "B21",
        "register storage is the only viable solution for fast implementation",
        "Larger grids: storage, l. 140",
        "only",
        "threadwise 32 x 32 in registers over the faster of local and shared memory",
        above(1),
        measures.registers_against_storage,
    ),
    Claim(
        "B22",
        "otherwise the compiler places the arrays in slow local memory",
        "Larger grids: storage, l. 138",
        "local memory",
        "local memory a thread of threadwise with rows known at run time",
        above(0),
        lambda view: view.kernel("local_bytes", variant="threadwise_runtime", machine=GPU, grid="32x32"),
        "bytes",
    ),
    Claim(
        "B23",
        "So no divergence problem within a warp",
        "Warpwise, l. 207",
        "0",
        "cases of warpwise in which a lane misses a warp sum: the emulator, which checks each, refuses them",
        equals(0),
        measures.lanes_that_part,
    ),
    Claim(
        "B24",
        "This slowed down our program by a factor of almost 2!",
        "Caveat!, l. 264",
        "almost 2",
        "speed of warpwise over the same with a warp size known at run time, every k",
        about(2),
        speed_ratio("warpwise", "warpwise_runtime_warp", GRID),
    ),
    Claim(
        "B25",
        "each thread will process only four 32 bit word in Warpwise",
        "Comparison, l. 290",
        "4",
        "words of a 64 x 64 grid over the lanes of a warp",
        equals(4),
        lambda view: exact(sites("64x64") / 32 / 32),
        "words",
    ),
    Claim(
        "B26",
        "It also works for 64 bit sets, with elementary changes",
        "Straightforward CUDA, l. 107",
        "works",
        "cases of word64 that equal the reference, of all",
        equals(1),
        measures.verified_share(variant="word64"),
    ),
    Claim(
        "B27",
        "Generate random K-element subsets of a base set of N elements with equal probability",
        "K-subset problem, l. 14",
        "equal",
        "the tests of uniformity: by enumeration, and chi-square over all subsets",
        equals(1),
        not_testable("by the tests of random_grids, not by timed rows: ./lockstep test"),
    ),
    Claim(
        "B28",
        "All grids have K bits set to 1 in the whole grid.",
        "Speed of Threadwise, l. 183",
        "K",
        "cases whose sets equal the reference's, which have exactly k bits by its tests, of all",
        equals(1),
        measures.verified_share(),
    ),
    Claim(
        "B29",
        "Conditional (IF) divergence: some of the threads execute the IF branch",
        "Divergence, l. 114",
        "a cause of B03",
        "slowdown by divergence over the part that the loop alone explains, 32-bit sets",
        above(1.05),
        measures.branch_share,
    ),
    Claim(
        "B30",
        "Warpwise implementation is a viable option to mitigate the register storage bottleneck",
        "Conclusion, l. 294",
        "viable",
        "speed of warpwise over threadwise, where it needs less than half the registers",
        at_least(0.5),
        measures.mitigates,
    ),
    Claim(
        "B31",
        "This position happens to be legal in Go, Gomoku or even in Hex",
        "K-subset problem, l. 26",
        "legal",
        "the pictured board",
        equals(1),
        not_testable("the picture is lost in our copy of the slides"),
    ),
)


def fastest(view: View, grid: str, what: str) -> str:
    """The best variant for stored sets of a size, and its lead over the slides' method."""
    where = dict[str, object](machine=view.device.machine, grid=grid, output="stored", case=ranked)
    case, best = view.best(lambda case: case.rate, **where)
    text = (
        f"The fastest way to draw and store {what}, half occupied, is {case.variant}: {quantity(best.value, 'sets/s')}"
    )
    if case.role == "paper":
        return f"{text}, the slides' own method."
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


FINDINGS = (
    lambda view: fastest(view, "32x32", "32 x 32 grids"),
    lambda view: fastest(view, "32x1", "sets of 32 bits"),
    divergence_explained,
)
