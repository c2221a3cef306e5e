"""Loading: what is read, and what is rejected with a one-line error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plots.cli import main
from plots.errors import UserError
from plots.load import load
from plots.results import Results, frame
from tests.plots.conftest import FIXTURE


def document() -> dict[str, Any]:
    text = (FIXTURE / "imaginary-gpu-x" / "random_grids.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def write(folder: Path, content: dict[str, Any] | str) -> Path:
    path = folder / "imaginary-gpu-x" / "random_grids.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder


def test_devices_come_from_the_files_gpus_first(results: Results) -> None:
    assert [device.name for device in results.devices] == ["Imaginary GPU X", "Imaginary CPU Y"]
    assert results.devices[0].limits["store"]["value"] == 1e12


def test_times_are_intervals_and_rates_follow(results: Results) -> None:
    word = next(case for case in results.cases if case.variant == "word" and case.axes["occupied"] == "half")
    assert word.time is not None and word.rate is not None
    assert word.time.value == pytest.approx(1e-5)
    assert word.rate.value == pytest.approx(100e9)
    assert word.rate.low == pytest.approx(100e9 / 1.01)


@pytest.mark.parametrize("first", [0, 1])
def test_a_file_with_more_limits_wins(tmp_path: Path, first: int) -> None:
    few, many = document(), document()
    few["context"]["limits"] = {"copy": {"value": 1.0, "unit": "B/s"}}
    for row in few["cases"]:
        row["experiment"] = "other"
    files = [few, many]
    folder = write(tmp_path, files[first])
    (folder / "imaginary-gpu-x" / "zz.json").write_text(json.dumps(files[1 - first]), encoding="utf-8")
    assert set(load(folder).devices[0].limits) == set(many["context"]["limits"])


def test_a_case_that_disagrees_has_no_time(tmp_path: Path) -> None:
    content = document()
    content["cases"][0]["status"] = "disagrees"
    assert load(write(tmp_path, content)).cases[0].time is None


@pytest.mark.parametrize("schema", [None, 0, 3, "2"])
def test_another_schema_is_refused(tmp_path: Path, schema: object, capsys: pytest.CaptureFixture[str]) -> None:
    content = document()
    content["context"]["lockstep_schema"] = schema
    folder = write(tmp_path, content)
    with pytest.raises(UserError, match="another schema"):
        load(folder)
    for command in (["report"], ["figures"], ["report", "--claims"]):
        assert main([*command, "--results", str(folder), "--out", str(tmp_path / "out")]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and "run the experiment again" in said
    assert not (tmp_path / "out").exists()


def test_schema_1_is_refused_with_the_command_that_migrates_it(tmp_path: Path) -> None:
    content = document()
    content["context"]["lockstep_schema"] = 1
    folder = write(tmp_path, content)
    with pytest.raises(UserError, match=r"found 1, this program reads 2\) run ./lockstep migrate .*random_grids.json$"):
        load(folder)


def test_measurements_are_drawn_and_not_counted(tmp_path: Path) -> None:
    content = document()
    content["cases"][0].update(metrics={"steps": 3}, measurements={"seconds": 0.5})
    case = load(write(tmp_path, content)).cases[0]
    assert case.metrics == {"steps": 3.0, "seconds": 0.5}
    assert case.counted_metrics == {"steps": 3.0}


def test_invalid_json_is_reported_with_line_and_column(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="line 2, column 1"):
        load(write(tmp_path, '{"context":\n}'))


def test_a_row_without_its_keys_is_refused(tmp_path: Path) -> None:
    content = document()
    del content["cases"][3]["axes"]
    with pytest.raises(UserError, match=r"\(cases\[3\].axes: is missing\)"):
        load(write(tmp_path, content))


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no folder"):
        load(tmp_path / "none")


def test_published_numbers_are_not_a_device(tmp_path: Path) -> None:
    write(tmp_path, document())
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "x.json").write_text("no results", encoding="utf-8")
    assert [device.slug for device in load(tmp_path).devices] == ["imaginary-gpu-x"]


def test_frame_has_a_row_per_case_and_a_column_per_axis(results: Results) -> None:
    table = frame(results.cases)
    assert len(table) == len(results.cases)
    assert {"device", "variant", "grid", "occupied", "rate_value", "steps_mean"} <= set(table.columns)
