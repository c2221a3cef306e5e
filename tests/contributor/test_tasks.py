"""Does the three tasks of CONTRIBUTING.md in a copy of the tree, using only its snippets and one build."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.rule_interpreter import findings
from plots.catalog import ROOT, load_experiment, names
from plots.figures import Scope
from plots.load import load, load_file, result_files
from plots.results import Case, View
from tests.contributor.scratch import Scratch, insert_after, snippets

VARIANT, AXIS, EXPERIMENT = map(snippets, ("Add a kernel variant", "Add an axis", "Add an experiment"))


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scratch]:
    binary = os.environ.get("LOCKSTEP_BINARY")
    if not binary:
        pytest.skip("LOCKSTEP_BINARY is not set")
    if not (Path(binary).parent / "lockstep-harness.cmake").is_file():
        pytest.skip("this build fetched its libraries, so no other build can link its harness")
    made = Scratch(tmp_path_factory.mktemp("contributor"), Path(binary))
    for snippet in (*VARIANT, *AXIS, *EXPERIMENT):
        made.apply(snippet)
    # A new variant needs one line in CMakeLists.txt.
    (file,) = VARIANT
    insert_after(made.tree / "experiments/rule_interpreter/CMakeLists.txt", r"^    KERNELS$", file.file)
    made.configure()
    made.compile()
    yield made


def rows(scratch: Scratch, *words: str) -> list[Case]:
    """Runs the program in the emulator and returns its rows, all of which must be verified."""
    out = scratch.results / "-".join(words).replace("/", "-")
    scratch.run("run", *words, "--machine", "emulator", "--repetitions", "2", "--out", str(out))
    found = [case for path in result_files(out) for case in load_file(path) if case.status != "refused"]
    assert found and all(case.status in ("ok", "not_timed") for case in found)
    return found


def test_the_snippets_are_short_and_complete() -> None:
    assert all(snippet.text.count("\n") <= 10 for snippet in (*VARIANT, *AXIS, *EXPERIMENT))
    assert [len(section) for section in (VARIANT, AXIS)] == [1, 2], "one file; two locations"
    assert {snippet.file.split("/")[1] for snippet in EXPERIMENT} == {"coin_flips"}, "only its own directories"


def test_a_variant_is_listed_and_runs_verified(scratch: Scratch) -> None:
    assert re.search(r"^  small_queue +ours +emulator +sequential", scratch.run("list"), re.MULTILINE)
    assert {case.variant for case in rows(scratch, "rule_interpreter", "--sweep", "quick")} == {"queue", "small_queue"}


def test_a_variant_is_in_the_sweep_of_peers(scratch: Scratch) -> None:
    small = ("--states", "4", "--range", "64", "--load", "2", "--layout", "A")
    found = rows(scratch, "rule_interpreter", "--sweep", "peers", *small)
    assert {(case.variant, *case.sweeps) for case in found} == {("queue", "peers"), ("small_queue", "peers")}


def with_small_queue() -> tuple[View, View]:
    """Returns the committed rows of a GPU, without and with rows of the new variant at half the time of the queue."""
    view = load_experiment("rule_interpreter").view(load(ROOT / "results"), "nvidia-h200")
    added = [
        replace(case, variant="small_queue", time=case.time * 0.5 if case.time else None)
        for case in view.cases
        if case.variant == "queue" and {"peers", "peers_load"} & set(case.sweeps)
    ]
    assert added
    return view, View(view.experiment, view.device, [*view.cases, *added], view.facts)


def test_a_variant_is_in_the_figure_of_peers_and_counts_in_the_findings() -> None:
    before, after = with_small_queue()
    figure = next(one for one in load_experiment("rule_interpreter").figures if one.name == "peers")
    assert "small_queue, GPU" not in figure.draw(Scope(before)).order
    assert "small_queue, GPU" in figure.draw(Scope(after)).order
    table = next(one for one in load_experiment("rule_interpreter").tables if one.name == "cells20_2x2x2")
    assert "small_queue" in table.fill(Scope(after)).columns
    assert findings.ours_against_others(after) != findings.ours_against_others(before)
    assert {found[0][0] for found in findings.best_ours(after, "2x2x2").values()} >= {"small_queue"}


def test_an_axis_is_an_option_and_changes_what_is_drawn(scratch: Scratch) -> None:
    assert re.search(r"^  transposed +0 +1: swap .* \(integer from 0 to 1\)$", scratch.run("list"), re.MULTILINE)
    board = scratch.run("grids", "--width", "8", "--height", "4", "--occupied", "5", "--transposed", "1")
    assert [len(line) for line in board.split()] == 8 * [4]
    where = ("--grid", "8x4", "--streams", "2", "--length", "2", "--output", "stored")
    found = rows(scratch, "random_grids", "--sweep", "quick", "--transposed", "0,1", *where)
    other = rows(scratch, "random_grids", "--sweep", "quick", "--grid", "4x8", *where[2:])
    assert all(("transposed:1" in case.name) == (case.axes["transposed"] == "1") for case in found)
    digests = {(case.variant, case.axes["transposed"], case.axes["occupied"]): case.digest for case in found}
    for case in other:
        key = case.variant, "1", case.axes["occupied"]
        assert case.axes["transposed"] == "0" and digests[key] == case.digest != digests[(key[0], "0", key[2])]


def test_an_experiment_is_its_directories(scratch: Scratch) -> None:
    assert set(names(scratch.tree)) == {"coin_flips", "random_grids", "rule_interpreter"}
    listed = json.loads(scratch.run("list", "--json"))
    assert "coin_flips" in json.dumps(listed)
    found = rows(scratch, "coin_flips")
    assert {case.axes["coins"] for case in found} == {"1", "33", "1000"}
    assert scratch.run("flip").strip().isdecimal()
    usage = subprocess.run([scratch.tree / "lockstep", "help"], check=True, capture_output=True, text=True).stdout
    assert re.search(r"^  flip +flip a coin until it shows heads$", usage, re.MULTILINE)
    # An experiment without declarations has a ranking and a table.
    experiment = load_experiment("coin_flips", scratch.tree)
    view = View("coin_flips", found[0].device, found)
    assert [table.name for table in experiment.tables] == ["variants", "limits"]
    assert view.cases and experiment.sweeps


def test_a_wrong_kernel_is_found(scratch: Scratch) -> None:
    """The negative control: with an off-by-one unit, the rows disagree with the reference."""
    kernel = scratch.tree / "kernels/coin_flips/threads.cu"
    right = kernel.read_text(encoding="utf-8")
    assert "units.first + i" in right
    kernel.write_text(right.replace("units.first + i", "units.first + i + 1"), encoding="utf-8")
    scratch.compile()
    out = scratch.results / "wrong"
    scratch.run("run", "coin_flips", "--machine", "emulator", "--out", str(out), code=1)
    assert {case.status for path in result_files(out) for case in load_file(path)} == {"disagrees"}
