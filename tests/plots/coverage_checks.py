"""Checks experiments/<name>/coverage.json against the tree. tests/plots/test_coverage.py uses it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from plots.catalog import load_experiment, names
from plots.coverage import SHOWN, STATES, Coverage, Item, expected_numbers

#: A GoogleTest, a parameterized or instantiated one included.
GTEST = re.compile(r"^\s*(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\)", re.MULTILINE)
PYTEST = re.compile(r"^def (test_\w+)\(", re.MULTILINE)


def mistakes(coverage: Coverage, root: Path) -> list[str]:
    """A line per mistake."""
    found = list(_numbers(coverage))
    for item in coverage.items:
        found += [f"{item.number}: {mistake}" for mistake in _of_item(item, coverage.experiment, root)]
    return found


def _numbers(coverage: Coverage) -> Iterator[str]:
    present = [item.number for item in coverage.items]
    expected = expected_numbers(coverage)
    yield from (f"{number} is missing" for number in expected if number not in present)
    yield from (f"{number} is not a number of the paper" for number in present if number not in expected)
    yield from (f"{number} is there twice" for number in sorted(set(present)) if present.count(number) > 1)
    if not set(present) ^ set(expected) and present != expected and len(present) == len(expected):
        yield "the numbers are not in order"


def _of_item(item: Item, experiment: str, root: Path) -> Iterator[str]:
    if not item.item.strip():
        yield "it does not say what the item is"
    if item.state not in STATES:
        yield f"{item.state} is none of {', '.join(STATES)}"
    if item.state != "delivered" and len(item.reason.split()) < 4:
        yield f"{item.state} without a reason"
    if item.state != "argued" and not (item.files and item.tests):
        yield f"{item.state} without a file or without a test"
    for file in item.files:
        yield from _of_file(file, root)
    for test in item.tests:
        yield from _of_test(test, experiment, root)


def _of_file(file: str, root: Path) -> Iterator[str]:
    path, _, text = file.partition(" ")
    if path.startswith("tests/"):
        yield f"{path} is a test"
    if not (root / path).is_file():
        yield f"no file {path}"
    elif text and text not in contents(root / path):
        yield f"{path} does not contain {text}"
    elif len(text) < 4:
        yield f"{path} without a text of at least four letters that it contains"


def _of_test(test: str, experiment: str, root: Path) -> Iterator[str]:
    first, _, name = test.partition(" ")
    if first in SHOWN:
        if name not in shown(first, experiment, root):
            yield f"{experiment} has no {first} {name}"
        return
    path = root / first
    if not first.startswith("tests/") or not path.is_file():
        yield f"no test {first}"
    elif name not in tests_of(path):
        yield f"{first} has no test {name}"
    elif not is_run(path):
        yield f"{first} belongs to no CMakeLists.txt"
    elif first.split("/")[1] in set(names(root)) - {experiment}:
        yield f"{first} tests another experiment"


@cache
def contents(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def shown(kind: str, experiment: str, root: Path) -> frozenset[str]:
    """Names of what the report draws or judges, and variants whose metrics are in results/expected/."""
    if kind == "expected":
        lines = contents(root / "results" / "expected" / f"{experiment}.txt")
        return frozenset(re.findall(rf"^{experiment}/(\w+)/", lines, re.MULTILINE))
    declared = load_experiment(experiment, root)
    if kind == "claim":
        return frozenset(claim.id for claim in declared.claims)
    return frozenset(spec.name for spec in (declared.figures if kind == "figure" else declared.tables))


@cache
def tests_of(path: Path) -> frozenset[str]:
    """'Suite.Case' of a C++ file, functions of a Python file, '' of a script."""
    text = contents(path)
    if path.suffix == ".py":
        return frozenset(PYTEST.findall(text))
    if path.suffix == ".sh":
        return frozenset([""])
    return frozenset(f"{suite}.{case}" for suite, case in GTEST.findall(text))


def is_run(path: Path) -> bool:
    """A CMakeLists.txt beside the file names it. One at or above a folder of pytest names the folder."""
    if path.suffix == ".py":
        lists = [folder / "CMakeLists.txt" for folder in path.parents]
        nearest = next((file for file in lists if file.is_file()), None)
        return path.name.startswith("test_") and nearest is not None and "add_python_test" in contents(nearest)
    beside = path.parent / "CMakeLists.txt"
    text = contents(beside) if beside.is_file() else ""
    if path.suffix == ".sh":
        return _names(text, path.stem)
    return path.name in text or (_names(text, path.stem.removesuffix("_test")) and "${name}_test" in text)


def _names(text: str, word: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text))
