"""What becomes of hostile texts that a results file may hold: on pages, in figures, on a terminal."""

from __future__ import annotations

import copy
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from plots import escape
from plots.cli import main
from plots.draw import draw
from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable, attempt
from plots.findings_page import in_markdown
from plots.interval import exact
from plots.results import View
from plots.style import Looks
from tests.plots.door import HOSTILE, SLUG, commands, small, write


def test_each_place_has_its_escape() -> None:
    assert escape.line("a\n\x1b[2J\u202e\ud800é") == "a\\n\\x1b[2J\\u202e\\ud800é"
    assert escape.markdown("a|b `c` <i> *d* [e](f) g_h $i$ [1, 2]") == (
        "a\\|b \\`c\\` \\<i\\> \\*d\\* [e\\](f) g_h \\$i\\$ [1, 2]"
    )
    assert escape.mathtext("$x_{$") == "\\$x_{\\$"
    assert [escape.file_name(text) for text in ("../A b", "..", "", "x" * 99)] == ["a-b", "device", "device", "x" * 64]


def test_a_formula_in_a_name_is_drawn_as_text() -> None:
    series = (Series("$y^$", (Point("$x_{$", exact(1.0)), Point("<b>&", exact(2.0))), "a"),)
    other = (Series("$z_{$", (Point("$x_{$", exact(3.0)),), "b"),)
    drawn = Drawing("n", HOSTILE, HOSTILE, Axis("$a_{$", "$"), Axis("b", "1"), series + other, "dots", HOSTILE)
    svg = draw(drawn, Looks(), "svg", "png")["svg"].decode("utf-8")
    texts = "".join(ElementTree.fromstring(svg).itertext())
    assert "$x_{$" in texts and "$z_{$" in texts and "<b>&" in texts and "<script>" not in svg


#: The scripts of a page: its own, and the data of its figures.
OWN_SCRIPTS = {
    (("src", "lockstep.js"), ("defer", None)),
    (("type", "application/json"), ("class", "figure-data")),
}


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.scripts: set[tuple[tuple[str, str | None], ...]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "script":
            self.scripts.add(tuple(attrs))


def hostile_results(folder: Path) -> Path:
    """Every free text is hostile: the device, its attributes, the CPU, axes, reasons, items."""
    document = small()
    document["context"]["device"] |= {"name": HOSTILE, "driver": HOSTILE, "extra": HOSTILE}
    document["context"] |= {"compiler": HOSTILE, "commit": HOSTILE, "cpu": {"name": HOSTILE, "threads": 3}}
    document["context"]["limits"]["copy"]["unit"] = HOSTILE
    for row in document["cases"]:
        row["item"] = row["command"] = row["commit"] = HOSTILE
        row["axes"]["engine"] = HOSTILE
        row["name"] += f"/engine:{HOSTILE}"
        if row["status"] != "ok":
            row["reason"] = HOSTILE + "\n" + HOSTILE
    peer = copy.deepcopy(document["cases"][0]) | {
        "role": "peer",
        "version": HOSTILE,
        "note": HOSTILE,
        "verified": HOSTILE,
    }
    document["cases"].append(peer | {"variant": "other", "name": f"random_grids/other/cuda/engine:{HOSTILE}"})
    write(folder, document)
    return folder


def test_hostile_texts_stay_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results, out = hostile_results(tmp_path / "results"), tmp_path / "out"
    for command in commands(results, out):
        assert main(command) in (0, 1, 2)
        said = capsys.readouterr()
        assert "Traceback" not in said.err and said.err.count("\n") <= 1
        assert all(letter == "\n" or letter.isprintable() for letter in said.out)
    pages = list(out.glob("*.html"))
    assert len(pages) > 2
    for path in pages:
        page = Tags()
        page.feed(path.read_text(encoding="utf-8"))
        assert page.scripts <= OWN_SCRIPTS and "b" not in page.tags
    for drawn in out.rglob("*.svg"):
        ElementTree.parse(drawn)
    tables = [file.read_text(encoding="utf-8") for file in out.rglob("*.md")]
    assert tables
    for text in tables:
        assert "<script>" not in text.replace("\\<script\\>", "")
        heads = [line for line in text.splitlines() if line.startswith("| ---")]
        rows = [line for line in text.splitlines() if line.startswith("| ")]
        assert len({line.replace("\\|", "").count("|") for line in rows}) == len(heads) == 1
    assert {path.parent.name for path in (out / "figures").rglob("cases.csv")} == {SLUG}


def test_hostile_texts_stay_texts_on_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = hostile_results(tmp_path)
    assert main(["report", "--pages", SLUG, "--results", str(results)]) == 0
    text = (results / SLUG / "random_grids.md").read_text(encoding="utf-8")
    assert "\\<script\\>" in text and "<script>" not in text and "](http://c)" not in text.replace("\\](", "")
    capsys.readouterr()


def test_an_ordinary_view_is_the_same_in_markdown(gpu: View) -> None:
    assert in_markdown(gpu).cases == list(gpu.cases) and in_markdown(gpu).device == gpu.device


def test_rows_that_a_figure_cannot_compute_with_are_not_testable() -> None:
    def divide(by: float) -> float:
        return 1 / by

    assert attempt(divide, 2.0) == 0.5
    with pytest.raises(NotTestable, match="do not give its numbers .ZeroDivisionError"):
        attempt(divide, 0.0)
