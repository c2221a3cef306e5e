"""Launches that a device refuses: told, and a failure unless the program asks for the error."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.emulate.test_emulate import PROGRAMS, emulate, lines_of, needs_the_program

__all__ = ["needs_the_program"]  # for each test here, too


@pytest.fixture(scope="module")
def large_launch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of large.cu, whose argument says what it calls after its launch. Compiled once, because it is one file."""
    folder = tmp_path_factory.mktemp("large")
    (folder / "large.cu").write_text(
        "__global__ void write(int* to) { to[threadIdx.x] = 1; }\n"
        "int main(int, char** words) {\n  int* to;\n  cudaMalloc(&to, 8192);\n  write<<<1, 2048>>>(to);\n"
        "  switch (words[1][0]) {\n    case 'f': cudaFree(to); break;\n    case 'g': cudaGetLastError(); break;\n"
        "    case 'p': cudaPeekAtLastError(); break;\n    case 'r': return cudaGetLastError() == 9 ? 0 : 1;\n"
        "    default: return 3;\n  }\n  return 0;\n}\n",
        encoding="utf-8",
    )
    return folder


def test_a_launch_that_a_device_refuses_is_told_although_the_program_asks_for_no_error(large_launch: Path) -> None:
    done = emulate(large_launch, "large.cu", "--", "return")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == (
        "lockstep: kernel write is not launched (invalid configuration argument: 1 x 1 x 1 blocks of 2048 x 1 x 1 threads, "
        "0 bytes of shared memory) Change the launch at line 5.\n"
    )


def test_a_refused_launch_fails_the_run_unless_the_program_asks_for_the_error(
    large_launch: Path, tmp_path: Path
) -> None:
    for asked, code in (("free", 1), ("get", 0), ("peek", 0)):
        done = emulate(large_launch, "large.cu", "--report", str(tmp_path / "report.junit.xml"), "--", asked)
        told = (
            "kernel write is not launched at line 5, and the program does not check for errors afterwards"
            in done.stderr
        )
        assert (done.returncode, told) == (code, code == 1), done.stderr
        assert f'failures="{code}"' in (tmp_path / "report.junit.xml").read_text(encoding="utf-8")


ERRORS = """256 of 256: cudaSuccess
257 of 256: cudaErrorInvalidValue
64 of 64: cudaSuccess
64 of 32: cudaErrorInvalidValue
257 of 256 by address: cudaErrorInvalidValue
at most 256, best 64
48 KiB: cudaSuccess
4 bytes more: cudaErrorInvalidValue
48 KiB of dynamic memory: cudaSuccess
60000 bytes, as set: cudaSuccess
4 bytes more than set: cudaErrorInvalidValue
60000 bytes, set for another kernel: cudaErrorInvalidValue
60000 bytes, set by address: cudaSuccess
less, as set: cudaErrorInvalidValue
no error
"""


@pytest.mark.parametrize("words", [("--orders", "3"), ("--no-checks",)])
def test_limits_of_one_kernel_are_those_of_a_device(words: tuple[str, ...]) -> None:
    done = emulate(PROGRAMS, "launch_limits.cu", *words)
    assert (done.returncode, done.stdout) == (0, ERRORS * (3 if "--orders" in words else 1)), done.stderr


#: Cases of launch_limits.cu, and what the message says of the launch and of the kernel's limit.
BEYOND = {
    "bounds": ("kernel bounded", "512 x 1 x 1 threads, 0 bytes", "__launch_bounds__ of the kernel allows 256 threads"),
    "shared": (
        "kernel mixed",
        "32 x 1 x 1 threads, 20000 bytes",
        "the kernel may have 16384 bytes of dynamic shared memory beside 32768 bytes of static shared memory: "
        "cudaFuncSetAttribute has set no other limit for it",
    ),
}


@pytest.mark.parametrize("case", BEYOND)
def test_a_launch_beyond_the_limits_of_its_kernel_names_them(case: str) -> None:
    kernel, launch, why = BEYOND[case]
    done = emulate(PROGRAMS, "launch_limits.cu", "--", case)
    (line,) = (n for n, code in enumerate(lines_of("launch_limits.cu"), 1) if code.endswith(f"// {case}"))
    told, finding, _ = done.stderr.splitlines()
    assert told == (
        f"lockstep: {kernel} is not launched (invalid argument: 1 x 1 x 1 blocks of {launch} of shared memory; {why}) "
        f"Change the launch at line {line}."
    )
    assert finding.startswith(f"lockstep: {kernel} is not launched at line {line} ({why}), and the program does not")
    assert done.returncode == 1
