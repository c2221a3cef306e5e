"""`lockstep emulators`: the same kernels in our emulator, with and without checks, and in other tools that run them on a CPU.

The programs are in tests/harness/simt/speed/emulators/, one per tool. Each runs the kernels on request, so they run side by
side and take turns, sample by sample, on one core: other load on the machine affects all of them alike. A tool's number is
its fastest sample. Results are compared with those of plain loops. A tool that is not installed gets a row that says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from plots.atomic import write_text
from plots.catalog import ROOT
from plots.errors import UserError
from processes import emulators_table
from processes.driver import Skipped
from processes.emulator_tools import HIP_CPU, TOOLS, Built, Failed, Shop, Tool
from processes.program import Program
from processes.rows import Row, RowFile, timing
from processes.sampling import LEAST

BLOCK = 256
FOLDER = ROOT / "results" / emulators_table.FOLDER


@dataclass(frozen=True)
class Kernel:
    """A kernel of kernels.hpp, its size, and the operations of a lane per round, whose time is the figure."""

    name: str
    operation: str
    blocks: int
    rounds: int
    operations: int = 1

    @property
    def items(self) -> int:
        return self.blocks * BLOCK * self.rounds * self.operations


#: Sizes at which a slow tool takes a tenth of a second, and a fast one longer than its clock and its queue cost.
KERNELS = (
    Kernel("straight", "a lane that never waits", 1024, 1),
    Kernel("barriers", "a barrier of the block", 64, 16, 2),
    Kernel("shuffles", "a shuffle of 32 lanes", 64, 16),
    Kernel("atomics", "an atomic addition", 64, 16),
    Kernel("reduction", "a lane of a block's sum in shared memory", 64, 4),
)


@dataclass
class Running:
    """A tool's process, what it measured, and why it measures no more."""

    tool: Tool
    version: str
    process: subprocess.Popen[str]
    seconds: list[float] = field(default_factory=list)
    digest: str = ""
    refused: str = ""
    broken: str = ""

    def ask(self, kernel: Kernel) -> None:
        """One launch. The results of all launches must be equal."""
        asked, answered = _stream(self.process.stdin), _stream(self.process.stdout)
        try:
            asked.write(f"{kernel.name} {kernel.blocks} {kernel.rounds}\n")
            asked.flush()
            answer = answered.readline()
            if not answer:
                self.broken = "its program ended"
                return
            first, _, second = answer.strip().partition(" ")
            if first == "refused":
                self.refused = second
                return
            seconds = float(first)
        except BrokenPipeError:
            self.broken = "its program ended"
            return
        except ValueError:
            self.broken = "its program answers no number"
            return
        if self.digest not in ("", second):
            self.broken = "its results differ from launch to launch"
        self.digest = second
        self.seconds.append(seconds)

    def reset(self) -> None:
        self.seconds, self.digest, self.refused = [], "", ""

    @property
    def able(self) -> bool:
        return not self.refused and not self.broken


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def start(tool: Tool, built: Built, core: int) -> Running:
    process = subprocess.Popen(
        built.command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "POCL_MAX_PTHREAD_COUNT": "1"},
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )
    return Running(tool, built.version, process)


def measure(kernel: Kernel, tools: Sequence[Running], samples: int) -> float:
    """All tools take turns, after a launch each to warm up. Returns the highest load average that was seen."""
    load = 0.0
    for tool in tools:
        tool.reset()
    for turn in range(samples + 1):
        for tool in tools:
            if tool.able:
                tool.ask(kernel)
            if turn == 0:
                tool.seconds.clear()
        load = max(load, os.getloadavg()[0])
    return load


def row_of(kernel: Kernel, tool: Tool, version: str) -> Row:
    """A row without a time."""
    axes = {"kernel": kernel.name, "block": str(BLOCK), "blocks": str(kernel.blocks), "rounds": str(kernel.rounds)}
    return {
        "name": f"emulators/{tool.name}/kernel:{kernel.name}",
        "experiment": "emulators",
        "variant": tool.name,
        "role": tool.role,
        "machine": "emulator" if tool.role == "ours" else "cpu",
        "axes": axes,
        "status": "not_timed",
        "reason": "",
        "item": kernel.operation,
        "items": float(kernel.items),
        "version": version,
        "metrics": {},
        "measurements": {},
    }


def finished(kernel: Kernel, tool: Running, reference: str, load: float) -> Row:
    """The row of what the tool did with the kernel."""
    row = row_of(kernel, tool.tool, tool.version)
    if not tool.able:
        status = "failed" if tool.broken else "refused"
        return row | {"status": status, "reason": tool.broken or tool.refused}
    if tool.digest != reference:
        return row | {"status": "disagrees", "reason": "its results differ from those of the loops"}
    row |= timing(tool.seconds, "steady clock")
    row["time"]["minimum"] = min(tool.seconds)
    row["measurements"] = {"load": round(load, 1)}
    return row | {"digest": f"0x{tool.digest}", "verified": "all results equal those of the loops"}


@dataclass(frozen=True)
class Wish:
    """What the user asked for."""

    only: Sequence[str] = ()
    checkouts: Mapping[str, Path] = field(default_factory=dict)
    samples: int = 25
    table_only: bool = False


def check(wish: Wish) -> None:
    names = [tool.name for tool in TOOLS]
    for name in wish.only:
        if name not in names:
            raise UserError(f"unknown tool {name}", f"known are {', '.join(names)}", "correct --only")
    for name, path in wish.checkouts.items():
        if name != HIP_CPU.name:
            raise UserError(f"{name} has no checkout", f"only {HIP_CPU.name} is built from one", "correct --checkout")
        if not path.is_dir():
            raise UserError(f"no checkout of {name}", f"{path} is not a folder", "correct --checkout NAME=PATH")
    if wish.samples < LEAST["cpu"]:
        raise UserError(f"{wish.samples} samples are too few", f"a row needs {LEAST['cpu']}", "correct --samples")


def run(
    wish: Wish,
    program: Program,
    out: Path,
    command: str,
    say: Callable[[str], None] = lambda text: print(text, file=sys.stderr, flush=True),
    tools: Sequence[Tool] = TOOLS,
) -> int:
    """Measures, writes rows and the table. The exit code is 1 if a tool broke or its results differ."""
    check(wish)
    path, broken = out / emulators_table.ROWS, False
    if not wish.table_only:
        # The emulator is compiled here, optimised, whatever the build of the program is.
        context = program.context()
        context |= {"publishable": bool(context.get("commit")) and not context.get("dirty")}
        context.pop("unpublishable_because", None)
        file = RowFile(path, context, command)
        shop = Shop(ROOT, ROOT / "build" / "emulators", wish.checkouts, str(context.get("commit") or "unknown"))
        chosen = [tool for tool in tools if not wish.only or tool.name in wish.only or tool.role == "reference"]
        broken = _measure_all(chosen, shop, file, wish.samples, say)
    table = write_text(out / emulators_table.PAGE, emulators_table.page(path))
    say(f"wrote {table}")
    return 1 if broken else 0


def _measure_all(tools: Sequence[Tool], shop: Shop, file: RowFile, samples: int, say: Callable[[str], None]) -> bool:
    """True if a tool broke."""
    rows: list[Row] = []
    with ExitStack() as stack:
        running = []
        core = max(os.sched_getaffinity(0))
        for tool in tools:
            say(f"building {tool.name}")
            try:
                running.append(start(tool, tool.build(shop), core))
                stack.callback(_stop, running[-1].process)
            except (Skipped, Failed) as error:
                status = "refused" if isinstance(error, Skipped) else "failed"
                rows += [row_of(kernel, tool, "") | {"status": status, "reason": str(error)} for kernel in KERNELS]
        for kernel in KERNELS:
            say(f"measuring {kernel.name}, {samples} times each")
            load = measure(kernel, running, samples)
            reference = next((tool.digest for tool in running if tool.tool.role == "reference"), "")
            rows += [finished(kernel, tool, reference, load) for tool in running]
    for row in rows:
        file.put(row)
    wrong = [row for row in rows if row["status"] in ("failed", "disagrees")]
    for row in wrong:
        say(f"{row['name']} {row['status']}: {row['reason']}")
    return bool(wrong)


def _stop(process: subprocess.Popen[str]) -> None:
    with suppress(BrokenPipeError):  # it ended before
        _stream(process.stdin).close()
    process.wait()


def as_options(options: Any) -> Wish:
    return Wish(options.only, dict(options.checkout), options.samples, options.table_only)
