"""Mistakes with the memory of host and device, calls that fail unnoticed, and where a program is when its time is over."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.emulate.test_emulate import BINARY, PROGRAMS, emulate, lines_of, needs_the_program

__all__ = ["needs_the_program"]  # for each test here, too

#: Cases of host_memory.cu: the rule of the finding, and a part of its text.
MEMORY_MISTAKES = {
    "global": ("not-device-memory", "byte 0 of variable 'global' of 128 bytes, which is the host's"),
    "values": ("not-device-memory", "variable 'values' of 256 bytes, which is the host's"),
    "named": ("not-device-memory", "variable 'named' of 128 bytes, which is the host's"),
    "local": ("not-device-memory", "variable 'local' of 128 bytes, which is the host's"),
    "heap": ("not-device-memory", "is a host pointer"),
    "constant": ("out-of-bounds", "outside a buffer"),
    "read": ("device-memory-on-host", "the host reads device memory (byte 12 of a buffer of 128 bytes"),
    "write": ("device-memory-on-host", "the host writes device memory (byte 12 of a buffer of 128 bytes"),
    "memcpy": ("device-memory-on-host", "the host reads device memory (byte 0 of"),
    "sort": ("device-memory-on-host", "the host reads device memory"),
    "long": ("failed-call", "cudaMemcpy fails at host_memory.cu:@ (invalid argument: 256 bytes, but the source ends"),
    "null": ("failed-call", "cudaMemset fails at host_memory.cu:@ (invalid argument: the target is null)"),
    "free": ("failed-call", "cudaFree fails at host_memory.cu:@ (invalid argument: no allocation of device memory"),
    "launch": ("failed-call", "cudaLaunchKernel fails at host_memory.cu:@ (invalid configuration argument)"),
    "ends": ("failed-call", "cudaMemcpy fails at host_memory.cu:@ (invalid argument: 129 bytes, but the target ends"),
}


def test_mistakes_with_memory_are_one_finding_each_with_the_line(tmp_path: Path) -> None:
    """One program, so that it is compiled once."""
    lines = lines_of("host_memory.cu")
    for case, (rule, text) in MEMORY_MISTAKES.items():
        report = tmp_path / f"{case}.sarif"
        done = emulate(PROGRAMS, "host_memory.cu", "--report", str(report), "--", case)
        line = 1 + [n for n, code in enumerate(lines) if case in code.partition("  // ")[2].split(", ")][0]
        assert done.returncode == 1 and text.replace("@", str(line)) in done.stderr, (case, done.stderr)
        (result,) = json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert (result["ruleId"], region["startLine"]) == (rule, line), case
        assert done.stderr.count("host_memory.cu:") == 1, done.stderr


def test_right_uses_of_memory_and_errors_that_are_asked_for_are_silent() -> None:
    done = emulate(PROGRAMS, "host_memory.cu")
    assert (done.returncode, done.stdout, done.stderr) == (0, "asked\n", "")


OWN_NAMES = {
    "run.cuh": """#pragma once
static int table[4] = {1, 2, 3, 4};
void cudaFreeAll();
int cudaEventQuery(int value);
int work();
""",
    "main.cpp": """#include "run.cuh"
int main() {
    cudaFreeAll();
    cudaEventQuery(table[1]);
    return work();
}
""",
    "work.cu": """#include <cstdio>
#include "run.cuh"
#define TIME_IT(name, work) do { std::puts(name); work; } while (0)
#define ALLOCATED(p, bytes) ({ cudaFree(0); cudaMalloc(&p, bytes); })
#define ASKED() ({ cudaGetLastError(); })
void cudaFreeAll() {}
int cudaEventQuery(int value) { return value; }
static bool cudaMallocChecked(int** to) { cudaMalloc(to, 64); cudaFree(to); return cudaGetLastError() != cudaSuccess; }
template <class F> void with(F f) { f(); }
int work() {
    int host[16] = {}, *device;
    if (ALLOCATED(device, 64) != cudaSuccess)
        return 1;
    TIME_IT("copy", { cudaMemcpy(device, host, 64, cudaMemcpyDefault); cudaDeviceSynchronize(); });
    with([&] { cudaMemcpy(host, device, 64, cudaMemcpyDefault); });
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event);
    for (; cudaEventQuery(event); ) {}
    for (cudaEventSynchronize(event); cudaEventQuery(event); cudaEventQuery(event)) {}
    cudaSetDevice(7);
    int* checked;
    cudaMallocChecked(&checked);
    cudaFree(host);
    if (ASKED() == cudaSuccess)
        return 1;
    #pragma omp parallel for num_threads(4)
    for (int i = 0; i < 400; ++i) {
        int *memory, *shared;
        cudaMalloc(&memory, 64);
        cudaMallocManaged(&shared, 4096);
        shared[i % 16] = i;
        cudaMemcpy(memory, shared, 64, cudaMemcpyDefault);
        cudaFree(memory);
        cudaFree(shared);
    }
    return 0;
}
""",
}


def test_calls_in_macros_and_loops_compile_and_names_of_the_programs_own_are_not_the_apis(tmp_path: Path) -> None:
    for name, text in OWN_NAMES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = emulate(tmp_path, "main.cpp", "work.cu")
    assert (done.returncode, done.stdout, done.stderr) == (0, "copy\n", "")


def line_with(name: str, comment: str) -> int:
    return 1 + [number for number, text in enumerate(lines_of(name)) if f"// {comment}" in text][0]


def start(where: str, option: str, report: Path) -> subprocess.Popen[str]:
    command = [BINARY, "emulate", "waits.cu", "--timeout", "3", "--report", str(report), option, "--", where]
    pipe = subprocess.PIPE
    words = [word for word in command if word]
    return subprocess.Popen(words, cwd=PROGRAMS, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def test_a_timeout_names_the_place_that_runs_of_a_lane_or_of_the_host(tmp_path: Path) -> None:
    for option in ("--watchdog=9", "--no-checks"):  # into the cache, because the time is the compiler's, too
        assert emulate(PROGRAMS, "waits.cu", option).returncode == 0
    places = {
        "lane": "thread (37,0,0) in kernel 'spin', block (0,0,0), warp 1, lane 5",
        "host": "the host's code",
        "blocks": "thread (37,0,0) in kernel 'spin', block (39,0,0), warp 1, lane 5",
    }
    cases = [(where, option) for where in ("lane", "host") for option in ("", "--no-checks")]
    cases.append(("blocks", "--no-checks"))  # of which another CPU thread may run the one that does not end
    runs = [start(where, option, tmp_path / f"{where}{option}.sarif") for where, option in cases]  # at the same time
    for (where, option), process in zip(cases, runs):
        with process:
            assert process.wait(60) == 1 and process.stdout is not None and process.stderr is not None
            assert process.stdout.read() == "started\n"
            told = process.stderr.read()
        assert f"lockstep: the program is not done in 3 s (it is in {places[where]}, at " in told
        assert "failed (not done in 3 s)" in told and told.count("waits.cu:") == 1
        (run,) = json.loads((tmp_path / f"{where}{option}.sarif").read_text(encoding="utf-8"))["runs"]
        (result,) = run["results"]
        line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
        assert result["ruleId"] == "timeout"
        if where != "blocks":  # in which the lane is not stopped, so that only its latest barrier is known
            last = line_with("waits.cu", where)  # the second line of the loop
            assert line in (last, last - (where == "lane"))
