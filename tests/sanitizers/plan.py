"""Which tests share a process. To start a process under a tool takes seconds, and most tests take less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")

#: How many times as long a test takes under a tool beside other processes. It only decides what shares a process.
SLOWDOWN = {"plain": 2.0, "memcheck": 25.0, "racecheck": 45.0, "initcheck": 30.0, "synccheck": 20.0}
#: Seconds that a process needs before its first test, and a test at least.
START = 3.0
SHORTEST = 0.02
#: Seconds of a test that nobody has timed. It may compile a program.
UNKNOWN = 0.6


@dataclass(frozen=True)
class Job:
    tool: str
    program: str
    tests: tuple[str, ...]
    expected: float  # seconds


def jobs_of(tool: str, program: str, tests: Sequence[str], seconds: Mapping[str, float], together: float) -> list[Job]:
    """Processes of about `together` seconds each; a test that takes longer is alone."""

    def expected(test: str) -> float:
        return max(SHORTEST, seconds.get(test, UNKNOWN) * SLOWDOWN[tool])

    jobs = []
    shared: list[str] = []
    sum_of_shared = 0.0
    for test in sorted(tests, key=expected, reverse=True):
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
