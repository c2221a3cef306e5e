"""./lockstep itself: wrong words, help without a build, and commands that need no compiler."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
FIXTURE = ROOT / "tests" / "plots" / "results" / "imaginary-gpu-x"


@pytest.fixture
def no_compiler(tmp_path: Path) -> tuple[dict[str, str], Path]:
    """An environment whose cmake fails, and the file in which it leaves a trace."""
    trace = tmp_path / "called"
    folder = tmp_path / "bin"
    folder.mkdir()
    # Neither may it install one.
    for name in ("cmake", "apt-get", "dpkg-query", "sudo"):
        fake = folder / name
        fake.write_text(f'#!/bin/sh\necho {name} "$@" >>"{trace}"\nexit 1\n', encoding="utf-8")
        fake.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}, trace


def call(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ROOT / "lockstep", *arguments], capture_output=True, text=True, env=environment)


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [(["runn"], "run"), (["repotr"], "report"), (["grid"], "grids"), (["test", "rellease"], "release")],
)
def test_a_misspelt_word_is_corrected(
    no_compiler: tuple[dict[str, str], Path], arguments: list[str], meant: str
) -> None:
    refused = call(no_compiler[0], *arguments)
    assert refused.returncode == 2 and refused.stderr.endswith(f"Did you mean {meant}?\n")
    assert refused.stderr.count("\n") == 1 and not no_compiler[1].exists()


def test_a_word_that_resembles_nothing_gets_no_suggestion(no_compiler: tuple[dict[str, str], Path]) -> None:
    refused = call(no_compiler[0], "x" * 5000)
    assert refused.returncode == 2 and refused.stderr.endswith("See ./lockstep help\n")


@pytest.mark.parametrize("arguments", [["test", "--help"], ["test", "release", "-h"]])
def test_help_of_test_builds_nothing(no_compiler: tuple[dict[str, str], Path], arguments: list[str]) -> None:
    helped = call(no_compiler[0], *arguments)
    assert helped.returncode == 0 and helped.stdout.startswith("usage: ./lockstep test")
    assert not no_compiler[1].exists()


def test_what_reads_results_needs_no_compiler(no_compiler: tuple[dict[str, str], Path], tmp_path: Path) -> None:
    compared = call(no_compiler[0], "compare", str(FIXTURE), str(FIXTURE), "--out", str(tmp_path))
    assert compared.returncode == 0, compared.stderr
    claims = call(no_compiler[0], "report", "--claims", "random_grids", "--results", str(FIXTURE.parent))
    assert claims.returncode == 0 and "B15" in claims.stdout
    assert not no_compiler[1].exists()


def test_what_measures_builds_first(no_compiler: tuple[dict[str, str], Path], tmp_path: Path) -> None:
    """The control: here the compiler that fails is noticed."""
    top = tmp_path / "tree"
    for path in [ROOT / "lockstep", *ROOT.glob("*/commands.txt"), *ROOT.glob("*/*/commands.txt")]:
        copy = top / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    (top / "lockstep").chmod(0o755)
    refused = subprocess.run([top / "lockstep", "list"], capture_output=True, env=no_compiler[0], timeout=60)
    # It asks for packages, of which its fake knows none, or configures.
    assert refused.returncode not in (0, 2) and no_compiler[1].exists()


def test_a_command_is_known_each_time(no_compiler: tuple[dict[str, str], Path], tmp_path: Path) -> None:
    """A pipe that ends early made a known command unknown now and then. Python itself, which takes a second, runs once."""
    assert call(no_compiler[0], "compare", "--help").returncode == 0
    python = tmp_path / "bin" / "python3"
    python.write_text("#!/bin/sh\n", encoding="utf-8")
    python.chmod(0o755)
    said = {call(no_compiler[0], "compare", "--help").returncode for _ in range(8)}
    assert said == {0}
