"""The deterministic metrics of the quick sweeps equal the committed ones, and a planted change is found and named."""

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
def test_metrics_equal_the_committed_ones(path: Path) -> None:
    if "LOCKSTEP_BINARY" not in os.environ:
        pytest.skip("LOCKSTEP_BINARY is not set")
    assert expected.check(path) == []


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_planted_change_is_named(path: Path) -> None:
    run, metrics = expected.parse(path.read_text(encoding="utf-8"), path)
    assert metrics, "a file without metrics compares nothing"
    assert expected.parse(expected.text_of(run, metrics), path) == (run, metrics)
    assert expected.differences(metrics, metrics) == []
    # Changes one metric of each kind in one case. There are thousands; the names of metrics of a
    # pass contain its number.
    kinds = {re.sub("[0-9]+", "0", metric): (name, metric) for name, values in metrics.items() for metric in values}
    for name, metric in kinds.values():
        case = metrics[name]
        value = case[metric]
        other = "0x1" if metric == "digest" else repr(float(value) * (1 + 1e-9) or 1.0)
        was = f"{name}: {metric} was {value}"
        assert expected.differences({name: case}, {name: {**case, metric: other}}) == [f"{was}, is {other}"]
        gone = {key: old for key, old in case.items() if key != metric}
        assert expected.differences({name: case}, {name: gone}) == [f"{was}, is nothing"]
    # Changes one metric among all cases.
    name, case = list(metrics.items())[len(metrics) // 2]
    metric, value = next(iter(case.items()))
    changed = expected.differences(metrics, {**metrics, name: {**case, metric: "0x1"}})
    assert changed == [f"{name}: {metric} was {value}, is 0x1"]
    first, *others = metrics
    less = {name: metrics[name] for name in others}
    assert expected.differences(metrics, less) == [f"{first}: no longer runs"]
    assert expected.differences(less, metrics) == [f"{first}: is not expected"]


def test_a_program_with_other_metrics_fails_the_command(
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


def test_an_update_writes_a_missing_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expected, "FOLDER", tmp_path)
    monkeypatch.setattr(expected, "names", lambda: ["toy"])
    monkeypatch.setattr(expected, "measure", lambda run: {"toy/a": {"digest": "0x5"}})
    with pytest.raises(UserError, match="no expected metrics of toy .* run with --update"):
        expected.run(["toy"], update=False)
    assert expected.run([], update=True) == 0
    head = "toy --preset quick --machine cpu,emulator"
    assert (tmp_path / "toy.txt").read_text(encoding="utf-8") == expected.text_of(head, {"toy/a": {"digest": "0x5"}})
