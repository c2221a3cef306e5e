"""The Markdown of this repository: links and file names exist, lines are short, and no measured number is typed by
hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from plots.catalog import ROOT, names
from plots.markdown import WIDTH
from plots.readme import BEGIN, END, PARTS

#: Folders without documents of this repository.
SKIPPED = ("build", "report", "shared", "node_modules")
#: Kinds of file that a document can name. Others (queue.csv, boards.png) are outputs of commands.
KINDS = "md|py|hpp|cpp|cu|cuh|json|cmake|sh|cff|toml|j2|css"
#: A path in backticks: brackets and braces, globs, and placeholders like <e> or DEVICE.
PATH = re.compile(rf"`((?:\.\./)*[\w{{*<][\w.{{}},*<>/-]*(?:\.(?:{KINDS})|[\w>}}*]/))`")
LINK = re.compile(r"(?<!`)\[[^\]]+\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"|^\[[^\]]+\]: (\S+)", re.MULTILINE)
#: A measured comparison or rate.
COMPARED = r"\d(?:x (?:as|faster|slower|the)\b|\s*(?:times (?:as|faster|slower|the (?:speed|rate))\b|[TGMk]?B/s|[TGMk] ?[a-z-]+/s))"
#: The same, a share or a time.
MEASURED = rf"{COMPARED}|\d(?:x\b|\s*(?:%|percent\b|ms\b|us\b|µs\b|ns\b|seconds?\b))"
#: A sentence with a number that is not measured here names its source.
SOURCE = re.compile(
    r"\b(papers?|Tables?|Figures?|slides?|prints?|aims?|limits?|peak|may|at most|covers?|within|95 ?% interval)\b"
)
#: The words of a paper, code, and formulas.
QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|`[^`]*`|\*[^*\n]+\*|^>.*$", re.MULTILINE)


def documents() -> list[Path]:
    found = (path for path in ROOT.rglob("*.md") if not path.is_symlink())
    return sorted(path for path in found if not _skipped(path.relative_to(ROOT)))


def _skipped(path: Path) -> bool:
    return any(part.startswith((".", "build")) or part in SKIPPED for part in path.parts[:-1])


def prose(text: str) -> str:
    """The text without code blocks."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def by_hand(text: str) -> str:
    """The text without its generated parts."""
    for name in PARTS:
        text = re.sub(f"{re.escape(BEGIN.format(name))}.*?{re.escape(END.format(name))}", "", text, flags=re.DOTALL)
    return text


def measured_numbers(text: str, pattern: str = MEASURED) -> list[str]:
    """What looks like a measurement in the prose, outside quotations and sentences that name a source."""
    sentences = re.split(r"(?<=[.;])\s+|\n\n|\n[-|] ?", QUOTED.sub("", prose(text)))
    return [found.group() for part in sentences if not SOURCE.search(part) for found in re.finditer(pattern, part)]


def alternatives(pattern: str) -> Iterator[str]:
    """'a.{hpp,cpp}' gives a.hpp and a.cpp."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if found is None:
        yield pattern
        return
    for part in found.group(1).split(","):
        yield from alternatives(pattern[: found.start()] + part.strip() + pattern[found.end() :])


@cache
def basenames() -> frozenset[str]:
    folders = [path for path in ROOT.iterdir() if path.is_dir() and not _skipped(Path(path.name) / "file")]
    inside = {path.name for folder in folders for path in folder.rglob("*")}
    return frozenset(inside | {path.name for path in ROOT.iterdir()})


def exists(name: str, document: Path) -> bool:
    """A path relative to the root or the document, or, without a folder, the name of any file."""
    pattern = re.sub(r"<[\w-]+>|\b(?:DEVICE|NAME)\b", "*", name).rstrip("/")
    if "/" not in pattern and not name.endswith("/"):
        return any(re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), known) for known in basenames())
    if "*" not in pattern:
        return any((folder / pattern).exists() for folder in (ROOT, document.parent))
    return any(next(folder.glob(pattern), None) is not None for folder in (ROOT, document.parent))


def anchors(text: str) -> set[str]:
    """The anchors of headings, as GitHub makes them."""
    heads = re.findall(r"^#{1,6} +(.+?) *$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def broken_links(path: Path) -> Iterator[str]:
    for found in LINK.findall(prose(path.read_text(encoding="utf-8"))):
        target = "".join(found)
        if re.match(r"(https?|mailto):", target):
            continue
        file, _, anchor = target.partition("#")
        place = (path.parent / file).resolve() if file else path
        if not place.exists():
            yield target
        elif anchor and place.suffix == ".md" and anchor not in anchors(place.read_text(encoding="utf-8")):
            yield target


def missing_files(path: Path) -> list[str]:
    named = dict.fromkeys(PATH.findall(prose(path.read_text(encoding="utf-8"))))
    return [name for pattern in named for name in alternatives(pattern) if not exists(name, path)]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", documents(), ids=_name)
def test_links_exist(path: Path) -> None:
    assert not list(broken_links(path))


@pytest.mark.parametrize("path", documents(), ids=_name)
def test_files_that_a_document_names_exist(path: Path) -> None:
    assert not missing_files(path)


@pytest.mark.parametrize("path", documents(), ids=_name)
def test_lines_are_short(path: Path) -> None:
    """A long word cannot be broken, and neither can a table row or a picture of a generated page."""
    lines = path.read_text(encoding="utf-8").splitlines()
    generated = path.relative_to(ROOT).parts[0] == "results" or path.name == "COVERAGE.md"
    long = [number for number, line in enumerate(lines, 1) if len(line) > WIDTH and " " in line.strip()]
    assert not [number for number in long if not (generated and lines[number - 1].startswith(("|", "![")))]


@pytest.mark.parametrize(
    "path", [path for path in documents() if path.relative_to(ROOT).parts[0] != "results"], ids=_name
)
def test_no_measured_number_is_typed_by_hand(path: Path) -> None:
    """METHOD.md has settings (20 ms) and computed shares, so there only comparisons and rates count."""
    pattern = COMPARED if path.name != "README.md" else MEASURED
    assert measured_numbers(by_hand(path.read_text(encoding="utf-8")), pattern) == []


@pytest.mark.parametrize("name", ["README.md", *(f"experiments/{name}/README.md" for name in names())])
def test_a_readme_is_short(name: str) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= 120


def test_planted_errors_are_found(tmp_path: Path) -> None:
    """Negative controls."""
    document = tmp_path / "README.md"
    text = "[a](none.md) [b](#what) [c](https://x.org) `harness/none.hpp` `harness/simt/{kernel,none}.hpp`\n\n# Here\n"
    document.write_text(
        text + "[d](#here) `experiments/<e>/README.md` `plots/*.py` `harness/bench/`\n", encoding="utf-8"
    )
    assert list(broken_links(document)) == ["none.md", "#what"]
    assert missing_files(document) == ["harness/none.hpp", "harness/simt/none.hpp"]
    for wrong in (
        "2.3x as fast",
        "12 % of the time",
        "15.9 G sets/s",
        "1.7 times as fast",
        "3 ms",
        "4.8 TB/s",
        "7 Gsets/s",
    ):
        assert measured_numbers(f"It is {wrong}."), wrong
    for right in (
        "32 x 32 sites",
        "32x32",
        "the 95 % interval",
        "“almost 4x”",
        "`--size 3x`",
        "2^20 agents",
        "4x (the paper)",
    ):
        assert not measured_numbers(f"It has {right}."), right
