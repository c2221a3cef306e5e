"""No command writes over its own input, and no two results go to one file. The check comes before the work."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.faults.conftest import Tool

MODEL = "parameter u64 steps = 3;\nstruct State { f64 x = 0; };\nvoid step(State& s) { s.x += 1; }\nmean x = s.x;\n"
#: What the command reads from the file `in`, and the command. `{}` is the folder.
OVER_INPUT = {
    "model": (MODEL, "replicate --model {}/in --csv {}/in"),
    "design": ("draws\n5\n", "replicate pi --design {}/in --csv {}/in"),
    "system": ("(RULES a -> b)\n", "rewrite {}/in --term a -o {}/in"),
    "profile": ("(RULES a -> b)\n", "rewrite {}/in --term a --profile {}/in"),
    "puzzles": ("." * 81 + "\n", "sudoku {}/in --csv {}/in"),
    "states": ("." * 81 + "\n", "interpret --rules sudoku --file {}/in --csv {}/in"),
    "rules": ("column u32 cell[9];\n", "interpret --rules-file {}/in --out cell={}/in"),
    "column": ("", "interpret --rules-file {}/rules --column cell={}/in --out cell={}/in"),
    "boards": ("3\n", "grids --width 3 --height 3 --occupied-file {}/in --out {}/in"),
    "network": ("a b 3\n", "traffic --network {}/in --csv {}/in"),
    "lines": ("list\n", "batch {}/in --csv {}/in"),
    "vehicles": ("a b 3\n", "simulate nasch --network {}/in --csv {}/in"),
}
TWICE = {
    "replicate": "replicate --model {}/in --csv {}/out --series {}/./out",
    "rewrite": "rewrite {}/in --term a -o {}/out --profile {}/./out",
    "interpret": "interpret --rules-file {}/in --out cell={}/out --out other={}/out",
    "traffic": "traffic --csv {}/out --png {}/out",
    "grids": "grids --out {}/out --png {}/out",
}


def answer(tool: Tool, words: str, folder: Path) -> tuple[int, str]:
    command = tool.command(*words.format(*[folder] * words.count("{}")).split())
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


@pytest.mark.parametrize("name", OVER_INPUT)
def test_an_input_is_not_overwritten(tool: Tool, tmp_path: Path, name: str) -> None:
    text, words = OVER_INPUT[name]
    file = tmp_path / "in"
    file.write_text(text, encoding="utf-8")
    (tmp_path / "rules").write_text("column u32 cell[9];\n", encoding="utf-8")
    code, errors = answer(tool, words, tmp_path)
    expected = f"lockstep: cannot write {file} (it is an input of this command) Name another file.\n"
    assert (code, errors) == (2, expected)
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", TWICE)
def test_two_results_have_two_files(tool: Tool, tmp_path: Path, name: str) -> None:
    (tmp_path / "in").write_text("(RULES a -> b)\n", encoding="utf-8")
    code, errors = answer(tool, TWICE[name], tmp_path)
    assert code == 2 and errors.startswith("lockstep: cannot write two results to ") and errors.count("\n") == 1, errors
    assert not (tmp_path / "out").exists()


def test_a_link_to_an_input_is_the_input(tool: Tool, tmp_path: Path) -> None:
    text, _ = OVER_INPUT["system"]
    (tmp_path / "in").write_text(text, encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "in")
    code, errors = answer(tool, "rewrite {}/in --term a -o {}/link", tmp_path)
    assert code == 2 and "it is an input of this command" in errors


def test_devices_are_no_results(tool: Tool) -> None:
    words = "replicate pi --replications 3 --draws 5 --machine cpu --csv /dev/null"
    assert answer(tool, words, Path())[0] == 0
