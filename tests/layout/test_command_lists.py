"""Tests that one commands.txt lists every sub-command, and that the script, the program, plots/ and the files agree."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from plots import cli as plots_cli
from plots.catalog import ROOT
from processes import cli as processes_cli

#: Packages that run their commands themselves.
PYTHON = {Path("plots"): plots_cli.parser, Path("processes"): processes_cli.parser}
FILES = sorted([*ROOT.glob("*/commands.txt"), *ROOT.glob("*/*/commands.txt")])


def listed(path: Path) -> dict[str, str]:
    """Returns the commands of a file with their help."""
    lines = [line.split(maxsplit=2) for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(processes in ("one", "ranks") for _, processes, _ in lines), path
    return {name: text for name, _, text in lines}


COMMANDS = {name: (path.parent.relative_to(ROOT), text) for path in FILES for name, text in listed(path).items()}


def printed(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_every_command_is_listed_once() -> None:
    assert len(COMMANDS) == sum(len(listed(path)) for path in FILES) > 15


def test_the_script_prints_exactly_the_listed_commands() -> None:
    usage = dict(re.findall(r"^  ([\w-]+) +(.+)$", printed(str(ROOT / "lockstep"), "help"), re.MULTILINE))
    for own in ("test", "help"):
        usage.pop(own)
    assert usage == {name: text for name, (_, text) in COMMANDS.items()}
    refused = subprocess.run([ROOT / "lockstep", "grid"], capture_output=True, text=True)
    assert refused.returncode == 2 and "unknown command grid" in refused.stderr


def test_the_program_has_every_command() -> None:
    binary = os.environ.get("LOCKSTEP_BINARY")
    if not binary:
        pytest.skip("LOCKSTEP_BINARY is not set")
    usage = dict(re.findall(r"^  (\w+) +(.+)$", printed(binary, "help"), re.MULTILINE))
    assert usage == {name: text for name, (folder, text) in COMMANDS.items() if folder not in PYTHON}


@pytest.mark.parametrize("package", PYTHON)
def test_a_python_package_has_its_commands(package: Path) -> None:
    names = {name for name, (folder, _) in COMMANDS.items() if folder == package}
    usage = re.findall(r"^    ([\w-]+)", PYTHON[package]().format_help(), re.MULTILINE)
    assert set(usage) == names


def test_a_command_has_a_file_of_its_name() -> None:
    files = {path.name for tree in ("harness/cli", "experiments") for path in (ROOT / tree).rglob("*_command.cpp")}
    names = {name for name, (folder, _) in COMMANDS.items() if folder not in PYTHON}
    assert files == {f"{name}_command.cpp" for name in names}
