"""What one process says about its tests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

#: Lines of GoogleTest. The tool writes to the same output, so they may begin in the middle of a line.
BEGUN = re.compile(r"\[ RUN      \] (\S+)")
ENDED = re.compile(r"\[ {7}OK \] (\S+) \((\d+) ms\)")
FAILED = re.compile(r"\[  FAILED  \] (\S+?),? .*\(\d+ ms\)")
SKIPPED = re.compile(r"\[  SKIPPED \] (\S+) \(\d+ ms\)")
#: What a program says that leaves its other tests to another process (tests/test_main.cpp).
STOPPED = re.compile(r"^stopped after ", re.MULTILINE)
#: The last word of the tool.
SUMMARY = re.compile(r"========= (?:ERROR|RACECHECK) SUMMARY: (\d+)")
BROKEN = re.compile(r"========= .*\b[Ii]nternal.*[Ee]rror.*")
WITHOUT_CUDA = re.compile(r"Target application terminated before first instrumented API call")


@dataclass
class Outcome:
    ended: dict[str, float] = field(default_factory=dict)  # seconds
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    running: str | None = None  # where the output ends
    finding: str = ""  # of the tool, or why there is no word of it

    def seen(self) -> set[str]:
        return {*self.ended, *self.failed, *self.skipped}


def outcome_of(text: str, code: int, tool: str) -> Outcome:
    found = Outcome()
    for line in text.splitlines():
        if begun := BEGUN.search(line):
            found.running = begun[1]
        if end := ENDED.search(line):
            found.ended[end[1]] = int(end[2]) / 1000
        elif end := FAILED.search(line):
            found.failed.append(end[1])
        elif end := SKIPPED.search(line):
            found.skipped.append(end[1])
        if end and end[1] == found.running:
            found.running = None
    found.finding = _finding(text, code, tool, found)
    return found


def _finding(text: str, code: int, tool: str, found: Outcome) -> str:
    is_explained = code == 0 or found.failed or found.skipped or STOPPED.search(text)
    if tool != "plain":
        summaries = [int(count) for count in SUMMARY.findall(text)]
        if any(summaries):
            return f"{sum(summaries)} reports"
        if broken := BROKEN.search(text):
            return f"the tool broke: {broken[0][10:200]}"
        if WITHOUT_CUDA.search(text):
            is_explained = True
        elif not summaries:
            return f"no summary of the tool, exit code {code}"
    return "" if is_explained else f"exit code {code}"
