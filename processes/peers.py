"""`lockstep peers`: builds and runs the foreign programs whose drivers are in baselines/<experiment>/peers/.

A peer that does not build or run here gets a row with status `refused` and the reason, and the command succeeds. A driver that
breaks (an exception, a wrong reading) gets a row with status `failed`; the others still run, and the exit code is 1. Rows that
an earlier run measured stay until the same driver has finished again.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plots.atomic import write_text
from plots.catalog import ROOT, item_at, items_of
from plots.errors import UserError
from plots.units import duration, quantity
from processes.driver import Driver, Place, Skipped
from processes.program import Described, Program
from processes.rows import Row, RowFile, file_of, peer_row, refused_row

#: In a peer's folder: why it could not be built, for a later run with --no-build.
REASON = "not_built.txt"
#: Compute capability for which a machine without a GPU builds, unless CUDAARCHS names another.
ARCHITECTURE = "90"

#: Packages of this repository: a driver that does not find a module of theirs is wrong.
OWN = ("baselines", "processes", "plots")

#: Prints a line.
Say = Callable[[str], None]


@dataclass(frozen=True)
class Found:
    """A driver's module: baselines/<experiment>/peers/<stem>.py."""

    experiment: str
    stem: str

    def load(self) -> Driver:
        driver: Driver = importlib.import_module(f"baselines.{self.experiment}.peers.{self.stem}").DRIVER
        return driver


@dataclass(frozen=True)
class Wish:
    """What the user asked for."""

    experiments: Sequence[str] = ()
    only: Sequence[str] = ()
    checkouts: Mapping[str, Path] = field(default_factory=dict)
    build: bool = True
    run: bool = True


def find(root: Path = ROOT) -> list[Found]:
    paths = sorted(root.glob("baselines/*/peers/*.py"))
    return [Found(path.parent.parent.name, path.stem) for path in paths if not path.stem.startswith("_")]


def chosen(wish: Wish, found: Sequence[Found], experiments: Sequence[str]) -> list[Found]:
    """The drivers to use. An unknown name and a checkout that does not exist are the user's mistakes."""
    for name in wish.experiments:
        _require("experiment", name, experiments)
    names = sorted({driver.stem for driver in found})
    for name in [*wish.only, *wish.checkouts]:
        _require("peer", name, names)
    for name, path in wish.checkouts.items():
        if not path.is_dir():
            raise UserError(f"no checkout of {name}", f"{path} is not a folder", "correct --checkout NAME=PATH")
    return [
        driver
        for driver in found
        if (not wish.experiments or driver.experiment in wish.experiments)
        and (not wish.only or driver.stem in wish.only)
    ]


def _require(what: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise UserError(f"unknown {what} {name}", f"known are {', '.join(known) or 'none'}", "check the spelling")


def place_of(found: Found, wish: Wish, context: Mapping[str, Any], program: Path, root: Path = ROOT) -> Place:
    device = context["device"]
    capability = str(device.get("compute_capability") or "").replace(".", "")
    wanted = os.environ.get("CUDAARCHS", "").split(";")[0].removesuffix("-real")
    checkout = wish.checkouts.get(found.stem)
    return Place(
        folder=root / "build" / "peers" / found.experiment / found.stem,
        checkout=checkout.resolve() if checkout else None,
        has_gpu=device["machine"] == "cuda",
        nvcc=_nvcc(),
        architecture=capability or (wanted if wanted.isdigit() else ARCHITECTURE),
        lockstep=program,
    )


def _nvcc() -> str | None:
    home = Path(os.environ.get("CUDA_HOME") or "/usr/local/cuda")
    candidates = [os.environ.get("CUDACXX"), shutil.which("nvcc"), str(home / "bin" / "nvcc")]
    return next((path for path in candidates if path and Path(path).is_file()), None)


def build(driver: Driver, place: Place) -> None:
    """Builds, and keeps the reason if that is not possible."""
    place.folder.mkdir(parents=True, exist_ok=True)
    reason = place.folder / REASON
    try:
        driver.build(place)
    except Skipped as skipped:
        write_text(reason, f"{skipped}\n")
        raise
    reason.unlink(missing_ok=True)


def measure(driver: Driver, place: Place, found: Found, experiment: Described, file: RowFile, say: Say) -> None:
    """Writes a row per reading. When the driver has finished, rows that it no longer measures disappear."""
    reason = place.folder / REASON
    if reason.is_file():
        raise Skipped(reason.read_text(encoding="utf-8").strip())
    earlier = {row["name"] for row in file.rows if row.get("peer") == found.stem}
    written: set[str] = set()
    for reading in driver.readings(place):
        row = peer_row(experiment, reading, found.stem)
        file.put(row)
        written.add(row["name"])
        say(f"{row['name']}  {sentence(row)}")
    file.remove(earlier - written)


def sentence(row: Row) -> str:
    """'12.3 G grids/s, 25 samples, noise 0.31%, PyTorch 2.8.0'."""
    item = item_at(items_of(row["experiment"]), row["axes"], row["item"])
    speed = quantity(row["items"] / row["time"]["median"], f"{item}/s")
    return f"{speed}, {row['repetitions']} samples, noise {row['noise']:.2%}, {row['version']}"


def run(wish: Wish, program: Program, out: Path, command: str, say: Say = print, root: Path = ROOT) -> int:
    """Returns the exit code: 1 if a driver broke."""
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    experiments, context = program.experiments(), program.context()
    drivers = chosen(wish, find(root), sorted(experiments))
    if not drivers:
        raise UserError("no peer to run", "no driver matches", "see baselines/<experiment>/peers/")
    states = []
    for found in drivers:
        place = place_of(found, wish, context, program.path, root)
        file = file_of(context, out, found.experiment, "peers", command)
        states.append(one(found, wish, place, experiments[found.experiment], file, say, root))
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    say(f"{len(drivers)} peers: {counts}" + ("" if wish.run else " (no row written)"))
    return 1 if "failed" in states else 0


def one(found: Found, wish: Wish, place: Place, experiment: Described, file: RowFile, say: Say, root: Path) -> str:
    """Builds and runs one peer, whatever happens to it. Returns how that ended."""
    state, reason = "measured" if wish.run else "built", ""
    try:
        driver = found.load()
        if wish.build:
            build(driver, place)
        if wish.run:
            measure(driver, place, found, experiment, file, say)
    except Skipped as skipped:
        state, reason = "refused", str(skipped)
    except ModuleNotFoundError as error:
        own = (error.name or "").split(".")[0] in OWN
        state, reason = "failed" if own else "refused", f"its driver needs a Python package: {error}"
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout or b"")[-300:]
        words = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        state, reason = (
            "failed",
            f"{' '.join(map(str, error.cmd)) if isinstance(error.cmd, list) else error.cmd}: {words}",
        )
    except Exception as error:  # One broken driver must not cost the others their rows.
        state, reason = "failed", f"{type(error).__name__}: {error}"
    if reason:
        say(f"{found.experiment}/{found.stem}  {state}: {reason}")
    if wish.run:
        # Rows are published: they name no path of the machine that made them.
        settle(file, experiment, found.stem, state, reason.replace(f"{root}/", ""))
    return state


def settle(file: RowFile, experiment: Described, peer: str, state: str, reason: str) -> None:
    """Keeps at most one row that says why the peer has no other row."""
    stale = {"refused", "failed"} - {state}
    file.remove({refused_row(experiment, peer, status, "")["name"] for status in stale})
    if reason:
        file.put(refused_row(experiment, peer, state, reason))
