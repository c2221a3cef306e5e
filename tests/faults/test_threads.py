"""`ulimit -u`: the system refuses threads. Work goes on with those that it allows, or ends with one line.

The limit does not hold for root, so the program runs as another user.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.conftest import TOP, Tool

USER = 54_321  # without processes of its own
SYSTEMS = TOP / "experiments" / "term_rewriting" / "systems"
TIMES = re.compile(r"[\d.e-]+ s (?:with|to)")
COMMANDS = {
    "replicate": ["replicate", "pi", "--machine", "cpu", "--replications", "2000", "--draws", "100"],
    "replicate emulator": ["replicate", "pi", "--machine", "emulator", "--replications", "64", "--draws", "10"],
    "simulate": ["simulate", "wator", "--elements", "30", "--ticks", "3", "--machine", "emulator"],
    "traffic": ["traffic", "--cars", "3", "--pedestrians", "4", "--ticks", "2", "--machine", "emulator"],
    "interpret": ["interpret", "--rules", "sudoku", "--puzzles", "2", "--machine", "emulator"],
    "interpret cpu": ["interpret", "--rules", "sudoku", "--puzzles", "2", "--machine", "cpu"],
    "rewrite": ["rewrite", "@merge_sort,elements=10"],
    "rewrite one core": ["rewrite", "@merge_sort,elements=10", "--engine", "one_core"],
    "rewrite large": [
        "rewrite",
        "@tree_merge_sort,depth=10,elements=5",
        "--engine",
        "oracle",
        "--max-rewrites",
        "1000",
    ],
    "list": ["list"],
}


def limited(
    program: list[str], words: list[str], folder: Path, threads: int | None
) -> subprocess.CompletedProcess[str]:
    """Runs a program as USER, who may have this number of threads."""
    if os.geteuid() != 0:
        pytest.skip("root alone can become another user, whose threads it can limit")
    folder.chmod(0o777)
    for parent in folder.parents[:2]:
        parent.chmod(parent.stat().st_mode | 0o011)
    environment = {**os.environ, "HOME": str(folder), "PYTHONPATH": str(TOP), "PYTHONDONTWRITEBYTECODE": "1"}
    asked = [*program, "--version" if len(program) == 1 else "--help"]
    elsewhere = environment | {"HOME": "/nonexistent"}  # where no cache is left
    try:
        ended = subprocess.run(asked, user=USER, group=USER, env=elsewhere, capture_output=True, check=False).returncode
    except PermissionError:
        pytest.skip("another user cannot read the folder of the program")
    if ended != 0:
        pytest.skip("another user cannot start the program")

    def limit() -> None:
        if threads is not None:
            resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))

    return subprocess.run(
        [*program, *words],
        cwd=folder,
        user=USER,
        group=USER,
        extra_groups=[],
        preexec_fn=limit,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_results_do_not_depend_on_threads(tool: Tool, tmp_path: Path, command: str) -> None:
    whole = limited([tool.path], COMMANDS[command], tmp_path, None)
    for threads in (1, 2, 3):
        done = limited([tool.path], COMMANDS[command], tmp_path, threads)
        if done.returncode == 2:
            assert re.fullmatch(r"lockstep: cannot start a thread \(.*\) Try --engine .*\n", done.stderr), done
            assert command.startswith("rewrite")
            continue
        assert (done.returncode, TIMES.sub("", done.stdout)) == (whole.returncode, TIMES.sub("", whole.stdout)), done
        assert "Traceback" not in done.stderr and "terminate" not in done.stderr


def test_a_run_goes_on_with_fewer_threads(tool: Tool, tmp_path: Path) -> None:
    words = ["run", "random_grids", "--preset", "quick", "--variant", "list", "--machine", "emulator", "--out", "."]
    done = limited([tool.path], words, tmp_path, 1)
    assert done.returncode == 0, done
    (file,) = tmp_path.glob("*/random_grids.json")
    rows = json.loads(file.read_text(encoding="utf-8"))["cases"]
    assert len(rows) > 10 and {row["status"] for row in rows} == {"not_timed"}


@pytest.mark.parametrize("package", ["plots", "processes"])
def test_the_list_of_fonts_needs_a_thread(tmp_path: Path, package: str) -> None:
    program = [sys.executable, "-m", package]
    command = {"plots": "compare", "processes": "peers"}[package]
    done = limited(program, [command, "--help"], tmp_path, 0)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr == "lockstep: cannot start a thread (the list of fonts needs one) raise ulimit -u\n"
