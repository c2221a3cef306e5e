"""Rows: every field, the axes, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from plots.errors import UserError
from plots.load import load, load_file
from processes.driver import Reading
from processes.program import Described, Program
from processes.rows import file_of, peer_row, refused_row, row_name, run_row

LISTS = Described("lists", "items", {"size": "8", "mode": "plain"}, {"size": (), "mode": ("plain", "fancy")})
READING = Reading(
    variant="queue",
    machine="cpu",
    version="Queue 1.2",
    axes={"size": "32"},
    seconds=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0],
    items=11.0,
    verified="own check: the sum is right",
    timer="steady clock",
    note="stores doubles",
)


def test_a_row_has_the_whole_axis_tuple_and_the_fields_of_a_time() -> None:
    row = peer_row(LISTS, READING, "queues")
    assert row["name"] == "lists/queue/cpu/size:32"
    assert row["axes"] == {"mode": "plain", "size": "32"}
    assert (row["role"], row["scope"], row["peer"], row["version"]) == ("peer", "device", "queues", "Queue 1.2")
    assert (row["status"], row["timer"], row["repetitions"], row["discarded_samples"]) == ("ok", "steady clock", 10, 0)
    assert row["time"]["median"] == 5.5 and (row["time"]["low"], row["time"]["high"]) == (2.0, 9.0)
    assert row["noise"] == pytest.approx(3.5 / 5.5)
    assert row["verified"] == READING.verified and row["note"] == "stores doubles"
    assert row["clock"] is None and row["cycles"] is None


def test_the_coefficient_of_variation_is_sigma_over_the_mean() -> None:
    assert peer_row(LISTS, READING, "queues")["time"]["cv"] == pytest.approx((82.5 / 9) ** 0.5 / 5.5)


def test_the_name_of_a_case_ends_with_its_start() -> None:
    axes = LISTS.axes({"mode": "fancy", "size": "2"})
    assert row_name(LISTS, "fast", "cuda", axes) == "lists/fast/cuda/size:2/mode:fancy"
    assert (
        run_row(LISTS, "fast", "cuda", axes, "cold", "tool")["name"] == "lists/fast/cuda/size:2/mode:fancy/start:cold"
    )


@pytest.mark.parametrize(
    ("reading", "why"),
    [
        (replace(READING, axes={"length": "3"}), "lists has no axis length .its axes are size, mode"),
        (replace(READING, axes={"mode": "odd"}), "mode cannot be odd .it is one of plain, fancy"),
        (replace(READING, seconds=[1.0] * 9), "it has 9 samples, a row needs 10"),
        (replace(READING, seconds=[0.0] * 10), "a time is not above 0"),
        (replace(READING, timer="stopwatch"), "its timer is stopwatch"),
        (replace(READING, machine="tpu"), "its machine is tpu"),
        (replace(READING, verified=" "), "it says not what was checked"),
        (replace(READING, version=""), "it says not which version ran"),
        (replace(READING, items=0), "it counts no items"),
    ],
)
def test_a_reading_that_says_too_little_is_refused(reading: Reading, why: str) -> None:
    with pytest.raises(UserError, match=why):
        peer_row(LISTS, reading, "queues")


def test_a_file_keeps_other_rows_replaces_its_own_and_loads(tmp_path: Path, program: Program) -> None:
    context = program.context()
    first = file_of(context, tmp_path, "lists", "peers", "lockstep peers")
    first.put(peer_row(LISTS, READING, "queues"))
    first.put(refused_row(LISTS, "stacks", "refused", "needs\n a compiler"))
    again = file_of(context, tmp_path, "lists", "peers", "lockstep peers --only queues")
    again.put(peer_row(LISTS, replace(READING, version="Queue 2"), "queues"))

    path = tmp_path / "imaginary-cpu-y" / "lists.peers.json"
    cases = load_file(path)
    assert [(case.variant, case.status, case.version) for case in cases] == [
        ("stacks", "refused", ""),
        ("queue", "ok", "Queue 2"),
    ]
    assert cases[0].reason == "needs a compiler" and cases[0].time is None
    assert cases[1].provenance["commit"] == "c0ffee" and cases[1].provenance["command"].endswith("--only queues")
    assert cases[1].repetitions == 10 and cases[1].timer == "steady clock" and cases[1].verified == READING.verified
    results = load(tmp_path)
    assert results.cases == () and [case.variant for case in results.peers] == ["stacks", "queue"]


def test_a_file_of_another_schema_is_not_overwritten(tmp_path: Path, program: Program) -> None:
    path = tmp_path / "imaginary-cpu-y" / "lists.peers.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"context": {"lockstep_schema": 1}, "cases": []}), encoding="utf-8")
    with pytest.raises(UserError, match="found 1, this program reads 2"):
        file_of(program.context(), tmp_path, "lists", "peers", "")
