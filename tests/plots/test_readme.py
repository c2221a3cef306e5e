"""Every measured number in README.md and in results/<device>/*.md comes from the committed rows."""

from __future__ import annotations

import re
import xml.etree.ElementTree
from functools import cache
from pathlib import Path

import pytest

from plots.catalog import ROOT, Experiment, names
from plots.errors import NotTestable, UserError
from plots.findings import Topic
from plots.findings_page import measured, page, write_pages
from plots.load import NOT_DEVICES, load
from plots.markdown import WIDTH, wrapped
from plots.readme import BEGIN, END, PARTS, with_part, with_parts
from plots.results import View
from tests.plots.committed import committed_results
from tests.plots.conftest import FIXTURE

README = ROOT / "README.md"
RESULTS = ROOT / "results"
DEVICE = "nvidia-h200"
#: A picture in Markdown.
PICTURE = re.compile(r"!\[[^]]+\]\(([^)]+)\)")


@cache
def measured_on(device: str) -> dict[str, tuple[Experiment, View]]:
    return {experiment.name: (experiment, view) for experiment, view in measured(committed_results(), device)}


def pages() -> list[str]:
    """The generated pages, relative to the root."""
    folders = [folder for folder in sorted(RESULTS.iterdir()) if folder.is_dir() and folder.name not in NOT_DEVICES]
    paths = [path for folder in folders for path in sorted(folder.glob("*.md")) if path.stem in names()]
    return [str(path.relative_to(ROOT)) for path in paths]


def test_the_readme_is_what_the_results_give() -> None:
    text = README.read_text(encoding="utf-8")
    assert with_parts(text, committed_results(), DEVICE, RESULTS) == text, f"./lockstep report --readme {DEVICE}"


@pytest.mark.parametrize("name", pages())
def test_a_page_is_what_the_results_give(name: str) -> None:
    path = ROOT / name
    views = measured_on(path.parent.name)
    assert page(*views[path.stem]) == path.read_text(encoding="utf-8"), f"./lockstep report --pages {path.parent.name}"


def test_every_experiment_of_the_device_has_a_page() -> None:
    assert [name for name in pages() if f"/{DEVICE}/" in name] == [
        f"results/{DEVICE}/{name}.md" for name in measured_on(DEVICE)
    ]


def test_every_experiment_has_a_finding() -> None:
    text = README.read_text(encoding="utf-8")
    for name in measured_on(DEVICE):
        assert f"](results/{DEVICE}/{name}.md): " in text, name


@pytest.mark.parametrize("name", ["README.md", *pages()])
def test_pictures_exist(name: str) -> None:
    path = ROOT / name
    pictures = PICTURE.findall(path.read_text(encoding="utf-8"))
    assert pictures or path != README
    for picture in pictures:
        assert xml.etree.ElementTree.parse(path.parent / picture).getroot().tag.endswith("svg")


def test_a_document_without_marks_is_left_alone() -> None:
    with pytest.raises(UserError, match="no place for its findings"):
        with_part("# Lockstep\n", "findings", "text")


def test_a_part_is_replaced_and_nothing_else() -> None:
    begin, end = BEGIN.format("findings"), END.format("findings")
    assert with_part(f"a\n{begin}\nold\n{end}\nb", "findings", "new") == f"a\n{begin}\nnew\n{end}\nb"
    assert set(PARTS) == {"picture", "findings", "papers"}


def test_a_page_names_what_was_not_measured(grids: Experiment, gpu: View) -> None:
    def missing(view: View) -> str:
        raise NotTestable("no row with a time: variant dense")

    def found(view: View) -> str:
        return f"{view.device.name} is fast."

    experiment = Experiment(
        grids.name,
        grids.about,
        findings=[found],
        topics=[Topic("Speed", [found, missing]), Topic("Counters", [missing])],
    )
    text = page(experiment, gpu)
    assert "## Speed\n\nImaginary GPU X is fast.\n" in text
    assert "## Counters" not in text
    assert "## Not measured on this device\n\n- Speed: no row with a time: variant dense.\n- Counters:" in text


def test_pages_of_a_device_without_a_gpu_are_written(tmp_path: Path) -> None:
    written = write_pages(load(FIXTURE), "imaginary-cpu-y", tmp_path)
    text = (tmp_path / "imaginary-cpu-y" / "random_grids.md").read_text(encoding="utf-8")
    assert tmp_path / "imaginary-cpu-y" / "random_grids.md" in written
    assert text.startswith("# Random grids on one Imaginary CPU Y\n") and "## Not measured on this device" in text
    assert all((tmp_path / "imaginary-cpu-y" / picture).is_file() for picture in PICTURE.findall(text))
    with pytest.raises(UserError, match="no results of nowhere"):
        write_pages(load(FIXTURE), "nowhere", tmp_path)


def test_wrapped_lines_keep_code_whole_and_begin_no_list() -> None:
    text = f"{'word ' * 19}`./lockstep run random_grids` takes - or 1. seconds"
    lines = wrapped(text).split("\n")
    assert lines[1].startswith("`./lockstep run random_grids`") and all(len(line) <= WIDTH for line in lines)
    assert not any(line.startswith(("- ", "1. ")) for line in wrapped("x" * 98 + " - y 1. z").split("\n"))
