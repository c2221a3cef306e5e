"""Shards of a case become one row, and only a complete set of agreeing shards has a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plots.interval import Interval
from plots.results import Case, Device, View
from plots.scaling import scaling
from plots.shards import merge_shards, parts_of, separate

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


def test_one_shard_that_disagrees_invalidates_the_set() -> None:
    (whole,) = merge_shards([shard(0, 2), replace(shard(1, 2), status="disagrees", reason="unit 7", time=None)])
    assert (whole.status, whole.reason, whole.time) == ("disagrees", "unit 7", None)


@pytest.mark.parametrize("other", [shard(0, 1), shard(0, 3)])
def test_sets_of_different_counts_do_not_mix(other: Case) -> None:
    assert len(merge_shards([shard(0, 2), shard(1, 2), other])) == 2


def test_whole_cases_stay_as_they_are() -> None:
    rows = [shard(0, 1), replace(shard(0, 1), name="another")]
    assert merge_shards(rows) == rows


def whole(digest: str = "0x0000000000000002", seconds: float = 3.0) -> Case:
    one = shard(0, 1, digest, seconds)
    return replace(one, name="e/v/cuda/grid:8x8", provenance={"shard": "0/1", "units": 10})


PAIR = [shard(0, 2, seconds=1.5), shard(1, 2, "0x0000000000000003", 2.0)]


def test_a_shard_without_units_does_not_count_as_missing() -> None:
    idle = replace(shard(2, 3), status="refused", reason="no units", time=None, digest="", items=0)
    idle = replace(idle, provenance={"shard": "2/3", "units": 0})
    (row,) = merge_shards([shard(0, 3, "0x1"), shard(1, 3, "0x2"), idle])
    assert (row.status, row.digest, row.provenance["units"]) == ("ok", "0x0000000000000003", 10)
    assert row.time is not None


def test_shards_of_two_commits_do_not_form_a_set() -> None:
    rows = [replace(row, provenance=dict(row.provenance) | {"commit": str(i)}) for i, row in enumerate(PAIR)]
    (row,) = merge_shards(rows)
    assert (row.status, row.reason, row.time) == ("incomplete", "shards of different commits: 0, 1", None)


def test_shards_with_and_without_changes_do_not_form_a_set() -> None:
    rows = [
        replace(row, provenance=dict(row.provenance) | {"commit": "c0ffee", "dirty": index == 1})
        for index, row in enumerate(PAIR)
    ]
    (row,) = merge_shards(rows)
    assert (row.status, row.time) == ("incomplete", None)
    assert row.reason == "shards of different commits: c0ffee, c0ffee with changes"


def test_bytes_and_operations_of_shards_add_up() -> None:
    (row,) = merge_shards([replace(one, bytes=3.0 + index, operations=5.0 + index) for index, one in enumerate(PAIR)])
    assert (row.bytes, row.operations) == (7.0, 11.0)


def test_a_set_must_equal_the_whole_run() -> None:
    _, same = merge_shards([whole(), *PAIR])
    assert (same.status, same.digest) == ("ok", "0x0000000000000002")
    _, other = merge_shards([whole("0x0000000000000007"), *PAIR])
    assert (other.status, other.time) == ("disagrees", None)
    assert "2 shards add up to 0x0000000000000002, the whole run has 0x0000000000000007" == other.reason


def test_shards_of_another_method_than_the_whole_run_are_not_compared_with_it() -> None:
    """`auto` makes trials of a whole run only."""

    def by(reference: str, rows: list[Case]) -> list[Case]:
        return [replace(row, provenance=dict(row.provenance) | {"reference": reference}) for row in rows]

    _, other = merge_shards([*by("tree", [whole("0x0000000000000007")]), *by("pooled", PAIR)])
    assert (other.status, other.digest) == ("ok", "0x0000000000000002")
    _, same = merge_shards([*by("tree", [whole("0x0000000000000007")]), *by("tree", PAIR)])
    assert same.status == "disagrees"


def test_figures_see_the_whole_run_and_else_the_smallest_complete_set() -> None:
    three = [shard(index, 3) for index in range(3)]
    shown, sets = separate(merge_shards([whole(), *PAIR, *three]))
    assert ([parts_of(row) for row in shown], [parts_of(row) for row in sets]) == ([1], [2, 3])
    assert [parts_of(row) for row in separate(merge_shards([*three, *PAIR]))[0]] == [2]
    assert [parts_of(row) for row in separate(merge_shards([*three, PAIR[0]]))[0]] == [3]


def test_scaling_is_the_whole_over_the_slowest_shard() -> None:
    shown, sets = separate(merge_shards([whole(seconds=3.0), *PAIR]))
    (row,) = scaling(View("e", DEVICE, shown, shard_sets=sets)).rows
    assert row == ("v/cuda", "2", "2 s", "1.50", "75.0%", "equal")
