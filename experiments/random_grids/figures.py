"""The figures and tables of random_grids: the slides' numbers beside the device's, then what the slides leave open."""

from __future__ import annotations

from functools import partial

from experiments.random_grids import auto_cells, boards, curves, legality, titles, work_after
from experiments.random_grids.curves import (
    OCCUPIED,
    SITES,
    WORDS,
    against_k,
    against_sites,
    inside,
    on_device,
    one_curve,
    only_draws,
)
from experiments.random_grids.measures import STORAGES, half, k_name, ranked
from experiments.random_grids.slides_numbers import (
    SLOWDOWN,
    SPEEDS,
    in_storage,
    published,
    registers,
    with_engine,
)
from experiments.random_grids.wording import is_ours
from plots.catalog import About
from plots.drawing import Axis
from plots.figures import Dots, Histogram, Lines, Ranking, Stated, Theory
from plots.quantity import kernel, metric, rate
from plots.roofs import Roof, RoofTable
from plots.tables import FactTable, PivotTable
from plots.traces import Schematic

__all__ = ["ABOUT", "COLOURS", "FIGURES", "TABLES", "published"]

ABOUT = About(
    title="Random grids",
    question="How fast can a GPU draw sets of exactly k out of N bits, with a thread or a warp per set?",
    paper="István Borsos: Generating small random grids with a given number of occupied sites. GPU Day 2023, Budapest (slides).",
    unit="a stream of consecutive grids drawn from one random engine",
    cited="Borsos 2023",
    asks="How fast are random boards with exactly k of N sites?",
)

#: A variant or role has one colour in all figures. A reference has that of the kernel that it specifies.
COLOURS = {
    "dense": "blue",
    "pooled": "crimson",
    "unranked": "green",
    "tree": "olive",
    "threadwise": "red",
    "halving": "red",
    "warpwise": "purple",
    "halving_by_lane": "purple",
    "warpwise_folded": "brown",
    "probe": "sky",
    "list": "brown",
    "all_cores": "grey",
    "auto": "blue",
    "ours": "blue",
    "paper": "red",
    "baseline": "sky",
    "contender": "grey",
    "reference": "brown",
    "steps_shares": "red",
    "black": "black",
    "white": "grey",
    "in the set": "blue",
    "candidate": "sky",
    "adds the selected sites": "blue",
    "drops the other candidates": "red",
}
#: What the figure of speed against sites shows beside our methods.
ALONG_SITES = ("threadwise", "warpwise_folded", "probe", "all_cores")
ENGINES = ("xorwow", "taus88", "philox7", "philox10")
#: From here on a row takes two words. The line has no text, which lines would cross; captions name it.
SECOND_WORD = Stated("", lambda view: 33.0 * 33.0, "x")
ROLES = (
    "Each variant with its fastest engine, in equally many streams of equal length; a label names others. Ours: methods of this project. Paper: the slides' kernels. "
    "Baseline: the traditional algorithms and libraries. Contender: the slides' method on all CPU cores."
)

FIGURES = (
    Schematic(
        "board",
        "The slides' board: 15 x 15 sites, 71 black and 70 white pieces",
        "board",
        "",
        Axis("column", "index"),
        boards.pieces,
        15,
        caption="Drawn by the slides' warpwise kernel, a lane per row: the first such board of seed 1 that is legal in Go, "
        "Gomoku and Hex, as the slides say of theirs. lockstep grids --variant warpwise --first 800 --width 15 --height 15 "
        "--occupied 71,70 prints it. The text of the slides does not have the board that they picture.",
    ),
    Dots(
        "legal",
        "Legal positions among random boards of 15 x 15 sites, 71 black and 70 white",
        Axis("share of the boards", "1"),
        legality.MEASURES,
        caption="Counted by the reference; METHOD.md defines what is legal. Go: every group has a liberty. Gomoku and Hex: a "
        "game in turns reaches the position, so nobody has won, or the last stone has just done so.",
        finding=legality.title,
        bars=True,
        where=legality.BOARD,
    ),
    Schematic(
        "halving_steps",
        "One draw of 16 out of 32 bits by the slides' method",
        "steps",
        "",
        Axis("bit", "index"),
        boards.steps,
        32,
        caption="Each row shows the bits after a step. A step selects each candidate with a random bit. If the set has room "
        "for the selected bits, they join it; otherwise only they remain candidates.",
    ),
    Schematic(
        "lanes_threads",
        "A warp with a set per thread: the branch of each lane in each step",
        "lanes",
        "threads",
        Axis("lane", "index"),
        boards.lanes,
        32,
        caption="One draw of 16 out of 32 bits per lane, by the loop of the threadwise kernels. Lanes take different branches "
        "(conditional divergence), and those that are done wait for the slowest one (loop divergence).",
    ),
    Schematic(
        "lanes_warp",
        "A warp with one grid: the branch of each lane in each step",
        "lanes",
        "warp",
        Axis("lane", "index"),
        boards.lanes,
        32,
        caption="One draw of 512 out of 32 x 32 sites by the loop of warpwise. Each lane decides by the sum that it gets, and all "
        "get the same one. So no lane takes another branch or another number of steps.",
    ),
    Dots(
        "slides",
        "Speeds of the slides' kernels, published and measured",
        Axis("speed", "grids/s", "log10"),
        SPEEDS,
        caption="Sets are folded into a checksum. The slides state no k; each kernel is shown at its fastest k.",
        across=True,
        finding=titles.over_slides,
    ),
    Ranking(
        "ranking_grid",
        "Grids per second, 32 x 32, half occupied, stored",
        rate("grids"),
        dict(grid="32x32", output="stored", case=lambda case: ranked(case) and on_device(case)),
        caption=f"{ROLES} The slides' numbers state neither k nor whether grids are stored.",
        finding=titles.leader("32x32", "32 x 32 grids"),
        published=dict(grid="32x32"),
        size=curves.launched,
    ),
    Ranking(
        "ranking_word",
        "Sets per second, 32 bits, half occupied, stored",
        rate("grids"),
        dict(grid="32x1", output="stored", case=lambda case: ranked(case) and on_device(case)),
        caption=f"{ROLES} Few streams of the libraries' size leave a large GPU idle: word is faster in the figure of the slides' speeds.",
        finding=titles.leader("32x1", "sets of 32 bits"),
        size=curves.launched,
    ),
    Dots(
        "storage",
        "Speed of threadwise by storage of its 32 x 32 grids",
        Axis("speed", "grids/s"),
        tuple(in_storage(storage, variant) for storage, variant in STORAGES.items()),
        caption="Sets are folded. Each kernel is shown at its fastest k. The slides print a speed for registers only.",
        finding=titles.storage,
    ),
    Dots(
        "engines",
        "Speed of threadwise and warpwise by random engine, 32 x 32",
        Axis("speed", "grids/s"),
        tuple(with_engine(variant, engine) for variant in ("threadwise", "warpwise") for engine in ENGINES),
        caption="Sets are folded. The slides use cuRAND's default engine, XORWOW, whose low bits bias narrow boards.",
        finding=titles.engines,
    ),
    Dots(
        "after",
        "Speed of drawing 32 x 32 grids, and of working on them in the same kernel",
        Axis("speed", "grids/s", "log10"),
        work_after.MEASURES,
        caption="Half occupied; what the work finds is folded. Liberties: the empty sites next to an occupied one. Connected: "
        "the occupied sites that occupied sites connect to the first row. A thread needs its whole board at once, where the "
        "slides expect too few registers; in a warp, each lane has a row.",
        finding=work_after.title,
    ),
    Lines(
        "speed_occupied",
        "Grids per second against occupied sites, 32 x 32, stored",
        OCCUPIED,
        rate("grids"),
        dict(grid="32x32", output="stored", case=against_k),
        keep=("dense", "pooled", "tree", "threadwise", "warpwise", "probe", "list", "all_cores, CPU"),
        caption="Every k at the same launch, XORWOW, grids stored. The dashed lines are the slides' speeds, which state no k. "
        "The sweep ours_grid draws longer streams, so its speeds at the same k are higher.",
        finding=titles.against_k,
        theory=tuple(
            Theory(f"{name}, RTX 3060 Ti (slides)", partial(curves.printed_speed, f"{name}_speed"))
            for name in ("threadwise", "warpwise")
        ),
    ),
    Lines(
        "speed_sites",
        "Sites per second against sites, half occupied, folded",
        SITES,
        curves.SITE_RATE,
        dict(output="folded", case=lambda case: against_sites(case) and (is_ours(case) or case.variant in ALONG_SITES)),
        caption="Grids per second times N, every size at the same launch; one row up to 64 sites, then squares. From 33 "
        "columns on (dashed line), a row takes two words, so 33 x 33 sites take twice the words of 32 x 32.",
        finding=titles.cliff,
        published=dict(variant=("word", "threadwise", "warpwise")),
        stated=(SECOND_WORD,),
    ),
    Lines(
        "registers",
        "Registers per thread against the size of the grid",
        WORDS,
        kernel("registers", "registers per thread", "32-bit registers"),
        dict(
            machine="cuda",
            variant=("threadwise", "warpwise", "warpwise_folded"),
            output="folded",
            engine="xorwow",
            case=only_draws,
        ),
        theory=(Theory("three arrays (the slides)", curves.arrays_by_words),),
        caption="Threadwise holds three arrays in registers; warpwise one word of each per lane, folded up to sixteen. A row of "
        "33 sites takes two words, so 33 x 33 sites need 66 words where 32 x 32 need 32: hence the step between the two.",
        finding=titles.registers_taken,
        published=dict(variant=("threadwise", "warpwise")),
        stated=(Stated("the most that a thread can have", lambda view: view.fact("register_limit")),),
    ),
    Lines(
        "spills",
        "Share of the three arrays in local memory against the size of the grid",
        WORDS,
        curves.IN_LOCAL_MEMORY,
        dict(
            machine="cuda", variant=("threadwise", "warpwise_folded"), output="folded", engine="xorwow", case=only_draws
        ),
        caption="What the compiler moves from registers to local memory. The slides say that threadwise does not work at all at "
        "64 x 64. threadwise_runtime and threadwise_shared keep their arrays in memory at every size and are not drawn.",
        finding=titles.spilled,
        stated=(Stated("64 x 64 sites", lambda view: 128.0, "x"),),
    ),
    Lines(
        "steps",
        "Steps of the halving loop against sites",
        SITES,
        metric("steps_mean", "mean steps per grid", "steps"),
        dict(variant="halving", case=half),
        theory=(Theory("log2 N (the slides)", curves.steps_by_slides),),
        caption="Counted by the reference, half occupied. The slides derive log2 N, since a step halves the candidates.",
        finding=titles.steps,
    ),
    Lines(
        "words",
        "Random words per 32 x 32 grid against occupied sites",
        OCCUPIED,
        metric("words_mean", "mean random words per grid", "32-bit words", "log10"),
        dict(grid="32x32", case=inside),
        theory=(
            Theory("entropy of the set", curves.entropy_by_k),
            Theory("log2 N steps of 32 words (the slides)", curves.words_by_slides),
        ),
        keep=("halving", "dense", "pooled", "tree", "list", "probe"),
        caption="Counted by the references, at the k that the sweeps of this device have. No method can need fewer words than "
        "the entropy, log2 C(1024, k) bits. An empty or full set is not drawn.",
        finding=titles.words,
    ),
    Lines(
        "words_sites",
        "Random words per half-occupied grid against sites",
        SITES,
        metric("words_mean", "mean random words per grid", "32-bit words", "log10"),
        dict(case=one_curve),
        theory=(Theory("entropy of the set", curves.entropy_by_sites),),
        keep=("halving", "halving_by_lane", "dense", "pooled", "unranked", "tree"),
        caption="Counted by the references; one row up to 64 sites, then squares. From 33 columns on (dashed line), a row takes two "
        "words. A lane of halving_by_lane draws a word per step, whether or not it has a row.",
        finding=titles.words_at_32,
        stated=(SECOND_WORD,),
    ),
    Lines(
        "divergence",
        "Steps of the slowest of 32 lanes over the mean, against sites",
        SITES,
        metric("divergence_factor", "slowest of 32 lanes over the mean", "1"),
        dict(variant=("halving", "list", "probe"), case=one_curve),
        caption="Counted by the references, half occupied. A warp takes as long as its slowest lane. The diamond is the "
        "slowdown that the slides measured for 32-bit sets.",
        finding=titles.divergence,
        published=dict(variant="word"),
    ),
    Histogram(
        "steps_shares",
        "Distribution of steps per set, half occupied",
        Axis("steps of the halving loop", "steps"),
        Axis("share of sets", "1"),
        "steps_share_",
        dict(variant="halving", case=half, grid=("8x1", "32x1", "16x16", "32x32", "128x128")),
        by=("grid",),
        panels=True,
        caption="Counted by the reference. A set whose first selection has exactly k sites is done after one step, which is "
        "likeliest for small sets.",
        finding=titles.likeliest,
    ),
    auto_cells.FIGURE,
)

TABLES = (
    FactTable("slides", "The slides' numbers", (*SPEEDS, SLOWDOWN, registers("threadwise"), registers("warpwise"))),
    PivotTable(
        "speed_occupied",
        "Speed of every variant by k, 32 x 32, stored",
        ("variant", "machine"),
        ("k", k_name),
        rate("grids"),
        dict(grid="32x32", output="stored", case=against_k),
        caption="Every k at the same launch of each machine, as in the figure.",
    ),
    RoofTable(
        "limits",
        "Share of the device's limits, 32 x 32, stored",
        (
            Roof("device memory, stores", "store", "B/s", lambda case: case.bytes),
            Roof("random words of the engine", "random_words.{engine}", "words/s", lambda case: case.operations),
        ),
        dict(grid="32x32", output="stored"),
    ),
    auto_cells.TABLE,
)
