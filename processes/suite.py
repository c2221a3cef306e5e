"""`lockstep suite`: programs of a public suite of CUDA programs, unmodified, in the emulator (`lockstep emulate`).

A fixture names the suite's repository and commit, the programs that a seeded draw took from a population of its folders
(population.py), and what is expected of each: that it builds, runs and reports the result that it verifies itself, or the
reason for which it is excluded. Nothing of the suite is in this repository: --checkout names a clone at that commit.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from plots.atomic import write_text
from plots.catalog import ROOT
from plots.errors import UserError
from plots.load import read_json
from processes import device_counters
from processes.population import POPULATIONS

#: The end of the program's folder name, which the names of the fixture omit.
SUFFIX = "-cuda"


#: What a program can do, besides what README.md lists: fail in another way, or run for too long.
KINDS = ("verified", "ends", "finds", "excluded", "failed", "timeout")

#: What `emulate` prints of a run that ended but has findings.
FINDINGS = re.compile(r"failed \(\d+ findings?\)")

#: What a fixture can name: folders below the checkout, a program's folder, and texts that a call can have.
FOLDERS = re.compile(r"(?=.{1,200}$)(?!.*\.\.)[\w.*?-]+(/[\w.*?-]+){0,7}")
NAME = re.compile(r"(?!\.)[\w.+-]{1,100}")
TEXT = re.compile(r"[^\0]{0,4096}")
DAY = 86_400

#: The first of the two draws that this repository has.
FIXTURE = ROOT / "tests" / "emulate" / "hecbench.json"


@dataclass(frozen=True)
class Program:
    """A program of the suite, how it is built and called, and what is expected."""

    name: str
    arguments: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # empty: all .cu files of the folder
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    checks: bool = True
    seconds: int = 0  # its own timeout, if that is longer than --timeout
    # What is expected: one of these regular expressions finds its part of what the program and the emulator print, or
    # both of `verified` and `finds` do.
    verified: str = ""  # the program's own verdict
    ends: str = ""  # the last of what a program without a verdict prints
    finds: str = ""  # the message of a check: the program has an error
    excluded: str = ""  # what is missing, in the message of `emulate` or of the program
    why: str = ""  # for people, where the expression does not say it


@dataclass(frozen=True)
class Fixture:
    repository: str
    commit: str
    folders: str
    seed: int
    count: int
    programs: tuple[Program, ...]
    population: str = "all"  # one of POPULATIONS


@dataclass(frozen=True)
class Outcome:
    """What a program did here. `kind` is one of KINDS."""

    name: str
    kind: str
    reason: str
    seconds: float
    expected: bool


def read_fixture(path: Path) -> Fixture:
    """Raises UserError for anything that is not a fixture."""
    data = read_json(path)
    try:
        programs = tuple(_program(name, given) for name, given in data.pop("programs").items())
        fixture = Fixture(programs=programs, **data)
        texts = (fixture.repository, fixture.commit, fixture.folders)
        if not all(isinstance(text, str) for text in texts) or type(fixture.seed) is not int:
            raise TypeError
        if type(fixture.count) is not int or fixture.count < 0 or not all(map(_is_whole, programs)):
            raise TypeError
        if fixture.population not in POPULATIONS or not FOLDERS.fullmatch(fixture.folders):
            raise LookupError
        for program in programs:
            re.compile(expected_of(program)[1])
            re.compile(program.finds)
        return fixture
    except (AttributeError, LookupError, TypeError, OverflowError, RecursionError, re.error):
        raise UserError(f"{path} is not a fixture", "see processes/README.md for its keys", "correct it") from None


def _program(name: str, given: Mapping[str, Any]) -> Program:
    return Program(name, **{key: tuple(value) if isinstance(value, list) else value for key, value in given.items()})


def _is_whole(program: Program) -> bool:
    """Whether each value has the type of its default, and can be a word of a call."""
    plain = Program("")
    for item in fields(Program):
        value, default = getattr(program, item.name), getattr(plain, item.name)
        texts = value if isinstance(value, tuple) else [value] if isinstance(value, str) else []
        if type(value) is not type(default) or not all(
            isinstance(text, str) and TEXT.fullmatch(text) for text in texts
        ):
            return False
    return NAME.fullmatch(program.name) is not None and 0 <= program.seconds <= DAY


def draw(names: Sequence[str], seed: int, count: int) -> list[str]:
    """The names of a seeded draw without replacement, sorted."""
    return sorted(random.Random(seed).sample(sorted(names), count))


def names_in(checkout: Path, folders: str, population: str = "all") -> list[str]:
    """The programs that a draw takes from."""
    belongs = POPULATIONS[population]
    return sorted(path.name.removesuffix(SUFFIX) for path in checkout.glob(folders) if path.is_dir() and belongs(path))


def command_of(program: Program, folder: Path, binary: Path, timeout: int, options: Sequence[str] = ()) -> list[str]:
    """The call of `lockstep emulate`, in the folder of the program."""
    sources = program.sources or tuple(sorted(str(path.relative_to(folder)) for path in folder.rglob("*.cu")))
    words = [str(binary), "emulate", *sources, "--timeout", str(max(timeout, program.seconds))]
    words += [word for path in program.include for word in ("-I", path)]
    words += [word for name in program.define for word in ("-D", name)]
    words += [*([] if program.checks else ["--no-checks"]), *options]
    return [*words, "--", *program.arguments]


def count(fixture: Fixture, checkout: Path, binary: Path, counters: Path) -> int:
    """Computes the emulated columns of `counters` again, for those of its programs that are in the fixture's draw.

    `counters` is device_counters.csv or later_counters.csv.
    """
    commands = {}
    for program in fixture.programs:
        folder = folder_of(program, fixture, checkout)
        commands[program.name] = (folder, command_of(program, folder, binary, 600, ("--counters",)))
    device_counters.emulate_again(counters, commands)
    return 0


def folder_of(program: Program, fixture: Fixture, checkout: Path) -> Path:
    return checkout / Path(fixture.folders).parent / (program.name + SUFFIX)


def run_program(program: Program, folder: Path, binary: Path, timeout: int) -> Outcome:
    start = time.monotonic()
    done = subprocess.run(
        command_of(program, folder, binary, timeout),
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
    )
    kind, reason = judge(program, done.returncode, done.stdout, done.stderr)
    return Outcome(program.name, kind, reason, time.monotonic() - start, kind == expected_of(program)[0])


def expected_of(program: Program) -> tuple[str, str]:
    """The kind that the fixture expects, and its expression."""
    given = [
        (kind, getattr(program, kind)) for kind in ("verified", "ends", "finds", "excluded") if getattr(program, kind)
    ]
    if [kind for kind, _ in given] == ["verified", "finds"]:
        return given[0]
    if len(given) != 1:
        raise UserError(f"{program.name} has no single expectation", "see processes/README.md", "correct the fixture")
    return given[0]


def judge(program: Program, code: int, output: str, errors: str) -> tuple[str, str]:
    """The kind of outcome, and why."""
    kind, pattern = expected_of(program)
    ours = [line.removeprefix("lockstep: ") for line in errors.splitlines() if line.startswith("lockstep: ")]
    found = re.search(pattern, output + errors) is not None
    if kind == "verified" and program.finds:
        # It ran to its end and verified its result, and its kernels have a mistake that the result does not show.
        if code == 1 and found and FINDINGS.search(errors) and re.search(program.finds, errors):
            return kind, ours[0]
        if code == 0:
            return "failed", "no check finds a mistake"
    if kind == "finds" and code == 1 and found:
        return kind, ours[0]
    if kind == "excluded" and code != 0 and found:
        return kind, program.why or ours[0]
    if any("not done in" in line for line in ours):
        return "timeout", ours[-1]
    if code != 0:
        return "failed", ours[0] if ours else f"exit code {code}: {_last(output + errors)}"
    if not found:
        return "failed", f"other output: {_last(output)}"
    return (kind, "") if kind in ("verified", "ends") else ("failed", "it runs")


def _last(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:100] if lines else ""


def table_of(fixture: Fixture, outcomes: Sequence[Outcome]) -> str:
    """A Markdown table of all outcomes, and their sums."""
    verified = {outcome.name for outcome in outcomes if outcome.kind == "verified"}
    kinds = {kind: sum(outcome.kind == kind for outcome in outcomes) for kind in KINDS}
    unchecked = sum(not program.checks and program.name in verified for program in fixture.programs)
    mistakes = sum(outcome.kind == "verified" and outcome.reason != "" for outcome in outcomes)
    lines = [
        f"{len(outcomes)} programs of {fixture.repository} at {fixture.commit[:12]}, population {fixture.population}, "
        f"drawn with seed {fixture.seed}: "
        + ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        + f". Of those that verify themselves, {unchecked} run without checks, and in {mistakes} a check finds a mistake.",
        "",
        "| program | outcome | reason |",
        "| --- | --- | --- |",
    ]
    for outcome in outcomes:
        reason = outcome.reason.replace("|", "\\|")
        lines.append(f"| {outcome.name} | {outcome.kind} | {reason} |")
    return "\n".join(lines) + "\n"


def run(
    fixture: Fixture,
    checkout: Path,
    binary: Path,
    only: Sequence[str] = (),
    timeout: int = 60,
    out: Path | None = None,
    say: Callable[[str], None] = lambda text: print(text, file=sys.stderr, flush=True),
) -> int:
    """Runs the programs one after the other. 1 if one of them does not do what the fixture expects."""
    names = [program.name for program in fixture.programs]
    for name in only:
        if name not in names:
            raise UserError(f"unknown program {name}", "it is not in the fixture's draw", "correct --only")
    if not checkout.is_dir():
        raise UserError(f"no clone in {checkout}", "it is not a folder", "correct --checkout")
    there = names_in(checkout, fixture.folders, fixture.population)
    if len(there) < fixture.count or (not only and draw(there, fixture.seed, fixture.count) != names):
        raise UserError(
            f"{checkout} draws other programs", "it is not the fixture's commit", f"check out {fixture.commit}"
        )
    outcomes = []
    for program in fixture.programs:
        if not only or program.name in only:
            outcome = run_program(program, folder_of(program, fixture, checkout), binary, timeout)
            mark = "" if outcome.expected else " (not as expected)"
            say(f"{outcome.name}: {outcome.kind} in {outcome.seconds:.1f} s{mark} {outcome.reason}")
            outcomes.append(outcome)
    table = table_of(fixture, outcomes)
    if out:
        write_text(out, table)
    else:
        print(table, end="")
    return 0 if all(outcome.expected for outcome in outcomes) else 1
