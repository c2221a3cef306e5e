"""Every timed row of a committed file says how it was verified, what timed it and how often.

The test applies to files of which at least one row has these fields: a file of an older program has none.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plots.catalog import ROOT
from plots.load import result_files

FIELDS = ("verified", "timer", "noise", "repetitions", "discarded_samples", "scope")
TIMERS = ("events", "steady clock")
VERIFIED = ("every unit", "whole digest against ", "sample", "own check: ")
#: The least number of samples. A program of others, or a whole run, has at least 10 on any machine.
LEAST = {"cuda": 10, "cpu": 15}
FILES = list(result_files(ROOT / "results"))


def faults(document: dict[str, Any]) -> list[str]:
    """A line per timed row that lacks a field or has too few samples; none if no row has the fields."""
    rows = [row for row in document.get("cases", []) if row.get("time") is not None]
    if not any("timer" in row for row in rows):
        return []
    return [f"{row['name']}: {fault}" for row in rows for fault in faults_of(row)]


def faults_of(row: dict[str, Any]) -> list[str]:
    lacking = [field for field in FIELDS if row.get(field) in (None, "")]
    if lacking:
        return [f"no {', '.join(lacking)}"]
    foreign = row["role"] == "peer" or row["scope"] == "end_to_end"
    least = 10 if foreign else LEAST[row["machine"]]
    found = [] if row["repetitions"] >= least else [f"{row['repetitions']} samples"]
    found += [] if row["timer"] in TIMERS else [f"timer {row['timer']}"]
    found += [] if str(row["verified"]).startswith(VERIFIED) else [f"verified {row['verified']}"]
    found += ["no version"] if row["role"] == "peer" and not row.get("version") else []
    found += ["no clock"] if not foreign and row["machine"] == "cuda" and "clock" not in row else []
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT / "results")))
def test_every_timed_row_of_a_file_says_how_it_was_measured(path: Path) -> None:
    assert faults(json.loads(path.read_text(encoding="utf-8"))) == []


def row(**more: Any) -> dict[str, Any]:
    good = {
        "name": "a",
        "role": "ours",
        "machine": "cuda",
        "time": {"median": 1.0},
        "verified": "every unit",
        "timer": "events",
        "noise": 0.0,
        "repetitions": 10,
        "discarded_samples": 0,
        "scope": "device",
        "clock": None,
    }
    return good | more


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"verified": ""}, "a: no verified"),
        ({"noise": None}, "a: no noise"),
        ({"repetitions": 9}, "a: 9 samples"),
        ({"machine": "cpu", "repetitions": 14}, "a: 14 samples"),
        ({"timer": "watch"}, "a: timer watch"),
        ({"verified": "yes"}, "a: verified yes"),
        ({"role": "peer"}, "a: no version"),
    ],
)
def test_a_row_that_says_too_little_is_found(wrong: dict[str, Any], fault: str) -> None:
    assert faults({"cases": [row(), row(**wrong)]}) == [fault]


def test_rows_without_a_time_and_files_of_older_programs_are_not_judged() -> None:
    assert faults({"cases": [row(), row(time=None, verified="")]}) == []
    assert faults({"cases": [{"name": "old", "time": {"median": 1.0}}]}) == []
    assert faults({"cases": [row(), {"name": "old", "time": {"median": 1.0}}]}) != []
    assert faults({"cases": [row(role="peer", machine="cpu", version="2", verified="own check: equal")]}) == []
