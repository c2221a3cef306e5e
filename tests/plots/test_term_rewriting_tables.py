"""Tables 1 to 3 of term_rewriting on made-up rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from experiments.term_rewriting.figures import TABLES
from plots.errors import NotTestable
from plots.figures import Scope
from plots.results import Case, Device, View
from plots.tables import TableData
from tests.plots.term_rewriting_rows import DEVICE, NUMBERS, paper, row, traced_sort


def filled(name: str, cases: Sequence[Case], device: Device = DEVICE) -> TableData:
    view = View("term_rewriting", device, list(cases), NUMBERS.facts())
    return next(spec for spec in TABLES if spec.name == name).fill(Scope(view, [paper()]))


def cells(table: TableData, first: str) -> dict[str, str]:
    return next(dict(zip(table.columns[1:], line[1:])) for line in table.rows if line[0] == first)


def test_table_2_has_the_papers_columns_then_the_devices() -> None:
    cases = [
        row("as_printed", "transformation_tree", 0.5, depth="22"),
        row("cpu_as_printed", "transformation_tree", 2.0, depth="22", machine="cpu"),
        row("all_cores", "transformation_tree", 0.25, depth="22", machine="cpu"),
        row("fast", "transformation_tree", 0.05, depth="22"),
        row("cpu_as_printed", "tree_merge_sort", 4.0, depth="18", machine="cpu"),
    ]
    table = filled("table2", cases)
    tree = cells(table, "Transformation tree 22")
    assert tree["paper: GPU"] == "3,120" and tree["paper: speed-up"] == "more than 10x"
    assert tree["CPU"] == "500" and tree["GPU"] == "2,000" and tree["speed-up"] == "4x"
    assert tree["fast over all_cores"] == "5x"
    assert "one_core" not in table.columns
    sort = cells(table, "Tree merge sort 23 5")
    assert sort["CPU"] == "250" and sort["GPU"] == "–"
    assert ("Transformation tree 22", "speed-up", "Made up", 4.0, 4.0, 4.0, "x") in table.plain_rows


def test_the_papers_numbers_alone_are_no_table_2() -> None:
    with pytest.raises(NotTestable):
        filled("table2", [])


def test_table_1_has_the_papers_columns_and_rows() -> None:
    table = filled("table1", [], replace(DEVICE, attributes={"memory_bytes": 8e9}))
    assert table.columns == (
        "Type",
        "Year",
        "Name",
        "Mem (GB)",
        "BW aligned (GiB/s)",
        "BW random (GiB/s)",
        "BW aligned, times as fast",
        "BW random, times as fast",
    )
    assert table.rows[:2] == (
        ("CPU", "2017", "Intel Core i5-7600 (paper)", "32", "25.7", "0.607", "–", "–"),
        ("GPU", "2018", "Titan RTX (paper)", "24", "555", "22.8", "–", "–"),
    )
    # A copy of 4e12 bytes, and loads of 4 bytes: 40e9, by GPU; 1e11 bytes and 1e9 loads by CPU.
    assert table.rows[2] == ("CPU", "–", "CPU", "–", "93.1", "3.73", "3.62x", "6.14x")
    assert table.rows[3] == ("GPU", "–", "Made up", "8", "3,730", "149", "6.71x", "6.54x")


def test_table_1_of_a_machine_without_a_gpu_is_of_its_cpu() -> None:
    limits = {"copy": {"value": 32 * 2**30}, "random_load.1GB": {"value": 2**28}}
    table = filled("table1", [], Device("host", "Host", "cpu", limits=limits))
    assert [row[:3] for row in table.rows[2:]] == [("CPU", "–", "Host")]
    assert table.rows[2][-4:-2] == ("32.0", "1.00")


def test_table_3_has_the_papers_columns() -> None:
    table = filled("table3", traced_sort())
    assert table.columns[:4] == ("Application", "Device", "BW random (GiB/s)", "BW aligned (GiB/s)")
    assert table.rows[0][:4] == ("Tree merge sort 23 5", "Titan RTX (paper)", "18.1", "95.7")
    assert table.rows[1][:3] == ("Tree merge sort 23 5", "Made up", "112")
    assert table.rows[1][4] == "6.17x"


@pytest.mark.parametrize("name", ["table1", "table3"])
def test_the_papers_bandwidths_alone_are_no_table(name: str) -> None:
    with pytest.raises(NotTestable, match="no bandwidth was measured on Bare"):
        filled(name, [], Device("bare", "Bare"))
