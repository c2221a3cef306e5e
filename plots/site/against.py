"""Two devices beside each other: the same cases, paired as `lockstep compare` pairs them, summed up per variant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import median

from plots.commits import both_sides
from plots.compare import Pair, pair_results
from plots.figures import machine_name
from plots.gather import Page, Section
from plots.results import Device, Results
from plots.shards import commit_mark
from plots.units import digits, three_digits

COLUMNS = ("variant", "machine", "equal cases", "median ratio", "range", "faster", "slower", "same")


@dataclass(frozen=True)
class Against:
    """How fast device b runs the cases of device a. A row of `rows` has a text and a number per column.
    `commits` says which commits the rows are of, if they differ."""

    a: Device
    b: Device
    rows: tuple[tuple[tuple[str, float | str], ...], ...]
    refused: int
    commits: str = ""


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
    compared = [(pair.a, pair.b) for found in groups.values() for pair in found]
    rows = tuple(_row(variant, machine, found) for (variant, machine), found in sorted(groups.items()))
    commits = both_sides(compared, a.device.name, b.device.name)
    return Against(a.device, b.device, rows, sum(bool(pair.refused) for pair in pairs), commits)


def _results(page: Page) -> Results:
    cases = tuple(page.view.cases) if page.view is not None else ()
    return Results(cases, (page.device,) if page.device is not None else ())


def _row(variant: str, machine: str, pairs: Sequence[Pair]) -> tuple[tuple[str, float | str], ...]:
    ratios = sorted(pair.ratio.value for pair in pairs if pair.ratio is not None)
    verdicts = [pair.verdict() for pair in pairs]
    middle = median(ratios)
    mark = "*" if any(commit_mark(pair.a, pair.b) for pair in pairs) else ""
    counts = [verdicts.count(verdict) for verdict in ("faster", "slower", "no difference")]
    texts = [(digits(count), float(count)) for count in counts]
    return (
        (variant, variant),
        (machine_name(machine), machine),
        (str(len(ratios)), float(len(ratios))),
        (f"{three_digits(middle)}x{mark}", middle),
        (f"{three_digits(ratios[0])} to {three_digits(ratios[-1])}", ratios[0]),
        *texts,
    )
