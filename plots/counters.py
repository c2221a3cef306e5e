"""Adds hardware counters to the rows of a result file. experiments/<e>/counters.py says which counters for which rows.

Nsight Compute (ncu) reads them from one launch of a case, separate from any timing, and the measurements `counter_*` are
added to the existing rows of that case. If ncu is missing or may not read counters, nothing changes and the reason is
printed. A case of which it reads none is named, and the others follow. A row that keeps counters which an older commit read has that commit as `counters_commit`, and its page says so.
The Nsight Compute guide has a table that maps nvprof's names of counters to these.
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plots.atomic import locked, write_text


class Unreadable(Exception):
    """ncu read no counters of a case."""


class Unavailable(Unreadable):
    """ncu cannot read counters here, of any case."""


@dataclass(frozen=True)
class Counted:
    """Which counters to read, in one launch of `kernel`, for rows with this variant and at least these axes."""

    variant: str
    kernel: str
    axes: Mapping[str, str]
    counters: Mapping[str, str]  #: our name of a counter, and ncu's
    skip: int = 0  #: number of launches of `kernel` to skip first

    def of(self, row: Mapping[str, Any]) -> bool:
        return (
            row.get("variant") == self.variant
            and row.get("machine") == "cuda"
            and row.get("status") == "ok"
            and row.get("cache", "hot") == "hot"
            and all(row["axes"].get(axis) == value for axis, value in self.axes.items())
        )


def number(text: str) -> float:
    return float(text.replace(",", ""))


def read(text: str, wanted: Mapping[str, str]) -> dict[str, float]:
    """The counters of the first kernel in ncu's page `raw`: a line of names, a line of units, a line per kernel."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = list(csv.reader(lines))
    if len(rows) < 3:
        error = next((line for line in text.splitlines() if "==ERROR==" in line), "ncu printed no counters")
        raise Unavailable(error) if "ERR_NVGPUCTRPERM" in error else Unreadable(error)
    values = dict(zip(rows[0], rows[2]))
    units = dict(zip(rows[0], rows[1]))
    found: dict[str, float] = {}
    for name, metric in wanted.items():
        if metric in values and values[metric] not in ("", "n/a"):
            scale = {"Kinst": 1e3, "Minst": 1e6, "Ksector": 1e3, "Msector": 1e6}.get(units.get(metric, ""), 1)
            found[f"counter_{name}"] = number(values[metric]) * scale
    return found


def count(lockstep: Path, row: Mapping[str, Any], counted: Counted) -> dict[str, float]:
    """Runs the case of a row under ncu and returns its counters."""
    ncu = shutil.which("ncu")
    if ncu is None:
        raise Unavailable("ncu is not installed")
    with tempfile.TemporaryDirectory() as folder:
        command = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none"]
        command += ["--metrics", ",".join(counted.counters.values()), "--kernel-name", counted.kernel]
        command += [
            "--launch-skip",
            str(counted.skip),
            "--launch-count",
            "1",
            str(lockstep),
            "run",
            row["experiment"],
            "--variant",
            row["variant"],
        ]
        command += ["--machine", "cuda", "--out", folder, "--repetitions", "2"]
        # An unescaped comma would separate two values.
        command += [word for axis, value in row["axes"].items() for word in (f"--{axis}", value.replace(",", "\\,"))]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    return read(done.stdout + done.stderr, counted.counters)


def join(lockstep: Path, results: Path, wanted: Iterable[Counted]) -> int:
    """Reads the counters of all `wanted` and writes them to the rows that lack them.

    Returns the number of rows that have them now.
    """
    lines = results.read_text(encoding="utf-8").split("\n")
    rows = {i: json.loads(line.rstrip(",")) for i, line in enumerate(lines) if line.startswith('{"') and "axes" in line}
    joined = 0
    for counted in wanted:
        places = [i for i, row in rows.items() if counted.of(row)]
        if not places:
            print(f"counters: no row of {counted.variant} with {dict(counted.axes)}", file=sys.stderr)
        for i in places:
            if all(f"counter_{name}" in rows[i]["measurements"] for name in counted.counters):
                joined += 1
                continue
            try:
                rows[i]["measurements"].update(count(lockstep, rows[i], counted))
            except Unavailable as reason:
                print(f"counters: skipped ({reason})", file=sys.stderr)
                return joined
            except Unreadable as reason:
                print(f"counters: none of {rows[i]['name']} ({reason})", file=sys.stderr)
                continue
            write_measurements(results, rows[i])
            joined += 1
    return joined


def write_measurements(results: Path, counted: Mapping[str, Any]) -> None:
    """Changes only this row, because another process may have added or replaced others meanwhile."""
    with locked(results):
        lines = results.read_text(encoding="utf-8").split("\n")
        for i, line in enumerate(lines):
            if not (line.startswith('{"') and "axes" in line):
                continue
            row = json.loads(line.rstrip(","))
            if row | {"measurements": {}} == dict(counted) | {"measurements": {}}:
                row["measurements"].update(counted["measurements"])
                lines[i] = json.dumps(row, separators=(",", ":")) + ("," if line.endswith(",") else "")
        write_text(results, "\n".join(lines))


def main(experiment: str, wanted: Iterable[Counted], arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog=f"{experiment}.counters", description="Add hardware counters to the rows of a result file."
    )
    parser.add_argument("lockstep", type=Path, help="the program, built with CUDA")
    parser.add_argument("results", type=Path, help=f"{experiment}.json of this device")
    options = parser.parse_args(arguments)
    print(f"counters of {join(options.lockstep, options.results, wanted)} rows")
    return 0
