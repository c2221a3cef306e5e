"""Indices beyond the ends of `__device__`, `__constant__` and `__managed__` variables, which others follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emulate.test_emulate import PROGRAMS, emulate, lines_of, needs_the_program

__all__ = ["needs_the_program"]  # for each test here, too

#: Cases of device_variables.cu, and what the finding says.
MISTAKES = {
    "behind": "write outside a device variable (0 bytes behind variable 'zeros' of 64 bytes)",
    "before": "write outside a device variable (4 bytes before variable 'zeros' of 64 bytes)",
    "next": "read outside a device variable (0 bytes behind variable 'ones' of 16 bytes)",
    "second": "write outside a device variable (0 bytes behind variable 'more' of 16 bytes)",
    "constant": "read outside a device variable (0 bytes behind variable 'table' of 32 bytes)",
    "row": "write outside a device variable (0 bytes behind variable 'managed' of 64 bytes)",
    "namespace": "write outside a device variable (8 bytes before variable 'sums' of 32 bytes)",
    "extern": "write outside a device variable (0 bytes behind variable 'outside' of 16 bytes)",
    "function": "read outside a device variable (0 bytes behind variable 'functions' of 8 bytes)",
    "copy": "read outside a device variable (byte 12 of variable 'ones' of 16 bytes)",
}


@pytest.mark.parametrize("case", MISTAKES)
def test_the_variable_and_the_line_of_the_access_are_named(case: str) -> None:
    done = emulate(PROGRAMS, "device_variables.cu", "--", case)
    lines = lines_of("device_variables.cu")
    (line,) = (n for n, code in enumerate(lines, 1) if case in code.partition("  // ")[2].split(", "))
    assert done.returncode == 1, done.stdout
    assert done.stderr.startswith(f"lockstep: {MISTAKES[case]} in kernel 'use', block (0,0,0), thread (0,0,0)")
    assert f"device_variables.cu:{line}\n" in done.stderr and done.stderr.count("outside a device variable") == 1


@pytest.mark.parametrize("words", [("--orders", "2"), ("--no-checks",), ("--counters",)])
def test_indices_at_the_ends_are_silent(words: tuple[str, ...]) -> None:
    done = emulate(PROGRAMS, "device_variables.cu", *words)
    runs = 2 if "--orders" in words else 1
    assert (done.returncode, done.stdout) == (0, "1 1 15 64 1\n" * runs), done.stderr
    assert "--counters" in words or done.stderr == ""


def test_variables_of_two_files_with_one_name_and_of_all_files(tmp_path: Path) -> None:
    (tmp_path / "both.cuh").write_text("extern __device__ int all[4];\nvoid add(int i);\n", encoding="utf-8")
    (tmp_path / "a.cu").write_text(
        '#include "both.cuh"\n#include <cstdio>\n#include <cstdlib>\n__device__ int own[4] = {1, 1, 1, 1}, all[4];\n'
        "__global__ void copy(int* to) { for (int i = 0; i < 4; ++i) to[i] = own[i] + all[i]; }\n"
        "int main(int, char** words) {\n  int *to, sums[4];\n  cudaMalloc(&to, 16);\n  add(std::atoi(words[1]));\n"
        "  copy<<<1, 1>>>(to);\n  cudaMemcpy(sums, to, 16, cudaMemcpyDeviceToHost);\n"
        '  std::printf("%d %d\\n", sums[0], sums[3]);\n}\n',
        encoding="utf-8",
    )
    (tmp_path / "b.cu").write_text(
        '#include "both.cuh"\n__device__ int own[4] = {7, 7, 7, 7};\n'
        "__global__ void write(int i) {\n  all[i] = own[3];\n}\nvoid add(int i) { write<<<1, 1>>>(i); }\n",
        encoding="utf-8",
    )
    done = emulate(tmp_path, "a.cu", "b.cu", "--", "3")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 8\n", "")
    done = emulate(tmp_path, "a.cu", "b.cu", "--", "4")
    assert done.returncode == 1 and "b.cu:4\n" in done.stderr
    assert "write outside a device variable (0 bytes behind variable 'all' of 16 bytes)" in done.stderr


def test_constant_memory_stays_constant_when_the_host_has_written_it(tmp_path: Path) -> None:
    (tmp_path / "written.cu").write_text(
        "__constant__ int table[4];\n"
        "__global__ void write() {\n  const_cast<int*>(table)[threadIdx.x] = 1;\n}\n"
        "int main() {\n  int const values[4] = {1, 2, 3, 4};\n  cudaMemcpyToSymbol(table, values, sizeof values);\n"
        "  write<<<1, 1>>>();\n  cudaDeviceSynchronize();\n}\n",
        encoding="utf-8",
    )
    done = emulate(tmp_path, "written.cu")
    assert done.returncode == 1 and "written.cu:3\n" in done.stderr
    assert "write to constant memory (byte 0 of variable 'table' of 16 bytes)" in done.stderr
