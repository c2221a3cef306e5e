"""Builds and runs the programs of compiled peers (samples.hpp says what they print)."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from processes.driver import Place, Skipped

ROOT = Path(__file__).resolve().parents[2]


class WrongResult(Exception):
    """A peer ran, and what it computed is wrong."""


@dataclass(frozen=True)
class Samples:
    seconds: Sequence[float]
    checked: str
    version: str

    @property
    def verified(self) -> str:
        return f"own check: {self.checked}"


def required_gpu(place: Place) -> None:
    if not place.has_gpu:
        raise Skipped("no GPU is present")


def required_checkout(place: Place, name: str, file: str, source: str) -> Path:
    """The source tree of a peer. `file` is one of its files, and `source` says where the tree comes from."""
    if place.checkout is None:
        raise Skipped(f"no source tree is given: --checkout {name}=PATH ({source})")
    if not (place.checkout / file).exists():
        raise Skipped(f"{place.checkout} is not its source tree: it has no {file} ({source})")
    return place.checkout


def nvcc_command(place: Place, *options: str) -> list[str]:
    """Machine code for the place's architecture, and PTX for later ones. The C++ runtime library is linked in."""
    if place.nvcc is None:
        raise Skipped("nvcc is not installed")
    static = ["-Xcompiler", "-static-libstdc++", "-Xcompiler", "-static-libgcc"]
    return [place.nvcc, "-O3", f"-arch=sm_{place.architecture}", "-w", "-Xlinker", "-s", f"-I{ROOT}", *static, *options]


def cxx_command(*options: str) -> list[str]:
    compiler = shutil.which("c++")
    if compiler is None:
        raise Skipped("c++ is not installed")
    return [
        compiler,
        "-O3",
        "-std=c++20",
        "-pthread",
        "-s",
        "-static-libstdc++",
        "-static-libgcc",
        f"-I{ROOT}",
        *options,
    ]


def compile_program(program: Path, command: Sequence[str], sources: Iterable[Path], seconds: float = 1800) -> None:
    """Runs the command with the sources and the output, unless that made the program that is there."""
    sources = list(sources)
    ours = [
        *sources,
        *sources[0].parent.glob("*"),
        *sources[0].parent.parent.glob("_*/*"),
        *Path(__file__).parent.glob("*.hpp"),
    ]
    stamp, state = program.with_suffix(".stamp"), state_of(command, ours)
    if program.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == state:
        return
    program.parent.mkdir(parents=True, exist_ok=True)
    made = program.with_suffix(".new")
    full = [*command[:1], *map(str, sources), *command[1:], "-o", str(made)]
    try:
        done = subprocess.run(full, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise Skipped(f"it does not compile within {seconds:.0f} s") from error
    if done.returncode != 0:
        raise Skipped(f"it does not compile: {first_error(done.stderr)}")
    made.rename(program)
    stamp.write_text(state, encoding="utf-8")


def state_of(command: Sequence[str], files: Iterable[Path]) -> str:
    """Changes with the contents of the files and with the options, but not with the folders in which they lie."""
    parts = [option.encode() for option in command if "/" not in option]
    parts += [file.read_bytes() for file in sorted(set(files)) if file.is_file()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def first_error(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower() or "undefined" in line]
    return (errors or lines or ["no message"])[0]


def run_program(program: Path, *arguments: object, seconds: float = 120) -> Samples:
    """Runs a program and reads its lines. Raises WrongResult if its own check fails or it breaks."""
    if not program.exists():
        raise Skipped(f"{program.name} is not built: ./lockstep peers --build-only")
    command = [str(program), *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise WrongResult(f"{program.name} did not end within {seconds:.0f} s") from error
    words = [line.partition(" ") for line in done.stdout.splitlines()]
    values = {
        name: [text for first, _, text in words if first == name] for name in ("seconds", "check", "wrong", "version")
    }
    if values["wrong"]:
        raise WrongResult(values["wrong"][0])
    if done.returncode != 0 or not values["seconds"] or not values["check"]:
        raise WrongResult(f"{program.name} ended with {done.returncode}: {first_error(done.stderr)}")
    return Samples([float(value) for value in values["seconds"]], values["check"][0], " ".join(values["version"]))
