"""Which programs of a suite a draw takes from: all folders, or those that check themselves and have their inputs.

Both rules read texts only, so that a program is in the population whatever it does in the emulator.
"""

from __future__ import annotations

import re
from pathlib import Path

#: Where a program's texts are.
SUFFIXES = (".cu", ".cuh", ".cpp", ".cc", ".c", ".h", ".hpp", ".inl")

LITERAL_OR_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
PASSES = re.compile(r"\bPASS(ED)?\b", re.IGNORECASE)
FAILS = re.compile(r"\bFAIL(ED)?\b", re.IGNORECASE)

#: Bytes of a source that `emulate` reads without --max-input.
MOST_BYTES = 16 << 20

ASSIGNMENT = re.compile(r"^([A-Za-z_]\w*)[ \t]*[:?]?=[ \t]*(.*)$", re.MULTILINE)
RECIPE = re.compile(r"^run[ \t]*:[^\n]*\n((?:\t[^\n]*\n?)*)", re.MULTILINE)
VARIABLE = re.compile(r"\$[({](\w+)[)}]")
FILE = re.compile(r"[^-/][^/]*\.[A-Za-z]\w*|[^-].*/.*")


def _is_text(path: Path) -> bool:
    """A regular file that `emulate` would read."""
    return path.is_file() and path.stat().st_size <= MOST_BYTES


def checks_itself(folder: Path) -> bool:
    """Whether a string of the program says that it passes and one says that it fails (comments do not count)."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and _is_text(path))
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in paths)
    literals = [match[1] for text in texts for match in LITERAL_OR_COMMENT.finditer(text) if match[1]]
    return any(map(PASSES.search, literals)) and any(map(FAILS.search, literals))


def run_words(makefile: str) -> list[str] | None:
    """The arguments in the recipe of the target `run`, or None if there is no such target."""
    text = makefile.replace("\\\n", " ")
    recipe = RECIPE.search(text)
    if recipe is None:
        return None
    values = {name: value.strip() for name, value in ASSIGNMENT.findall(text)}
    words = []
    for line in recipe[1].splitlines():
        call = VARIABLE.sub(lambda match: values.get(match[1], ""), line).split()
        program = next((at for at, word in enumerate(call) if word.startswith("./")), len(call))
        words += call[program + 1 :]
    return words


def has_its_inputs(folder: Path) -> bool:
    """Whether each word of `make run` that looks like a file's name is a file or a folder of the suite.

    A program that writes a file named there is left out, too: texts do not tell an output from an input.
    """
    makefile = folder / "Makefile"
    if not _is_text(makefile):
        return False
    words = run_words(makefile.read_text(encoding="utf-8", errors="replace"))
    return words is not None and all((folder / word).exists() for word in words if FILE.fullmatch(word))


def is_self_checking(folder: Path) -> bool:
    return any(folder.rglob("*.cu")) and checks_itself(folder) and has_its_inputs(folder)


#: What a fixture can name as its population.
POPULATIONS = {"all": lambda folder: True, "self-checking": is_self_checking}
