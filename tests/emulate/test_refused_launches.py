"""Launches that a device refuses: told, and a failure unless the program asks for the error."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.emulate.test_emulate import emulate, needs_the_program

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
