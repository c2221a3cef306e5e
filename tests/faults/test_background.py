"""`rewrite` while a compiler works in the background: who waits for it, and what ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.conftest import TOP, Tool

SYSTEMS = TOP / "experiments" / "term_rewriting" / "systems"
#: Notes its call and its process, waits for the gate, and then is the real compiler.
COMPILER = """#!/bin/sh
echo $$ >>"$PLACE/calls"
until [ -e "$PLACE/gate" ]; do sleep 0.01; done
exec c++ "$@"
"""


class Place:
    """A folder with a cache and a compiler that waits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache" / "rewrite"
        compiler = folder / "compiler"
        compiler.write_text(COMPILER, encoding="utf-8")
        compiler.chmod(0o755)
        place = {"PLACE": str(folder), "CXX": str(compiler), "LOCKSTEP_CACHE": str(folder / "cache")}
        self.environment = {**os.environ, **place}

    def calls(self) -> list[int]:
        """The processes of the compilers that were started."""
        file = self.folder / "calls"
        return [int(line) for line in file.read_text(encoding="utf-8").split()] if file.exists() else []

    def open(self) -> None:
        (self.folder / "gate").touch()

    def files(self, part: str) -> list[str]:
        return [path.name for path in self.cache.glob("*") if part in path.name]


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Waits until the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not become true"
        time.sleep(0.01)


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    if not Path("/proc/self/stat").exists():
        pytest.skip("no /proc")
    return Place(tmp_path)


def rewrite(tool: Tool, place: Place, system: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Ends when nobody holds its output any more."""
    command = tool.command("rewrite", SYSTEMS / system, "--machine", "cpu", *words)
    return subprocess.run(command, env=place.environment, capture_output=True, text=True, check=False, timeout=60)


def test_a_short_term_does_not_wait_for_the_compiler_and_the_next_needs_none(tool: Tool, place: Place) -> None:
    for _ in range(3):
        done = rewrite(tool, place, "lists.rec", "--stats")
        assert (done.returncode, done.stdout) == (0, "cons(c,cons(b,cons(a,nil)))\n"), done
        assert "won by      oracle before generated C++" in done.stderr
    until(place.calls)
    assert len(place.calls()) == 1, "others wait for its turn"
    place.open()
    until(lambda: place.files(".sha256"))
    until(lambda: not place.files(".part"))
    done = rewrite(tool, place, "lists.rec", "--stats")
    assert done.stdout == "cons(c,cons(b,cons(a,nil)))\n" and "won by" not in done.stderr
    assert len(place.calls()) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_tool_and_the_compiler(tool: Tool, place: Place, number: signal.Signals) -> None:
    command = tool.command("rewrite", SYSTEMS / "endless_loop.trs", "--machine", "cpu", "--memory", "100GB")
    with subprocess.Popen(command, env=place.environment, stdout=subprocess.DEVNULL) as child:
        until(place.calls)
        child.send_signal(number)
        assert child.wait(timeout=60) == -number
    until(lambda: not any(is_alive(process) for process in place.calls()))
    until(lambda: not place.files(".part"))
    assert not place.files(".so")


def test_a_killed_tool_leaves_a_whole_entry(tool: Tool, place: Place) -> None:
    command = tool.command("rewrite", SYSTEMS / "endless_loop.trs", "--machine", "cpu", "--memory", "100GB")
    with subprocess.Popen(command, env=place.environment, stdout=subprocess.DEVNULL) as child:
        until(place.calls)
        child.kill()
    place.open()
    until(lambda: place.files(".sha256"))
    until(lambda: not place.files(".part"))
    done = rewrite(tool, place, "endless_loop.trs", "--max-rewrites", "1000")
    assert done.returncode == 3 and "not finished after 1000 rewrites" in done.stderr
    assert len(place.calls()) == 1
