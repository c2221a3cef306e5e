"""Mistakes with the memory of host and device, and calls that fail unnoticed."""

from __future__ import annotations

import json
from pathlib import Path

from tests.emulate.test_emulate import PROGRAMS, emulate, lines_of, needs_the_program

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
