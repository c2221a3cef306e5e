"""The comparison of term_rewriting with OCaml and Maude: the committed page comes from the committed readings."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.term_rewriting.peers_rows import workloads
from experiments.term_rewriting.peers_table import BARS, Reading, from_csv, page, page_of, to_csv
from plots.catalog import ROOT

FILE = ROOT / "results" / "intel-xeon-processor" / "term_rewriting_peers.csv"
ONE = Reading(1, "", "", "", 2, "fifo", 0.5, "tree", 1, "one_core", "", "Maude", 1000, 0.25, 0.5)


def test_the_page_is_what_the_readings_give() -> None:
    command = f"python3 -m experiments.term_rewriting.peers_table {FILE.relative_to(ROOT)}"
    assert page_of(FILE) == FILE.with_suffix(".md").read_text(encoding="utf-8"), command


def test_the_page_has_wide_systems_if_they_were_measured() -> None:
    assert "Wide systems" not in page([ONE])
    wide = "system,tool,processor_seconds\ndeep 3,one_core,0.5\ndeep 3,OCaml,0.25\n"
    assert "| deep 3 | 0.500 (0.500 .. 0.500) | 0.250 (0.250 .. 0.250) | 0.50 |" in page([ONE], wide)


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


def test_readings_are_equal_after_a_round_trip_through_the_file() -> None:
    readings = [ONE, replace(ONE, tool="OCaml", version="OCaml 4", elapsed_seconds=None)]
    assert from_csv(to_csv(readings)) == readings


def test_workloads_are_the_cases_that_the_program_plans(tmp_path: Path) -> None:
    program = tmp_path / "lockstep"
    listed = {"experiments": [{"axes": [{"name": "depth", "default": "10"}, {"name": "system", "default": "sums"}]}]}
    names = ["", "/depth:7", "/system:list_of_lists/depth:15", "/system:list_of_lists/depth:14", "/depth:7/sharing:all"]
    plan = [f"term_rewriting/one_core/cpu{name}  units 0..1" for name in names]
    (tmp_path / "list").write_text(json.dumps(listed))
    (tmp_path / "run").write_text("\n".join([*plan, f"{len(plan)} cases", ""]))
    program.write_text(f'#!/bin/sh\ncat "{tmp_path}/$1"\n')
    program.chmod(0o755)
    assert list(workloads(program)) == [
        {"system": "sums"},
        {"system": "sums", "depth": "7"},
        {"system": "list_of_lists", "depth": "14"},
    ]


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
