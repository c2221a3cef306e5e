"""A round with a fixed seed finds nothing, and the judge finds programs that are planted because they are bad.

LOCKSTEP_HOSTILE_CALLS is the number of calls. With LOCKSTEP_HOSTILE_SECONDS, the round goes on for this time instead.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile import place
from tests.hostile.calls import Call, Maker
from tests.hostile.help_texts import Command, parse
from tests.hostile.inputs import DAMAGES, NO_FILES, Stock
from tests.hostile.judge import CRASHES, LIBRARIES, Finding, judge
from tests.hostile.place import Place
from tests.hostile.round import Wish, run, shape
from tests.hostile.server import Request, perform
from tests.hostile.values import is_refused

TREE = Path(__file__).resolve().parents[2]
ROWS = {"context": {}, "benchmarks": [], "cases": [{"name": "a"}, {"name": "b"}]}
#: What a planted program does, and the finding that it must give.
PLANTED = {
    "echo 'lockstep: a mistake (why) do this' >&2; exit 2": None,
    "echo fine": None,
    "kill -SEGV $$": "signal",
    "kill -ABRT $$": "signal",
    "sleep 60": "hang",
    "trap '' TERM; while :; do :; done": "hang",
    "exit 1": "exit code",
    "exit 77": "exit code",
    "printf 'Traceback (most recent call last):\\n' >&2; exit 2": "wording",
    "echo 'lockstep: a mistake (basic_string::at) do this' >&2; exit 2": "wording",
    "echo \"terminate called after throwing an instance of 'std::bad_alloc'\" >&2; exit 2": "wording",
    "echo 'lockstep: [json.exception.type_error.302] x (y) z' >&2; exit 2": "wording",
    "exit 2": "form",
    "echo 'a mistake' >&2; exit 2": "form",
    "printf 'lockstep: a\\nlockstep: b\\n' >&2; exit 2": "form",
    "printf 'lockstep: a mistake' >&2; exit 2": "form",
    "printf 'lockstep: %09000d\\n' 1 >&2; exit 2": "form",
    "printf 'lockstep: a \\033[2J (b) c\\n' >&2; exit 2": "control",
    "printf 'a \\033[2J\\n'": "control",
    "printf 'a \\377\\n'": "control",
    'echo \'{"cases": [{"name": "a"}]}\' >all.json': "lost rows",
    "echo '{\"cases\": [' >all.json": "lost rows",
    "rm all.json": "lost rows",
    "echo '{\"cases\": [' >new.json; echo 'lockstep: a (b) c' >&2; exit 2": "half a file",
    "printf 'a,b\\n1,' >table.csv": "half a file",
    "echo '<svg>' >picture.svg": "half a file",
    "touch all.json.part-1": "left behind",
    "touch .all.json.lock": "left behind",
    "exec python3 -c 'x = b\"a\" * 400000000'": "memory",
}


def planted(
    folder: Path,
    script: str,
    wrong: tuple[str, ...] = (),
    may_last: bool = False,
    may_grow: bool = False,
    words: tuple[bytes, ...] = (),
) -> list[Finding]:
    """What the judge finds when this script is the program, called with these words."""
    call = Call(0, Command("program", "merge"), folder / "call" / "a" / "work")
    call.work.mkdir(parents=True)
    (call.work / "all.json").write_text(json.dumps(ROWS), encoding="utf-8")
    call.rows = {call.work / "all.json": {"a", "b"}}
    call.made = set(call.work.rglob("*"))
    call.wrong, call.spoiled, call.may_grow, call.words = list(wrong), ["value"], may_grow, list(words)
    line = ["/bin/bash", "-c", script]
    request = Request(line, "", str(call.work), {"PATH": os.environ["PATH"]}, seconds=0.5, stops=may_last)
    if "python3" in script:
        request.seconds, request.memory = 60, 200 << 20
    return judge(call, perform(request))


@pytest.mark.parametrize("script", PLANTED)
def test_the_judge_finds_a_planted_program(tmp_path: Path, script: str) -> None:
    kind = PLANTED[script]
    found = planted(tmp_path, script)
    assert [finding.kind for finding in found][:1] == ([kind] if kind else []), found


def test_a_crash_of_an_emulated_program_may_be_named() -> None:
    ours = "the run in order random with seed 0 failed (signal 11 (Segmentation fault))"
    assert LIBRARIES.search(ours) and not LIBRARIES.search(CRASHES.sub("", ours))
    assert LIBRARIES.search(CRASHES.sub("", f"{ours}: std::bad_alloc"))


def test_the_judge_finds_success_with_a_wrong_call(tmp_path: Path) -> None:
    assert [finding.kind for finding in planted(tmp_path, "echo fine", ("nan is no number",))] == ["accepted"]


def test_a_call_that_stops_when_asked_is_fine(tmp_path: Path) -> None:
    assert planted(tmp_path / "stops", "sleep 60", may_last=True) == []


def test_a_call_without_a_limit_of_memory_may_grow(tmp_path: Path) -> None:
    grows = next(script for script, kind in PLANTED.items() if kind == "memory")
    assert planted(tmp_path / "grows", grows, may_grow=True) == []


@pytest.mark.parametrize("words", [(b"--png=/dev/fd/1",), (b"--png", b"/dev/stdout")])
def test_a_call_may_send_a_picture_to_its_output(tmp_path: Path, words: tuple[bytes, ...]) -> None:
    assert planted(tmp_path / "asked", "printf 'a \\033[2J\\n'", words=words) == []
    for number, other in enumerate(((b"--png=a.png",), (b"--csv=/dev/stdout",))):
        found = planted(tmp_path / str(number), "printf 'a \\033[2J\\n'", words=other)
        assert [finding.kind for finding in found] == ["control"]


@pytest.mark.parametrize("megabytes, said", [(80, "cannot start"), (1, "")])
def test_a_program_that_cannot_be_loaded_is_not_started(tmp_path: Path, megabytes: int, said: str) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"#!/bin/sh\nexit 0\n" + bytes(megabytes << 20))
    program.chmod(0o755)
    request = Request([str(program)], "", str(tmp_path), {"PATH": os.environ["PATH"]}, limits={"v": 64 << 20})
    answer = perform(request)
    assert answer.errors.startswith(f"lockstep: {said}") if said else answer.code == 0, answer


def test_a_call_is_the_same_in_every_round(tmp_path: Path) -> None:
    merge = parse("program", "merge", "Options:\n  --into TEXT REQUIRED        The results file\n")
    weave = parse("program", "weave", "Options:\n  -o,--output TEXT            Write the woven file here\n")
    maker = Maker(7, {"merge": merge, "weave": weave}, Stock(TREE, "this-device"))
    for number in range(60):
        one = maker.make(number, tmp_path / f"{number}a" / "work")
        other = maker.make(number, tmp_path / f"{number}b" / "work")
        assert (one.words, one.limits, one.wrong) == (other.words, other.limits, other.wrong)
        assert contents(one.work) == contents(other.work)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.stat().st_size < 1 << 24 and os.access(path, os.R_OK)
    }


def test_help_gives_options_with_their_kinds() -> None:
    text = """Usage: lockstep x [OPTIONS] file

Positionals:
  file TEXT REQUIRED          A file

Options:
  -h,--help                   Print this help message and exit
  --cars TEXT                 cars (axis; default 4096)
  --mode TEXT                 how
                              (axis; default live; one of faithful, live)
  -o,--output TEXT            Write it to this file
  --network TEXT Excludes: --streets
                              a file of streets
  --max-input UINT:SIZE [b, kb(=1024b), ...]
                              Read input files up to this many bytes
  --width UINT=15             Sites
  --clone DIR                 a clone of the suite
  --json                      Print JSON
  --both Excludes: --json     Both
"""
    command = parse("program", "x", text)
    assert [(option.name, option.kind, option.takes_value) for option in command.options] == [
        ("--cars", "axis", True),
        ("--mode", "text", True),
        ("--output", "output", True),
        ("--network", "input", True),
        ("--width", "integer", True),
        ("--clone", "input", True),
        ("--json", "text", False),
        ("--both", "text", False),
        ("--max-input", "size", True),
    ]
    assert [argument.name for argument in command.arguments] == ["file"]
    assert command.options[1].allowed == ("faithful", "live")
    clone = command.option("--clone")
    assert clone is not None and clone.allowed == ()
    assert is_refused(command.options[0], b"nan") and is_refused(command.options[4], b"-1")
    assert not is_refused(command.options[0], b"7") and not is_refused(command.options[2], b"nan")


def test_damages_change_files_and_no_files_are_none(tmp_path: Path) -> None:
    chance, stock = random.Random(5), Stock(TREE, "this-device")
    for kind in (
        "system",
        "portable",
        "natural",
        "terms",
        "source",
        "network",
        "puzzles",
        "design",
        "lines",
        "results",
        "old",
        "sweeps",
        "expected",
    ):
        valid = stock.valid(kind, chance)
        for damage in DAMAGES:
            assert any(damage(valid, kind, chance)[0] != valid for _ in range(20)), (kind, damage)
    for make in NO_FILES:
        make(tmp_path / make.__name__)
    assert not (tmp_path / "missing").exists() and not os.path.isfile(tmp_path / "fifo")


def test_findings_of_one_class_have_one_shape() -> None:
    assert shape("lost 3 of 12 in '/tmp/a b'") == shape("lost 4 of 5 in '/tmp/c'")


@pytest.fixture(scope="module")
def where() -> Iterator[Place]:
    if "LOCKSTEP_BINARY" not in os.environ:
        pytest.skip("LOCKSTEP_BINARY names no program")
    # Another pytest may close its folders to the user who runs the calls.
    folder = Path(tempfile.mkdtemp(prefix="lockstep-hostile-"))
    try:
        yield place.prepare(folder, Path(os.environ["LOCKSTEP_BINARY"]).resolve())
    finally:
        place.remove(folder)


def test_a_round_finds_nothing(where: Place) -> None:
    seconds = float(os.environ.get("LOCKSTEP_HOSTILE_SECONDS", "0"))
    calls = int(os.environ.get("LOCKSTEP_HOSTILE_CALLS", "10000000" if seconds else "300"))
    said: list[str] = []
    # ctest runs other tests at the same time.
    jobs = max(1, (os.cpu_count() or 1) // 2)
    record = run(Wish(33, calls=calls, seconds=seconds, jobs=jobs), where, said.append)
    print(record.summary())
    assert not record.classes, "\n".join([record.summary(), *said])
    listed = [path.read_text(encoding="utf-8").splitlines() for path in TREE.rglob("commands.txt")]
    assert set(record.commands) == {line.split()[0] for lines in listed for line in lines if not line.startswith("#")}
    assert len(record.calls) > 10 and record.codes[0] > 0 and record.codes[2] > 0 and record.refused_as_planted > 0
