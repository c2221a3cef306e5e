"""Each item of the papers has a place in the tree and a test, or a reason (experiments/<name>/coverage.json)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plots.catalog import ROOT, names
from plots.cli import main
from plots.coverage import Coverage, Item, cited_papers, expected_numbers, load_coverage, page, write_coverage
from plots.errors import UserError
from tests.plots.coverage_checks import mistakes

#: How many algorithms, parameters, figures, slips, limitations and so on were found in each paper.
ITEMS = {"object_layout": 54, "random_grids": 40, "replications": 45, "rule_interpreter": 54, "term_rewriting": 60}
#: Items for which there is a reason instead of code.
ARGUED = {"replications": ["4.43"], "term_rewriting": ["2.60"]}


def test_every_paper_has_all_of_its_items() -> None:
    assert {name: len(expected_numbers(load_coverage(name, ROOT))) for name in names()} == ITEMS
    assert sum(ITEMS.values()) == 253


@pytest.mark.parametrize("name", ITEMS)
def test_items_are_in_the_tree(name: str) -> None:
    assert mistakes(load_coverage(name, ROOT), ROOT) == []


@pytest.mark.parametrize("name", ITEMS)
def test_few_items_are_argued_only(name: str) -> None:
    argued = [item.number for item in load_coverage(name, ROOT).items if item.state == "argued"]
    assert argued == ARGUED.get(name, [])


@pytest.mark.parametrize("name", ITEMS)
def test_the_page_is_what_the_data_give(name: str) -> None:
    ((_, cited),) = cited_papers([name])
    written = (ROOT / "experiments" / name / "COVERAGE.md").read_text(encoding="utf-8")
    assert written == page(load_coverage(name, ROOT), cited), "./lockstep report --coverage"


GRIDS = Coverage(
    "random_grids",
    "1.1",
    "1.2",
    (
        Item("1.1", "sets", "delivered", ("kernels/random_grids/word.cu word_sets",), ("expected word",)),
        Item("1.2", "speed", "delivered", ("plots/cli.py def main",), ("claim B01", "figure slides")),
    ),
)


def with_first(**changes: Any) -> Coverage:
    return replace(GRIDS, items=(replace(GRIDS.items[0], **changes), *GRIDS.items[1:]))


def test_a_correct_table_has_no_mistakes() -> None:
    assert mistakes(GRIDS, ROOT) == []


@pytest.mark.parametrize(
    ("coverage", "mistake"),
    [
        (replace(GRIDS, items=GRIDS.items[:1]), "1.2 is missing"),
        (replace(GRIDS, items=(*GRIDS.items, GRIDS.items[1])), "1.2 is there twice"),
        (replace(GRIDS, last="1.1"), "1.2 is not a number of the paper"),
        (replace(GRIDS, items=GRIDS.items[::-1]), "the numbers are not in order"),
        (with_first(item=" "), "1.1: it does not say what the item is"),
        (with_first(state="done"), "1.1: done is none of delivered, partial, argued"),
        (with_first(state="argued", reason="no time"), "1.1: argued without a reason"),
        (with_first(state="partial"), "1.1: partial without a reason"),
        (with_first(tests=()), "1.1: delivered without a file or without a test"),
        (with_first(files=()), "1.1: delivered without a file or without a test"),
        (with_first(files=("kernels/none.cu word",)), "1.1: no file kernels/none.cu"),
        (with_first(files=("plots/cli.py def maim",)), "1.1: plots/cli.py does not contain def maim"),
        (
            with_first(files=("plots/cli.py",)),
            "1.1: plots/cli.py without a text of at least four letters that it contains",
        ),
        (with_first(files=("tests/test_main.cpp main",)), "1.1: tests/test_main.cpp is a test"),
        (with_first(tests=("expected words",)), "1.1: random_grids has no expected words"),
        (with_first(tests=("claim K01",)), "1.1: random_grids has no claim K01"),
        (with_first(tests=("figure table1",)), "1.1: random_grids has no figure table1"),
        (with_first(tests=("table figure1",)), "1.1: random_grids has no table figure1"),
        (with_first(tests=("plots/cli.py main",)), "1.1: no test plots/cli.py"),
        (
            with_first(tests=("tests/random_grids/draw_test.cpp Draw.SetsHaveSites",)),
            "1.1: tests/random_grids/draw_test.cpp has no test Draw.SetsHaveSites",
        ),
        (
            with_first(tests=("tests/plots/test_style.py test_nothing",)),
            "1.1: tests/plots/test_style.py has no test test_nothing",
        ),
        (
            with_first(tests=("tests/replications/listings_test.cpp Listings.EachWarpWritesItsElement",)),
            "1.1: tests/replications/listings_test.cpp tests another experiment",
        ),
        (
            with_first(tests=("tests/layout/reproducible.sh",)),
            "1.1: tests/layout/reproducible.sh belongs to no CMakeLists.txt",
        ),
    ],
)
def test_planted_mistakes_are_found(coverage: Coverage, mistake: str) -> None:
    assert mistake in mistakes(coverage, ROOT)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: load_coverage("limits", ROOT), "cannot read .*limits/coverage.json"),
        (lambda: cited_papers(["grids"]), "no coverage of grids"),
    ],
)
def test_what_does_not_exist_is_named(call: Callable[[], object], text: str) -> None:
    with pytest.raises(UserError, match=text):
        call()


def test_pages_are_written_and_a_wrong_name_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "experiments" / "random_grids"
    folder.mkdir(parents=True)
    committed = ROOT / "experiments" / "random_grids"
    (folder / "coverage.json").write_bytes((committed / "coverage.json").read_bytes())
    assert write_coverage(tmp_path, cited_papers(["random_grids"])) == [folder / "COVERAGE.md"]
    assert (folder / "COVERAGE.md").read_bytes() == (committed / "COVERAGE.md").read_bytes()
    assert main(["report", "--coverage", "grids"]) == 2
    assert "no coverage of grids" in capsys.readouterr().err
