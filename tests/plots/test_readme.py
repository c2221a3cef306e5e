"""Every measured number in README.md and in results/<device>/*.md comes from the committed rows."""

from __future__ import annotations

import re
import xml.etree.ElementTree
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from plots.catalog import ROOT, Experiment, names
from plots.errors import NothingToReport, NotTestable, UserError
from plots.findings import Topic
from plots.findings_page import commands, measured, page, write_pages
from plots.load import NOT_DEVICES, load
from plots.markdown import WIDTH, wrapped
from plots.readme import BEGIN, END, PARTS, findings, with_part, with_parts
from plots.results import Case, View
from plots.speeds import AT_THEIR_BEST
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


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_page_counts_all_rows_and_names_their_commits(grids: Experiment, gpu: View, word: Case) -> None:
    cold = replace(word, cache="cold", provenance={"commit": "c01d", "date": "2026-02-03"})
    other = replace(word, provenance={"commit": "5eed", "date": "2026-04-05"})
    shards = replace(other, provenance=other.provenance | {"parts": 2})
    run = replace(other, scope="end_to_end", start="cold")
    rival = replace(other, role="peer", variant="rival")
    text = flat(page(grids, replace(gpu, cold=[cold], peers=[rival], end_to_end=[run, run], shard_sets=[shards])))
    assert (
        f"{len(gpu.cases)} rows from commit 0123456789 and 1 row from commit c01d, measured from 2026-01-02 to" in text
    )
    assert "The sets of shards count as one row each: 1 row from commit 5eed, measured on 2026-04-05." in text
    assert "random_grids.peers.json: 1 row from commit 5eed, measured on 2026-04-05." in text
    assert "random_grids.end_to_end.json: 2 rows from commit 5eed, measured on 2026-04-05." in text
    assert "another day" not in text


def test_a_page_names_the_commands_of_what_it_shows(grids: Experiment, gpu: View, word: Case) -> None:
    def limits(view: View) -> str:
        return f"A store takes {view.limit('store'):g} B/s."

    plain = Experiment(grids.name, grids.about)
    assert commands(gpu, False) == [
        "./lockstep run random_grids --preset full",
        "./lockstep report --pages imaginary-gpu-x",
    ]
    assert "./lockstep limits" not in page(plain, gpu)
    assert "./lockstep limits\n" in page(replace(plain, findings=[limits]), gpu)
    counted = replace(word, measurements=frozenset({"counter_x"}))
    shards = replace(word, provenance={"parts": 4}, sweeps=("devices",))
    everything = replace(gpu, cases=[counted], shard_sets=[shards], peers=[word], end_to_end=[word])
    assert commands(everything, True)[2:-1] == [
        "./lockstep run random_grids --sweep devices --shard I/4",
        "./lockstep peers random_grids",
        "./lockstep end-to-end random_grids",
        "./lockstep reproduce random_grids --preset full --counters",
    ]


def test_a_page_does_not_call_a_success_missing(grids: Experiment, gpu: View) -> None:
    def none(view: View) -> str:
        raise NothingToReport("no cell is below the margin")

    text = page(replace(Experiment(grids.name, grids.about), topics=[Topic("Losses", [none])]), gpu)
    assert "Losses" not in text and "Not measured" not in text


def test_the_readme_says_what_a_median_compares() -> None:
    text = flat(findings(committed_results(), DEVICE, RESULTS))
    assert f"our fastest GPU method to the fastest other one, {AT_THEIR_BEST}." in text
    assert re.search(r"Median over \d+ workloads \((\d+|all|none) with a CPU row\): ", text)
