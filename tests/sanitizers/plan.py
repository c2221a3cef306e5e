"""Which tests share a process. To start a process under a tool takes seconds, and so does the first use of a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

TOOLS = ("racecheck", "initcheck", "memcheck", "synccheck")

#: Seconds of a test under a tool: these and so many times its own. Its own time is measured beside other processes, so it
#: is longer than alone. The numbers only decide what shares a process, which leaves the rest of its tests to another.
SHORTEST = {"plain": 0.02, "memcheck": 0.1, "racecheck": 0.2, "initcheck": 0.1, "synccheck": 0.1}
SLOWDOWN = {"plain": 1.0, "memcheck": 1.2, "racecheck": 1.5, "initcheck": 1.2, "synccheck": 1.2}
#: Seconds that a process needs before its first test.
START = 3.0
#: Seconds of a test that nobody has timed. It may compile a program.
UNKNOWN = 1.2


@dataclass(frozen=True)
class Job:
    tool: str
    program: str
    tests: tuple[str, ...]
    expected: float  # seconds


def jobs_of(tool: str, program: str, tests: Sequence[str], seconds: Mapping[str, float], together: float) -> list[Job]:
    """Processes of about `together` seconds each; a test that takes longer is alone.

    Tests with the same parameter, such as a variant, have the same kernels, so they share a process.
    """

    def expected(test: str) -> float:
        return SHORTEST[tool] + seconds.get(test, UNKNOWN) * SLOWDOWN[tool]

    def place(test: str) -> tuple[bool, str, float]:
        return expected(test) < together, test.rpartition("/")[2] if "/" in test else "", -expected(test)

    jobs = []
    shared: list[str] = []
    sum_of_shared = 0.0
    for test in sorted(tests, key=place):
        if shared and sum_of_shared + expected(test) > together:
            jobs.append(Job(tool, program, tuple(shared), START + sum_of_shared))
            shared, sum_of_shared = [], 0.0
        shared.append(test)
        sum_of_shared += expected(test)
    if shared:
        jobs.append(Job(tool, program, tuple(shared), START + sum_of_shared))
    return jobs


def halves(job: Job) -> list[Job]:
    """The job as two, so that a finding is one test's."""
    half = len(job.tests) // 2
    return [Job(job.tool, job.program, part, job.expected / 2) for part in (job.tests[:half], job.tests[half:]) if part]
