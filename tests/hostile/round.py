"""A round: makes calls, runs them, judges them, and says what was found."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence

from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from tests.hostile import help_texts, place
from tests.hostile.calls import Call, Maker
from tests.hostile.inputs import Stock
from tests.hostile.judge import Finding, judge
from tests.hostile.place import Place
from tests.hostile.server import Answer, Request

#: Seconds of a call. One that may last is asked to stop after the shorter time.
SECONDS, SHORT = 10.0, 1.5
#: A call that took too long has this many times as long when it runs again alone, before it counts as a hang.
AGAIN = 4
#: `emulate` waits for a compiler, which needs 15 s for a thousand launches.
COMPILING = 4


class Server:
    """A process that runs calls (server.py)."""

    def __init__(self, where: Place, *words: str) -> None:
        line = [sys.executable, "-m", "tests.hostile.server", *words]
        pipe = subprocess.PIPE
        # What this process caches is not the calls', which may run as another user.
        own = {**where.environment, "HOME": str(where.scratch / "server"), "PYTHONHASHSEED": "0"}
        self.process = subprocess.Popen(line, stdin=pipe, stdout=pipe, cwd=where.tree, env=own, text=True)

    def perform(self, request: Request) -> Answer:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(asdict(request)) + "\n")
        self.process.stdin.flush()
        return Answer(**json.loads(self.process.stdout.readline()))

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def request_of(call: Call, where: Place) -> Request:
    environment: dict[str, str] = dict(where.environment)
    for name, value in call.environment.items():
        if value is None:
            environment.pop(name, None)
        else:
            environment[name] = value.replace("{work}", str(call.work))
    words = [os.fsdecode(word) for word in call.words]
    front = call.command.front
    in_fork = front != "program" and not call.own_process
    line = words if in_fork else [*where.front(front), *words]
    return Request(
        line=line,
        front=front if in_fork else "",
        folder=str(call.work),
        environment=environment,
        limits=call.limits,
        stdin=call.stdin,
        stdout=call.stdout,
        seconds=SHORT if call.may_last else SECONDS * (COMPILING if call.name == "emulate" else 1),
        stops=call.may_last,
        user=where.user,
    )


class Worker:
    """Makes, runs and judges one call after the other."""

    def __init__(self, where: Place) -> None:
        self.where = where
        self.bare = Server(where)
        self.imported = Server(where, "imported")
        self.maker: Maker

    def ask(self, front: str, words: Sequence[str]) -> str:
        """What a valid call prints."""
        package = "" if front == "program" else front
        line = list(words) if package else [*self.where.front(front), *words]
        request = Request(
            line, package, str(self.where.tree), dict(self.where.environment), seconds=60, user=self.where.user
        )
        answer = (self.imported if package else self.bare).perform(request)
        if answer.code != 0:
            raise RuntimeError(f"{front} {' '.join(words)} ended with {answer.code}: {answer.errors}")
        return answer.out.encode("latin-1").decode("utf-8")

    def one(self, number: int) -> tuple[Call, Answer, list[Finding]]:
        call, answer = self.perform(number)
        findings = judge(call, answer)
        if answer.hung:
            call, answer = self.perform(number, AGAIN)
            findings = judge(call, answer)
        place.remove(call.work.parents[1])
        return call, answer, findings

    def perform(self, number: int, patience: int = 1) -> tuple[Call, Answer]:
        folder = self.where.folder(str(number))
        call = self.maker.make(number, folder / "a" / "work")
        self.where.hand_over(folder)
        request = request_of(call, self.where)
        request.seconds *= patience
        return call, (self.imported if request.front else self.bare).perform(request)

    def end(self) -> None:
        self.bare.end()
        self.imported.end()


@dataclass
class Record:
    """What a round found."""

    commands: Sequence[str] = ()  # that --help lists
    calls: Counter[str] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    refused_as_planted: int = 0
    classes: dict[tuple[str, str, str], list[int]] = field(default_factory=dict)
    examples: dict[tuple[str, str, str], str] = field(default_factory=dict)
    bytes: int = 0
    seconds: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, call: Call, answer: Answer, findings: Sequence[Finding], example: Callable[[], str]) -> list[str]:
        """Returns the lines to print: one per class that is new."""
        lines = []
        with self.lock:
            self.calls[call.name] += 1
            self.codes[answer.code] += 1
            self.seconds[call.name] += round(answer.seconds * 1000)
            self.bytes = max(self.bytes, answer.bytes)
            self.refused_as_planted += bool(call.wrong) and answer.code == 2
            for finding in findings:
                key = (call.name, finding.kind, shape(finding.says))
                if key not in self.classes:
                    self.examples[key] = example()
                    lines.append(
                        f"[{call.number}] {call.name}: {finding.kind}: {finding.says}\n    {self.examples[key]}"
                    )
                self.classes.setdefault(key, []).append(call.number)
        return lines

    def summary(self) -> str:
        total = sum(self.calls.values())
        lines = [f"{total} calls, {sum(map(len, self.classes.values()))} findings in {len(self.classes)} classes"]
        lines.append("calls: " + ", ".join(f"{name} {count}" for name, count in sorted(self.calls.items())))
        lines.append(
            "seconds: " + ", ".join(f"{name} {count / 1000:.1f}" for name, count in self.seconds.most_common())
        )
        lines.append("exit codes: " + ", ".join(f"{code}: {count}" for code, count in sorted(self.codes.items())))
        lines.append(
            f"planted mistakes that were refused: {self.refused_as_planted}; most memory {self.bytes >> 20} MiB"
        )
        for (name, kind, says), numbers in sorted(self.classes.items(), key=lambda one: -len(one[1])):
            lines.append(
                f"  {len(numbers):5}  {name}: {kind}: {says[:150]}  (calls {', '.join(map(str, numbers[:4]))})"
            )
        return "\n".join(lines)


def shape(says: str) -> str:
    """A finding without what differs between two of one class."""
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'|/\S+|[\x00-\x1f]", "_", says))[:60]


def script(call: Call, where: Place) -> str:
    """A shell script that repeats the call in the folder of its files."""
    request = request_of(call, where)
    lines = [
        "#!/bin/bash",
        f"# Call {call.number}, spoiled by: {', '.join(call.spoiled) or 'nothing'}",
        'cd -- "$(dirname -- "$0")/a/work"',
    ]
    units = {"v": 1024, "s": 1024, "f": 1024}
    lines += [
        f"ulimit -{letter} {value // units.get(letter, 1)}"
        for letter, value in call.limits.items()
        if value or letter != "v"
    ]
    lines += [f"unset {name}" for name, value in call.environment.items() if value is None]
    lines += [f"export {name}={quoted(value)}" for name, value in request.environment.items()]
    words = [*where.front(call.command.front), *(os.fsdecode(word) for word in call.words)]
    redirected = {"closed": "<&-"}.get(call.stdin, f"<{quoted(call.stdin)}")
    out = {"closed": " >&-", "kept": ""}.get(call.stdout, f" >{quoted(call.stdout)}")
    return "\n".join([*lines, f"exec {' '.join(map(quoted, words))} {redirected}{out}"]) + "\n"


def quoted(word: str) -> str:
    data = os.fsencode(word)
    if word.isascii() and word.isprintable():
        return shlex.quote(word)
    return (
        "$'"
        + "".join(chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\x{byte:02x}" for byte in data)
        + "'"
    )


@dataclass(frozen=True)
class Wish:
    seed: int
    first: int = 0
    calls: int = 1000
    seconds: float = 0
    only: Sequence[str] = ()
    jobs: int = 2
    findings: Path | None = None  # a folder for the files of each new class


def run(wish: Wish, where: Place, say: Callable[[str], None]) -> Record:
    workers = [Worker(where) for _ in range(wish.jobs)]
    commands = help_texts.read(workers[0].ask)
    slug = json.loads(workers[0].ask("program", ["devices", "--json"]))["device"]["slug"]
    maker = Maker(wish.seed, commands, Stock(where.tree, slug), wish.only, where.user != 0 or os.geteuid() != 0)
    record = Record(list(commands))
    numbers = iter(range(wish.first, wish.first + wish.calls))
    deadline = time.monotonic() + wish.seconds if wish.seconds else float("inf")
    taking = threading.Lock()
    failures: list[BaseException] = []

    def work(worker: Worker) -> None:
        worker.maker = maker
        try:
            while time.monotonic() < deadline and not failures:
                with taking:
                    number = next(numbers, None)
                if number is None:
                    return
                call, answer, findings = worker.one(number)
                for line in record.add(call, answer, findings, partial(example, number)):
                    say(line)
        except BaseException as error:
            failures.append(error)
            raise
        finally:
            worker.end()

    def example(number: int) -> str:
        """Keeps the files of a call, and returns the command that repeats it."""
        if wish.findings is None:
            return f"python3 -m tests.hostile --seed {wish.seed} --first {number} --calls 1"
        folder = wish.findings / str(number)
        place.remove(folder)
        (folder / "a").mkdir(parents=True)
        kept = maker.make(number, folder / "a" / "work")
        path = folder / "call.sh"
        path.write_text(script(kept, where), encoding="utf-8", errors="surrogateescape")
        path.chmod(0o755)
        return f"bash {path}"

    threads = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return record
