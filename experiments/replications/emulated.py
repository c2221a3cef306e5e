"""Counters of the emulator for claims that rest on hardware counters, where a device's were not read.

tests/replications/emulated_counters_test.cpp computes results/emulators/replications.csv. The counts follow from the kernels, so
they are the same for every device; harness/simt/hooks/README.md says how far they are from those of a GPU.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache

from plots.catalog import ROOT
from plots.errors import NotTestable

#: From ROOT.
FILE = "results/emulators/replications.csv"
#: What a claim's note begins with.
EMULATED = "emulated, because the rows of this experiment have no hardware counters on this device"


@cache
def _rows() -> Mapping[tuple[str, str], Mapping[str, float]]:
    try:
        rows = list(csv.DictReader((ROOT / FILE).read_text(encoding="utf-8").splitlines()))
    except OSError:
        raise NotTestable(f"needs hardware counters, or {FILE}") from None
    return {
        (row["model"], row["variant"]): {
            name: float(value) for name, value in row.items() if name not in ("model", "variant")
        }
        for row in rows
    }


def counters(model: str, variant: str) -> dict[str, float]:
    """Counters at 64 replications, by the names of counters.py, and `items`, for which they were counted."""
    row = _rows().get((model, variant))
    if row is None:
        raise NotTestable(f"{FILE} has no {variant} of {model}")
    used = {
        f"sector_used_{kind}_percent": 100 * row[f"bytes_{kind}"] / (32 * row[f"sectors_{kind}"])
        for kind in ("read", "written")
    }
    return {**row, **used, "lanes_per_instruction": row["lane_instructions"] / row["instructions"]}
