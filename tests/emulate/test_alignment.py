"""Accesses of vector types, which the compiler splits, and dynamic shared memory that a launch does not give."""

from __future__ import annotations

import pytest

from tests.emulate.test_emulate import PROGRAMS, emulate, lines_of, needs_the_program

__all__ = ["needs_the_program"]  # for each test here, too

FLOAT4 = "(the address of an object of type float4 is not a multiple of 16)"
#: Cases of alignment.cu, and what the finding says.
MISTAKES = {
    "store": f"misaligned write {FLOAT4}",
    "load": f"misaligned read {FLOAT4}",
    "from": f"misaligned read {FLOAT4}",
    "to": f"misaligned write {FLOAT4}",
    "pair": "misaligned write (the address of an object of type float2 is not a multiple of 8)",
    "shared": "misaligned write (the address of an object of type int2 is not a multiple of 8)",
    "empty": "write outside the block's shared memory (0 bytes behind its 0 bytes)",
}


@pytest.mark.parametrize("case", MISTAKES)
def test_the_line_of_the_access_is_named(case: str) -> None:
    done = emulate(PROGRAMS, "alignment.cu", "--", case)
    (line,) = (
        n for n, code in enumerate(lines_of("alignment.cu"), 1) if case in code.partition("  // ")[2].split(", ")
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"lockstep: {MISTAKES[case]} in kernel '") and f"alignment.cu:{line}\n" in done.stderr


def test_right_alignments_are_silent_and_so_is_a_member_that_is_aligned() -> None:
    done = emulate(PROGRAMS, "alignment.cu")
    assert (done.returncode, done.stdout, done.stderr) == (0, "no error\n", "")
