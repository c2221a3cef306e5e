"""Runs calls one after the other: reads a request per line, answers a line. python3 -m tests.hostile.server [imported]

With `imported`, a call of a Python command is a fork of this process, which has imported everything: that takes a hundredth of
the time of a start of Python. Nothing is imported otherwise, so that a fork for the program is short.
"""

from __future__ import annotations

import json
import os
import pwd
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

#: Kept bytes of each output.
KEPT = 1 << 20
#: Memory that a call may use.
MEMORY = 2 << 30
LIMITS = {
    "v": resource.RLIMIT_AS,
    "n": resource.RLIMIT_NOFILE,
    "s": resource.RLIMIT_STACK,
    "f": resource.RLIMIT_FSIZE,
    "u": resource.RLIMIT_NPROC,
}


@dataclass
class Request:
    line: list[str]  # the words, with surrogates for bytes that are no UTF-8
    front: str  # of Python commands in a fork: the package; else empty
    folder: str
    environment: dict[str, str]
    limits: dict[str, int] = field(default_factory=dict)
    stdin: str = "/dev/null"
    stdout: str = "kept"
    seconds: float = 10
    stops: bool = False  # after `seconds`, asks it to stop before it is a hang
    memory: int = MEMORY  # that it may use
    user: int = 0  # other than 0: runs as this user


@dataclass
class Answer:
    code: int = 0  # negative: the signal
    out: str = ""
    errors: str = ""
    printed: int = 0
    seconds: float = 0
    bytes: int = 0
    hung: bool = False
    large: bool = False  # used too much memory
    asked: bool = False  # to stop


def unprivileged() -> int:
    """A user without rights, if this process may become one: then no call can harm this computer."""
    if os.geteuid() != 0:
        return 0
    try:
        return pwd.getpwnam("nobody").pw_uid
    except KeyError:
        return 0


def child(request: Request, out: int, errors: int) -> None:
    os.setsid()
    os.chdir(request.folder)
    os.umask(0o022)
    _descriptors(request, out, errors)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if request.user:
        os.setgroups([])
        os.setgid(request.user)
        os.setuid(request.user)
    for letter, value in request.limits.items():
        if value or letter != "v":
            bound = resource.getrlimit(LIMITS[letter])[1]
            value = min(value, bound) if bound != resource.RLIM_INFINITY else value
            resource.setrlimit(LIMITS[letter], (value, value))
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    if not request.front:
        if (
            0 < request.limits.get("v", 0) < os.stat(request.line[0]).st_size
        ):  # the loader ends: no program of ours runs
            os.write(2, b"lockstep: cannot start (too little memory to load it) raise the limit\n")
            os._exit(2)
        try:
            os.execve(request.line[0], request.line, request.environment)
        except (
            OSError
        ) as refused:  # with a small stack, arguments can be too long for the system: no program of ours runs
            os.write(2, f"lockstep: cannot start ({refused.strerror}) shorten the arguments\n".encode())
            os._exit(2)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # as Python starts
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    os.environ.clear()
    os.environ.update(request.environment)
    time.tzset()
    os._exit(_main(request))


def _descriptors(request: Request, out: int, errors: int) -> None:
    if request.stdin == "closed":
        os.close(0)
    else:
        os.dup2(os.open(request.stdin, os.O_RDONLY | os.O_NONBLOCK), 0)
        os.set_blocking(0, True)
    os.dup2(errors, 2)
    if request.stdout == "kept":
        os.dup2(out, 1)
    elif request.stdout == "closed":
        os.close(1)
    else:
        os.dup2(os.open(request.stdout, os.O_WRONLY), 1)
    os.closerange(3, 64)


def _main(request: Request) -> int:
    """What `python3 -m PACKAGE` does, without the imports."""
    from plots import process

    sys.argv = [f"{request.front}/__main__.py", *request.line]
    # Those of this process know from before whether their files can seek.
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
    try:
        process.prepare()
        if request.front == "plots":
            from plots.cli import main
        else:
            from processes.cli import main
        code = process.run(main)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:  # the interpreter would print it, too
        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = 120
    return code


def perform(request: Request) -> Answer:
    out, errors = os.pipe(), os.pipe()
    start = time.monotonic()
    pid = os.fork()
    if pid == 0:
        try:
            child(request, out[1], errors[1])
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(99)
    os.close(out[1])
    os.close(errors[1])
    answer = Watch(request, pid, {out[0]: bytearray(), errors[0]: bytearray()}, start).until_the_end()
    answer.seconds = time.monotonic() - start
    return answer


class Watch:
    """Reads what a call prints, and ends it if it takes too long or too much."""

    def __init__(self, request: Request, pid: int, outputs: dict[int, bytearray], start: float) -> None:
        self.request = request
        self.pid = pid
        self.outputs = outputs
        self.open = list(outputs)
        self.start = start
        self.answer = Answer()

    def until_the_end(self) -> Answer:
        status = None
        while status is None:
            self._read(0.02 if self.open else 0.001)
            ended, found, usage = os.wait4(self.pid, os.WNOHANG)
            if ended:
                status = found
                self.answer.bytes = max(self.answer.bytes, usage.ru_maxrss * 1024)
                self.answer.large |= self.answer.bytes > self.request.memory
            else:
                self._check()
        self._kill()  # what it started
        deadline = time.monotonic() + 0.5
        while self.open and time.monotonic() < deadline:
            self._read(0.05)
        for descriptor in self.outputs:
            os.close(descriptor)
        self.answer.code = os.waitstatus_to_exitcode(status)
        out, errors = self.outputs.values()
        self.answer.out, self.answer.errors = out.decode("latin-1"), errors.decode("latin-1")
        return self.answer

    def _read(self, patience: float) -> None:
        ready, _, _ = select.select(self.open, [], [], patience)
        for descriptor in ready:
            piece = os.read(descriptor, 1 << 16)
            if not piece:
                self.open.remove(descriptor)
            self.answer.printed += len(piece)
            self.outputs[descriptor] += piece[: KEPT - len(self.outputs[descriptor])]

    def _check(self) -> None:
        spent = time.monotonic() - self.start
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        except (OSError, IndexError):
            return
        self.answer.bytes = max(self.answer.bytes, pages * 4096)
        if self.answer.bytes > self.request.memory:
            self.answer.large = True
            self._kill()
        elif spent > self.request.seconds and self.request.stops and not self.answer.asked:
            self.answer.asked = True
            os.kill(self.pid, signal.SIGTERM)
        elif spent > self.request.seconds + (10 if self.request.stops else 0):
            self.answer.hung = True
            self._kill()

    def _kill(self) -> None:
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def main(words: Sequence[str]) -> None:
    if "imported" in words:
        import processes.cli  # noqa: F401
        import plots.cli  # noqa: F401
        from plots.catalog import load_experiment, names

        for name in names():
            load_experiment(name)
    requests = os.fdopen(os.dup(0), encoding="ascii")
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    for line in requests:
        answers.write(json.dumps(asdict(perform(Request(**json.loads(line))))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
