"""`./lockstep report --coverage`: experiments/<name>/COVERAGE.md, a table of the items of a paper and where they are here.

The table is written from experiments/<name>/coverage.json, which has an entry per item of the paper: an algorithm, a
parameter, a figure, a claim, a limitation or future work. Items are numbered from `first` to `last` without a gap.

    {"number": "0.20", "item": "Algorithm 4: ...", "state": "delivered",
     "files": ["kernels/rule_interpreter/algorithm3.hpp group_prefix_sum"],
     "tests": ["expected algorithm3", "tests/rule_interpreter/agreement_test.cpp Agreement.OverTheLargestRanges"]}

`files` are paths, each followed by a text that the file contains. `state` is

    delivered   `files` do what the item asks, and `tests` fail without it
    partial     the same, but `reason` says what is missing
    argued      `reason` says why it is not built, or why there is nothing to build

`tests` are

    PATH.cpp SUITE.CASE, PATH.py FUNCTION, PATH.sh   a test
    expected VARIANT                                 metrics of the variant in results/expected/, which a test compares
    claim ID, figure NAME, table NAME                what the report draws or judges; tests do so with all of them
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from plots.atomic import write_text
from plots.catalog import ROOT, load_experiment
from plots.errors import UserError
from plots.escape import markdown
from plots.markdown import table, wrapped

STATES = ("delivered", "partial", "argued")
#: What the report makes, as the first word of a test.
SHOWN = ("expected", "claim", "figure", "table")


@dataclass(frozen=True)
class Item:
    number: str
    item: str
    state: str
    files: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Coverage:
    experiment: str
    first: str
    last: str
    items: tuple[Item, ...]


def path_of(name: str, root: Path) -> Path:
    return root / "experiments" / name / "coverage.json"


def load_coverage(name: str, root: Path) -> Coverage:
    path = path_of(name, root)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        items = tuple(
            Item(**{key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()})
            for entry in content["items"]
        )
        return Coverage(name, content["first"], content["last"], items)
    except OSError as error:
        raise UserError(f"cannot read {path}", str(error.strerror), "name an experiment that has one") from None
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise UserError(
            f"{path} does not parse", str(error), "compare the coverage.json of another experiment"
        ) from None


def expected_numbers(coverage: Coverage) -> list[str]:
    """'0.1' to '0.54'."""
    paper, first = coverage.first.split(".")
    last = coverage.last.split(".")[1]
    return [f"{paper}.{number}" for number in range(int(first), int(last) + 1)]


def page(coverage: Coverage, cited: str) -> str:
    """COVERAGE.md."""
    counts = Counter(item.state for item in coverage.items)
    total = ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])
    head = (
        f"The items of the paper ({cited}), the files that implement them, and the tests that fail without them. "
        f"Of {len(coverage.items)} items, {total}."
    )
    origin = (
        "`./lockstep report --coverage` writes this page from [coverage.json](coverage.json). "
        "`tests/plots/test_coverage.py` checks each file, what it contains, and each test."
    )
    rows = [
        (item.number, markdown(item.item), "<br>".join(_files(item)), "<br>".join(_tests(item)))
        for item in coverage.items
    ]
    columns = ("number", "item of the paper", "file", "test")
    return "\n\n".join(["# From the paper to the code", wrapped(head), wrapped(origin), table(columns, rows)]) + "\n"


def _files(item: Item) -> Iterator[str]:
    for file in item.files:
        path, _, text = file.partition(" ")
        yield f"{_link(path)} {code(text)}"
    if item.reason:
        yield f"*{item.state}:* {item.reason}"


def _tests(item: Item) -> Iterator[str]:
    for test in item.tests:
        first, _, name = test.partition(" ")
        if first in SHOWN:
            yield f"{first} {code(name)}"
        else:
            yield f"{_link(first)} {code(name)}" if name else _link(first)


def code(text: str) -> str:
    """A text that may have backticks, as code."""
    return f"`{text}`" if "`" not in text else f"`` {text} ``"


def _link(path: str) -> str:
    return f"[{path.rsplit('/', 1)[-1]}](../../{path})"


def cited_papers(only: Sequence[str] = (), root: Path = ROOT) -> list[tuple[str, str]]:
    """The experiments with a coverage.json, and how each paper is cited. An unknown name in `only` is an error."""
    known = [path.parent.name for path in sorted((root / "experiments").glob("*/coverage.json"))]
    for name in only:
        if name not in known:
            raise UserError(f"no coverage of {name}", f"known are {', '.join(known)}", "check the spelling")
    return [(name, load_experiment(name, root).about.cited) for name in known if not only or name in only]


def write_coverage(root: Path, experiments: Sequence[tuple[str, str]]) -> list[Path]:
    """Writes the page of each experiment; with its name stands how the paper is cited."""
    return [
        write_text(root / "experiments" / name / "COVERAGE.md", page(load_coverage(name, root), cited))
        for name, cited in experiments
    ]
