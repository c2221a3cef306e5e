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
#: The least number of samples. A program of others, or a whole run, has at least 10 on any machine.
LEAST = {"cuda": 10, "cpu": 15}
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
    least = 10 if foreign else LEAST[row["machine"]]
    found = [f"{row['repetitions']} samples"] if counted and row["repetitions"] < least else []
    found += [] if row["timer"] in TIMERS else [f"timer {row['timer']}"]
    found += [] if str(row["verified"]).startswith(VERIFIED) else [f"verified {row['verified']}"]
    found += ["no version"] if row["role"] == "peer" and not row.get("version") else []
    found += ["no clock"] if counted and not foreign and row["machine"] == "cuda" and "clock" not in row else []
    found += ["a headline rests on a sample"] if row["verified"] == "sample" and is_headline(row) else []
    return found


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
        ({"repetitions": 9}, "a: 9 samples"),
        ({"machine": "cpu", "repetitions": 14}, "a: 14 samples"),
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
    assert faults({"cases": [row(role="peer", machine="cpu", version="2", verified="own check: equal")]}) == []
