"""A copy of the tree in which a test follows CONTRIBUTING.md, and the snippets of that file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from plots.catalog import ROOT

#: Not copied: builds, results and generated files. Experiments other than KEPT are removed: none needs another.
LEFT_OUT = ("build", "report", "results", "shared", ".*", "__pycache__")
KEPT = ("random_grids", "rule_interpreter")
#: The variants that stay in the copy, with their references: enough for the tasks and fast to compile.
VARIANTS = ("/sequential.cpp", "/queue.cu", "/halving.cpp", "/dense.cpp", "/warpwise.cu")
#: CMake variables copied from the build under test.
CHOICES = ("CMAKE_GENERATOR", "CMAKE_CXX_COMPILER", "CMAKE_MAKE_PROGRAM", "LOCKSTEP_MPI")
OPTIONS = (
    "-DLOCKSTEP_CUDA=OFF",
    "-DBUILD_TESTING=OFF",
    "-DCMAKE_BUILD_TYPE=Release",
    "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG",
    "-DCMAKE_UNITY_BUILD=ON",
    "-DCMAKE_UNITY_BUILD_BATCH_SIZE=32",
    "-DLOCKSTEP_COMPILE_SOONER=ON",
    "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON",
    "-DFETCHCONTENT_FULLY_DISCONNECTED=ON",
)
#: A snippet. The first line names a file and optionally a location in it.
FENCE = re.compile(r"^```\w*\n((?://|#) \w+/[^\n]*\n.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Snippet:
    file: str
    location: str
    text: str


def snippets(heading: str) -> list[Snippet]:
    """The snippets in a section of CONTRIBUTING.md. A block may contain several, separated by empty lines."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {heading}\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    assert section, f"CONTRIBUTING.md has no section {heading}"
    found = []
    for match in FENCE.finditer(section[1]):
        for part in re.split(r"\n(?=(?://|#) \w+/)", match[1]):
            head, body = part.split("\n", 1)
            file, _, location = head.lstrip("/# ").partition(", ")
            found.append(Snippet(file.strip(), location, body.strip("\n") + "\n"))
    return found


def insert_after(path: Path, pattern: str, text: str) -> None:
    """Inserts text after the only line that matches the pattern, indented like it or, below a list's start, deeper."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    (index,) = [number for number, line in enumerate(lines) if re.search(pattern, line)]
    spaces = re.match(" *", lines[index])
    assert spaces
    indent = spaces[0] + (" " * 4 if lines[index].rstrip().endswith(("{", "KERNELS")) else "")
    lines.insert(index + 1, "".join(f"{indent}{line}\n" for line in text.splitlines()))
    path.write_text("".join(lines), encoding="utf-8")


def with_few_variants(lists: str) -> str:
    """Returns the text of a CMakeLists.txt with only the variants in VARIANTS."""
    kept, inside = [], False
    for line in lists.splitlines(keepends=True):
        if re.fullmatch(r" +[A-Z]+\n", line):
            inside = line.strip() in ("REFERENCE", "BASELINES", "KERNELS")
        elif inside and not line.strip().endswith(VARIANTS):
            continue
        kept.append(line)
    return "".join(kept)


class Scratch:
    """The copy. It is built for the CPU and the emulator, with the harness of the build under test."""

    def __init__(self, folder: Path, binary: Path) -> None:
        self.tree = folder / "tree"
        self.build = folder / "build"
        self.results = folder / "results"
        self.harness = binary.parent
        self.binary = self.build / "lockstep"
        shutil.copytree(ROOT, self.tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
        shutil.copytree(ROOT / "results" / "published", self.tree / "results" / "published")
        for path in (self.tree / "experiments").iterdir():
            if path.is_dir() and path.name not in KEPT:
                shutil.rmtree(path)
        for name in KEPT:
            lists = self.tree / "experiments" / name / "CMakeLists.txt"
            lists.write_text(with_few_variants(lists.read_text(encoding="utf-8")), encoding="utf-8")

    def apply(self, snippet: Snippet) -> None:
        """Writes a file, or inserts the lines at the location that the snippet names."""
        path = self.tree / snippet.file
        if not snippet.location:
            assert not path.exists(), f"{snippet.file} already exists"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(snippet.text, encoding="utf-8")
            return
        patterns = {
            "in the list of workload_axes()": r"^    return \{$",
            "in read_workload(), after workload.shape": r"^    workload\.shape = ",
        }
        insert_after(path, patterns[snippet.location], snippet.text)

    def configure(self) -> None:
        cache = (self.harness / "CMakeCache.txt").read_text(encoding="utf-8")
        chosen = {name: re.search(rf"^{name}:\w+=(.*)$", cache, re.MULTILINE) for name in CHOICES}
        options = [f"-D{name}={found[1]}" for name, found in chosen.items() if found]
        self.step(
            ["cmake", "-S", self.tree, "-B", self.build, *options, *OPTIONS, f"-DLOCKSTEP_HARNESS={self.harness}"]
        )

    def compile(self) -> None:
        self.step(["cmake", "--build", self.build, "--target", "lockstep_main", "--parallel", "2"])

    def step(self, command: list[object], code: int = 0) -> str:
        environment = {**os.environ, "LOCKSTEP_SOURCE": str(self.tree)}
        words = [str(word) for word in command]
        done = subprocess.run(words, capture_output=True, text=True, env=environment, cwd=self.tree)
        assert done.returncode == code, f"{' '.join(words)}\n{done.stdout[-6000:]}{done.stderr[-3000:]}"
        return done.stdout

    def run(self, *words: str, code: int = 0) -> str:
        return self.step([self.binary, *words], code)
