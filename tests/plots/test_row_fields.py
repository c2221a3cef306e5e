"""Every timed row of a committed file says how it was verified and what timed it.

A row that counts discarded samples was measured by the criterion of CONTRIBUTING.md, and has enough of them. Older rows do not
count them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plots.catalog import ROOT
from plots.load import result_files

FIELDS = ("verified", "timer", "scope")
SAMPLE_FIELDS = ("noise", "repetitions", "discarded_samples")
TIMERS = ("events", "steady clock")
VERIFIED = ("every unit", "whole digest against ", "sample", "own check: ")
#: The least number of samples, and how many long ones are enough: those that take so many seconds in all, with so little noise.
LEAST = 10
FEW = 6
SECONDS_OF_FEW = 0.5
NOISE_OF_FEW = 0.05
FILES = list(result_files(ROOT / "results"))


def faults(document: dict[str, Any]) -> list[str]:
    """A line per timed row that lacks a field or has too few samples."""
    rows = [row for row in document.get("cases", []) if row.get("time") is not None]
    return [f"{row['name']}: {fault}" for row in rows for fault in faults_of(row)]


def faults_of(row: dict[str, Any]) -> list[str]:
    counted = "discarded_samples" in row
    lacking = [field for field in FIELDS + SAMPLE_FIELDS * counted if row.get(field) in (None, "")]
    if lacking:
        return [f"no {', '.join(lacking)}"]
    foreign = row["role"] == "peer" or row["scope"] == "end_to_end"
    found = [] if not counted or has_enough_samples(row, foreign) else [f"{row['repetitions']} samples"]
    found += [] if row["timer"] in TIMERS else [f"timer {row['timer']}"]
    found += [] if str(row["verified"]).startswith(VERIFIED) else [f"verified {row['verified']}"]
    found += ["no version"] if row["role"] == "peer" and not row.get("version") else []
    found += ["no clock"] if counted and not foreign and row["machine"] == "cuda" and "clock" not in row else []
    found += ["a headline rests on a sample"] if row["verified"] == "sample" and is_headline(row) else []
    return found


def has_enough_samples(row: dict[str, Any], foreign: bool) -> bool:
    count = row["repetitions"]
    if count >= LEAST or foreign or count < FEW:
        return bool(count >= LEAST)
    # The time of a row that measured a part of its units is that of all units.
    measured = row.get("measured_units", 1) / row.get("units", 1)
    sample = row["time"].get("mean", row["time"]["median"]) * measured * row.get("launches_per_sample", 1)
    return bool(count * sample >= 0.999 * SECONDS_OF_FEW and row["noise"] < NOISE_OF_FEW)


def is_headline(row: dict[str, Any]) -> bool:
    return any(sweep.startswith("headline") for sweep in row.get("sweeps", []))


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
        ({"repetitions": 9, "time": {"median": 0.05}}, "a: 9 samples"),
        ({"repetitions": 5}, "a: 5 samples"),
        ({"repetitions": 6, "noise": 0.06}, "a: 6 samples"),
        ({"repetitions": 6, "units": 100, "measured_units": 1}, "a: 6 samples"),
        ({"repetitions": 6, "role": "peer", "version": "1"}, "a: 6 samples"),
        ({"timer": "watch"}, "a: timer watch"),
        ({"verified": "yes"}, "a: verified yes"),
        ({"role": "peer"}, "a: no version"),
        ({"verified": "sample", "sweeps": ["headline_word"]}, "a: a headline rests on a sample"),
    ],
)
def test_a_row_that_says_too_little_is_found(wrong: dict[str, Any], fault: str) -> None:
    assert faults({"cases": [row(), row(**wrong)]}) == [fault]


def test_rows_without_a_time_are_not_judged_and_older_ones_need_no_number_of_samples() -> None:
    assert faults({"cases": [row(), row(time=None, verified="")]}) == []
    old = row(repetitions=3)
    del old["discarded_samples"]
    assert faults({"cases": [old]}) == []
    assert faults({"cases": [old | {"timer": None}]}) == ["a: no timer"]
    assert faults({"cases": [row(sweeps=["headline_word"])]}) == []
    assert faults({"cases": [row(repetitions=6), row(repetitions=9, noise=0.04, time={"median": 0.06})]}) == []
    assert faults({"cases": [row(role="peer", machine="cpu", version="2", verified="own check: equal")]}) == []
