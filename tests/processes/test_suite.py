"""Tests of `lockstep suite` with a made-up suite and a made-up program."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from plots.errors import UserError
from processes import suite

SELF_CHECKING = suite.FIXTURE.with_name("hecbench_self_checking.json")

#: Answers `emulate SOURCE... -- WORD...` by its first argument.
EMULATE = """#!{python}
import sys
words = sys.argv[sys.argv.index("--") + 1:]
kind = words[0] if words else ""
if kind == "refused":
    sys.exit(print("lockstep: cannot emulate a.cu:3 (inline PTX) See README", file=sys.stderr) or 2)
if kind == "race":
    sys.exit(print("lockstep: race in shared memory at a.cu:4", file=sys.stderr) or 1)
if kind == "both":
    print("lockstep: use of unset memory at a.cu:4\\nlockstep: the run in order ascending with seed 0 failed (1 finding).", file=sys.stderr)
    sys.exit(print("FAIL" if words[1:] else "PASS") or 1)
if kind == "slow":
    sys.exit(print("lockstep: the run failed (not done in 9 s).", file=sys.stderr) or 1)
print(" ".join(sys.argv[1:sys.argv.index("--")]), "PASS" if kind == "good" else "FAIL")
"""


@pytest.fixture
def binary(tmp_path: Path) -> Path:
    path = tmp_path / "lockstep"
    path.write_text(EMULATE.format(python=sys.executable), encoding="utf-8")
    path.chmod(0o755)
    return path


def made(tmp_path: Path, programs: dict[str, dict[str, object]], seed: int = 1) -> tuple[suite.Fixture, Path]:
    checkout = tmp_path / "checkout"
    for name in programs:
        folder = checkout / "src" / f"{name}-cuda"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a.cu").write_text("int main() {}\n", encoding="utf-8")
    head = {"repository": "https://example.org/suite", "commit": "c0ffee", "folders": "src/*-cuda"}
    data = {**head, "seed": seed, "count": len(programs), "programs": programs}
    path = tmp_path / "fixture.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return suite.read_fixture(path), checkout


def test_each_outcome_is_told_from_the_others(tmp_path: Path, binary: Path) -> None:
    programs: dict[str, dict[str, object]] = {
        "good": {"arguments": ["good"], "verified": "PASS", "checks": False},
        "prints": {"arguments": ["other"], "ends": "FAIL"},
        "races": {"arguments": ["race"], "finds": "race in shared"},
        "refused": {"arguments": ["refused"], "excluded": "inline PTX"},
        "warns": {"arguments": ["both"], "verified": "PASS", "finds": "unset memory"},
    }
    fixture, checkout = made(tmp_path, programs)
    out = tmp_path / "table.md"
    assert suite.run(fixture, checkout, binary, out=out, say=lambda text: None) == 0
    table = out.read_text(encoding="utf-8")
    assert "5 programs" in table and "2 verified, 1 ends, 1 finds, 1 excluded, 0 failed, 0 timeout" in table
    assert "themselves, 1 run without checks, and in 1 a check finds a mistake." in table
    assert "| warns | verified | use of unset memory at a.cu:4 |" in table
    assert "| refused | excluded | cannot emulate a.cu:3 (inline PTX) See README |" in table


def test_only_verified_programs_count_as_run_without_checks(tmp_path: Path, binary: Path) -> None:
    programs: dict[str, dict[str, object]] = {
        name: {"arguments": [name], "verified": "PASS", "checks": False} for name in ("bad", "good")
    }
    fixture, checkout = made(tmp_path, programs)
    out = tmp_path / "table.md"
    assert suite.run(fixture, checkout, binary, out=out, say=lambda text: None) == 1
    assert "themselves, 1 run without checks" in out.read_text(encoding="utf-8")


def test_a_finding_of_a_run_that_did_not_end_is_no_verdict() -> None:
    program = suite.Program("one", verified="PASS", finds="unset memory")
    errors = "lockstep: use of unset memory at a.cu:4\nlockstep: the run failed (not done in 9 s).\n"
    assert suite.judge(program, 1, "PASS\n", errors)[0] == "timeout"
    assert suite.judge(program, 1, "PASS\n", errors.replace("not done in 9 s", "1 findings"))[0] == "verified"


@pytest.mark.parametrize(
    "word, kind", [("bad", "failed"), ("race", "failed"), ("slow", "timeout"), ("refused", "failed")]
)
def test_a_program_that_does_not_verify_itself_fails_the_run(
    word: str, kind: str, tmp_path: Path, binary: Path
) -> None:
    fixture, checkout = made(tmp_path, {"one": {"arguments": [word], "verified": "PASS"}})
    folder = checkout / "src" / "one-cuda"
    outcome = suite.run_program(fixture.programs[0], folder, binary, 9)
    assert (outcome.kind, outcome.expected) == (kind, False)
    assert suite.run(fixture, checkout, binary, out=tmp_path / "t", say=lambda text: None) == 1


@pytest.mark.parametrize("words", [["good"], ["both", "wrong"], ["race"], ["slow"]])
def test_a_verified_program_with_a_mistake_needs_its_verdict_and_the_finding(
    words: list[str], tmp_path: Path, binary: Path
) -> None:
    programs: dict[str, dict[str, object]] = {"one": {"arguments": words, "verified": "PASS", "finds": "unset memory"}}
    fixture, checkout = made(tmp_path, programs)
    assert not suite.run_program(fixture.programs[0], checkout / "src" / "one-cuda", binary, 9).expected


def test_an_excluded_program_that_runs_is_not_expected(tmp_path: Path, binary: Path) -> None:
    fixture, checkout = made(tmp_path, {"one": {"arguments": ["good"], "excluded": "inline PTX"}})
    outcome = suite.run_program(fixture.programs[0], checkout / "src" / "one-cuda", binary, 9)
    assert (outcome.kind, outcome.expected) == ("failed", False)


def test_a_call_names_sources_folders_macros_and_arguments(tmp_path: Path) -> None:
    program = suite.Program("one", ("4",), (), ("../two",), ("N=3",), False, verified="PASS")
    (tmp_path / "sub").mkdir()
    for name in ("b.cu", "a.cu", "sub/c.cu"):
        (tmp_path / name).touch()
    assert suite.command_of(program, tmp_path, Path("/bin/lockstep"), 5) == (
        "/bin/lockstep emulate a.cu b.cu sub/c.cu --timeout 5 -I ../two -D N=3 --no-checks -- 4".split()
    )


@pytest.mark.parametrize("seconds, limit", [(0, "5"), (3, "5"), (90, "90")])
def test_a_slow_program_has_its_own_time(seconds: int, limit: str, tmp_path: Path) -> None:
    program = suite.Program("one", sources=("a.cu",), seconds=seconds, verified="PASS")
    words = suite.command_of(program, tmp_path, Path("lockstep"), 5)
    assert words[words.index("--timeout") + 1] == limit


def test_the_draw_depends_on_seed_and_names_only() -> None:
    names = [f"p{number}" for number in range(100)]
    drawn = suite.draw(names, 32, 10)
    assert drawn == suite.draw(list(reversed(names)), 32, 10) == sorted(set(drawn))
    assert drawn != suite.draw(names, 33, 10)


def test_another_checkout_and_an_unknown_program_are_mistakes(tmp_path: Path, binary: Path) -> None:
    fixture, checkout = made(tmp_path, {"one": {"arguments": ["good"], "verified": "PASS"}})
    with pytest.raises(UserError, match="unknown program two"):
        suite.run(fixture, checkout, binary, only=["two"])
    (checkout / "src" / "one-cuda").rename(checkout / "src" / "two-cuda")
    with pytest.raises(UserError, match="draws other programs"):
        suite.run(fixture, checkout, binary)


@pytest.mark.parametrize("text", ["", "[]", "{}", "nothing", '{"programs": {"one": {"speed": 1}}}'])
def test_a_file_that_is_no_fixture_is_a_mistake(text: str, tmp_path: Path) -> None:
    (tmp_path / "fixture.json").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match="is not|has no"):
        suite.read_fixture(tmp_path / "fixture.json")


@pytest.mark.parametrize("path, population", [(suite.FIXTURE, "all"), (SELF_CHECKING, "self-checking")])
def test_a_fixture_of_this_repository_is_a_whole_draw(path: Path, population: str) -> None:
    fixture = suite.read_fixture(path)
    assert len(fixture.programs) == fixture.count == 60 and fixture.population == population
    assert [program.name for program in fixture.programs] == sorted(program.name for program in fixture.programs)
    for program in fixture.programs:
        suite.expected_of(program)


def test_three_quarters_of_the_self_checking_draw_verify_themselves() -> None:
    kinds = [suite.expected_of(program)[0] for program in suite.read_fixture(SELF_CHECKING).programs]
    assert kinds.count("verified") >= 45


@pytest.mark.parametrize(
    "changed",
    [
        {"folders": "/etc/*"},
        {"folders": "a/" * 100_000 + "*"},
        {"folders": "../*"},
        {"folders": ""},
        {"programs": {"one": {"verified": "PASS", "arguments": [1]}}},
        {"programs": {"one": {"verified": "PASS", "arguments": "a"}}},
        {"programs": {"one": {"verified": "PASS", "arguments": ["a\0"]}}},
        {"programs": {"one": {"verified": "PASS", "seconds": "9"}}},
        {"programs": {"one": {"verified": "PASS", "seconds": 10**9}}},
        {"programs": {"one": {"verified": "PASS", "checks": 1}}},
        {"programs": {"one": {"verified": ["PASS"]}}},
        {"programs": {"one": {"verified": "(" * 3000 + ")" * 3000}}},
        {"programs": {"../one": {"verified": "PASS"}}},
        {"programs": {"": {"verified": "PASS"}}},
    ],
)
def test_values_that_no_fixture_has_are_mistakes(changed: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "fixture.json"
    whole = {"repository": "r", "commit": "c", "folders": "src/*-cuda", "seed": 1, "count": 1}
    whole |= {"programs": {"one": {"verified": "PASS", "arguments": ["1"], "seconds": 9}}}
    path.write_text(json.dumps(whole), encoding="utf-8")
    assert suite.read_fixture(path).programs[0].seconds == 9
    path.write_text(json.dumps(whole | changed), encoding="utf-8")
    with pytest.raises(UserError, match="is not a fixture"):
        suite.read_fixture(path)


def test_an_unknown_population_is_a_mistake(tmp_path: Path) -> None:
    data = json.loads(SELF_CHECKING.read_text(encoding="utf-8")) | {"population": "handpicked"}
    (tmp_path / "fixture.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(UserError, match="is not a fixture"):
        suite.read_fixture(tmp_path / "fixture.json")
