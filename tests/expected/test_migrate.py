"""`lockstep migrate` on real rows of schema 1: names change, numbers stay, and `plots` can read the result."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from plots.catalog import ROOT
from plots.errors import UserError
from plots.load import load_file

OLD = ROOT / "tests" / "expected" / "schema1"
#: The new name of each row in the files of schema 1, in their order.
NAMES: dict[str, list[str]] = {
    "limits": [
        "limits/fma/cuda",
        "limits/random_atomic.4MB/cuda",
    ],
    "object_layout": [
        "object_layout/bodies_objects/cpu/program:bodies/ticks:10/elements:2048",
        "object_layout/bodies_columns/cuda/program:bodies/ticks:10/elements:1024",
        "object_layout/objects/cpu/agents:512/ticks:10000/mode:faithful",
        "object_layout/switch/cuda/mode:faithful",
    ],
    "random_grids": [
        "random_grids/list/cpu/grid:32x1/occupied:3/streams:1024",
        "random_grids/dense/cuda/grid:64x64/occupied:mixed/streams:50688/length:128/output:stored",
        "random_grids/dense/cuda/streams:3000/length:96",
    ],
    "random_grids.shard1of4": [
        "random_grids/dense/cuda/streams:3000/length:96/shard:1of4",
    ],
    "replications": [
        "replications/concurrent_kernel/cuda/model:walk/replications:132/steps:20000",
        "replications/auto/cuda/replications:100",
        "replications/sequential/cpu/replications:4/draws:10000000",
        "replications/threads/cuda",
    ],
    "rule_interpreter": [
        "rule_interpreter/block_queue/cuda/states_per_group:32",
        "rule_interpreter/thread_per_state/cuda/rules:several/load:200/steps:8",
        "rule_interpreter/queue/cuda/rules:sudoku/states:16384/clues:26",
        "rule_interpreter/block_queue/cuda/load:2000/states_per_group:32",
        "rule_interpreter/queue/cuda/states:262144/range:128/load:200/states_per_warp:4",
        "rule_interpreter/auto/cuda/shape:1x1x1/cache:cold",
    ],
    "term_rewriting": [
        "term_rewriting/as_printed/cuda/system:sieve/elements:50",
        "term_rewriting/as_printed_decision_trees/cuda/depth:20",
        "term_rewriting/cpu_as_printed/cpu/system:sieve/elements:50",
        "term_rewriting/fast/cuda/system:sieve/elements:50",
        "term_rewriting/one_core/cpu/system:queens/elements:6",
        "term_rewriting/auto/cuda/system:sieve/elements:50",
    ],
}
#: Keys of a row whose values the migration keeps.
KEPT = (
    "digest", "time", "items", "bytes", "operations", "status", "reason", "seed", "first_unit", "units", "shard",
    "cache", "verified_units", "repetitions", "launches_per_sample", "sweeps", "commit", "date", "command",
)  # fmt: skip


def migrate(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    if "LOCKSTEP_BINARY" not in os.environ:
        pytest.skip("LOCKSTEP_BINARY names no program")
    command = [os.environ["LOCKSTEP_BINARY"], "migrate", *map(str, arguments)]
    environment = {**os.environ, "LOCKSTEP_SOURCE": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("migrated")
    done = migrate(*sorted(OLD.glob("*.json")), "--out", folder)
    assert done.returncode == 0, done.stderr
    return folder


def read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", NAMES)
def test_names_are_current_and_numbers_are_unchanged(name: str, migrated: Path) -> None:
    old, new = read(OLD / f"{name}.json"), read(migrated / f"{name}.json")
    assert [row["name"] for row in new["cases"]] == NAMES[name]
    assert new["context"] == old["context"] | {"lockstep_schema": 2}
    for before, after in zip(old["cases"], new["cases"], strict=True):
        assert {key: before[key] for key in KEPT} == {key: after[key] for key in KEPT}
        # The numbers stay, whatever their current names.
        assert sorted(before["figures"].values()) == sorted(
            [*after["metrics"].values(), *after["measurements"].values()]
        )
        assert before.get("spent") == after.get("phase_seconds")
        assert [kernel["registers"] for kernel in before["kernels"]] == [
            kernel["registers"] for kernel in after["kernels"]
        ]
    times = [{key: row[key] for key in ("real_time", "cpu_time")} for row in new["benchmarks"]]
    assert times == [{key: row[key] for key in ("real_time", "cpu_time")} for row in old["benchmarks"]]
    medians = {f"{row['name']}_median" for row in new["cases"] if row["status"] == "ok"}
    assert {row["name"] for row in new["benchmarks"]} == medians


@pytest.mark.parametrize("name", NAMES)
def test_plots_reads_only_migrated_files(name: str, migrated: Path) -> None:
    cases = load_file(migrated / f"{name}.json")
    assert [case.name for case in cases] == NAMES[name]
    with pytest.raises(UserError, match="run ./lockstep migrate"):
        load_file(OLD / f"{name}.json")


def test_a_clock_separates_metrics_from_measurements(migrated: Path) -> None:
    rows = {row["name"]: row for path in migrated.glob("*.json") for row in read(path)["cases"]}
    fast = next(row for row in rows.values() if row["variant"] == "fast")
    assert {"rewrites", "lanes"} <= set(fast["metrics"]) and {"rounds", "heap_bytes"} <= set(fast["measurements"])
    assert not any(row["metrics"] for row in rows.values() if row["experiment"] == "limits")
    measured = [name for row in rows.values() for name in row["metrics"] if "seconds" in name or "counter" in name]
    assert measured == []


def test_a_migrated_file_does_not_change(migrated: Path) -> None:
    path = migrated / "random_grids.json"
    before = path.read_text(encoding="utf-8")
    done = migrate(path)
    assert done.returncode == 0 and "unchanged" in done.stdout
    assert path.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda row: row["figures"].update(most_thoughts=1), "unknown metric most_thoughts"),
        (lambda row: row["axes"].update(states_a_room="1"), "unknown axis states_a_room"),
        (lambda row: row.update(variant="gpu_paper"), "unknown variant gpu_paper"),
        (lambda row: row.update(experiment="chess"), "unknown experiment chess"),
    ],
)
def test_unknown_names_are_rejected_and_nothing_is_written(change: Any, said: str, tmp_path: Path) -> None:
    path = tmp_path / "rule_interpreter.json"
    content = read(OLD / "rule_interpreter.json")
    change(content["cases"][-1])
    path.write_text(json.dumps(content), encoding="utf-8")
    before = path.read_text(encoding="utf-8")
    done = migrate(OLD / "random_grids.json", path, "--out", tmp_path / "out")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and said in done.stderr
    assert not (tmp_path / "out").exists()
    assert migrate(path).returncode == 2
    assert path.read_text(encoding="utf-8") == before
