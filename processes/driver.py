"""What a peer's driver defines. A peer is a foreign program that does the work of one of our cases.

A driver is a module baselines/<experiment>/peers/<name>.py with an object `DRIVER`. A folder of the same stem may hold its
sources. A module whose name starts with an underscore is shared by drivers and is no driver. Nothing of the peer is in this
tree: its source tree is given by `--checkout NAME=PATH`, or it is installed on the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from processes.sampling import sample

__all__ = ["Driver", "Place", "Reading", "Skipped", "sample"]


class Skipped(Exception):
    """A peer that does not build or run here. The text becomes the reason of its row."""


@dataclass(frozen=True)
class Place:
    """Where a driver builds and runs. The folder keeps what it builds, and works on another machine with this layout."""

    folder: Path
    checkout: Path | None
    has_gpu: bool
    nvcc: str | None
    architecture: str
    lockstep: Path


@dataclass(frozen=True)
class Reading:
    """The samples of one case of a peer.

    `axes` are those of our case that does the same work, without the ones that have their default. `seconds` has an entry per
    run of the whole case. `items` counts work in the unit of the experiment. `verified` says what the driver checked, and
    `note` what differs from our case.
    """

    variant: str
    machine: str
    version: str
    axes: Mapping[str, str]
    seconds: Sequence[float]
    items: float
    verified: str
    timer: str
    note: str = ""


class Driver(Protocol):
    @property
    def name(self) -> str:
        """The name of the module. `--checkout NAME=PATH` and `--only NAME` use it."""

    @property
    def description(self) -> str:
        """One line."""

    def build(self, place: Place) -> None:
        """Compiles into the folder, and keeps what is there already. Raises Skipped with the reason if it cannot."""

    def readings(self, place: Place) -> Iterator[Reading]:
        """Runs what was built, without compiling. Raises Skipped with the reason if it cannot."""
