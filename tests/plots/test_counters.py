"""Counters are added to the rows that they belong to, and to no others. Without ncu nothing changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experiments.random_grids import counters as random_grids
from plots.catalog import ROOT
from plots.counters import Counted, join, read

COUNTERS = {"instructions": "smsp__inst_executed.sum", "missing": "smsp__nothing.sum"}
RAW = '"ID","Kernel Name","smsp__inst_executed.sum"\n"","","Kinst"\n"0","first","1,234.5"\n"1","second","9"\n'


def row(variant: str, layout: str, machine: str = "cuda", status: str = "ok") -> dict[str, object]:
    return {
        "name": f"e/{variant}/{machine}/layout:{layout}",
        "experiment": "e",
        "variant": variant,
        "machine": machine,
        "status": status,
        "axes": {"layout": layout},
        "metrics": {},
        "measurements": {"kept": 1.0},
    }


def write(path: Path, rows: list[dict[str, object]]) -> None:
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in rows)
    path.write_text(f'{{"context":{{}},"benchmarks":[\n{lines}\n]}}\n')


def measurements(path: Path) -> list[dict[str, float]]:
    return [one["measurements"] for one in json.loads(path.read_text())["benchmarks"]]


def fake_ncu(folder: Path, monkeypatch: pytest.MonkeyPatch, output: str) -> Path:
    program = folder / "ncu"
    program.write_text(f"#!/bin/sh\necho \"$@\" >>'{folder}/asked'\ncat <<'END'\n==PROF== x\n{output}END\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder / "asked"


def test_counters_join_the_rows_of_their_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = fake_ncu(tmp_path, monkeypatch, RAW)
    results = tmp_path / "e.json"
    write(
        results,
        [row("v", "soa"), row("v", "aos"), row("w", "soa"), row("v", "soa", "cpu"), row("v", "soa", status="refused")],
    )
    assert join(Path("lockstep"), results, [Counted("v", "v_kernel", {"layout": "soa"}, COUNTERS, skip=7)]) == 1
    assert measurements(results) == [{"kept": 1.0, "counter_instructions": 1234500.0}] + [{"kept": 1.0}] * 4
    assert "--kernel-name v_kernel --launch-skip 7 --launch-count 1" in asked.read_text()
    assert "lockstep run e --variant v --machine cuda" in asked.read_text()
    assert asked.read_text().rstrip().endswith("--layout soa")


@pytest.mark.parametrize(
    ("unit", "scale"), [("Kinst", 1e3), ("Minst", 1e6), ("Ksector", 1e3), ("Msector", 1e6), ("", 1)]
)
def test_the_units_of_ncu_are_scaled(unit: str, scale: float) -> None:
    assert read(f'"ID","m"\n"","{unit}"\n"0","1.5"\n', {"x": "m"}) == {"counter_x": 1.5 * scale}


def test_a_comma_in_a_value_does_not_split_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = fake_ncu(tmp_path, monkeypatch, RAW)
    results = tmp_path / "e.json"
    write(results, [row("v", "71,70")])
    assert join(Path("lockstep"), results, [Counted("v", "v_kernel", {}, COUNTERS)]) == 1
    assert asked.read_text().rstrip().endswith("--layout 71\\,70")


def test_without_readable_counters_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_ncu(tmp_path, monkeypatch, "==ERROR== ERR_NVGPUCTRPERM\n")
    results = tmp_path / "e.json"
    write(results, [row("v", "soa")])
    before = results.read_text()
    assert join(Path("lockstep"), results, [Counted("v", "v_kernel", {}, COUNTERS)]) == 0
    assert results.read_text() == before
    assert "ERR_NVGPUCTRPERM" in capsys.readouterr().err


def test_a_case_without_counters_does_not_end_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_ncu(tmp_path, monkeypatch, RAW)
    program = tmp_path / "ncu"
    program.write_text(program.read_text().replace("cat <<", 'case "$*" in *soa) exit 9 ;; esac\ncat <<'))
    results = tmp_path / "e.json"
    write(results, [row("v", "soa"), row("v", "rows")])
    wanted = [Counted("v", "v_kernel", {"layout": layout}, COUNTERS) for layout in ("soa", "rows")]
    assert join(Path("lockstep"), results, wanted) == 1
    assert measurements(results) == [{"kept": 1.0}, {"kept": 1.0, "counter_instructions": 1234500.0}]
    assert "none of e/v/cuda/layout:soa" in capsys.readouterr().err


def test_a_row_with_a_cold_cache_has_no_counters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_ncu(tmp_path, monkeypatch, RAW)
    results = tmp_path / "e.json"
    write(results, [row("v", "soa"), row("v", "soa") | {"cache": "cold"}])
    assert join(Path("lockstep"), results, [Counted("v", "v_kernel", {"layout": "soa"}, COUNTERS)]) == 1
    assert measurements(results)[1] == {"kept": 1.0}


def test_a_case_without_a_row_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "e.json"
    write(results, [row("v", "soa")])
    assert join(Path("lockstep"), results, [Counted("v", "v_kernel", {"layout": "aosoa"}, COUNTERS)]) == 0
    assert "no row of v" in capsys.readouterr().err


def test_every_case_that_random_grids_counts_has_one_row() -> None:
    rows = _rows_of(ROOT / "results" / "nvidia-h200" / "random_grids.json")
    for counted in random_grids.wanted():
        assert sum(counted.of(one) for one in rows) == 1, counted


def test_auto_takes_the_kernels_whose_bounds_the_page_names() -> None:
    rows = _rows_of(ROOT / "results" / "nvidia-h200" / "random_grids.json")
    for variant, kernel, grid, occupied, streams, length in random_grids.FASTEST:
        axes = {"grid": grid, "occupied": occupied, "streams": streams, "length": length}
        axes |= {"output": "stored", "engine": "xorwow", "after": "none"}
        (auto,) = [one for one in rows if Counted("auto", "", axes, {}).of(one)]
        assert [one["name"] for one in auto["kernels"]] == [variant], (variant, kernel, auto["kernels"])


def _rows_of(file: Path) -> list[dict[str, Any]]:
    lines = file.read_text(encoding="utf-8").split("\n")
    return [json.loads(line.rstrip(",")) for line in lines if line.startswith('{"') and "axes" in line]
