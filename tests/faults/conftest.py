"""The program that the build made, and how these tests run it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Tool:
    path: str

    def command(self, *words: str | Path) -> list[str]:
        return [self.path, *map(str, words)]

    def shell(self, line: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs a line of bash, in which $L is the program."""
        whole = {**os.environ, "L": self.path, **environment}
        return subprocess.run(
            ["bash", "-c", line], cwd=folder, env=whole, capture_output=True, text=True, check=False, timeout=120
        )


#: The number of a row that `run` prints.
ROW = re.compile(r"^ *\[(\d+)/\d+\] ", re.MULTILINE)


def finished_cases(tool: Tool, words: Sequence[str | Path], output: str) -> list[str]:
    """The names of the cases whose rows a run of the emulator has printed. It runs them in the order of the plan."""
    done = subprocess.run(tool.command(*words, "--dry-run", "--json"), check=True, capture_output=True, text=True)
    planned = [case["name"] for case in json.loads(done.stdout)["cases"]]
    return [planned[int(number) - 1] for number in ROW.findall(output)]


@pytest.fixture(scope="session")
def tool() -> Tool:
    if "LOCKSTEP_BINARY" not in os.environ:
        pytest.skip("LOCKSTEP_BINARY names no program")
    return Tool(str(Path(os.environ["LOCKSTEP_BINARY"]).resolve()))


def check_error(done: subprocess.CompletedProcess[str], words: Sequence[str]) -> None:
    """One line, exit code 2, and what to do."""
    assert done.returncode == 2, done
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("lockstep: "), done.stderr
    for word in words:
        assert word in done.stderr
