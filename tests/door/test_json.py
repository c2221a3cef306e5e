"""With --json, a command prints one JSON document, after a mistake too; `interpret` prints the grids that it solves."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from plots.catalog import ROOT, names

#: Each command that reports, in a form that ends soon.
COMMANDS: dict[str, list[str]] = {
    "list": [],
    "devices": [],
    "run": ["random_grids", "--sweep", "quick_board", "--machine", "cpu", "--streams", "2", "--variant", "list|dense"],
    "replicate": ["mm1", "--replications", "3", "--clients", "5", "--machine", "cpu"],
    "simulate": ["wator", "--elements", "30", "--ticks", "3", "--machine", "cpu"],
    "traffic": ["--streets", "6", "--cars", "3", "--pedestrians", "4", "--ticks", "2", "--machine", "cpu"],
    "interpret": ["--rules", "sudoku", "--puzzles", "2", "--clues", "40", "--machine", "cpu"],
    "grids": ["--width", "5", "--height", "4", "--occupied", "7"],
    "rewrite": [f"{ROOT}/experiments/term_rewriting/systems/lists.rec", "--engine", "oracle"],
    "limits": ["--only", "^copy$", "--repetitions", "6"],
}
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
BOARDS = """\
puzzle 1                   solved after 5 passes
5 3 . | . 7 . | . . .      5 3 4 | 6 7 8 | 9 1 2
6 . . | 1 9 5 | . . .      6 7 2 | 1 9 5 | 3 4 8
. 9 8 | . . . | . 6 .      1 9 8 | 3 4 2 | 5 6 7
------+-------+------      ------+-------+------
8 . . | . 6 . | . . 3      8 5 9 | 7 6 1 | 4 2 3
4 . . | 8 . 3 | . . 1      4 2 6 | 8 5 3 | 7 9 1
7 . . | . 2 . | . . 6      7 1 3 | 9 2 4 | 8 5 6
------+-------+------      ------+-------+------
. 6 . | . . . | 2 8 .      9 6 1 | 5 3 7 | 2 8 4
. . . | 4 1 9 | . . 5      2 8 7 | 4 1 9 | 6 3 5
. . . | . 8 . | . 7 9      3 4 5 | 2 8 6 | 1 7 9

"""


def called(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    if "LOCKSTEP_BINARY" not in os.environ:
        pytest.skip("LOCKSTEP_BINARY names no program")
    program = str(Path(os.environ["LOCKSTEP_BINARY"]).resolve())
    return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def document(folder: Path, *words: str, code: int = 0) -> Any:
    done = called(folder, *words, "--json")
    assert done.returncode == code, done
    assert bool(done.stderr) == (code != 0)
    return json.loads(done.stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_report_is_one_document(tmp_path: Path, command: str) -> None:
    out = ["--out", str(tmp_path)] if command in ("run", "limits") else []
    if command == "limits":
        # Without a GPU, a line on standard error names the CPU.
        done = called(tmp_path, command, *COMMANDS[command], *out, "--json")
        assert done.returncode == 0 and json.loads(done.stdout)["cases"][0]["variant"] == "copy", done
        return
    found = document(tmp_path, command, *COMMANDS[command], *out)
    assert isinstance(found, dict) and found and "error" not in found


@pytest.mark.parametrize("command", COMMANDS)
def test_a_mistake_is_one_document(tmp_path: Path, command: str) -> None:
    found = document(tmp_path, command, *COMMANDS[command], "--no-such-option", code=2)
    assert list(found) == ["error"] and "--no-such-option" in found["error"]
    # Without --json, standard output stays empty.
    assert called(tmp_path, command, *COMMANDS[command], "--no-such-option").stdout == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_the_option(tmp_path: Path, command: str) -> None:
    assert '{"error": "..."}' in " ".join(called(tmp_path, command, "--help").stdout.split())


def test_list_has_the_sweeps(tmp_path: Path) -> None:
    listed = {entry["name"]: entry for entry in document(tmp_path, "list")["experiments"]}
    assert set(listed) == set(names())
    for name, entry in listed.items():
        sweeps = json.loads((ROOT / "experiments" / name / "sweeps.json").read_text(encoding="utf-8"))["sweeps"]
        assert [sweep["name"] for sweep in entry["sweeps"]] == [sweep["name"] for sweep in sweeps]
    # What the CPU's reference and the GPU's contestant of one name are.
    dense = [variant for variant in listed["random_grids"]["variants"] if variant["name"] == "dense"]
    assert {variant["role"]: "on one CPU thread" in variant["description"] for variant in dense} == {
        "reference": True,
        "ours": False,
    }
    assert all(("cpu" in variant["machines"]) == (variant["role"] == "reference") for variant in dense)


def test_lines_fit_into_120_columns(tmp_path: Path) -> None:
    for words in (["list"], *(["run", name, "--help"] for name in names()), ["run", "--help"]):
        lines = called(tmp_path, *words).stdout.splitlines()
        assert lines and max(map(len, lines)) <= 120, (words, max(lines, key=len))


def test_run_names_what_was_fastest_and_what_does_not_fit(tmp_path: Path) -> None:
    small = ("--machine", "cpu", "--variant", "list|dense", "--streams", "2", "--out", str(tmp_path))
    found = document(tmp_path, "run", "random_grids", "--preset", "quick", "--grid", "8x8", *small)
    assert {case["variant"] for case in found["cases"]} == {"list", "dense"}
    assert any(setting["axes"]["occupied"] == "71,70" for setting in found["refused_settings"])
    assert found["fastest"] and all(one["case"] and one["next"] for one in found["fastest"])
    assert Path(found["files"][0]).is_file()


def test_rewrite_has_statistics_and_normal_forms(tmp_path: Path) -> None:
    words = COMMANDS["rewrite"]
    found = document(tmp_path, "rewrite", *words)
    assert found["normal_forms"] == ["cons(c,cons(b,cons(a,nil)))"]
    assert (found["rewrites"], found["engine"], found["finished"]) == (10, "oracle", True)
    found = document(tmp_path, "rewrite", *words, "-o", "form.txt")
    assert "normal_forms" not in found and (tmp_path / "form.txt").read_text(encoding="utf-8").startswith("cons(c,")
    (ended,) = [document(tmp_path, "rewrite", *words, "--max-rewrites", "3", code=3)]
    assert ended["finished"] is False and ended["normal_forms"] == []
    assert "both --emit and --json" in document(tmp_path, "rewrite", *words, "--emit", "cpp", code=2)["error"]


def test_traffic_and_replicate_report_what_they_print(tmp_path: Path) -> None:
    cars, pedestrians = document(tmp_path, "traffic", *COMMANDS["traffic"])["classes"]
    assert (cars["class"], cars["agents"], pedestrians["agents"]) == ("cars", 3, 4)
    text = called(tmp_path, "traffic", *COMMANDS["traffic"]).stdout
    assert f"{cars['mean_progress']:.6f}" in text
    (point,) = document(tmp_path, "replicate", *COMMANDS["replicate"])["points"]
    text = called(tmp_path, "replicate", *COMMANDS["replicate"]).stdout
    assert point["replications"] == 3 and point["measures"]
    assert all(f"{measure['mean']:.8g}" in text for measure in point["measures"])


def test_interpret_prints_solved_grids(tmp_path: Path) -> None:
    (tmp_path / "puzzles").write_text("." * 81 + "\n" + PUZZLE + "\n", encoding="utf-8")
    words = ("interpret", "--rules", "sudoku", "--file", "puzzles", "--machine", "cpu")
    solved_first = called(tmp_path, *words).stdout
    assert solved_first.startswith(BOARDS.replace("puzzle 1", "puzzle 2")) and solved_first.count("puzzle 1 ") == 0
    assert called(tmp_path, *words, "--show", "0").stdout.startswith("2 puzzles, 1 solved")
    (board,) = document(tmp_path, *words)["boards"]
    assert (board["number"], board["puzzle"], board["conclusion"]) == (2, PUZZLE, SOLVED)
    (tmp_path / "puzzles").write_text("." * 81 + "\n", encoding="utf-8")
    assert called(tmp_path, *words, "--show", "5").stdout.startswith(
        "puzzle 1                   unfinished after 1 pass\n"
    )
    (tmp_path / "puzzles").write_text((PUZZLE + "\n") * 3, encoding="utf-8")
    shown = called(tmp_path, *words, "--show", "2").stdout
    assert shown.startswith(BOARDS + BOARDS.replace("puzzle 1", "puzzle 2") + "3 puzzles, 3 solved")
    assert "invalid" in document(tmp_path, *words, "--show", "-1", code=2)["error"]
