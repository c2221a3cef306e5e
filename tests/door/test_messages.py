"""Whatever a user gives to an option, what the program and the Python package say of it is one printable line.

The options are those of --help, so an option that is added later is tested, too.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import plots.cli
import processes.cli
from plots.catalog import ROOT, names
from plots.escape import message

HOSTILE = b"a\nb\x1b[2J\xff\xe2\x80\xae"
#: What the line says instead.
SHOWN = "a\\nb\\x1b[2J\\xff\\u202e"
LONG = b"x" * 20_000
#: Each command with what it needs beside the option, so that it ends soon. `{}` is a small file.
COMMANDS: dict[str, list[str]] = {
    "list": [],
    "run": ["random_grids", "--machine", "cpu", "--dry-run"],
    "merge": ["{}", "--into", "into.json"],
    "migrate": ["{}"],
    "rewrite": ["{}"],
    "weave": ["{}"],
    "simulate": ["wator", "--elements", "30", "--ticks", "3", "--machine", "cpu"],
    "traffic": ["--cars", "3", "--pedestrians", "4", "--ticks", "2", "--machine", "cpu"],
    "interpret": ["--rules", "sudoku", "--puzzles", "2", "--machine", "cpu"],
    "replicate": ["pi", "--replications", "3", "--draws", "5", "--machine", "cpu"],
    "batch": ["{}"],
    "limits": ["--only", "none_of_them"],
    "trace": ["random_grid"],
    "grids": [],
    "devices": [],
}
FIXTURE = os.fsencode(ROOT / "tests" / "plots" / "results")
OPTION = re.compile(r"^  (?:-\w,)?(--[\w-]+) (TEXT|UINT|FLOAT|INT)", re.MULTILINE)


def binary() -> str:
    if "LOCKSTEP_BINARY" not in os.environ:
        pytest.skip("LOCKSTEP_BINARY names no program")
    return str(Path(os.environ["LOCKSTEP_BINARY"]).resolve())


def said(words: list[bytes], folder: Path) -> tuple[int, str]:
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False, timeout=120, stdin=subprocess.DEVNULL)
    return done.returncode, done.stderr.decode("utf-8")  # strict


def check_line(words: list[bytes], folder: Path) -> str:
    code, line = said(words, folder)
    shown = [word[:60] for word in words[1:]]
    assert code == 2, (shown, code, line[:300])
    assert line.startswith("lockstep: ") and line.endswith("\n") and line[:-1].isprintable(), (shown, line[:300])
    assert len(line) < 5000, shown
    return line


def options_of(command: str) -> list[str]:
    # The axes of `run` are those of the experiments that it names.
    words = [command, *(names() if command == "run" else ()), "--help"]
    text = subprocess.run([binary(), *words], capture_output=True, text=True, check=True).stdout
    return [name for name, _ in OPTION.findall(text)]


def given(command: str, option: str, value: bytes) -> list[bytes]:
    """The command line, without the option's usual value."""
    needed = COMMANDS[command]
    if option in needed:
        at = needed.index(option)
        needed = needed[:at] + needed[at + 2 :]
    # An output in a folder that is a file cannot be written.
    is_output = option in ("--out", "--csv", "--png", "--output", "--profile", "--into", "--animate")
    value = b"small/" + value if is_output else value
    if command in ("limits", "run") and option == "--out":
        needed = [word for word in needed if word != "--dry-run"]
    return [binary().encode(), command.encode(), *(b"small" if word == "{}" else word.encode() for word in needed)] + [
        option.encode() + b"=" + value
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_values_of_options(tmp_path: Path, command: str) -> None:
    (tmp_path / "small").write_text("x", encoding="utf-8")
    for option in options_of(command):
        for value in (HOSTILE, LONG):
            check_line(given(command, option, value), tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_arguments_and_unknown_options(tmp_path: Path, command: str) -> None:
    for word in (HOSTILE, b"--" + HOSTILE, b"--" + HOSTILE + b"=3", LONG, b"--" + LONG, b"-" + LONG):
        code, line = said([binary().encode(), command.encode(), word], tmp_path)
        assert code == 2 and line.count("\n") == 1 and line[:-1].isprintable() and len(line) < 5000, line[:300]


def test_commands(tmp_path: Path) -> None:
    assert SHOWN in check_line([binary().encode(), HOSTILE], tmp_path)
    assert "..." in check_line([binary().encode(), LONG], tmp_path)


def test_texts_of_files(tmp_path: Path) -> None:
    """Names of files, and the words in them."""
    named = tmp_path.joinpath(os.fsdecode(HOSTILE))
    for text in (HOSTILE, LONG, b'{"context": {"lockstep_schema": "' + HOSTILE[:3] + b'"}}', b"RULES\n" + HOSTILE):
        named.write_bytes(text)
        for words in (
            ["merge", "{}", "--into", "a"],
            ["migrate", "{}"],
            ["rewrite", "{}"],
            ["weave", "{}"],
            ["batch", "{}"],
        ):
            command = [HOSTILE if word == "{}" else word.encode() for word in words]
            code, line = said([binary().encode(), *command], tmp_path)
            if code != 0:  # a file of words is a source without kernels for `weave`
                assert code == 2 and line.count("\n") == 1 and line[:-1].isprintable() and len(line) < 5000, line[:300]


def test_a_file_whose_name_no_row_can_have_is_refused_before_it_is_measured(tmp_path: Path) -> None:
    (tmp_path / "a\nb").write_text("a b 5 50\nb a 7 60\n", encoding="utf-8")
    words = ["run", "object_layout", "--machine", "cpu", "--dry-run", "--network", "a\nb"]
    line = check_line([binary().encode(), *(word.encode() for word in words)], tmp_path)
    assert "rows cannot have" in line and "rename the file" in line


PACKAGES: tuple[tuple[bytes, ...], ...] = (
    (b"plots", b"report", HOSTILE),
    (b"plots", b"figures", b"--results", HOSTILE),
    (b"plots", b"report", b"--pages", HOSTILE),
    (b"plots", b"compare", FIXTURE, FIXTURE, b"--out", sys.executable.encode() + b"/" + HOSTILE),
    (b"plots", b"figures", b"--results", LONG[:200]),
    (b"plots", b"compare", HOSTILE, LONG),
    (b"plots", b"compare", b".", b".", b"--fail-on-regression", HOSTILE),
    (b"plots", b"shards", HOSTILE),
    (b"plots", b"reproduce", b"--preset", HOSTILE),
    (b"plots", b"expected", HOSTILE),
    (b"plots", HOSTILE),
    (b"plots", b"report", b"--" + HOSTILE),
    (b"processes", b"peers", HOSTILE),
    (b"processes", b"peers", b"--checkout", HOSTILE),
    (b"processes", b"peers", b"--only", LONG),
    (b"processes", b"end-to-end", HOSTILE),
)


@pytest.mark.parametrize("command", PACKAGES, ids=range(len(PACKAGES)))
def test_the_package_says_one_line(
    command: tuple[bytes, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCKSTEP_BINARY", binary())
    package, *words = (os.fsdecode(word) for word in command)
    code = {"plots": plots.cli.main, "processes": processes.cli.main}[package](words)
    line = capsys.readouterr().err
    assert code == 2 and line.startswith("lockstep: "), line[-2000:]
    assert line.count("\n") == 1 and line[:-1].isprintable() and len(line) < 5000, line[:300]


def test_a_process_says_one_line(tmp_path: Path) -> None:
    """In bytes, whatever the terminal's encoding is."""
    for encoding in ("ascii", "utf-8"):
        done = subprocess.run(
            [sys.executable.encode(), b"-m", b"processes", b"peers", HOSTILE + "é漢".encode()],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT), "LOCKSTEP_BINARY": binary(), "PYTHONIOENCODING": encoding},
            capture_output=True,
            check=False,
        )
        line = done.stderr.decode(encoding)
        assert done.returncode == 2 and line.count("\n") == 1 and line[:-1].isprintable(), line[-2000:]


def test_the_package_shortens_as_the_program_does() -> None:
    assert message("a\nb\udcff \udc80") == "a\\nb\\xff \\x80"
    assert message("x" * 300 + " " + "y" * 301) == "x" * 300 + " " + "y" * 200 + "..." + "y" * 100
    assert len(message(" " * 10**6)) == 4003
