"""The deterministic figures of the quick sweeps are the committed ones; and a planted change is found and named."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from plots import expected
from plots.catalog import ROOT, names
from plots.errors import UserError

FILES = expected.files([])


def test_every_experiment_with_results_has_its_file() -> None:
    measured = {path.stem for path in (ROOT / "results").glob("*/*.json")} & set(names())
    assert measured <= {path.stem for path in FILES} <= set(names())


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_figures_are_the_committed_ones(path: Path) -> None:
    if "LOCKSTEP_BINARY" not in os.environ:
        pytest.skip("LOCKSTEP_BINARY names no program")
    assert expected.check(path) == []


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_planted_change_is_named(path: Path) -> None:
    run, figures = expected.parse(path.read_text(encoding="utf-8"), path)
    assert figures, "a file without figures compares nothing"
    assert expected.parse(expected.text_of(run, figures), path) == (run, figures)
    assert expected.differences(figures, figures) == []
    # Of each kind of figure one, in its case alone: there are thousands, and those of a pass have its number.
    kinds = {re.sub("[0-9]+", "0", figure): (name, figure) for name, values in figures.items() for figure in values}
    for name, figure in kinds.values():
        case = figures[name]
        value = case[figure]
        other = "0x1" if figure == "digest" else repr(float(value) * (1 + 1e-9) or 1.0)
        was = f"{name}: {figure} was {value}"
        assert expected.differences({name: case}, {name: {**case, figure: other}}) == [f"{was}, is {other}"]
        gone = {key: old for key, old in case.items() if key != figure}
        assert expected.differences({name: case}, {name: gone}) == [f"{was}, is nothing"]
    # And one among all cases.
    name, case = list(figures.items())[len(figures) // 2]
    figure, value = next(iter(case.items()))
    changed = expected.differences(figures, {**figures, name: {**case, figure: "0x1"}})
    assert changed == [f"{name}: {figure} was {value}, is 0x1"]
    first, *others = figures
    less = {name: figures[name] for name in others}
    assert expected.differences(figures, less) == [f"{first}: no longer runs"]
    assert expected.differences(less, figures) == [f"{first}: is not expected"]


def test_a_program_that_gives_other_figures_fails_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "toy.txt"
    path.write_text(expected.text_of("toy", {"toy/a": {"digest": "0x5", "steps": "7"}}), encoding="utf-8")
    monkeypatch.setattr(expected, "FOLDER", tmp_path)
    monkeypatch.setattr(expected, "measure", lambda run: {"toy/a": {"digest": "0x5", "steps": "8"}})
    assert expected.run(["toy"], update=False) == 1
    assert "toy/a: steps was 7, is 8" in capsys.readouterr().out
    assert expected.run(["toy"], update=True) == 0
    assert expected.run([], update=False) == 0
    with pytest.raises(UserError, match="no expected metrics of toi"):
        expected.run(["toi"], update=False)


def test_an_update_writes_a_file_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expected, "FOLDER", tmp_path)
    monkeypatch.setattr(expected, "names", lambda: ["toy"])
    monkeypatch.setattr(expected, "measure", lambda run: {"toy/a": {"digest": "0x5"}})
    with pytest.raises(UserError, match="no expected metrics of toy .* run with --update"):
        expected.run(["toy"], update=False)
    assert expected.run([], update=True) == 0
    head = "toy --preset quick --machine cpu,emulator"
    assert (tmp_path / "toy.txt").read_text(encoding="utf-8") == expected.text_of(head, {"toy/a": {"digest": "0x5"}})
