"""`lockstep expected`: compares metrics that do not depend on time with the committed ones in results/expected/.

A file per experiment. Its first line is the run that gives the metrics, as arguments of `./lockstep run`; each case follows with
a line per metric. The command names every change. Commit an intended change after `./lockstep expected --update`.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from plots.atomic import write_text
from plots.catalog import ROOT, names
from plots.errors import UserError
from plots.load import load_file, result_files
from plots.reproduce import binary
from plots.results import Case
from plots.terminal import say

FOLDER = ROOT / "results" / "expected"
HEAD = "# lockstep run "
#: Redundant metrics: the distribution of a mean that is compared.
NOT_COMPARED = re.compile(r"steps_share_\d+")
#: For sums whose order a compiler may choose. Everything else is an exact count.
TOLERANCE = 1e-12

#: By case, by metric. A digest is hexadecimal, everything else a number.
Metrics = Mapping[str, Mapping[str, str]]


def metrics_of(cases: Iterable[Case]) -> dict[str, dict[str, str]]:
    """The compared metrics of verified cases. A case that failed gives its status, which equals no expected metric."""
    found: dict[str, dict[str, str]] = {}
    for case in cases:
        if case.status == "refused":
            continue
        metrics = {"items": case.items, "bytes": case.bytes, "operations": case.operations} | case.counted_metrics
        values = {name: _number(value) for name, value in metrics.items() if not NOT_COMPARED.fullmatch(name)}
        good = case.status in ("ok", "not_timed")
        found[case.name] = {"digest": case.digest} | values if good else {"status": f"{case.status} {case.reason}"}
    return found


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def text_of(run: str, metrics: Metrics) -> str:
    lines = [HEAD + run]
    for name, values in metrics.items():
        lines += ["", name, *(f"    {metric} {value}" for metric, value in values.items())]
    return "\n".join(lines) + "\n"


def parse(text: str, path: Path) -> tuple[str, dict[str, dict[str, str]]]:
    """The run and its metrics. A file with only its first line has none yet."""
    head, *lines = text.splitlines() or [""]
    if not head.startswith(HEAD):
        raise UserError(f"{path} has no expected metrics", f"its first line is not {HEAD}...", "restore it")
    metrics: dict[str, dict[str, str]] = {}
    values: dict[str, str] = {}
    for number, line in enumerate(lines, 2):
        if not line:
            continue
        if not line.startswith(" "):
            values = metrics.setdefault(line, {})
            continue
        name, _, value = line.strip().partition(" ")
        if not value or not metrics:
            raise UserError(f"{path}:{number} does not parse", "expected a metric and its value", "restore it")
        values[name] = value
    return head.removeprefix(HEAD), metrics


def _same(a: str, b: str) -> bool:
    if a == b:
        return True
    try:
        return math.isclose(float(a), float(b), rel_tol=TOLERANCE)
    except ValueError:
        return False


def differences(expected: Metrics, measured: Metrics) -> list[str]:
    """A line for each metric that changed, appeared or disappeared."""
    lines: list[str] = []
    for name in dict.fromkeys([*expected, *measured]):
        if name not in measured or name not in expected:
            lines.append(f"{name}: " + ("no longer runs" if name not in measured else "is not expected"))
            continue
        before, after = expected[name], measured[name]
        for metric in dict.fromkeys([*before, *after]):
            old, new = before.get(metric, "nothing"), after.get(metric, "nothing")
            if not _same(old, new):
                lines.append(f"{name}: {metric} was {old}, is {new}")
    return lines


def measure(run: str) -> dict[str, dict[str, str]]:
    """Runs the program and reads its metrics. The status of a case says why it failed."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(binary()), "run", *shlex.split(run), "--repetitions", "2", "--out", folder]
        done = subprocess.run(
            command,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "LOCKSTEP_SOURCE": str(ROOT)},
        )
        if done.returncode not in (0, 1):
            raise UserError(
                f"lockstep run {run} failed", done.stderr.strip(), "correct the program or results/expected"
            )
        return metrics_of(case for path in result_files(Path(folder)) for case in load_file(path))


def check(path: Path) -> list[str]:
    run, expected = parse(path.read_text(encoding="utf-8"), path)
    return differences(expected, measure(run))


def files(experiments: Sequence[str], new: bool = False) -> list[Path]:
    """The files of these experiments, or of all; with `new` also those that are yet to be written."""
    known = {path.stem: path for path in sorted(FOLDER.glob("*.txt"))}
    if new:
        known = {name: FOLDER / f"{name}.txt" for name in names()} | known
    unknown = [name for name in experiments if name not in known]
    if unknown:
        advice = "run with --update" if unknown[0] in names() else "check the spelling"
        raise UserError(f"no expected metrics of {unknown[0]}", f"known are {', '.join(known)}", advice)
    return [known[name] for name in experiments or known]


def read(path: Path) -> tuple[str, dict[str, dict[str, str]]]:
    """The run and the metrics of a file, or the run with which a new file begins."""
    if not path.exists():
        return f"{path.stem} --preset quick --machine cpu,emulator", {}
    return parse(path.read_text(encoding="utf-8"), path)


def run(experiments: Sequence[str], update: bool) -> int:
    changed = 0
    for path in files(experiments, new=update):
        command, expected = read(path)
        measured = measure(command)
        lines = differences(expected, measured)
        changed += len(lines)
        for line in lines:
            print(line)
        if update and lines:
            write_text(path, text_of(command, measured))
            say(f"written to {path}")
    if changed and not update:
        print(f"lockstep: {changed} metrics changed; if you meant that: ./lockstep expected --update")
    return 1 if changed and not update else 0
