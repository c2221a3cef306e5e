"""Every command of the READMEs works as written, in its quick form.

A command of the program runs with small sizes, on the CPU or in the emulator. `run` lists its cases (`--dry-run`). A command of
plots runs on the small fixture. A command that needs minutes, several processes or the build itself is checked instead: its
options, presets and folders exist.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from plots.catalog import ROOT, names
from plots.cli import parser
from plots.errors import UserError
from processes.cli import parser as processes_parser
from tests.plots.conftest import FIXTURE

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "*/README.md", "*/*/README.md", "experiments/*/*.md")
#: Commands of ./lockstep that plots/ executes, and how to make them quick. None: only the command line is checked.
PLOTS: dict[str, list[str] | None] = {
    "figures": ["--results", str(FIXTURE), "--out", "out"],
    "report": ["--results", str(FIXTURE), "--out", "out"],
    "compare": ["--out", "out"],
    "shards": [],
    "expected": None,
    "reproduce": None,
}
#: Commands that run whole programs for minutes: only the command line is checked.
PROCESSES = ("peers", "end-to-end", "suite", "emulators", "counters")
#: Commands of the program that take long whatever their options are, or that write next to the sources.
LONG = ("limits", "trace", "merge", "migrate")
#: Sizes of the tools, and the largest value that a test needs.
SMALL = {
    "--replications": 64,
    "--draws": 1000,
    "--clients": 200,
    "--precision": 0.2,
    "--states": 8,
    "--puzzles": 3,
    "--streams": 4,
    "--count": 4,
    "--ticks": 20,
    "--cars": 200,
    "--pedestrians": 400,
}
#: What a reader replaces.
PLACEHOLDERS = {"DEVICE": "nvidia-h200", "DIR_A": str(FIXTURE), "DIR_B": str(FIXTURE)}


def documents() -> list[Path]:
    found = {path for pattern in DOCUMENTS for path in ROOT.glob(pattern)}
    return sorted(path for path in found if path.relative_to(ROOT).parts[0] not in ("build", "report"))


def blocks(text: str) -> Iterator[str]:
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if language in ("", "sh", "bash", "console"):
            yield block.replace("\\\n", " ")


def commands() -> dict[str, str]:
    """Each command, without a prompt and without its explanation, and the first document that has it."""
    found: dict[str, str] = {}
    for path in documents():
        for block in blocks(path.read_text(encoding="utf-8")):
            for line in block.splitlines():
                text = line.removeprefix("$ ").strip()
                if re.match(r"(\./lockstep|cmake|ctest|mpirun|\w+=.*(reframe|sbatch)|harness/nodes/\w+\.sh) ", text):
                    text = re.split(r"\s+# |(?<=[^\s\\])\s{3,}", text)[0]
                    found.setdefault(re.sub(r"\s+", " ", text), str(path.relative_to(ROOT)))
    return found


ALL = commands()


@cache
def binary() -> Path:
    path = Path(os.environ.get("LOCKSTEP_BINARY", ROOT / "build" / "release" / "lockstep"))
    if not path.is_file():
        pytest.skip(f"the program is not built ({path})")
    return path


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working copy of links, with build/ and results/ of its own, and ./lockstep without the build."""
    folder = tmp_path_factory.mktemp("copy")
    for path in ROOT.iterdir():
        if path.name not in ("lockstep", "build", "report", "results", ".git"):
            (folder / path.name).symlink_to(path)
    for directory in ("build", "tmp", "results"):
        (folder / directory).mkdir()
    for path in (ROOT / "results").iterdir():
        (folder / "results" / path.name).symlink_to(path)
    command = folder / "lockstep"
    plots = "|".join(PLOTS)
    command.write_text(
        f'#!/bin/sh\ncase $1 in ({plots}) exec "{sys.executable}" -m plots "$@" ;; esac\nexec "{binary()}" "$@"\n',
        encoding="utf-8",
    )
    command.chmod(0o755)
    return folder


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "LOCKSTEP_SOURCE": str(ROOT),
        "PYTHONPATH": str(ROOT),
        "LOCKSTEP_BINARY": str(binary()),
    }
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@cache
def run_once(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Several commands of the documents have the same quick form."""
    return run(command, folder)


def reduced(words: list[str]) -> list[str]:
    """The arguments with placeholders filled in and sizes reduced."""
    small = [PLACEHOLDERS.get(word, word) for word in words]
    for index, word in enumerate(small[:-1]):
        if word in SMALL:
            value = float(small[index + 1])
            wanted = max(value, SMALL[word]) if word == "--precision" else min(value, SMALL[word])
            if wanted != value:
                small[index + 1] = str(SMALL[word])
    return small


@cache
def help_of(command: str) -> str:
    # The axes of `run` are those of the experiments that it names.
    more = names() if command == "run" else ()
    done = subprocess.run([binary(), command, *more, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_options(command: str, words: list[str]) -> None:
    for word in words:
        if word.startswith("-") and not word.lstrip("-")[:1].isdigit():
            option = word.split("=")[0]
            assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", help_of(command)), f"{command} has no {option}"


def check_presets(words: list[str]) -> None:
    """Configure, build and test presets that a command names exist."""
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    known = {preset["name"] for kind in ("configurePresets", "buildPresets", "testPresets") for preset in presets[kind]}
    for option, value in zip(words, words[1:]):
        if option == "--preset":
            assert value in known
        if option == "-S":
            assert (ROOT / value / "CMakeLists.txt").is_file()


def replaced(words: list[str], options: list[str]) -> list[str]:
    """The words with these options and their values, instead of other values of the same options."""
    kept = list(words)
    for option in options[::2]:
        if option in kept:
            place = kept.index(option)
            del kept[place : place + 2]
    return [*kept, *options]


def quick_form(words: list[str]) -> list[str] | None:
    """The arguments of ./lockstep that a test runs; None for a command that takes long, whose arguments are checked
    here.
    """
    name = words[0]
    if "--help" in words:
        return words
    if name == "test":
        check_presets([word for preset in words[1:] if not preset.startswith("-") for word in ("--preset", preset)])
        return None
    if name in PLOTS:
        options = parser().parse_args(words)
        assert set(getattr(options, "experiments", [])) <= set(names())
        more = PLOTS[name]
        others = set(getattr(options, "experiments", [])) - {"random_grids"}
        checked = others or {"--readme", "--pages", "--coverage"} & set(words)
        return None if more is None or checked else replaced(words, more)
    if name in PROCESSES:
        assert set(getattr(processes_parser().parse_args(words), "experiments", [])) <= set(names())
        return None
    if name in LONG or "cuda" in words:
        check_options(name, words[1:])
        return None
    return [*words, "--dry-run"] if name == "run" else words


@pytest.mark.parametrize("command", [command for command in ALL if command.startswith("./lockstep ")])
def test_a_command_runs_in_its_quick_form(command: str, copy: Path) -> None:
    # What follows a pipe or a redirection stays as it is.
    first, *rest = re.split(r" (?=[|>] ?)", command, maxsplit=1)
    # Files that a document puts into /tmp go into the copy.
    written = [word.replace("/tmp/", "tmp/") for word in shlex.split(first)[1:]]
    words = quick_form(reduced(written))
    if words is None:
        return
    line = " ".join([shlex.join(["./lockstep", *words]), *(part.replace("/tmp/", "tmp/") for part in rest)])
    done = run_once(line, copy)
    allowed = (0, 1) if words[0] == "shards" else (0,)
    assert done.returncode in allowed, f"{ALL[command]}: {line}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


@pytest.mark.parametrize("command", [command for command in ALL if not command.startswith("./lockstep ")])
def test_a_command_that_cannot_run_here_names_what_exists(command: str) -> None:
    words = shlex.split(command)
    if words[0] in ("cmake", "ctest"):
        check_presets(words)
        return
    for word in words:
        if word.startswith("harness/"):
            assert (ROOT / word).is_file(), f"{ALL[command]}: {word}"
    if words[0] == "mpirun":
        place = next(index for index, word in enumerate(words) if word.endswith("/lockstep"))
        check_options(words[place + 1], words[place + 2 :])
    elif words[0].startswith("harness/nodes/"):
        check_options("run", [word for word in words[1:] if word != "--shards"])


@pytest.mark.parametrize(
    "words", (["suite", "--checkout", "a", "--checkout", "a"], ["report", "--out=x", "--out", "x"])
)
def test_an_option_that_counts_once_is_refused_twice(words: list[str]) -> None:
    """The program refuses it, too. The last one would win without a word."""
    parse = (processes_parser if words[0] == "suite" else parser)().parse_args
    parse(words[:-2] if words[0] == "report" else words[:3])
    with pytest.raises(UserError, match="it is given twice"):
        parse(words)


def test_an_option_that_appends_may_be_repeated() -> None:
    assert processes_parser().parse_args(["peers", "--only", "a", "--only", "b"]).only == ["a", "b"]


def test_commands_are_found() -> None:
    """The negative control: the documents have commands, and a wrong one is found."""
    assert "./lockstep reproduce" in ALL and len(ALL) > 30
    with pytest.raises(AssertionError, match="grids has no --occupies"):
        check_options("grids", ["--occupies", "3"])
    with pytest.raises(AssertionError):
        check_presets(["--preset", "relaese"])


def examples() -> Iterator[tuple[str, str, str]]:
    """A document, a command that is alone in its block, and the text of the next block, which is what it prints first."""
    pattern = r"^```(?:sh|bash|console)?\n(\./lockstep [^\n]*)\n```\n\n```(?:text)?\n(.*?)^```"
    for path in documents():
        for command, shown in re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            yield str(path.relative_to(ROOT)), command, shown


@pytest.mark.parametrize(("document", "command", "shown"), list(examples()))
def test_an_example_prints_what_its_document_shows(document: str, command: str, shown: str, copy: Path) -> None:
    done = run(command, copy)
    assert done.returncode == 0, document
    assert (done.stdout + done.stderr).startswith(shown), document


def test_there_are_examples() -> None:
    assert {document for document, _, _ in examples()} >= {
        f"experiments/{name}/README.md" for name in ("random_grids", "term_rewriting")
    }
