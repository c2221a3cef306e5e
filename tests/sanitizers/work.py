"""Runs jobs, many at a time, until all have ended or the time is up."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.sanitizers.catalogue import Program
from tests.sanitizers.outcome import Outcome, outcome_of
from tests.sanitizers.plan import TOOLS, Job, halves
from tests.sanitizers.record import CUT, ENDED, FAILED, FINDING, SKIPPED, Line, Record
from tests.sanitizers.share import Share, shares

#: Of compute-sanitizer, if its help has them.
OPTIONS = {
    "--report-api-errors": "no",  # some tests provoke them, and the harness turns each into an exception
    "--show-backtrace": "no",  # the host's, at each launch, takes most of the time
    "--launch-timeout": "0",
    "--require-cuda-init": "no",
}
LARGEST_LOG = 12 << 20
#: Of the time that is left when a process begins: the rest is for its start, and for the test that runs at the end.
LEFT_FOR_TESTS = 0.6
KILLED = -signal.SIGKILL
ORDER = ("plain", *TOOLS)

#: The jobs of a program under the tools, once its plain times are known.
Follow = Callable[[], list[Job]]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Limits:
    end: float  # on time.monotonic()
    together: float  # seconds after which a process leaves its other tests to the next one
    test: float  # seconds of one test


class Work:
    def __init__(self, programs: Mapping[str, Program], record: Record, log: Path, limits: Limits) -> None:
        self.programs = programs
        self.record = record
        self.limits = limits
        self.digests = {name: _digest(program.path) for name, program in programs.items()}
        self._log = log
        self._lock = threading.Lock()
        self._options: list[str] | None = None

    def run(self, jobs: Sequence[Job], follow: Mapping[str, Follow], processes: int, say: Say) -> None:
        """Tool after tool, the longest job first. A job that leaves tests behind, or has to be split, comes back.

        The jobs that `follow` a program begin when it has no plain job left.
        """
        queue: list[Job] = []
        plain = Counter(job.program for job in jobs if job.tool == "plain")
        busy = 0
        changed = threading.Condition(self._lock)

        def add(more: Sequence[Job]) -> None:
            queue.extend(more)
            queue.sort(key=lambda job: (-ORDER.index(job.tool), job.expected))

        def serve(share: Share) -> None:
            nonlocal busy
            while True:
                with changed:
                    while not queue and busy:
                        changed.wait()
                    if not queue or time.monotonic() >= self.limits.end:
                        return
                    job = queue.pop()
                    busy += 1
                left: list[Job] = []
                try:
                    left = self._do(job, share, say)
                finally:
                    with changed:
                        busy -= 1
                        add(left)
                        if job.tool == "plain":
                            plain[job.program] += len(left) - 1
                            if plain[job.program] == 0:
                                add(follow[job.program]())
                        changed.notify_all()

        add(jobs)
        for program, begin in follow.items():
            if plain[program] == 0:
                add(begin())
        servers = [threading.Thread(target=serve, args=[share]) for share in shares(processes)]
        for server in servers:
            server.start()
        for server in servers:
            server.join()

    def _do(self, job: Job, share: Share, say: Say) -> list[Job]:
        """Runs the job, notes what ended, and returns what is left."""
        begun = time.monotonic()
        code, text = self._call(job, share, begun)
        seconds = time.monotonic() - begun
        found = outcome_of(text, code, job.tool)
        with self._lock:
            if code == KILLED:
                left, said = self._cut(job, found, text, seconds)
            elif found.finding:
                left, said = self._found(job, found, text, seconds)
            else:
                left, said = self._ended(job, found, text, seconds)
            say(f"{job.tool} {job.program}: {said}, {sum(len(one.tests) for one in left)} left, {seconds:.0f} s")
        return left

    def _cut(self, job: Job, found: Outcome, text: str, seconds: float) -> tuple[list[Job], str]:
        """Nothing counts, because the tool gave no summary. The test that took too long is not tried again."""
        if time.monotonic() >= self.limits.end:
            return [], "cut off at the end"
        if found.running is None and len(job.tests) > 1:
            return halves(job), "cut off between tests"
        slow = found.running or job.tests[0]
        self._note(job, slow, CUT, seconds, f"of a limit of {self.limits.test:g}")
        self._keep(job, text)
        return self._rest(job, {slow}), f"{slow} cut off"

    def _found(self, job: Job, found: Outcome, text: str, seconds: float) -> tuple[list[Job], str]:
        if len(job.tests) > 1:
            return halves(job), f"{found.finding} in {len(job.tests)} tests, which are split"
        self._note(job, job.tests[0], FINDING, seconds, found.finding)
        self._keep(job, text)
        return [], found.finding

    def _ended(self, job: Job, found: Outcome, text: str, seconds: float) -> tuple[list[Job], str]:
        for test, spent in found.ended.items():
            self._note(job, test, ENDED, spent)
        for test in found.failed:
            self._note(job, test, FAILED, seconds)
        for test in found.skipped:
            self._note(job, test, SKIPPED, seconds)
        if found.failed:
            self._keep(job, text)
        said = f"{len(found.ended)} ended" + "".join(f", FAILED {test}" for test in found.failed)
        if not found.seen():  # a process that runs none of its tests would come back for ever
            for test in job.tests:
                self._note(job, test, FINDING, seconds, "it does not run")
            return [], "no test ran"
        return [half for rest in self._rest(job, found.seen()) for half in halves(rest)], said

    def _rest(self, job: Job, without: set[str]) -> list[Job]:
        left = tuple(test for test in job.tests if test not in without)
        return [replace(job, tests=left, expected=job.expected * len(left) / len(job.tests))] if left else []

    def _note(self, job: Job, test: str, result: str, seconds: float, why: str = "") -> None:
        self.record.add(Line(job.tool, job.program, test, result, seconds, self.digests[job.program], why))

    def _call(self, job: Job, share: Share, begun: float) -> tuple[int, str]:
        program = self.programs[job.program]
        environment = {
            **os.environ,
            **program.environment,
            **share.environment(),
            "LOCKSTEP_REQUIRE_GPU": "1",
            "LOCKSTEP_COMPUTE_SANITIZER": job.tool,
            "LOCKSTEP_TEST_SECONDS": f"{self._seconds_together():g}",
        }
        command = [str(program.path), "--gtest_filter=" + ":".join(job.tests)]
        if job.tool != "plain":
            command = [*self._sanitizer(program), "--tool", job.tool, *command]
        with subprocess.Popen(
            share.command(command),
            cwd=program.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as child:
            end = min(self.limits.end, begun + self.limits.together + self.limits.test)
            try:
                output, _ = child.communicate(timeout=max(0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                output, _ = child.communicate()
        return child.returncode, output.decode("utf-8", "replace")

    def _seconds_together(self) -> float:
        """Near the end of the time, processes stop early, because one that is cut off counts for nothing."""
        return min(self.limits.together, max(0.0, LEFT_FOR_TESTS * (self.limits.end - time.monotonic())))

    def _sanitizer(self, program: Program) -> list[str]:
        with self._lock:
            if self._options is None:
                path = sanitizer_of(program)
                told = subprocess.run([path, "--help"], capture_output=True, text=True, check=False).stdout
                known = [word for name, value in OPTIONS.items() if name in told for word in (name, value)]
                self._options = [path, *known, "--error-exitcode", "86"]
            return self._options

    def _keep(self, job: Job, text: str) -> None:
        if self._log.exists() and self._log.stat().st_size > LARGEST_LOG:
            return
        shown = text if len(text) < 60_000 else text[:30_000] + "\n...\n" + text[-30_000:]
        with self._log.open("a", encoding="utf-8") as log:
            log.write(f"#### {job.tool} {job.program} {' '.join(job.tests)[:2000]}\n{shown}\n")


def sanitizer_of(program: Program) -> str:
    """The tool beside the build's compiler, or that of PATH."""
    path = os.pathsep.join([program.environment.get("LOCKSTEP_CUDA_BIN", ""), os.environ["PATH"]])
    return shutil.which("compute-sanitizer", path=path) or ""


def _digest(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
