"""Two processes that write one results file at the same time lose no row."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
from pathlib import Path

import pytest

from plots.atomic import locked, write_text
from plots.errors import UserError
from tests.faults.conftest import Tool, finished_cases

#: What the schema asks of a row.
ROW = {
    "experiment": "toy",
    "variant": "right",
    "role": "ours",
    "machine": "cpu",
    "axes": {},
    "status": "refused",
    "metrics": {},
    "measurements": {},
    "date": "2026-01-02T03:04:05+01:00",
}


def rows(file: Path) -> set[str]:
    return {row["name"] for row in json.loads(file.read_text(encoding="utf-8"))["cases"]}


def test_two_runs_lose_no_row(tool: Tool, tmp_path: Path) -> None:
    words = ["run", "random_grids", "--preset", "quick", "--machine", "emulator", "--out", str(tmp_path), "--variant"]
    calls = [[*words, variant] for variant in ("list", "dense")]
    children = [subprocess.Popen(tool.command(*call), stdout=subprocess.PIPE, text=True) for call in calls]
    finished: set[str] = set()
    for call, child in zip(calls, children):
        output, _ = child.communicate(timeout=120)
        assert child.returncode == 0
        finished |= set(finished_cases(tool, call, output))
    (file,) = tmp_path.glob("*/random_grids.json")
    assert {name.split("/")[1] for name in finished} == {"list", "dense"}
    assert rows(file) == finished
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_two_merges_lose_no_row(tool: Tool, tmp_path: Path) -> None:
    context = {"lockstep_schema": 2, "device": {"slug": "toy"}}
    into, parts = tmp_path / "all.json", []
    for part in range(8):
        cases = [ROW | {"name": f"{part}/{i}"} for i in range(300)]
        parts.append(tmp_path / f"{part}.json")
        parts[-1].write_text(json.dumps({"context": context, "benchmarks": [], "cases": cases}), encoding="utf-8")
    children = [subprocess.Popen(tool.command("merge", part, "--into", into), stdout=subprocess.PIPE) for part in parts]
    for child in children:
        child.communicate(timeout=120)
        assert child.returncode == 0
    assert len(rows(into)) == 2400


def increment(path: Path, count: int) -> None:
    for _ in range(count):
        with locked(path):
            write_text(path, str(int(path.read_text(encoding="utf-8")) + 1))


def test_python_takes_turns(tmp_path: Path) -> None:
    path = write_text(tmp_path / "count", "0")
    workers = [multiprocessing.Process(target=increment, args=(path, 50)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert path.read_text(encoding="utf-8") == "150"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("path", ["/", ".", ""])
def test_what_is_no_file_is_an_error(path: str) -> None:
    with pytest.raises(UserError, match="cannot write .*Is a directory"):
        write_text(Path(path), "x")
    with pytest.raises(UserError, match="cannot write .*Is a directory"), locked(Path(path)):
        pass
