"""`lockstep reproduce`: runs every experiment with a preset, draws everything, writes the report.

It resumes: an experiment that the same program finished with the same preset and sweeps does not run again. Of the others,
only cases run that the results do not have from this commit, so `full` after `paper` runs the rest. A case that fails does
not stop the others. It is named at the end and on the page, and the exit code is 1.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plots.atomic import write_text
from plots.catalog import ROOT, names
from plots.counters import join
from plots.errors import UserError
from plots.figures_command import write_figures
from plots.gather import gather, load_results
from plots.process import exit_code
from plots.progress import Progress, Stage
from plots.site import write_report
from plots.terminal import say

#: `lockstep run` prints a row "[3/20]  32x32  half  warpwise  cuda  1.2 ms ..." after each case, with the status instead of the
#: time if there is none.
CASE_LINE = re.compile(r"^ *\[(\d+)/(\d+)\] +(.*?)(?:  +(failed|disagrees|not_verified)( \(.*)?)?$")
#: At the end it prints where the results are.
RESULTS_LINE = re.compile(r"^(?:results in |written to )?(\S+\.json)$")
LIMITS, TRACE = "limits", "trace"
SECONDS_PER_CASE, SECONDS_PER_LIMIT, SECONDS_PER_DRAWING, LIMITS_EXPECTED = 1.0, 0.5, 0.3, 25
#: What the program prints if the preset has no case for the machines here. Anything else is an error.
NO_CASE = "no case to run"
MISSING_BINARY = "the program is not built"


@dataclass(frozen=True)
class Job:
    """One call of the program: an experiment's preset, or the limits."""

    name: str
    arguments: tuple[str, ...]
    steps: int
    stamp: Path
    fingerprint: str

    def is_done(self) -> bool:
        """True if this program finished these cases and the results still exist."""
        try:
            stamp = json.loads(self.stamp.read_text(encoding="utf-8"))
            return stamp["fingerprint"] == self.fingerprint and all(Path(file).is_file() for file in stamp["files"])
        except (OSError, ValueError, KeyError):
            return False

    def files(self) -> list[Path]:
        """The results that a finished job wrote."""
        return [Path(file) for file in json.loads(self.stamp.read_text(encoding="utf-8"))["files"]]

    def mark_done(self, files: Sequence[str]) -> None:
        write_text(self.stamp, json.dumps({"fingerprint": self.fingerprint, "files": list(files)}) + "\n")


def binary() -> Path:
    path = Path(os.environ.get("LOCKSTEP_BINARY", ROOT / "build" / "release" / "lockstep"))
    if not path.is_file():
        raise UserError(f"no program at {path}", MISSING_BINARY, "use ./lockstep reproduce, which builds it")
    return path


def run(
    preset: str, experiments: Sequence[str], results: Path, out: Path, fresh: bool = False, counters: bool = False
) -> int:
    """Returns the exit code. `counters` adds hardware counters to the rows that experiments/<e>/counters.py names."""
    if counters and shutil.which("ncu") is None:
        raise UserError("no hardware counters", "ncu is not installed", "install Nsight Compute or remove --counters")
    program = binary()
    jobs = plan(program, preset, experiments, results, out, fresh)
    waiting = [job for job in jobs if fresh or not job.is_done()]
    cases = [
        Stage(job.name, job.steps, SECONDS_PER_LIMIT if job.name in (LIMITS, TRACE) else SECONDS_PER_CASE)
        for job in waiting
    ]
    progress = Progress([*cases, Stage("figures", 20, SECONDS_PER_DRAWING), Stage("report", 20, SECONDS_PER_DRAWING)])
    for job in jobs:
        if job not in waiting:
            progress.say(f"{job.name}: already done with this program (--fresh runs it again)")
    problems: list[str] = []
    for job in waiting:
        progress.begin(job.name)
        problems += execute(program, job, out, progress)
        progress.finish()
    if counters:
        read_counters(program, [job for job in jobs if job.is_done()], progress)
    page = pages(results, out, experiments, progress, problems)
    progress.end()
    for problem in problems:
        say(f"lockstep: {problem}")
    say(f"open {page}")
    return 1 if problems else 0


def runnable() -> list[str]:
    """Experiments that have sweeps."""
    return [name for name in names() if (ROOT / "experiments" / name / "sweeps.json").is_file()]


def plan(
    program: Path, preset: str, experiments: Sequence[str], results: Path, out: Path, fresh: bool = False
) -> list[Job]:
    """The jobs: limits of the device, traces for the schematic figures, and every experiment with cases for this preset
    here.
    """
    known = runnable()
    unknown = [name for name in experiments if name not in known]
    if unknown:
        raise UserError(f"unknown experiment {unknown[0]}", f"known are {', '.join(known)}", "check the spelling")
    folder = out / ".done" / preset
    digest = hashlib.sha256(program.read_bytes() + os.fsencode(os.path.realpath(results)))
    jobs = [
        Job(LIMITS, (LIMITS, "--out", str(results)), LIMITS_EXPECTED, folder.parent / LIMITS, digest.hexdigest()),
        Job(TRACE, (TRACE, "--out", str(results / "schematics")), 1, folder.parent / TRACE, digest.hexdigest()),
    ]
    for name in experiments or known:
        arguments: tuple[str, ...] = ("run", name, "--preset", preset, "--out", str(results))
        dry = subprocess.run(
            [program, *arguments, "--dry-run"], capture_output=True, encoding="utf-8", errors="replace"
        )
        if dry.returncode != 0:
            reason = dry.stderr.strip().splitlines()[-1] if dry.stderr.strip() else "no reason given"
            if NO_CASE not in reason:
                raise UserError(
                    f"{name} cannot be run", reason.removeprefix("lockstep: "), "nothing was run; correct this first"
                )
            say(f"{name}: not run, {reason}")
            continue
        fingerprint = digest.copy()
        fingerprint.update(dry.stdout.encode())
        steps = max(1, len(dry.stdout.splitlines()) - 1)
        arguments += () if fresh else ("--missing",)
        jobs.append(Job(name, arguments, steps, folder / name, fingerprint.hexdigest()))
    return jobs


def execute(program: Path, job: Job, out: Path, progress: Progress) -> list[str]:
    """Runs a job and keeps its output in OUT/log. Returns a line per problem."""
    problems: list[str] = []
    lines: list[str] = []
    with subprocess.Popen(
        [program, *job.arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
    ) as child:
        try:
            for line in child.stdout or ():
                lines.append(line)
                problems += read_line(line.rstrip(), job, progress)
        except KeyboardInterrupt as stopped:
            # A terminal sends SIGINT to the child, too. Its run ends after the interrupted case.
            if exit_code(stopped) == 128 + signal.SIGTERM:
                child.terminate()
            child.wait()
            raise
    write_text(out / "log" / f"{job.name}.txt", "".join(lines))
    if child.returncode != 0 and not problems:
        last = lines[-1].strip() if lines else "no output"
        problems.append(f"{job.name} ended with code {child.returncode}: {last}")
    if not problems:
        job.mark_done([found.group(1) for line in lines if (found := RESULTS_LINE.match(line.strip()))])
    return problems


def read_line(line: str, job: Job, progress: Progress) -> list[str]:
    """Counts a step per case. Prints failed cases at once, and every line if there is no progress bar."""
    found = CASE_LINE.match(line)
    bad = found is not None and found.group(4) is not None
    if bad or not progress.terminal:
        progress.say(line)
    if found is not None or job.name in (LIMITS, TRACE):
        progress.step()
    if found is None or not bad:
        return []
    case = re.sub(" {2,}", " ", found.group(3))
    return [f"{job.name}: {case} {found.group(4)}{found.group(5) or ''}"]


def read_counters(program: Path, jobs: Sequence[Job], progress: Progress) -> None:
    for job in jobs:
        if (ROOT / "experiments" / job.name / "counters.py").is_file():
            wanted = importlib.import_module(f"experiments.{job.name}.counters").wanted
            for file in job.files():
                progress.say(f"{job.name}: counters of {join(program, file, wanted())} rows")


def pages(results: Path, out: Path, experiments: Sequence[str], progress: Progress, problems: Sequence[str]) -> Path:
    """Draws figures and writes the report from everything in the results folder."""
    loaded = load_results(results)
    sections = gather(loaded, experiments, results)
    expected = sum(
        len(page.drawings) + len(page.tables) for section in sections for page in [section.across, *section.pages]
    )
    for stage in progress.stages[-2:]:
        stage.steps = expected
    quiet: Callable[[str], None] = (lambda line: None) if progress.terminal else progress.say
    progress.begin("figures")
    write_figures(sections, out, quiet, progress.step)
    progress.begin("report")
    note = f"Not everything ran: {'; '.join(problems)}" if problems else ""
    return write_report(loaded, sections, out, progress.step, note, folder=results)
