"""The workloads that peers of term_rewriting run, and what Lockstep knows of each: rewrites and the digest of its normal form.

`prepare` asks the program when a peer is built, so that a run needs the peer alone.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from baselines.peers.programs import WrongResult
from processes.driver import Place, Skipped

Item = TypeVar("Item")

#: Recursive programs need a stack as deep as their terms.
DEEP = ("bash", "-c", 'ulimit -s unlimited 2>/dev/null; exec "$@"', "_")


@dataclass(frozen=True)
class Workload:
    """A system at the size of one of our rows. `axes` has the axes that differ from their defaults."""

    axes: Mapping[str, str]

    @property
    def name(self) -> str:
        """'tree_merge_sort-18-5', also the stem of its files."""
        return "-".join(self.axes.values())

    @property
    def argument(self) -> str:
        """As `lockstep rewrite` reads it."""
        sizes = [f",{axis}={value}" for axis, value in self.axes.items() if axis != "system"]
        return f"@{self.axes['system']}{''.join(sizes)}"

    def of_size(self, **axes: str) -> Workload:
        return Workload({**self.axes, **axes})


def by_depth(system: str, depth: int) -> Workload:
    return Workload({"system": system, "depth": str(depth)})


def by_elements(system: str, elements: int) -> Workload:
    return Workload({"system": system, "elements": str(elements)})


@dataclass(frozen=True)
class Expected:
    """What one_core finds: the number of rewrites, and the SHA-256 of the text of the normal form."""

    rewrites: int
    digest: str

    @property
    def check(self) -> str:
        return "own check: the text of the normal form has the digest of one_core's"


def called(*command: str | Path, limit: float | None = None) -> str:
    """Runs a tool and returns what it prints. Raises Skipped if it fails."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=limit
        )
    except FileNotFoundError as missing:
        raise Skipped(f"{words[0]} is not installed") from missing
    except subprocess.TimeoutExpired as slow:
        raise Skipped(f"{words[0]} runs for more than {limit:g} s") from slow
    if done.returncode != 0:
        raise Skipped(
            f"{' '.join(words)[:80]} ends with {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}"
        )
    return done.stdout + done.stderr


def emitted(place: Place, workload: Workload, language: str) -> str:
    """The system and its input in another tool's language."""
    return called(place.lockstep, "rewrite", workload.argument, "--emit", language)


def prepare(place: Place, workload: Workload) -> Path:
    """Writes what Lockstep finds, and returns the file of the normal form, which the caller removes."""
    place.folder.mkdir(parents=True, exist_ok=True)
    normal_form = place.folder / f"{workload.name}.normal_form"
    text = called(
        place.lockstep, "rewrite", workload.argument, "--engine", "one_core", "--stats", "-o", str(normal_form)
    )
    found = re.search(r"^rewrites +(\d+)", text, re.MULTILINE)
    if found is None:
        raise Skipped(f"lockstep rewrite {workload.argument} --stats prints no rewrites")
    with normal_form.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    expected = {"rewrites": int(found.group(1)), "digest": digest}
    (place.folder / f"{workload.name}.json").write_text(json.dumps(expected) + "\n")
    return normal_form


def expected(place: Place, workload: Workload) -> Expected:
    file = place.folder / f"{workload.name}.json"
    if not file.is_file():
        raise Skipped(f"{workload.name} is not built (no {file.name})")
    return Expected(**json.loads(file.read_text()))


class Worker:
    """A compiled peer that keeps its input: `run` makes it rewrite and print seconds, `print` ends it with the normal form."""

    def __init__(self, *command: str | Path) -> None:
        self.process = subprocess.Popen(
            [*DEEP, *(str(word) for word in command)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def seconds(self) -> float:
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(b"run\n")
            self.process.stdin.flush()
            return float(self.process.stdout.readline())
        except (OSError, ValueError) as failure:
            raise Skipped(f"ends with {self.process.wait()} instead of a time") from failure

    def digest(self) -> str:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(b"print\n")
        self.process.stdin.close()
        found = hashlib.sha256()
        while part := self.process.stdout.read(1 << 20):
            found.update(part)
        return found.hexdigest()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()


def verified(worker: Worker, wanted: Expected) -> str:
    if worker.digest() != wanted.digest:
        raise WrongResult("its normal form differs from that of one_core")
    return wanted.check


class Failures:
    """Collects why single workloads are skipped, so that the others still run."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    def each(self, workloads: Iterable[Item]) -> Iterator[Item]:
        yield from workloads
        if self.reasons:
            raise Skipped("; ".join(self.reasons))

    def add(self, workload: Workload, reason: Skipped) -> None:
        self.reasons.append(f"{workload.name}: {reason}")


#: Around the input of the emitted program, and before its own main.
INPUT = re.compile(r"let inputs = \[\n  \"([^\n]*)\";\]\n")
MAIN = "let head text ="
MAIN_ENDS = "let () =\n"


def split(text: str) -> tuple[str, str]:
    """The program without its input and main, and the input."""
    found = INPUT.search(text)
    if found is None:
        raise Skipped("the emitted program does not have one input")
    program = text[: found.start()] + text[found.end() :]
    return program[: program.index(MAIN_ENDS, program.index(MAIN))], found.group(1)
