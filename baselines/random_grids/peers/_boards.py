"""The cases of boards that peers draw: those of the sweep `library`, whose baseline is CUB's segmented sort."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from baselines.peers.programs import WrongResult

DEFAULTS = {"grid": "32x32", "length": "64"}
UNIFORM = "every set has its number of sites, each site is occupied equally often"


@dataclass(frozen=True)
class Boards:
    """`count` boards of `sites` sites, half of which are occupied."""

    axes: Mapping[str, str]
    sites: int
    count: int

    @property
    def occupied(self) -> int:
        return self.sites // 2


def boards(streams: int, length: int) -> Iterator[Boards]:
    for grid, sites in (("32x32", 1024), ("32x1", 32)):
        axes = {"grid": grid, "streams": str(streams), "length": str(length), "output": "stored"}
        named = {name: value for name, value in axes.items() if DEFAULTS.get(name) != value}
        yield Boards(named, sites, streams * length)


ON_A_GPU = list(boards(4096, 64))
ON_A_CPU = list(boards(256, 16))


def check_masks(masks: Any, case: Boards) -> None:
    """`masks` is an array of any library with a row of 0 and 1 per board. Raises WrongResult if a board does not have
    its number of sites, or if a site is occupied too often or too rarely: by more than seven standard deviations of its
    number of boards, which is binomial."""
    if tuple(masks.shape) != (case.count, case.sites):
        raise WrongResult(f"the boards have the shape {tuple(masks.shape)}")
    of_boards = masks.sum(1)
    if int(of_boards.min()) != case.occupied or int(of_boards.max()) != case.occupied:
        raise WrongResult(f"not every board has {case.occupied} sites")
    share = case.occupied / case.sites
    bound = 7 * (case.count * share * (1 - share)) ** 0.5
    of_sites = masks.sum(0)
    if max(abs(int(of_sites.min()) - case.count * share), abs(int(of_sites.max()) - case.count * share)) > bound:
        raise WrongResult("the sites are not equally often occupied")
