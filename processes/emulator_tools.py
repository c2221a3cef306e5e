"""The tools that `lockstep emulators` compares: how each program of tests/harness/simt/speed/emulators/ is built.

All are compiled with -O3, except kernels under hooks, whose options are those of harness/simt/CMakeLists.txt.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from processes.driver import Skipped

SOURCES = Path("tests/harness/simt/speed/emulators")
FLAGS = ("-std=c++20", "-O3", "-g", "-gdwarf-4", "-fno-omit-frame-pointer", "-ffp-contract=off", "-pthread", "-I.")
#: The kernels' options under hooks: those of lockstep_simt_hooked.
HOOKED = ("-O1", "-fsanitize=thread", "-fsanitize-coverage=trace-pc", "-fno-reorder-blocks", "-Wno-tsan")
HOOKED_TOO = ("--param", "tsan-distinguish-volatile=1", "-DLOCKSTEP_SIMT_HOOKS=1")
WRAP = ("-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset", "-ldl")


class Failed(Exception):
    """Our own program does not build."""


@dataclass(frozen=True)
class Shop:
    """Where programs are built: the tree, the folder of the programs, the source trees of others, our commit."""

    root: Path
    folder: Path
    checkouts: Mapping[str, Path]
    commit: str


@dataclass(frozen=True)
class Built:
    command: Sequence[str]
    version: str


@dataclass(frozen=True)
class Tool:
    """`name` is the row's variant, `title` the column's head. The reference's results are what the others' must equal."""

    name: str
    title: str
    role: str  # ours, peer or reference
    build: Callable[[Shop], Built]


def compiler() -> list[str]:
    """The words of `CXX`, such as `ccache g++`."""
    return shlex.split(os.environ.get("CXX", "")) or ["g++"]


def compile_program(shop: Shop, name: str, words: Sequence[str | Path]) -> Path:
    """Runs the compiler with `words`; the file is written to the shop's folder. Raises Failed with the first error."""
    program = shop.folder / name
    shop.folder.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(
            [*compiler(), *map(str, words), "-o", str(program)], cwd=shop.root, capture_output=True, text=True
        )
    except OSError as error:
        raise Failed(f"{' '.join(compiler())} does not start: {error.strerror}") from None
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line or "cannot find" in line]
        raise Failed(f"{name} does not compile: {(lines or ['no message'])[0]}".replace(f"{shop.root}/", ""))
    return program


def objects(shop: Shop, folder: str) -> list[Path]:
    """The runtime's files, compiled once per call of the command."""
    built = []
    for source in sorted((shop.root / folder).glob("*.cpp")):
        name = f"{source.parent.name}.{source.stem}.o"
        built.append(compile_program(shop, name, [*FLAGS, "-c", source.relative_to(shop.root)]))
    return built


def emulator(name: str, options: Sequence[str], hooks: bool = False) -> Callable[[Shop], Built]:
    def build(shop: Shop) -> Built:
        runtime = objects(shop, "harness/simt/emulator") + (objects(shop, "harness/simt/hooks") if hooks else [])
        text = shop.folder / f"{name}.cpp"
        text.write_text(f'#define LOCKSTEP_EMULATOR 1\n#include "{SOURCES}/emulator.cu"\n', encoding="utf-8")
        kernels = compile_program(shop, f"{name}.o", [*FLAGS, *options, "-c", text])
        program = compile_program(shop, name, [kernels, *runtime, "-pthread", *(WRAP if hooks else ())])
        return Built([str(program)], f"commit {shop.commit[:12]}")

    return build


def plain(shop: Shop) -> Built:
    program = compile_program(shop, "plain", [*FLAGS, SOURCES / "plain.cpp"])
    return Built([str(program)], f"{' '.join(compiler())} -O3")


def hip_cpu(shop: Shop) -> Built:
    tree = shop.checkouts.get(HIP_CPU.name)
    if tree is None:
        raise Skipped("needs its source tree (--checkout hip_cpu=PATH, of https://github.com/ROCm/HIP-CPU)")
    include = tree.resolve() / "include"
    if not (include / "hip" / "hip_runtime.h").is_file():
        raise Skipped("its checkout has no include/hip/hip_runtime.h")
    flags: list[str | Path] = ["-std=c++17", "-O3", "-w", "-fopenmp-simd", "-I.", "-isystem", include]
    program = _foreign(shop, "hip_cpu", [*flags, SOURCES / "hip.cpp", "-ltbb", "-pthread"], "libtbb-dev")
    done = subprocess.run(["git", "-C", str(tree), "rev-parse", "HEAD"], capture_output=True, text=True)
    return Built([str(program)], f"HIP-CPU, commit {done.stdout.strip()[:12] or 'unknown'}")


def pocl(shop: Shop) -> Built:
    words: list[str | Path] = ["-std=c++17", "-O3", "-I.", SOURCES / "opencl.cpp", "-lOpenCL"]
    program = _foreign(shop, "pocl", words, "ocl-icd-opencl-dev")
    done = subprocess.run([str(program), "--version"], capture_output=True, text=True)
    if done.returncode != 0:
        raise Skipped(f"{' '.join(done.stderr.split())}; the package pocl-opencl-icd has PoCL")
    if "PoCL" not in done.stdout:
        raise Skipped(f"the first OpenCL platform is not PoCL but {done.stdout.strip()}")
    version = done.stdout.split("PoCL", 1)[1].split()[0]
    return Built([str(program), str(SOURCES / "kernels.cl")], f"PoCL {version}")


def _foreign(shop: Shop, name: str, words: Sequence[str | Path], package: str) -> Path:
    """Another's program that does not compile is no error of ours."""
    try:
        return compile_program(shop, name, words)
    except Failed as error:
        raise Skipped(f"{error}; it needs the package {package}") from None


HIP_CPU = Tool("hip_cpu", "HIP-CPU", "peer", hip_cpu)
TOOLS = (
    Tool("loops", "plain loops", "reference", plain),
    Tool("unchecked", "ours, no checks of accesses", "ours", emulator("unchecked", ())),
    Tool("checked", "ours, `SharedArray`", "ours", emulator("checked", ["-DCHECKED_CELLS"])),
    Tool("hooks", "ours, hooks", "ours", emulator("hooks", [*HOOKED, *HOOKED_TOO], hooks=True)),
    HIP_CPU,
    Tool("pocl", "PoCL", "peer", pocl),
)
