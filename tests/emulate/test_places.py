"""Alignment of vector types, which the compiler splits, and the ends of shared arrays, which others may follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emulate.test_emulate import PROGRAMS, emulate, lines_of, needs_the_program

__all__ = ["needs_the_program"]  # for each test here, too

FLOAT4 = "(the address of an object of type float4 is not a multiple of 16)"
#: Cases of places.cu, and what the finding says.
MISTAKES = {
    "store": f"misaligned write {FLOAT4}",
    "load": f"misaligned read {FLOAT4}",
    "from": f"misaligned read {FLOAT4}",
    "to": f"misaligned write {FLOAT4}",
    "pair": "misaligned write (the address of an object of type float2 is not a multiple of 8)",
    "shared": "misaligned write (the address of an object of type int2 is not a multiple of 8)",
    "next": "read outside a shared variable (0 bytes behind 'first' of 32 bytes)",
    "dynamic": "write outside a shared variable (0 bytes behind 'before' of 256 bytes)",
    "empty": "write outside a shared variable (0 bytes behind 'values' of 0 bytes)",
}


@pytest.mark.parametrize("case", MISTAKES)
def test_the_line_of_the_access_is_named(case: str) -> None:
    done = emulate(PROGRAMS, "places.cu", "--", case)
    (line,) = (n for n, code in enumerate(lines_of("places.cu"), 1) if case in code.partition("  // ")[2].split(", "))
    assert done.returncode == 1
    assert done.stderr.startswith(f"lockstep: {MISTAKES[case]} in kernel '") and f"places.cu:{line}\n" in done.stderr


def test_right_alignments_are_silent_and_so_is_a_member_that_is_aligned() -> None:
    done = emulate(PROGRAMS, "places.cu")
    assert (done.returncode, done.stdout, done.stderr) == (0, "no error\n", "")


def test_a_launch_without_any_shared_memory(tmp_path: Path) -> None:
    (tmp_path / "none.cu").write_text(
        "__global__ void k(int* o) { extern __shared__ int s[]; for (int i = 0; i < 4096; ++i) s[i] = i; *o = s[0]; }\n"
        "int main() { int* d; cudaMalloc(&d, 4); k<<<1, 32>>>(d); cudaDeviceSynchronize(); }\n"
    )
    done = emulate(tmp_path, "none.cu")
    assert done.returncode == 1 and done.stderr.count("outside the block") == 1
    assert "write outside the block's shared memory (0 bytes behind its 0 bytes) in kernel 'k'" in done.stderr
