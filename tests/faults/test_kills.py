"""Signals at random moments: what was finished is there and parses, and no scratch file stays.

LOCKSTEP_KILLS is the number of signals per command (200 for a release); the default fits into CI.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from plots.load import read_json, read_results
from tests.faults.conftest import TOP, Tool, finished_cases

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
TERMS = TOP / "experiments" / "term_rewriting"


def kills(default: int) -> int:
    return int(os.environ.get("LOCKSTEP_KILLS", default))


def run_and_kill(command: list[str], number: signal.Signals, delay: float, wait_for_line: bool) -> tuple[int, str]:
    """Sends the signal `delay` seconds after the start, or after the first line of output. Returns code and output."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        first = child.stdout.readline() if wait_for_line else ""
        time.sleep(delay)
        child.send_signal(number)
        output, errors = child.communicate(timeout=120)
    assert "Traceback" not in errors, errors
    # Shells show -n as 128 + n.
    assert child.returncode in (0, -number, 128 + number), (child.returncode, errors)
    return child.returncode, first + output


def strays(folder: Path) -> set[str]:
    return {str(path) for path in folder.rglob("*") if ".part" in path.name or path.name.endswith(".lock")}


def names(file: Path) -> set[str]:
    return {row["name"] for row in json.loads(file.read_text(encoding="utf-8"))["cases"]}


def test_a_killed_run_loses_no_finished_case(tool: Tool, tmp_path: Path) -> None:
    chance = random.Random(1)
    words = ["run", "random_grids", "--preset", "quick", "--machine", "emulator", "--out", str(tmp_path)]
    finished: set[str] = set()
    for number in (SIGNALS * kills(16))[: kills(16)]:
        _, output = run_and_kill(tool.command(*words), number, chance.uniform(0, 0.25), wait_for_line=True)
        finished |= set(finished_cases(tool, words, output))
        (file,) = tmp_path.glob("*/random_grids.json")
        assert names(file) >= finished
        if number != signal.SIGKILL:
            assert not strays(tmp_path)
    assert len(finished) > 2


@pytest.fixture(scope="module")
def measured(tool: Tool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results file."""
    folder = tmp_path_factory.mktemp("measured")
    words: list[str | Path] = [
        "random_grids",
        "--preset",
        "quick",
        "--machine",
        "emulator",
        "--variant",
        "list",
        "--out",
        folder,
    ]
    subprocess.run(tool.command("run", *words), check=True, capture_output=True)
    (file,) = folder.glob("*/random_grids.json")
    return file


def large(file: Path, to: Path, rows: int, prefix: str) -> Path:
    """The same results with many more rows, so that writing them takes a while."""
    document = json.loads(file.read_text(encoding="utf-8"))
    cases = document["cases"]
    document["cases"] = [cases[i % len(cases)] | {"name": f"{prefix}{i}"} for i in range(rows)]
    to.write_text(json.dumps(document), encoding="utf-8")
    return to


def duration(command: list[str]) -> float:
    start = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    return time.monotonic() - start


def kill_often(command: list[str], folder: Path, count: int, check: Callable[[], None]) -> None:
    chance = random.Random(2)
    whole = duration(command)
    for number in (SIGNALS * count)[:count]:
        abandoned = strays(folder)  # by SIGKILL; a call that ends before it writes does not remove them
        code, _ = run_and_kill(command, number, chance.uniform(0.02, whole), wait_for_line=False)
        check()
        if number != signal.SIGKILL:
            assert strays(folder) <= abandoned or code == 0, number
    subprocess.run(command, check=True, capture_output=True)
    check()
    assert not strays(folder)


def test_a_killed_merge_leaves_one_of_both_states(tool: Tool, tmp_path: Path, measured: Path) -> None:
    source, into = large(measured, tmp_path / "a.json", 500, "a"), large(measured, tmp_path / "b.json", 50, "b")
    former = names(into)
    command = tool.command("merge", source, "--into", into)
    kill_often(command, tmp_path, kills(12), lambda: check_superset(into, former))


def check_superset(file: Path, rows: set[str]) -> None:
    assert names(file) >= rows


def test_a_killed_tool_leaves_a_whole_table_or_none(tool: Tool, tmp_path: Path) -> None:
    csv = tmp_path / "table.csv"
    words: list[str | Path] = [
        "replicate",
        "pi",
        "--machine",
        "cpu",
        "--replications",
        "20000",
        "--draws",
        "10",
        "--csv",
        csv,
    ]

    def check() -> None:
        assert not csv.exists() or csv.read_text(encoding="utf-8").count("\n") == 20001

    kill_often(tool.command(*words), tmp_path, kills(8), check)


def test_killed_rewriting_leaves_a_whole_normal_form_or_none(tool: Tool, tmp_path: Path) -> None:
    (system,) = TERMS.rglob("merge_sort_50.trs")
    form = tmp_path / "form.txt"
    command = tool.command("rewrite", system, "-o", form)
    subprocess.run(command, check=True, capture_output=True)
    whole = form.read_bytes()

    def check() -> None:
        assert form.read_bytes() == whole

    kill_often(command, tmp_path, kills(8), check)


def test_a_killed_report_leaves_whole_pages(tmp_path: Path, measured: Path) -> None:
    out = tmp_path / "report"
    results = ["--results", str(measured.parents[1]), "--out", str(out)]
    command = [sys.executable, "-m", "plots", "report", "random_grids", *results]

    def check() -> None:
        for page in out.rglob("*.html"):
            assert "</html>" in page.read_text(encoding="utf-8")
        for drawing in out.rglob("*.svg"):
            assert "</svg>" in drawing.read_text(encoding="utf-8")

    os.chdir(TOP)
    kill_often(command, tmp_path, kills(2), check)


#: `reproduce` starts it in place of the program, with less to measure.
LESS = """#!/bin/bash
case $1 in
    limits) exec "$REAL" "$@" --only '^popc$' ;;
    run) exec "$REAL" "$@" --variant list --machine emulator ;;
    *) exec "$REAL" "$@" ;;
esac
"""


def test_a_killed_reproduction_loses_no_row(tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    program, results, out = tmp_path / "less", tmp_path / "results", tmp_path / "out"
    program.write_text(LESS, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("REAL", tool.path)
    monkeypatch.setenv("LOCKSTEP_BINARY", str(program))
    monkeypatch.chdir(TOP)
    command = [sys.executable, "-m", "plots", "reproduce", "random_grids"]
    command += ["--results", str(results), "--out", str(out)]
    rows: dict[Path, set[str]] = {}
    for number in (SIGNALS * kills(2))[: kills(2)]:
        # Most of the rest is drawing, which test_a_killed_report_leaves_whole_pages interrupts.
        run_and_kill(command, number, chance.uniform(0.02, 5), wait_for_line=False)
        for file in results.glob("*/*.json"):
            read_results(file) if file.parent.name != "schematics" else read_json(file)
        for file, former in rows.items():
            assert names(file) >= former
        rows = {file: names(file) for file in results.glob("*/*.json") if file.parent.name != "schematics"}
        for page in out.rglob("*.html"):
            assert "</html>" in page.read_text(encoding="utf-8")
        # A killed Python process leaves its child, which ends by itself.
        if number != signal.SIGKILL:
            assert not strays(results) or rows


def test_the_next_write_removes_what_a_killed_one_left(tool: Tool, tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as dead:
        dead.wait()
    csv = tmp_path / "table.csv"
    abandoned = [tmp_path / f"table.csv.part-{dead.pid}", tmp_path / f"table.csv.part-{dead.pid}-3"]
    kept = [tmp_path / f"table.csv.part-{os.getpid()}", tmp_path / f"other.csv.part-{dead.pid}"]
    for path in abandoned + kept:
        path.write_text("x", encoding="utf-8")
    words: list[str | Path] = ["replicate", "pi", "--machine", "cpu", "--draws", "10", "--csv", csv]
    subprocess.run(tool.command(*words), check=True, capture_output=True)
    assert sorted(tmp_path.iterdir()) == sorted([csv, *kept])
