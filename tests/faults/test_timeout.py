"""--timeout ends commands whose user's code never returns: exit code 3, one line, and no file."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.faults.conftest import Tool

RULES = """column u32 a[9] = i;
parameter u32 ends = 0;
rule R over a {
    bool condition(State const& s, u32 i) { return true; }
    bool evaluate(State& s, u32 i) {
        while (s.ends == 0)
            s.a.set(i, s.a[i] * 3 + 1);
        return false;
    }
}
"""
MODEL = """parameter u64 steps = 2;
parameter u32 ends = 0;
struct State { f64 x = 0; };
void step(State& s) {
    while (ends == 0)
        s.x = s.x * 0.5 + draw.uniform();
}
mean x = s.x;
"""
CALLS = {
    "rules": ["interpret", "--rules-file", "own.rules", "--out", "a=a.npy", "--csv", "out.csv"],
    "model": ["replicate", "--model", "own.hpp", "--csv", "out.csv"],
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "own.rules").write_text(RULES, encoding="utf-8")
    (tmp_path / "own.hpp").write_text(MODEL, encoding="utf-8")
    return tmp_path


def call(tool: Tool, folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        tool.command(*words),
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("machine", ["cpu", "emulator"])
@pytest.mark.parametrize("words", CALLS.values(), ids=CALLS.keys())
def test_endless_code_ends_with_code_3(tool: Tool, folder: Path, words: list[str], machine: str) -> None:
    place = [*words, "--machine", machine]
    assert call(tool, folder, *place, "--set", "ends=1").returncode == 0  # also compiles
    for file in ("a.npy", "out.csv"):
        (folder / file).unlink(missing_ok=True)
    before = sorted(folder.iterdir())
    start = time.monotonic()
    done = call(tool, folder, *place, "--timeout", "0.5")
    assert time.monotonic() - start < 20
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "lockstep: not finished after 0.5 s (limit) Raise --timeout.\n"
    assert sorted(folder.iterdir()) == before


def test_the_json_document_has_the_message(tool: Tool, folder: Path) -> None:
    done = call(tool, folder, *CALLS["model"], "--machine", "cpu", "--timeout", "0.3", "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout) == {"error": "not finished after 0.3 s (limit) Raise --timeout."}


def runs(stat: Path) -> bool:
    """Whether the process of this file in /proc exists and is no zombie."""
    try:
        return ") Z " not in stat.read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("words", CALLS.values(), ids=CALLS.keys())
def test_a_compiler_that_runs_ends_too(tool: Tool, folder: Path, words: list[str]) -> None:
    compiler, pid = folder / "slow-c++", folder / "pid"
    compiler.write_text(f"#!/bin/sh\necho $$ > {pid}.new && mv {pid}.new {pid}\nexec sleep 300\n", encoding="utf-8")
    compiler.chmod(0o755)
    done = call(tool, folder, *words, "--machine", "cpu", "--timeout", "2", CXX=str(compiler))
    assert done.returncode == 3, done.stderr
    process = Path("/proc") / pid.read_text(encoding="utf-8").strip() / "stat"
    end = time.monotonic() + 20
    while runs(process):
        assert time.monotonic() < end, "the compiler runs"
        time.sleep(0.05)


@pytest.mark.parametrize("words", CALLS.values(), ids=CALLS.keys())
@pytest.mark.parametrize("seconds", ["0", "100"])
def test_0_is_no_limit_and_work_in_time_is_whole(tool: Tool, folder: Path, words: list[str], seconds: str) -> None:
    done = call(tool, folder, *words, "--machine", "cpu", "--set", "ends=1", "--timeout", seconds)
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "out.csv").exists()


@pytest.mark.parametrize("command", ["interpret", "replicate", "rewrite", "emulate"])
def test_the_help_says_what_0_means(tool: Tool, folder: Path, command: str) -> None:
    text = " ".join(call(tool, folder, command, "--help").stdout.split())
    assert "0: no limit" in text.split("--timeout", 1)[1].split(" --", 1)[0]
