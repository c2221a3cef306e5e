"""The door: what a results file may hold."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from plots import load
from plots.catalog import ROOT
from plots.cli import main
from plots.errors import UserError
from plots.load import load_file, read_json, result_files
from plots.schema import Misfit, check
from tests.plots.door import REFUSED, change, small, write


@pytest.mark.parametrize("place, value, why", REFUSED)
def test_a_value_that_does_not_fit_is_refused_in_one_line(
    tmp_path: Path, place: str, value: Any, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = small()
    change(document, place, value)
    path = write(tmp_path, document)
    assert main(["shards", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and len(said) < 600
    assert said.startswith(f"lockstep: {path} ") and why in said and said.endswith(" run the experiment again\n")


def test_a_text_is_checked_once_and_a_changed_one_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "_passed", set())
    checked: list[object] = []

    def counted(document: object, part: str) -> None:
        checked.append(document)
        check(document, part)

    monkeypatch.setattr(load, "check", counted)
    document = small()
    path = write(tmp_path, document)
    assert load_file(path) == load_file(path) and len(checked) == 1
    document["cases"][0]["role"] = None
    write(tmp_path, document)
    for count in (2, 3):  # a text that does not fit is not remembered
        with pytest.raises(UserError):
            load_file(path)
        assert len(checked) == count


@pytest.mark.parametrize(
    "text, why",
    [
        ("[" * 100_000 + "]" * 100_000, "is nested too deeply"),
        (
            '{"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": [], "x": ' + "[" * 700 + "]" * 700 + "}",
            "nested",
        ),
        ('{"a": ' + "9" * 5000 + "}", "Exceeds the limit"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ("[]", "its top level is not an object"),
        ('{"a": 1', "line 1, column 8"),
        ("", "line 1, column 1"),
    ],
    ids=range(7),
)
def test_a_text_that_is_no_document_is_refused_in_one_line(tmp_path: Path, text: str, why: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UserError) as refused:
        load_file(path)
    assert why in str(refused.value) and "\n" not in str(refused.value)


def test_a_number_that_is_too_large_for_a_float_is_refused(tmp_path: Path) -> None:
    text = json.dumps(small()).replace('"noise": null', "").replace('"items": 1000000.0', '"items": 1e400', 1)
    with pytest.raises(UserError, match=r"cases\[0\].items: is not a number from 0 to 1e30"):
        load_file(write(tmp_path, text))


def test_files_that_are_no_documents_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    (tmp_path / "b.json").mkdir()
    (tmp_path / "c.json").write_bytes(b'{"a": "\xff"}')
    with (tmp_path / "d.json").open("wb") as file:
        file.truncate(300 << 20)
    for name, why in (("a", "not a regular"), ("b", "not a regular"), ("c", "not UTF-8"), ("d", "300 MiB")):
        with pytest.raises(UserError, match=why):
            read_json(tmp_path / f"{name}.json")


@pytest.mark.parametrize("path", list(result_files(ROOT / "results")), ids=lambda path: str(path.name))
def test_the_committed_rows_fit(path: Path) -> None:
    check(read_json(path))


@pytest.mark.parametrize(
    "path", sorted((ROOT / "results" / "schematics").glob("*.json")), ids=lambda path: str(path.name)
)
def test_the_committed_traces_fit(path: Path) -> None:
    check(read_json(path), "traces")


@pytest.mark.parametrize("column, value", [(0, "x"), (0, -1), (4, 5), (5, "x"), (5, 1e60)])
def test_a_trace_with_a_wrong_value_does_not_fit(column: int, value: Any) -> None:
    document = read_json(ROOT / "results" / "schematics" / "object_layout.json")
    document["schematics"][0]["events"][3][column] = value
    with pytest.raises(Misfit, match=rf"schematics\[0\].events\[3\]\[{column}\]: is not a"):
        check(document, "traces")


def test_a_reason_of_several_lines_becomes_one(tmp_path: Path) -> None:
    document = small()
    document["cases"][3] |= {"status": "failed", "reason": "error:\n\ta  b\n"}
    assert load_file(write(tmp_path, document))[3].reason == "error: a b"


def test_a_row_without_a_slug_takes_its_folder_as_a_file_name(tmp_path: Path) -> None:
    document = small()
    del document["context"]["device"]["slug"]
    assert load_file(write(tmp_path, document, "My GPU (x).."))[0].device.slug == "my-gpu-x"
