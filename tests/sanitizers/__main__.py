"""The GPU tests of a build under compute-sanitizer: python3 -m tests.sanitizers --build build/release --out OUT.

Many processes share the GPUs. Each has many tests, one GPU, and two cores. First each test runs without a tool
("plain") at the sizes that it has under one. These times decide which tests share a process under a tool. A test that
does not end within --limit is cut off, and the other tests of its process run again. Tests that end in the records
--done are not run; the records --times only say how long a test takes. OUT gets record.jsonl, which another run can
continue, log.txt with what failed, progress.txt and summary.txt. Exits with 1 unless every test has ended under every
tool without a finding.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import sys
import time
from functools import partial
from pathlib import Path

from tests.sanitizers.catalogue import programs, tests_of
from tests.sanitizers.plan import TOOLS, Job, jobs_of
from tests.sanitizers.record import Key, Record, summary
from tests.sanitizers.share import visible_gpus
from tests.sanitizers.work import Limits, Work, sanitizer_of


def main() -> int:
    given = _parser().parse_args()
    begun = time.monotonic()
    out: Path = given.out
    found = {one.name: one for one in programs(given.build) if fnmatch.fnmatch(one.name, given.only)}
    if not found:
        print(f"no GPU test program of {given.build} matches {given.only}", file=sys.stderr)
        return 2
    if not sanitizer_of(next(iter(found.values()))):
        print("compute-sanitizer not found: install the CUDA Toolkit", file=sys.stderr)
        return 2
    tests = {name: tests_of(program, {"LOCKSTEP_COMPUTE_SANITIZER": "plain"}) for name, program in found.items()}
    missing = [name for name in found if not tests[name]]
    record = Record(out / "record.jsonl", given.done, given.times)
    tools = ["plain", *(given.tool or TOOLS)]
    work = Work(found, record, out / "log.txt", Limits(begun + given.seconds, given.together, given.limit))

    def say(line: str) -> None:
        told = f"{time.monotonic() - begun:5.0f} s  {line}"
        print(told, flush=True)
        with (out / "progress.txt").open("a", encoding="utf-8") as progress:
            progress.write(told + "\n")

    say(f"{sum(map(len, tests.values()))} tests of {len(found)} programs, {given.jobs} processes")
    plain = [job for name in tests for job in _jobs(["plain"], name, tests[name], record, given.together)]
    follow = {name: partial(_jobs, tools[1:], name, tests[name], record, given.together) for name in tests}
    work.run(plain, follow, given.jobs, say)
    asked: list[Key] = [(tool, name, test) for tool in tools for name in tests for test in tests[name]]
    text, is_clean = summary(record, asked, work.digests, tools)
    text += "".join(f"{name}: not built, or it lists no tests\n" for name in missing)
    (out / "summary.txt").write_text(text, encoding="utf-8")
    print("\n".join(text.splitlines()[:40]))
    return 0 if is_clean and not missing else 1


def _jobs(tools: list[str], program: str, tests: list[str], record: Record, together: float) -> list[Job]:
    jobs = []
    for tool in tools:
        left = [test for test in tests if not record.has((tool, program, test))]
        jobs += jobs_of(tool, program, left, record.seconds_of(program), together)
    return jobs


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tests.sanitizers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=Path, default=Path("build/release"))
    parser.add_argument("--out", type=Path, default=Path("build/sanitizers"))
    parser.add_argument("--tool", action="append", choices=TOOLS, help="(all four)")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="of names of test programs")
    parser.add_argument("--done", type=Path, action="append", default=[], metavar="RECORD")
    parser.add_argument("--times", type=Path, action="append", default=[], metavar="RECORD")
    parser.add_argument("--seconds", type=float, default=7200, help="for everything (%(default)g)")
    parser.add_argument("--together", type=float, default=60, help="of a process with several tests (%(default)g)")
    parser.add_argument("--limit", type=float, default=600, help="seconds of one test (%(default)g)")
    cores = os.cpu_count() or 1
    gpus = max(1, len(visible_gpus()))
    parser.add_argument("--jobs", type=int, default=max(1, min(14 * gpus, cores - 2)))
    return parser


if __name__ == "__main__":
    sys.exit(main())
