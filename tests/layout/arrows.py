"""Reads the includes and imports of all files and reports those that violate the arrows in CONTRIBUTING.md."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
IMPORT = re.compile(r"^\s*(?:from|import)\s+([\w.]+)(?:\s+import\s+(\w+))?", re.MULTILINE)
#: Trees that Python in a tree may import: plots/ finds experiments by directory; experiments use plots/ for figures;
#: processes/ finds drivers of foreign programs by directory, and these use its protocol. python/ is for users and uses
#: itself alone.
PYTHON = {
    "plots": {"plots", "experiments"},
    "experiments": {"plots", "experiments"},
    "harness": {"harness"},
    "processes": {"processes", "plots"},
    "baselines": {"baselines", "processes"},
    "python": {"python"},
}


def chain(text: str) -> list[set[str]]:
    """Parses `a -> b, c -> d` into levels."""
    return [set(re.findall(r"\w+", names)) for names in text.split("->")]


def follows(source: str, target: str, levels: list[set[str]]) -> bool:
    rank = {name: index for index, names in enumerate(levels) for name in names}
    return source == target or rank.get(source, len(levels)) < rank.get(target, -1)


def used(path: str, text: str, files: set[str]) -> Iterable[str]:
    """Yields the paths that a file includes or imports. Includes are relative to the file or to the root."""
    if path.endswith(".py"):
        yield from (f"{module}.{name}".replace(".", "/") for module, name in IMPORT.findall(text))
    elif path.endswith((".cpp", ".hpp", ".cu")):
        for name in INCLUDE.findall(text):
            relative = str(Path(path).parent / name)
            yield relative if relative in files else name


def violations(root: Path, files: Iterable[str]) -> list[str]:
    """Returns a line `file: target` per violation."""
    known = sorted(files)
    trees, parts = map(chain, re.findall(r"^\w.* -> .*$", (root / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE))
    installs = re.search(r"install\(DIRECTORY (.*?) DESTINATION", (root / "cmake/install.cmake").read_text("utf-8"))
    installed = set(installs[1].split()) if installs else set()
    directories = {file.split("/")[0] for file in known if "/" in file}
    experiments = {file.split("/")[1] for file in known if re.match("experiments/.*/", file)}

    def allowed(file: str, target: str) -> bool:
        (tree, part, *_), (other, its_part, *_) = file.split("/"), f"{target}/".split("/")
        if {part, its_part} <= experiments and part != its_part:
            return False
        if tree == "tests":
            return True
        if tree == "examples":
            return other in installed or (other, its_part) == (tree, part)
        if file.endswith(".py"):
            return other in PYTHON.get(tree, set())
        return follows(tree, other, trees) and (tree != other or tree != "harness" or follows(part, its_part, parts))

    return [
        f"{file}: {target}"
        for file in known
        for target in used(file, (root / file).read_text("utf-8", errors="replace"), set(known))
        if target.split("/")[0] in directories and not allowed(file, target)
    ]
