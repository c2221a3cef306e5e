"""What is known about each test under each tool: a line of JSON per result, so that another run can continue."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

#: Results of a test. A later result replaces an earlier one.
ENDED, SKIPPED, FAILED, FINDING, CUT = "ended", "skipped", "failed", "finding", "cut"


@dataclass(frozen=True)
class Line:
    tool: str
    program: str
    test: str
    result: str
    seconds: float
    digest: str  # of the program
    note: str = ""


Key = tuple[str, str, str]


def _lines(paths: Iterable[Path]) -> dict[Key, Line]:
    lines = [Line(**json.loads(text)) for path in paths for text in path.read_text(encoding="utf-8").splitlines()]
    return {(line.tool, line.program, line.test): line for line in lines}


class Record:
    """The results in `file`, after those of `earlier` ones. Those of `times` only say how long a test takes."""

    def __init__(self, file: Path, earlier: Iterable[Path], times: Iterable[Path] = ()) -> None:
        self.lines = _lines([*earlier, *([file] if file.exists() else [])])
        self._times = _lines(times)
        file.parent.mkdir(parents=True, exist_ok=True)
        self._file = file.open("w", encoding="utf-8")
        for line in self.lines.values():
            self._write(line)

    def add(self, line: Line) -> None:
        self.lines[line.tool, line.program, line.test] = line
        self._write(line)

    def _write(self, line: Line) -> None:
        self._file.write(json.dumps(asdict(line)) + "\n")
        self._file.flush()

    def has(self, key: Key) -> bool:
        return key in self.lines and self.lines[key].result == ENDED

    def seconds_of(self, program: str) -> dict[str, float]:
        """Plain run times of its tests."""
        known = {**self._times, **self.lines}
        return {key[2]: line.seconds for key, line in known.items() if key[:2] == ("plain", program)}


def summary(record: Record, asked: Sequence[Key], digests: dict[str, str], tools: Sequence[str]) -> tuple[str, bool]:
    """A line per tool, then every test that did not end, by name; and whether all ended without a finding."""
    lines = []
    bad = []
    for tool in tools:
        keys = [key for key in asked if key[0] == tool]
        counts = Counter(record.lines[key].result if key in record.lines else "not begun" for key in keys)
        others = sum(record.lines[key].digest != digests[key[1]] for key in keys if record.has(key))
        lines.append(
            f"{tool:10} {counts[ENDED]:5} of {len(keys)} tests ended without a finding; {counts[FINDING]} findings, "
            f"{counts[FAILED]} failed, {counts[SKIPPED]} skipped, {counts[CUT]} cut off, {counts['not begun']} not begun"
            + (f"; {others} of those that ended ran in another build" if others else "")
        )
        bad += [key for key in keys if not record.has(key)]
    for key in bad:
        found = record.lines.get(key)
        told = f"{found.result} after {found.seconds:.0f} s {found.note}".rstrip() if found else "not begun"
        lines.append(f"{key[0]} {key[1]} {key[2]}: {told}")
    return "\n".join(lines) + "\n", not bad
