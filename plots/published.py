"""The papers' own numbers, results/published/*.csv, as rows that figures and claims read like measured ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from plots.errors import UserError
from plots.interval import Interval, exact
from plots.results import Case, Device


@dataclass(frozen=True)
class Published:
    """The CSV files of one experiment.

    A fact file has the columns id, quantity, device, value, unit, qualifier, place, line.
    """

    folder: Path
    experiment: str

    def facts(self) -> dict[str, str]:
        """id to value, as printed."""
        rows: dict[str, str] = {}
        for path in sorted(self.folder.glob(f"{self.experiment}*.csv")):
            table = self._read(path)
            if {"id", "value"} <= set(table.columns):
                rows.update(zip(table["id"], table["value"]))
        return rows

    def table(self, name: str) -> pd.DataFrame:
        """A transcribed table, every cell as printed."""
        return self._read(self.folder / f"{name}.csv")

    def _read(self, path: Path) -> pd.DataFrame:
        try:
            return pd.read_csv(path, dtype=str, keep_default_na=False)
        except (OSError, ValueError) as error:
            raise UserError(f"cannot read {path}", str(error), "restore it from the repository") from None


def paper_device(name: str, attributes: Mapping[str, object] | None = None) -> Device:
    """The GPU on which a paper measured. Claims about the device read its attributes, which are from its data sheet."""
    slug = "published-" + "".join(letter if letter.isalnum() else "-" for letter in name.lower())
    return Device(slug, f"{name} (paper)", "cuda", True, dict(attributes or {}))


def paper_case(
    device: Device,
    experiment: str,
    variant: str,
    axes: Mapping[str, str],
    *,
    item: str = "items",
    rate: float | None = None,
    milliseconds: float | None = None,
    sigma_milliseconds: float = 0.0,
    runs: int = 1,
    registers: float | None = None,
    read_off: bool = False,
) -> Case:
    """A printed number as a row, or one that was read off a figure.

    A median of `runs` with sigma gets the interval of a normal distribution: 1.96 * 1.2533 sigma / sqrt(runs).
    """
    time: Interval | None = None
    if rate is not None:
        time = exact(1.0 / rate)
    elif milliseconds is not None:
        half = 1.96 * 1.2533 * sigma_milliseconds / math.sqrt(runs)
        low = max(milliseconds - half, milliseconds * 1e-3)
        time = Interval(milliseconds * 1e-3, low * 1e-3, (milliseconds + half) * 1e-3)
    kernels = ({"name": variant, "registers": registers},) if registers is not None else ()
    return Case(
        device=device,
        experiment=experiment,
        variant=variant,
        role="paper",
        machine="published",
        axes=dict(axes),
        item=item,
        items=1.0,
        time=time,
        kernels=kernels,
        note="read off" if read_off else "",
    )
