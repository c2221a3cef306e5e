"""Shards of the program, run in parallel, add up to the whole run; and the message if they do not."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from plots.catalog import ROOT, names
from plots.cli import main
from plots.load import load, read_json
from plots.scaling import scaling
from plots.schema import check
from plots.shards import parts_of, whole_of

SHARDS = 3
#: Where an experiment's cases are quick and have no time. Kernels of term_rewriting are compiled at run time in the emulator.
MACHINES = {name: "cpu" if name == "term_rewriting" else "emulator" for name in names()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every experiment's quick sweep, whole and in shards, in one folder."""
    binary = os.environ.get("LOCKSTEP_BINARY")
    if not binary:
        pytest.skip("LOCKSTEP_BINARY does not name the program")
    out = tmp_path_factory.mktemp("shards")
    for name, machine in MACHINES.items():
        what = [name, "--sweep", "quick", "--machine", machine, "--repetitions", "2", "--out", str(out)]
        subprocess.run([binary, "run", *what], check=True, capture_output=True)
        one_host = str(ROOT / "harness" / "nodes" / "one_host.sh")
        subprocess.run([one_host, "--shards", str(SHARDS), *what], check=True, capture_output=True)
    return out


def shard_file(folder: Path, experiment: str, index: int) -> Path:
    return next(folder.glob(f"*/{experiment}.shard{index}of{SHARDS}.json"))


def copied(folder: Path, to: Path) -> Path:
    for file in folder.glob("*/*.json"):
        (to / file.parent.name).mkdir(exist_ok=True)
        (to / file.parent.name / file.name).write_bytes(file.read_bytes())
    return to


def test_the_program_writes_rows_that_fit_the_schema(folder: Path) -> None:
    files = list(folder.glob("*/*.json"))
    assert len(files) == (1 + SHARDS) * len(MACHINES)
    for file in files:
        check(read_json(file))


def test_shards_add_up_to_the_whole_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loaded = load(folder)
    assert {row.experiment for row in loaded.shard_sets} == set(MACHINES)
    assert all(parts_of(case) == 1 for case in loaded.cases), "a case that ran whole is that run"
    compared = 0
    for row in loaded.shard_sets:
        whole = whole_of(row, loaded.cases)
        assert whole is not None
        assert (row.status, row.reason.partition(":")[0]) == (whole.status, whole.reason.partition(":")[0]), row.name
        if row.status != "refused":
            assert row.provenance["units"] == whole.provenance["units"]
            compared += row.digest == whole.digest != ""
    assert compared > 80
    assert main(["shards", str(folder)]) == 0
    assert f"replications on {loaded.devices[0].slug} in {SHARDS} shards: 44 of 44 cases complete, 44 with" in (
        capsys.readouterr().out
    )


def test_a_missing_shard_is_named(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shard_file(copied(folder, tmp_path), "replications", 1).unlink()
    assert main(["shards", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert said.count(f"incomplete, without shard 1 of {SHARDS}") == 45
    assert "0 of 45 cases complete" in said


def test_one_wrong_unit_in_one_shard_is_found(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shard_file(copied(folder, tmp_path), "random_grids", 2)
    content = json.loads(path.read_text(encoding="utf-8"))
    case = next(case for case in content["cases"] if case["digest"])
    case["digest"] = f"0x{(int(case['digest'], 16) + 1) % 2**64:016x}"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert main(["shards", str(tmp_path)]) == 1
    assert f"disagrees, {SHARDS} shards add up to 0x" in capsys.readouterr().out
    table = scaling(load(tmp_path).view("random_grids", load(tmp_path).devices[0]))
    assert sum("disagrees" in row[-1] for row in table.rows) == 1
    assert sum(row[-1] == "equal" for row in table.rows) > 30


def test_a_folder_without_shards_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shards", str(tmp_path)]) == 2
    assert "no shards in" in capsys.readouterr().err
