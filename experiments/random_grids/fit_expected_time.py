"""Fits the constants of common/random_grids/expected_time.cpp to a survey: `random_grids_survey amounts FILE | python3
-m experiments.random_grids.fit_expected_time` prints a method, an engine and their constants per line.

A method takes (a . c) * special * sqrt(s^2 + h^2) picoseconds for a board in each of s streams, where a are the amounts
of the board. The fit needs SciPy.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

ENGINES = ("xorwow", "philox7", "philox10")
AMOUNTS = [f"a{i}" for i in range(8)]
#: With fewer settings, both kinds of Philox have one fit.
FEW = 60
#: Where a method is much slower than the fastest one, its time decides nothing.
WEIGHTS = ((1.3, 1.0), (2.0, 0.6), (6.0, 0.15))
#: A logarithmic error from which an outlier counts less.
OUTLIER = 0.04
STARTS = 4


@dataclass(frozen=True)
class Costs:
    """The constants of a method with one engine."""

    picoseconds: tuple[float, ...]
    saturation_streams: float
    special: float

    def text(self) -> str:
        """As in expected_time.cpp: three digits, and no zeros at the end."""
        values = [0.0 if value < 0.02 else float(f"{value:.3g}") for value in self.picoseconds]
        while values and values[-1] == 0:
            values.pop()
        streams = float(f"{self.saturation_streams:.3g}")
        return "{{" + ", ".join(f"{value:g}" for value in values) + f"}}, {streams:g}, {self.special:.3g}}}"


def expected(rows: pd.DataFrame, costs: Costs) -> Any:
    """Picoseconds for a board in each of the streams, per row."""
    full = rows[AMOUNTS].to_numpy() @ np.array(costs.picoseconds)
    special = np.where(rows["special"] == 1, costs.special, 1.0)
    return full * special * np.hypot(rows["streams"].to_numpy(), costs.saturation_streams)


def weights(relative: Any) -> Any:
    conditions = [relative < limit for limit, _ in WEIGHTS]
    return np.select(conditions, [weight for _, weight in WEIGHTS], 0.0)


def fit(rows: pd.DataFrame) -> Costs:
    """The constants for the rows of one method and engine. All of them are positive, so their logarithms are fitted."""
    from scipy.optimize import least_squares

    rows = rows[rows["relative"] < WEIGHTS[-1][0]]
    amounts = rows[AMOUNTS].to_numpy()
    used = [i for i in range(len(AMOUNTS)) if (amounts[:, i] > 0).any()]
    special = rows["special"].to_numpy() == 1
    weight, measured = weights(rows["relative"].to_numpy()), np.log(rows["picoseconds"].to_numpy())

    def costs_of(parameters: Any) -> Costs:
        times = np.zeros(len(AMOUNTS))
        times[used] = np.exp(parameters[: len(used)])
        factor = float(np.exp(parameters[-1])) if special.any() else 1.0
        return Costs(tuple(float(time) for time in times), float(np.exp(parameters[-2])), factor)

    def errors(parameters: Any) -> Any:
        miss = weight * (np.log(expected(rows, costs_of(parameters))) - measured)
        return np.concatenate([miss, 0.003 * (parameters - start)])

    # Each amount that is used costs an equal part; the device fills up where the time begins to grow.
    per_board = np.median(np.exp(measured) / np.hypot(rows["streams"].to_numpy(), 3e4))
    parts = [np.log(per_board / len(used) / amounts[amounts[:, i] > 0, i].mean()) for i in used]
    start = np.array([*parts, np.log(3e4), 0.0])
    random = np.random.default_rng(1)
    tries = [start, *(start + random.normal(0, 0.5, len(start)) for _ in range(STARTS - 1))]
    found = [least_squares(errors, one, loss="soft_l1", f_scale=OUTLIER, max_nfev=600) for one in tries]
    return costs_of(min(found, key=lambda one: float(one.cost)).x)


def rows_of(table: pd.DataFrame, method: str, engine: str) -> pd.DataFrame:
    rows = table[(table["method"] == method) & (table["engine"] == engine)]
    if len(rows) < FEW and engine != "xorwow":
        rows = table[(table["method"] == method) & table["engine"].isin(["philox7", "philox10"])]
    return rows


def fitted(table: pd.DataFrame) -> Iterable[tuple[str, str, Costs]]:
    for method in table["method"].unique():
        for engine in ENGINES:
            rows = rows_of(table, method, engine)
            if len(rows):
                yield method, engine, fit(rows)


def main() -> int:
    table = pd.read_csv(sys.stdin)
    for method, engine, costs in fitted(table):
        print(f"{method:16} {engine:9} {costs.text()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
