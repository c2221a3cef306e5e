"""The comparison of term_rewriting with OCaml and Maude: README's table comes from the committed readings."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from experiments.term_rewriting.peers_table import (
    BARS,
    BEGIN,
    END,
    README,
    Reading,
    from_csv,
    to_csv,
    with_written,
    written,
)
from plots.catalog import ROOT

FILE = ROOT / "results" / "intel-xeon-processor" / "term_rewriting_peers.csv"
ONE = Reading(1, "", "", "", 2, "fifo", 0.5, "tree", 1, "one_core", "", "Maude", 1000, 0.25, 0.5)


def test_the_table_is_what_the_readings_give() -> None:
    page = README.read_text(encoding="utf-8")
    readings = from_csv(FILE.read_text(encoding="utf-8"))
    command = f"python3 -m experiments.term_rewriting.peers_table {FILE.relative_to(ROOT)}"
    assert with_written(page, written(readings)) == page, command


def test_no_ratio_stands_elsewhere() -> None:
    page = README.read_text(encoding="utf-8")
    speed = page[page.index("## Speed") :]
    inside = speed[speed.index(BEGIN) : speed.index(END)]
    measured = re.compile(r"\d\.\d+")
    assert measured.search(inside)
    assert measured.findall(speed.replace(inside, "")) == []


def test_every_run_has_every_tool_in_every_round() -> None:
    readings = from_csv(FILE.read_text(encoding="utf-8"))
    assert len({reading.run for reading in readings}) >= 3
    for reading in readings:
        same = [
            other.tool
            for other in readings
            if (other.run, other.system, other.round) == (reading.run, reading.system, reading.round)
        ]
        assert len(same) == len(set(same)) and {"one_core", "all_cores", "OCaml"} <= set(same)


def test_readings_survive_the_file() -> None:
    readings = [ONE, replace(ONE, tool="OCaml", version="OCaml 4", elapsed_seconds=None)]
    assert from_csv(to_csv(readings)) == readings


def test_a_bar_is_the_ratio_within_each_round() -> None:
    to_ocaml, to_maude, to_one = BARS
    readings = [
        ONE,
        replace(ONE, tool="OCaml", processor_seconds=0.75, elapsed_seconds=None),
        replace(ONE, tool="all_cores", processor_seconds=0.5, elapsed_seconds=0.25),
        replace(ONE, round=2, processor_seconds=0.5),
        replace(ONE, round=2, tool="OCaml", processor_seconds=0.25, elapsed_seconds=None),
    ]
    assert to_ocaml.ratios(readings) == pytest.approx([3.0, 0.5])
    assert to_maude.ratios(readings) == []
    assert to_one.ratios(readings) == pytest.approx([2.0])
