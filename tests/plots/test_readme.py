"""Numbers in README.md come from the committed results, and none stands outside the part that is written from them."""

from __future__ import annotations

import re
import xml.etree.ElementTree
from pathlib import Path

import pytest

from plots.catalog import ROOT
from plots.errors import UserError
from plots.load import load
from plots.readme import BEGIN, END, found, with_found

README = ROOT / "README.md"
DEVICE = "nvidia-h200"
#: A number that somebody measured: a ratio, a share, a rate or a time.
MEASURED = re.compile(r"\d(?:\.\d+)?\s*(?:%|x\b|times\b|percent|[GMk]?B/s|[GM] \w+/s|ms\b|us\b|seconds?\b)")


def test_what_was_found_is_what_the_results_give() -> None:
    results = ROOT / "results"
    text = README.read_text(encoding="utf-8")
    assert with_found(text, found(load(results), DEVICE, results)) == text, f"./lockstep report --readme {DEVICE}"


def test_no_measured_number_stands_elsewhere() -> None:
    text = README.read_text(encoding="utf-8")
    inside = text[text.index(BEGIN) : text.index(END)]
    assert MEASURED.search(inside)
    assert MEASURED.findall(text.replace(inside, "")) == []


def test_pictures_are_there() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    assert len(pictures) >= 3
    for picture in pictures:
        assert xml.etree.ElementTree.parse(ROOT / picture).getroot().tag.endswith("svg")


def test_a_page_without_marks_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no place for what was found"):
        with_found("# Lockstep\n", "text")
