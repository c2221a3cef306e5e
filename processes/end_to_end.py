"""`lockstep end-to-end`: what a user waits for when a tool runs, from the start of the process to the end of its output.

experiments/<e>/end_to_end.json names the tools and their sizes. A tool has three rows:
cold      a process starts, with empty caches of compiled code (ours and the CUDA driver's)
warm      a process starts, and the caches have everything
resident  one more request in a process that has answered one already (`lockstep batch`)
The files of the program and its libraries are in the memory of the operating system in all of them. Each output is compared
with that of an independent engine.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plots.catalog import ROOT
from plots.errors import UserError
from plots.units import quantity
from processes.program import Described, Program
from processes.rows import Row, RowFile, file_of, run_row, timing
from processes.sampling import LEAST, MOST, enough, sample

#: In a request, the place of the seed: each request of a process has another one, so that nothing answers it twice.
SEED = "{seed}"
#: In a request, the place of the output file. A tool without one prints its output.
OUTPUT = "{output}"
STARTS = ("cold", "warm", "resident")
Say = Callable[[str], None]


class Broken(Exception):
    """A tool that ended with an error, or whose output is wrong."""


@dataclass(frozen=True)
class Tool:
    """A request to a tool on one machine: an entry of end_to_end.json."""

    variant: str
    machine: str
    axes: Mapping[str, str]
    items: float
    request: Sequence[str]
    check: Sequence[str]
    checked_by: str

    @property
    def command(self) -> str:
        return self.request[0]


def tools_of(experiment: str, root: Path = ROOT) -> list[Tool]:
    path = root / "experiments" / experiment / "end_to_end.json"
    if not path.is_file():
        return []
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["tools"]
        return [
            Tool(
                engine["variant"],
                engine["machine"],
                entry["axes"],
                float(entry["items"]),
                [*entry["request"].split(), *engine["options"].split()],
                [*entry["request"].split(), *engine["check"].split()],
                engine["checked_by"],
            )
            for entry in entries
            for engine in entry["engines"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{path} does not parse", f"missing or wrong: {error}", "compare another end_to_end.json"
        ) from None


class Runner:
    """Runs requests in a temporary folder, with caches of its own."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.outputs: dict[tuple[str, ...], bytes] = {}

    def output_of(self, request: Sequence[str]) -> bytes:
        """What the tool writes for this request. It runs once."""
        key = tuple(request)
        if key not in self.outputs:
            self.seconds_of(request)
            self.outputs[key] = (self.folder / "output").read_bytes()
        return self.outputs[key]

    def seconds_of(self, request: Sequence[str], seed: int = 1, cache: str = "warm") -> float:
        """From the start of a process to its end. The output is in the file `output`."""
        output, printed = self.folder / "output", self.folder / "printed"
        output.unlink(missing_ok=True)
        words = [str(self.program), *filled(request, seed, output)]
        environment = self.environment(self.folder / cache)
        with printed.open("wb") as out, (self.folder / "errors").open("wb") as errors:
            start = time.perf_counter()
            code = subprocess.run(words, stdout=out, stderr=errors, env=environment, cwd=ROOT).returncode
            seconds = time.perf_counter() - start
        self._require(code, words)
        if OUTPUT not in request:
            printed.replace(output)
        return seconds

    def batch(self, requests: Sequence[tuple[Sequence[str], int]]) -> tuple[list[float], bytes]:
        """The seconds of each request in one process, and what the last one writes."""
        output, lines, table = (self.folder / name for name in ("output", "lines", "seconds.csv"))
        output.unlink(missing_ok=True)
        rows = [" ".join(filled(request, seed, output)) for request, seed in requests]
        lines.write_text("\n".join(rows) + "\n", encoding="utf-8")
        words = [str(self.program), "batch", str(lines), "--csv", str(table)]
        with (self.folder / "printed").open("wb") as out, (self.folder / "errors").open("wb") as errors:
            environment = self.environment(self.folder / "warm")
            code = subprocess.run(words, stdout=out, stderr=errors, env=environment, cwd=ROOT).returncode
        self._require(code, words)
        seconds = [float(line.rsplit(",", 1)[1]) for line in table.read_text(encoding="utf-8").splitlines()[1:]]
        written = output if any(OUTPUT in request for request, _ in requests) else self.folder / "printed"
        return seconds, written.read_bytes()

    def environment(self, cache: Path) -> dict[str, str]:
        own = {"LOCKSTEP_CACHE": str(cache / "lockstep"), "CUDA_CACHE_PATH": str(cache / "cuda")}
        return {**os.environ, **own, "LOCKSTEP_SOURCE": str(ROOT)}

    def _require(self, code: int, words: Sequence[str]) -> None:
        if code != 0:
            said = (self.folder / "errors").read_text(encoding="utf-8", errors="replace").strip()
            raise Broken(f"{' '.join(words[1:])} ended with code {code}: {said[-300:]}")


def filled(request: Sequence[str], seed: int, output: Path) -> list[str]:
    return [word.replace(SEED, str(seed)).replace(OUTPUT, str(output)) for word in request]


def measure(tool: Tool, start: str, runner: Runner) -> tuple[list[float], str]:
    """The samples of a kind of start, and a digest of the output that was compared."""
    expected = runner.output_of(tool.check)
    if start == "resident":
        seconds, output = resident(tool, runner)
        same = output.endswith(expected) if OUTPUT not in tool.request else output == expected
    else:
        seconds = started(tool, start, runner)
        same = (runner.folder / "output").read_bytes() == expected
    if not same or not expected:
        raise Broken(f"the output of {tool.variant} is not that of {tool.checked_by}")
    return seconds, hashlib.sha256(expected).hexdigest()[:16]


def started(tool: Tool, start: str, runner: Runner) -> list[float]:
    """Starts of a process. A cold one has a cache folder of its own, which does not exist yet."""
    least = LEAST[tool.machine]
    if start == "warm":
        return sample(lambda: runner.seconds_of(tool.request), least)
    seconds: list[float] = []
    while not enough(seconds, least):
        seconds.append(runner.seconds_of(tool.request, cache=f"cold-{tool.command}-{len(seconds)}"))
    return seconds


def resident(tool: Tool, runner: Runner) -> tuple[list[float], bytes]:
    """Requests after the first two of a process. The last one has the seed whose output is compared."""
    for count in (LEAST[tool.machine], 4 * LEAST[tool.machine], MOST):
        seeds = [*range(2, count + 3), 1]
        seconds, output = runner.batch([(tool.request, seed) for seed in seeds])
        if enough(seconds[2:], LEAST[tool.machine]):
            break
    return seconds[2:], output


def run(
    experiments: Sequence[str], program: Program, out: Path, command: str, say: Say = print, root: Path = ROOT
) -> int:
    """Returns the exit code: 1 if a tool broke."""
    known, context = program.experiments(), program.context()
    unknown = [name for name in experiments if name not in known]
    if unknown:
        raise UserError(f"unknown experiment {unknown[0]}", f"known are {', '.join(known)}", "check the spelling")
    wanted = [name for name in known if name in experiments or not experiments]
    machine = str(context["device"]["machine"])
    measured = [(name, tool) for name in wanted for tool in tools_of(name, root) if tool.machine == machine]
    if not measured:
        raise UserError(
            "no tool to run", f"no end_to_end.json of {', '.join(wanted)} has one for {machine}", "name another"
        )
    states = []
    for name, tool in measured:
        file = file_of(context, out, name, "end_to_end", command)
        with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
            runner = Runner(program.path, Path(folder))
            states += [one(tool, start, runner, known[name], file, say) for start in STARTS]
    return 1 if "failed" in states else 0


def one(tool: Tool, start: str, runner: Runner, experiment: Described, file: RowFile, say: Say) -> str:
    """Measures a kind of start and writes its row. Returns its status."""
    row = run_row(experiment, tool.variant, tool.machine, experiment.axes(tool.axes), start, tool.command)
    row |= {"items": tool.items, "request": " ".join(tool.request)}
    try:
        seconds, digest = measure(tool, start, runner)
        row |= timing(seconds, "steady clock") | {"output_sha256": digest}
        row["verified"] = f"own check: the output equals that of {tool.checked_by}, byte for byte"
    except Broken as broken:
        row |= {"status": "failed", "reason": " ".join(str(broken).split())}
    file.put(row)
    say(f"{row['name']}  {sentence(row)}")
    return str(row["status"])


def sentence(row: Row) -> str:
    if row["time"] is None:
        return f"{row['status']}: {row['reason']}"
    return f"{quantity(row['time']['median'], 's')}, {row['repetitions']} samples, noise {row['noise']:.2%}"
