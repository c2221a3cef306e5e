"""Small cases of this tree's kernels, counted in the emulator (tests/counters/, processes/kernel_counters.py)."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

import pytest

from processes import kernel_counters, nsight

BINARY = os.environ.get("LOCKSTEP_BINARY", "")
COMMITTED = nsight.ROOT / "results" / "emulators" / kernel_counters.EMULATED


@pytest.fixture(autouse=True)
def needs_the_program() -> None:
    if not BINARY:
        pytest.skip("LOCKSTEP_BINARY is not set")


@pytest.mark.parametrize(
    "experiment, case",
    [
        ("object_layout", "inlined-columns"),
        ("object_layout", "select"),
        ("random_grids", "threadwise-shared"),
        ("replications", "cooperative-warp-walk"),
        ("rule_interpreter", "queue"),
        ("term_rewriting", "collect"),
    ],
)
def test_a_case_is_counted_as_in_the_committed_file(experiment: str, case: str) -> None:
    (committed,) = [one for one in kernel_counters.read(COMMITTED) if one.name == (experiment, case)]
    counted = kernel_counters.emulate(Path(BINARY), experiment, case)
    assert (counted.launches, counted.digest) == (committed.launches, committed.digest)
    compiler = subprocess.run([os.environ.get("CXX", "c++"), "--version"], capture_output=True, text=True).stdout
    if platform.machine() != "x86_64" or not re.search(r"\b12\.\d+\.\d+\b", compiler):
        pytest.skip("accesses and blocks are those that g++ 12 makes for x86-64")
    assert counted == committed


def test_the_rewriting_steps_are_as_they_are_generated() -> None:
    system = "experiments/term_rewriting/systems/insertion_sort.trs"
    words = [BINARY, "rewrite", system, "--engine", "as_printed", "--emit", "cuda"]
    text = subprocess.run(words, cwd=nsight.ROOT, capture_output=True, text=True, check=True).stdout
    named = re.sub(r"as_printed_[0-9a-f]{16}", "as_printed_insertion_sort", text)
    assert (nsight.PROGRAMS / "insertion_sort.txt").read_text(encoding="utf-8") == named
