"""Two devices beside each other: the same cases, paired as `lockstep compare` pairs them, summed up per variant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import median

from plots.compare import Pair, pair_results
from plots.figures import machine_name
from plots.gather import Page, Section
from plots.results import Device, Results
from plots.units import digits

COLUMNS = ("variant", "machine", "equal cases", "median ratio", "range", "faster", "slower", "same")


@dataclass(frozen=True)
class Against:
    """How fast device b runs the cases of device a. A row of `rows` has a text and a number per column."""

    a: Device
    b: Device
    rows: tuple[tuple[tuple[str, float | str], ...], ...]
    refused: int


def comparisons(section: Section) -> list[Against]:
    """One for each ordered pair of devices that share timed cases."""
    found = [_against(a, b) for a, b in permutations(section.pages, 2)]
    return [one for one in found if one is not None and one.rows]


def _against(a: Page, b: Page) -> Against | None:
    if a.device is None or b.device is None:
        return None
    pairs, _, _ = pair_results(_results(a), _results(b))
    groups: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        if pair.ratio is not None:
            groups.setdefault((pair.a.variant, pair.a.machine), []).append(pair)
    rows = tuple(_row(variant, machine, found) for (variant, machine), found in sorted(groups.items()))
    return Against(a.device, b.device, rows, sum(bool(pair.refused) for pair in pairs))


def _results(page: Page) -> Results:
    cases = tuple(page.view.cases) if page.view is not None else ()
    return Results(cases, (page.device,) if page.device is not None else ())


def _row(variant: str, machine: str, pairs: Sequence[Pair]) -> tuple[tuple[str, float | str], ...]:
    ratios = sorted(pair.ratio.value for pair in pairs if pair.ratio is not None)
    verdicts = [pair.verdict() for pair in pairs]
    middle = median(ratios)
    counts = [verdicts.count(verdict) for verdict in ("faster", "slower", "no difference")]
    texts = [(digits(count), float(count)) for count in counts]
    return (
        (variant, variant),
        (machine_name(machine), machine),
        (str(len(ratios)), float(len(ratios))),
        (f"{digits(middle)}x", middle),
        (f"{digits(ratios[0])} to {digits(ratios[-1])}", ratios[0]),
        *texts,
    )
