"""Shards of a case are one row again, and only a complete set of agreeing ones has a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plots.interval import Interval
from plots.results import Case, Device
from plots.shards import merge_shards

DEVICE = Device("x", "X")


def shard(index: int, count: int, digest: str = "0xffffffffffffffff", seconds: float = 1.0) -> Case:
    return Case(
        device=DEVICE,
        experiment="e",
        variant="v",
        role="ours",
        machine="cuda",
        axes={"grid": "8x8"},
        name=f"e/v/cuda/grid:8x8/shard:{index}of{count}",
        items=10,
        digest=digest,
        time=Interval(seconds, seconds, seconds),
        provenance={"shard": f"{index}/{count}", "units": 5, "verified_units": 5},
    )


def test_a_complete_set_is_one_case_of_the_whole() -> None:
    (whole,) = merge_shards([shard(1, 2, "0x0000000000000003", 2.0), shard(0, 2)])
    assert whole.name == "e/v/cuda/grid:8x8"
    assert whole.digest == "0x0000000000000002", "digests add up modulo 2^64"
    assert (whole.items, whole.provenance["units"], whole.provenance["shard"]) == (20, 10, "0/1")
    assert whole.time is not None and whole.time.value == 2.0, "the slowest"
    assert whole.status == "ok"


def test_an_incomplete_set_names_what_is_missing() -> None:
    (whole,) = merge_shards([shard(0, 4), shard(2, 4)])
    assert (whole.status, whole.reason, whole.time) == ("incomplete", "without shard 1, 3 of 4", None)


def test_one_part_that_disagrees_spoils_the_set() -> None:
    (whole,) = merge_shards([shard(0, 2), replace(shard(1, 2), status="disagrees", reason="unit 7", time=None)])
    assert (whole.status, whole.reason, whole.time) == ("disagrees", "unit 7", None)


@pytest.mark.parametrize("other", [shard(0, 1), shard(0, 3)])
def test_sets_of_different_counts_do_not_mix(other: Case) -> None:
    assert len(merge_shards([shard(0, 2), shard(1, 2), other])) == 2


def test_whole_cases_stay_as_they_are() -> None:
    rows = [shard(0, 1), replace(shard(0, 1), name="another")]
    assert merge_shards(rows) == rows
