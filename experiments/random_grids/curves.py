"""What the line figures of random_grids draw: which rows, against which axis, and the computed lines next to them."""

from __future__ import annotations

from math import ceil, comb, log2

from experiments.random_grids.measures import NO_WORK, half, in_sweeps, occupied, sites, work_after
from plots.auto_cells import AUTO
from plots.drawing import Axis
from plots.interval import Interval
from plots.quantity import Quantity, Variable
from plots.results import Case, View

#: Threadwise has three arrays: the set, its candidates and the selected ones.
ARRAYS = 3
#: A row of more columns takes more than one word.
WORD_BITS = 32

# Which rows


def on_device(case: Case) -> bool:
    """True for the device's own machine, and for all CPU cores beside a GPU. A reference on one core is not ranked, nor is
    `auto`, whose rows repeat those of another variant."""
    return case.variant != AUTO and (case.machine == case.device.machine or case.variant == "all_cores")


def launched(case: Case) -> str:
    """How many sets a launch draws: '4096 streams of 64'. More streams keep more of a GPU busy."""
    return f"{case.axes['streams']} streams of {case.axes['length']}"


def against_k(case: Case) -> bool:
    """Rows of one launch per machine, with every k. Other sweeps draw a few k with more streams, which are faster."""
    launched_alike = in_sweeps("occupied", "occupied_cpu", "quick_occupied", "quick")(case.sweeps)
    return on_device(case) and launched_alike and case.axes.get("occupied") != "half"


def one_curve(case: Case) -> bool:
    """Half occupied, one grid per number of sites: one row up to 64 sites, then squares."""
    return half(case) and (case.axes["grid"].endswith("x1") or sites(case.axes["grid"]) > 64)


def against_sites(case: Case) -> bool:
    """Rows of one launch per machine, with every size."""
    launched_alike = in_sweeps("sizes", "sizes_traditional", "quick_sizes")(case.sweeps)
    return on_device(case) and launched_alike and one_curve(case) and not case.device.published


def only_draws(case: Case) -> bool:
    """False for a kernel that also works on its boards, which takes other registers."""
    return work_after(case) == NO_WORK


def inside(case: Case) -> bool:
    """False for an empty and for a full set, which some methods draw without a random word."""
    k = occupied(case)
    return k is not None and 0 < k < sites(case.axes["grid"])


# Axes


def words_per_array(case: Case) -> float:
    """The 32-bit words of one array of a grid: every row begins with a new word."""
    width, height = case.axes["grid"].split("x")
    return float(int(height) * ceil(int(width) / WORD_BITS))


SITES = Variable(Axis("sites N per grid", "bits", "log2"), lambda case: sites(case.axes["grid"]))
WORDS = Variable(Axis("words of a grid (rows x words per row)", "32-bit words", "log2"), words_per_array)
OCCUPIED = Variable(Axis("occupied sites k", "sites"), occupied)


def _sites_per_second(case: Case) -> Interval | None:
    return case.rate * sites(case.axes["grid"]) if case.rate is not None else None


def _share_in_local_memory(case: Case) -> Interval | None:
    local = case.kernel("local_bytes")
    return local / (ARRAYS * 4 * words_per_array(case)) if local is not None else None


SITE_RATE = Quantity(Axis("speed", "sites/s", "log10"), _sites_per_second)
IN_LOCAL_MEMORY = Quantity(
    Axis("local memory over the size of the three arrays", "1"), _share_in_local_memory, deterministic=True
)

# Computed lines


def steps_by_slides(view: View) -> list[tuple[float, float]]:
    return [(2.0**power, float(power)) for power in range(3, 15)]


def entropy_by_k(view: View) -> list[tuple[float, float]]:
    """log2 C(1024, k) bits in 32-bit words."""
    shown = (1, 8, 32, 64, 100, 200, 323, 400, 512, 624, 700, 824, 924, 992, 1023)
    return [(float(k), log2(comb(1024, k)) / 32) for k in shown]


def entropy_by_sites(view: View) -> list[tuple[float, float]]:
    """log2 C(N, N/2) bits in 32-bit words."""
    return [(2.0**power, log2(comb(2**power, 2 ** (power - 1))) / 32) for power in range(3, 15)]


def arrays_by_words(view: View) -> list[tuple[float, float]]:
    """Registers of the three arrays, up to what a thread can have."""
    limit = view.fact("register_limit")
    powers = [2.0**power for power in range(10) if ARRAYS * 2.0**power < limit]
    return [(words, ARRAYS * words) for words in [*powers, limit / ARRAYS]]


def words_by_slides(view: View) -> list[tuple[float, float]]:
    """Words that a 32 x 32 grid takes at log2 N steps, which the slides state for every k."""
    return [(k, log2(1024) * 1024 / WORD_BITS) for k in (1.0, 1023.0)]


def printed_speed(fact: str, view: View) -> list[tuple[float, float]]:
    """A speed of the slides, which state no k, at every k of 1024 sites; not beside the far lower speeds of a CPU."""
    return [(k, view.fact(fact)) for k in (1.0, 1023.0)] if view.device.has_gpu else []


def shares_of_steps(case: Case) -> dict[int, float]:
    """The share of sets by their number of steps."""
    prefix = "steps_share_"
    return {int(name.removeprefix(prefix)): share for name, share in case.metrics.items() if name.startswith(prefix)}
