"""The figures and tables of random_grids: the slides' numbers beside the device's, then what the slides leave open."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, log2

from experiments.random_grids.measures import (
    GRID,
    STORAGES,
    STORED_IN,
    WORD,
    half,
    in_sweeps,
    k_name,
    occupied,
    ranked,
    sites,
)
from plots.catalog import About
from plots.drawing import Axis
from plots.figures import Dots, Histogram, Lines, Ranking, Theory
from plots.published import Published, paper_case, paper_device
from plots.quantity import Measure, Variable, kernel, metric, rate
from plots.results import Case, View
from plots.roofs import Roof, RoofTable
from plots.tables import FactTable, PivotTable

ABOUT = About(
    title="Random grids",
    question="How fast can a GPU draw sets of exactly k out of N bits, with a thread or a warp per set?",
    paper="István Borsos: Generating small random grids with a given number of occupied sites. GPU Day 2023, Budapest (slides).",
    unit="a stream of consecutive grids drawn from one random engine",
    cited="Borsos 2023",
    asks="How fast can k of N bits be drawn?",
)

#: The slides' algorithm on the CPU, which counts steps and words.
HALVING = ("halving", "halving_by_lane")
#: The kernels whose registers and storage the slides discuss.
KERNELS = ("threadwise", "threadwise_runtime", "threadwise_shared", "warpwise", "warpwise_folded")
#: Lines with a label in the speed figures, besides the fastest ones.
NAMED = ("word", "threadwise", "warpwise", "dense", "list", "probe", "all_cores, CPU", "cub_segmented_sort")
ENGINES = ("xorwow", "taus88", "philox7", "philox10")


def published(numbers: Published) -> Iterable[Case]:
    """The slides' numbers as rows, without k and output. The device's attributes are from NVIDIA's data sheet."""
    fact = {
        name: float(value)
        for name, value in numbers.facts().items()
        if value.replace(".", "", 1).replace("e", "", 1).isdigit()
    }
    device = paper_device(
        "RTX 3060 Ti",
        {
            "multiprocessors": 38,
            "clock_khz": 1665000,
            "registers_per_multiprocessor": 65536,
            "shared_bytes_per_multiprocessor": 102400,
            "compute_capability": "8.6",
        },
    )

    def row(variant: str, grid: str, speed: float | None = None, registers: float | None = None) -> Case:
        axes = {"grid": grid, "output": "folded", "engine": "xorwow"}
        return paper_case(device, "random_grids", variant, axes, item="grids", rate=speed, registers=registers)

    lanes = fact["word_scaling_threads"]
    return (
        row("word", "32x1", fact["word_speed"]),
        row("word_one_lane", "32x1", fact["word_speed_no_divergence"] / lanes),
        row("threadwise", "32x32", fact["threadwise_speed"], fact["threadwise_registers"]),
        row("warpwise", "32x32", fact["warpwise_speed"], fact["warpwise_registers"]),
    )


SPEEDS = (
    Measure("32-bit sets, one thread per set", "grids/s", lambda view: view.rate(variant="word", **WORD)),
    Measure(
        "32-bit sets, one active lane per warp, times 32",
        "grids/s",
        lambda view: view.rate(variant="word_one_lane", **WORD) * 32,
    ),
    Measure("32 x 32 grids, threadwise", "grids/s", lambda view: view.rate(variant="threadwise", **GRID)),
    Measure("32 x 32 grids, warpwise", "grids/s", lambda view: view.rate(variant="warpwise", **GRID)),
)
SLOWDOWN = Measure(
    "slowdown due to divergence, 32-bit sets",
    "",
    lambda view: view.rate(variant="word_one_lane", **WORD) * 32 / view.rate(variant="word", **WORD),
)


def registers(variant: str) -> Measure:
    return Measure(
        f"registers per thread, {variant} 32 x 32",
        "",
        lambda view: view.kernel("registers", variant=variant, **GRID),
    )


def in_storage(storage: str, variant: str) -> Measure:
    return Measure(f"{storage} ({variant})", "grids/s", lambda view: view.rate(variant=variant, **STORED_IN))


def with_engine(variant: str, engine: str) -> Measure:
    where = {**GRID, "engine": engine, "sweeps": in_sweeps("engines", "slides_grid", "quick")}
    return Measure(f"{variant}, {engine}", "grids/s", lambda view: view.rate(variant=variant, **where))


SITES = Variable(Axis("sites N per grid", "bits", "log2"), lambda case: sites(case.axes["grid"]))
OCCUPIED = Variable(Axis("occupied sites k", "sites"), occupied)


def _log2_sites(view: View) -> list[tuple[float, float]]:
    return [(2.0**power, float(power)) for power in range(3, 15)]


def _entropy(view: View) -> list[tuple[float, float]]:
    """log2 C(1024, k) bits in 32-bit words."""
    return [
        (float(k), log2(comb(1024, k)) / 32)
        for k in (1, 8, 32, 64, 100, 200, 323, 400, 512, 624, 700, 824, 924, 992, 1023)
    ]


def _entropy_of_half(view: View) -> list[tuple[float, float]]:
    """log2 C(N, N/2) bits in 32-bit words."""
    return [(2.0**power, log2(comb(2**power, 2 ** (power - 1))) / 32) for power in range(3, 15)]


FIGURES = (
    Dots(
        "slides",
        "Speeds of the slides' kernels, published and measured",
        Axis("speed", "grids/s", "log10"),
        SPEEDS,
        caption="Sets are folded into a checksum. The slides state no k; each kernel is shown at its fastest k.",
        across=True,
    ),
    Ranking(
        "ranking_grid",
        "Grids per second, 32 x 32, half occupied, stored",
        rate("grids"),
        dict(grid="32x32", output="stored", case=ranked),
        caption="Each variant with its fastest engine and launch.",
    ),
    Ranking(
        "ranking_word",
        "Sets per second, 32 bits, half occupied, stored",
        rate("grids"),
        dict(grid="32x1", output="stored", case=ranked),
    ),
    Dots(
        "storage",
        "Speed of threadwise by storage of its 32 x 32 grids",
        Axis("speed", "grids/s"),
        tuple(in_storage(storage, variant) for storage, variant in STORAGES.items()),
        caption="Sets are folded. Each kernel is shown at its fastest k.",
    ),
    Dots(
        "engines",
        "Speed of threadwise and warpwise by random engine, 32 x 32",
        Axis("speed", "grids/s"),
        tuple(with_engine(variant, engine) for variant in ("threadwise", "warpwise") for engine in ENGINES),
        caption="The slides use cuRAND's default engine, XORWOW.",
    ),
    Lines(
        "speed_occupied",
        "Grids per second against occupied sites, 32 x 32, stored",
        OCCUPIED,
        rate("grids"),
        dict(grid="32x32", output="stored"),
        keep=NAMED,
    ),
    Lines(
        "speed_sites",
        "Grids per second against sites, half occupied, folded",
        SITES,
        rate("grids"),
        dict(output="folded", case=ranked),
        keep=NAMED,
    ),
    Lines(
        "registers",
        "Registers per thread against sites",
        SITES,
        kernel("registers", "registers per thread", "32-bit registers"),
        dict(machine="cuda", variant=KERNELS),
    ),
    Lines(
        "spills",
        "Local memory per thread against sites",
        SITES,
        kernel("local_bytes", "local memory per thread", "bytes"),
        dict(machine="cuda", variant=KERNELS),
    ),
    Lines(
        "steps",
        "Steps of the halving loop against sites",
        SITES,
        metric("steps_mean", "mean steps per grid", "steps"),
        dict(variant=HALVING, case=half),
        theory=(Theory("log2 N (the slides)", _log2_sites),),
    ),
    Lines(
        "words",
        "Random words per 32 x 32 grid against occupied sites",
        OCCUPIED,
        metric("words_mean", "mean random words per grid", "32-bit words", "log10"),
        dict(grid="32x32"),
        theory=(Theory("entropy of the set", _entropy),),
    ),
    Lines(
        "words_sites",
        "Random words per half-occupied grid against sites",
        SITES,
        metric("words_mean", "mean random words per grid", "32-bit words", "log10"),
        dict(case=half),
        theory=(Theory("entropy of the set", _entropy_of_half),),
    ),
    Lines(
        "divergence",
        "Steps of the slowest of 32 lanes over the mean, against sites",
        SITES,
        metric("divergence_factor", "slowest of 32 lanes over the mean", "1"),
        dict(case=half),
    ),
    Histogram(
        "steps_shares",
        "Distribution of steps per set, half occupied",
        Axis("steps of the halving loop", "steps"),
        Axis("share of sets", "1"),
        "steps_share_",
        dict(variant="halving", case=half, grid=("8x1", "32x1", "16x16", "32x32", "128x128")),
        by=("grid",),
    ),
)

TABLES = (
    FactTable("slides", "The slides' numbers", (*SPEEDS, SLOWDOWN, registers("threadwise"), registers("warpwise"))),
    PivotTable(
        "speed_occupied",
        "Speed of every variant by k, 32 x 32, stored",
        ("variant", "machine"),
        ("k", k_name),
        rate("grids"),
        dict(grid="32x32", output="stored"),
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
)
