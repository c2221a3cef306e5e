"""The runner notes every test once and by what became of it. Programs, CTest and compute-sanitizer are planted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.sanitizers.outcome import outcome_of
from tests.sanitizers.plan import TOOLS, jobs_of
from tests.sanitizers.record import ENDED, SKIPPED, Line, Record, summary

TOP = Path(__file__).resolve().parents[2]

#: A test program. The name of a test says what it does, under a tool or always.
PROGRAM = """#!/usr/bin/env python3
import os, sys, time
tool = os.environ["LOCKSTEP_COMPUTE_SANITIZER"]
if "--gtest_list_tests" in sys.argv:
    print("Suite.")
    print("".join(f"  {name}  # GetParam() = 1\\n" for name in TESTS))
    sys.exit()
open("starts", "a").write(tool + "\\n")
open("shares", "a").write(f"{os.environ.get('CUDA_VISIBLE_DEVICES')} {len(os.sched_getaffinity(0))}\\n")
begun, code, first = time.monotonic(), 0, True
for name in sys.argv[1].removeprefix("--gtest_filter=").split(":"):
    name = name.removeprefix("Suite.")
    print(f"[ RUN      ] Suite.{name}", flush=True)
    if not first and time.monotonic() - begun > float(os.environ["LOCKSTEP_TEST_SECONDS"]):
        print("\\nstopped after 1 s", flush=True)
        sys.exit(code or 75)
    first = False
    if name == "Races" and tool == "racecheck":
        print("========= Error: Race reported", flush=True)
    if name == "Crashes" and tool == "initcheck":
        os.abort()
    time.sleep(60 if (name, tool) in (("Hangs", "memcheck"), ("Waits", "plain")) else 0.15 if name.startswith("Slow") else 0)
    if name == "Fails" and tool == "synccheck":
        code = 1
        print(f"[  FAILED  ] Suite.{name} (1 ms)", flush=True)
    elif name == "Skips":
        code = 1
        print(f"[  SKIPPED ] Suite.{name} (0 ms)", flush=True)
    else:
        print(f"[       OK ] Suite.{name} (1 ms)", flush=True)
print(f"[  FAILED  ] 1 test, listed below:" if code else "[  PASSED  ] 1 test.", flush=True)
sys.exit(code)
"""
SANITIZER = """#!/usr/bin/env python3
import subprocess, sys
if "--help" in sys.argv:
    sys.exit(print("--report-api-errors arg\\n--tool arg\\n--error-exitcode arg"))
words = sys.argv[1:]
assert "--show-backtrace" not in words, "its help does not have it"
tool = words[words.index("--tool") + 1]
at = words.index("--error-exitcode") + 2
while words[at].startswith("--"):
    at += 2
done = subprocess.run(words[at:], stdout=subprocess.PIPE, text=True)
print("========= COMPUTE-SANITIZER")
print(done.stdout, end="")
if done.returncode < 0:
    sys.exit(255)
count = done.stdout.count("Race reported")
print(f"========= RACECHECK SUMMARY: {count} hazards displayed (0 errors, {count} warnings)" if tool == "racecheck"
      else f"========= ERROR SUMMARY: {count} errors")
sys.exit(86 if count else done.returncode)
"""


@dataclass(frozen=True)
class Place:
    folder: Path

    def program(self, name: str, tests: list[str]) -> None:
        self.executable(name, PROGRAM.replace("TESTS", repr(tests)))

    def executable(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def ctest(self, *names: str) -> None:
        tests = [
            {
                "name": name,
                "command": ["bash", "run_test.sh", str(self.folder / name)],
                "properties": [
                    {"name": "LABELS", "value": ["gpu"]},
                    {"name": "ENVIRONMENT", "value": [f"LOCKSTEP_CUDA_BIN={self.folder}"]},
                    {"name": "WORKING_DIRECTORY", "value": str(self.folder)},
                ],
            }
            for name in names
        ]
        tests.append({"name": "on_the_host", "command": ["x"], "properties": []})
        (self.folder / "tests.json").write_text(json.dumps({"tests": tests}), encoding="utf-8")
        self.executable("ctest", f"#!/bin/sh\ncat {self.folder}/tests.json\n")

    def run(self, *words: str, out: str = "out") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tests.sanitizers", "--build", ".", "--out", str(self.folder / out), *words]
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "PYTHONPATH": str(TOP)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)

    def results(self, out: str = "out") -> dict[str, set[str]]:
        """Of each test under each tool that has another result than `ended`."""
        found: dict[str, set[str]] = {}
        for line in Record(self.folder / "copy", [self.folder / out / "record.jsonl"]).lines.values():
            if line.result != "ended":
                found.setdefault(line.result, set()).add(f"{line.tool} {line.test.removeprefix('Suite.')}")
        return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path)
    place.executable("compute-sanitizer", SANITIZER)
    return place


def test_every_test_ends_under_every_tool_in_few_processes(place: Place) -> None:
    place.program("first", [f"T{i}" for i in range(300)])
    place.program("second", ["Alone"])
    place.ctest("first", "second")
    done = place.run()
    assert done.returncode == 0, done
    for tool in ("plain", *TOOLS):
        assert f"{tool:10}   301 of 301 tests ended without a finding" in done.stdout
    starts = (place.folder / "starts").read_text(encoding="utf-8").splitlines()
    assert starts.count("plain") < 40 and starts.count("memcheck") < 12, "one process for many tests"
    known = place.run("--tool", "memcheck", "--times", str(place.folder / "out" / "record.jsonl"), out="known")
    assert known.returncode == 0 and "301 of 301" in known.stdout
    more = (place.folder / "starts").read_text(encoding="utf-8").splitlines()[len(starts) :]
    assert more.count("plain") < 8, "they are known to be short"
    starts += more
    again = place.run("--done", str(place.folder / "out" / "record.jsonl"), out="again")
    assert again.returncode == 0 and "301 of 301" in again.stdout
    assert (place.folder / "starts").read_text(encoding="utf-8").splitlines() == starts, "nothing runs again"


@pytest.mark.parametrize("named", [None, "4,7"])
def test_each_process_has_a_gpu_and_two_cores(place: Place, monkeypatch: pytest.MonkeyPatch, named: str | None) -> None:
    place.executable("nvidia-smi", "#!/bin/sh\nprintf 'GPU 0: H100\\nGPU 1: H100\\nGPU 2: H100\\n'\n")
    if named is None:
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    else:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", named)
    place.program("slow", [f"Slow{i}" for i in range(12)])
    place.ctest("slow")
    done = place.run("--tool", "memcheck", "--together", "0", "--jobs", "6")
    assert done.returncode == 0, done
    lines = [line.split() for line in (place.folder / "shares").read_text(encoding="utf-8").splitlines()]
    assert {gpu for gpu, _ in lines} == set((named or "0,1,2").split(","))
    assert {int(cores) for _, cores in lines} == {min(2, len(os.sched_getaffinity(0)))}


def test_what_did_not_end_is_named(place: Place) -> None:
    whole = [f"T{i}" for i in range(5)]
    place.program("mixed", [*whole, "Races", "Crashes", "Fails", "Skips", "Hangs", *[f"U{i}" for i in range(5)]])
    place.ctest("mixed", "absent")
    done = place.run("--limit", "1", "--together", "1")
    assert done.returncode == 1, done
    assert place.results() == {
        "finding": {"racecheck Races", "initcheck Crashes"},
        "failed": {"synccheck Fails"},
        "skipped": {f"{tool} Skips" for tool in ("plain", *TOOLS)},
        "cut": {"memcheck Hangs"},
    }
    assert "racecheck     13 of 15 tests ended without a finding; 1 findings, 0 failed, 1 skipped, 0 cut" in done.stdout
    assert "memcheck mixed Suite.Hangs: cut after 2 s" in done.stdout
    assert "absent: not built" in done.stdout
    log = (place.folder / "out" / "log.txt").read_text(encoding="utf-8")
    assert "Race reported" in log and "FAILED  ] Suite.Fails" in log


def test_a_process_leaves_tests_to_the_next_one(place: Place) -> None:
    place.program("slow", [f"Slow{i}" for i in range(8)])
    place.ctest("slow")
    done = place.run("--tool", "memcheck", "--together", "0.3", "--jobs", "1")
    assert done.returncode == 0, done
    assert (place.folder / "starts").read_text(encoding="utf-8").count("memcheck") >= 2


def test_the_end_of_time_loses_nothing_that_ended(place: Place) -> None:
    place.program("endless", [*[f"T{i}" for i in range(3)], "Hangs"])
    place.ctest("endless")
    done = place.run("--tool", "memcheck", "--seconds", "3", "--limit", "60", "--together", "0")
    assert done.returncode == 1, done
    assert "plain          4 of 4" in done.stdout
    assert "memcheck endless Suite.Hangs: not begun" in done.stdout


def test_near_the_end_of_time_processes_stop_before_they_are_cut_off(place: Place) -> None:
    place.program("slow", [f"Slow{i}" for i in range(60)])  # 9 seconds
    place.ctest("slow")
    done = place.run("--tool", "memcheck", "--seconds", "4", "--together", "60", "--jobs", "1")
    assert done.returncode == 1, done
    lines = Record(place.folder / "copy", [place.folder / "out" / "record.jsonl"]).lines.values()
    assert any(line.result == "ended" for line in lines), done


def test_a_missing_tool_is_a_failure(place: Place) -> None:
    (place.folder / "compute-sanitizer").unlink()
    place.program("one", ["A"])
    place.ctest("one")
    done = place.run()
    assert (done.returncode, done.stdout) == (2, "") and "compute-sanitizer not found" in done.stderr


def test_a_program_does_not_wait_for_the_plain_tests_of_others(place: Place) -> None:
    place.program("late", ["Waits"])
    place.program("other", ["A", "B"])
    place.ctest("late", "other")
    done = place.run("--tool", "memcheck", "--seconds", "6", "--limit", "60", "--jobs", "2")
    assert done.returncode == 1, done
    assert "memcheck       2 of 3" in done.stdout and "memcheck late Suite.Waits: not begun" in done.stdout


def test_results_of_another_build_are_counted_apart(place: Place) -> None:
    place.program("one", ["A", "B"])
    place.ctest("one")
    assert place.run("--tool", "memcheck").returncode == 0
    place.program("one", ["A", "B", "C"])
    done = place.run("--tool", "memcheck", "--done", str(place.folder / "out" / "record.jsonl"), out="next")
    assert done.returncode == 0
    assert "memcheck       3 of 3" in done.stdout and "2 of those that ended ran in another build" in done.stdout


def test_a_skip_alone_is_a_failure(place: Place) -> None:
    place.program("one", ["A", "Skips"])
    place.ctest("one")
    done = place.run("--tool", "memcheck")
    assert done.returncode == 1, done
    assert "memcheck       1 of 2" in done.stdout and "memcheck one Suite.Skips: skipped" in done.stdout


def one_skipped(folder: Path) -> tuple[Record, list[tuple[str, str, str]]]:
    """A record of two tests: one ended, the other was skipped."""
    record = Record(folder / "record", [])
    record.add(Line("memcheck", "p", "a", ENDED, 1, "digest"))
    record.add(Line("memcheck", "p", "b", SKIPPED, 1, "digest"))
    return record, [("memcheck", "p", "a"), ("memcheck", "p", "b")]


def test_a_skipped_test_has_not_ended(tmp_path: Path) -> None:
    text, clean = summary(*one_skipped(tmp_path), {"p": "digest"}, ["memcheck"])
    assert not clean and "memcheck p b: skipped after 1 s" in text and "1 of 2 tests ended" in text


def test_a_skipped_test_is_not_counted_as_one_of_another_build(tmp_path: Path) -> None:
    text, _ = summary(*one_skipped(tmp_path), {"p": "another"}, ["memcheck"])
    assert "1 of those that ended ran in another build" in text


def test_the_reports_of_all_summaries_count() -> None:
    text = "========= ERROR SUMMARY: 0 errors\n========= ERROR SUMMARY: 2 errors\n"
    assert outcome_of(text, 0, "memcheck").finding == "2 reports"


@pytest.mark.parametrize(
    ("text", "code", "finding"),
    [
        ("========= ERROR SUMMARY: 0 errors\n", 0, ""),
        ("========= ERROR SUMMARY: 2 errors\n", 0, "2 reports"),
        ("========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)\n", 0, "1 reports"),
        ("========= Internal Sanitizer Error: x\n========= ERROR SUMMARY: 0 errors\n", 0, "the tool broke"),
        ("", 0, "no summary"),
        ("========= ERROR SUMMARY: 0 errors\n", 1, "exit code 1"),
        ("\nstopped after 9 s\n========= ERROR SUMMARY: 0 errors\n", 75, ""),
        ("========= Target application terminated before first instrumented API call\n", 255, ""),
    ],
)
def test_the_word_of_the_tool(text: str, code: int, finding: str) -> None:
    assert outcome_of(text, code, "memcheck").finding.startswith(finding)
    assert bool(outcome_of(text, code, "memcheck").finding) == bool(finding)


def test_results_in_the_middle_of_a_line() -> None:
    text = (
        "x[ RUN      ] A.b/c\n========= Warning\n[       OK ] A.b/c (12 ms)\n[ RUN      ] A.d\n"
        "[  FAILED  ] A.d, where GetParam() = 3 (4 ms)\n[ RUN      ] A.e\n[  FAILED  ] 1 test, listed below:\n"
        "[  FAILED  ] A.d, where GetParam() = 3\n"
    )
    found = outcome_of(text, 1, "plain")
    assert (found.ended, found.failed, found.running) == ({"A.b/c": 0.012}, ["A.d"], "A.e")


def test_long_tests_are_alone_and_none_is_lost() -> None:
    tests = [f"t{i}" for i in range(100)]
    seconds = {"t7": 9.0, "t8": 1.0}
    jobs = jobs_of("racecheck", "p", tests, seconds, 15)
    assert sorted(test for job in jobs for test in job.tests) == sorted(tests)
    assert ("t7",) in [job.tests for job in jobs]
    assert all(job.expected < 20 or len(job.tests) == 1 for job in jobs)


def test_tests_of_a_variant_share_a_process() -> None:
    tests = [f"Suite.Test{i}/{variant}" for i in range(30) for variant in ("a", "b", "c", "d")]
    jobs = jobs_of("memcheck", "p", tests, {test: 0.3 for test in tests}, 15)
    processes: dict[str, int] = {}
    for job in jobs:
        for variant in {test[-1] for test in job.tests}:
            processes[variant] = processes.get(variant, 0) + 1
    assert len(jobs) > 3 and max(processes.values()) <= 2, processes


def test_a_program_ends_between_tests() -> None:
    if "LOCKSTEP_BINARY" not in os.environ:
        pytest.skip("LOCKSTEP_BINARY names no program")
    folder = Path(os.environ["LOCKSTEP_BINARY"]).resolve().parent / "tests" / "harness" / "stats"
    programs = [path for path in sorted(folder.glob("*_test")) if os.access(path, os.X_OK)]
    if not programs:
        pytest.skip(f"no test program in {folder}")
    done = subprocess.run(
        [str(programs[0])],
        env={**os.environ, "LOCKSTEP_TEST_SECONDS": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = outcome_of(done.stdout, done.returncode, "plain")
    assert (done.returncode, len(found.ended), found.finding) == (75, 1, ""), done
