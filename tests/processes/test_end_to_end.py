"""`lockstep end-to-end` with a made-up tool: three starts, the comparison of outputs, and what breaks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plots.catalog import ROOT, names
from plots.errors import UserError
from processes import end_to_end
from processes.end_to_end import Runner, resident, run, tools_of
from processes.program import Program
from processes.sampling import LEAST


def plant(root: Path, options: str = "", request: str = "tool --seed {seed} --file {output}") -> None:
    engine = {"variant": "fast", "machine": "cpu", "options": options, "check": "", "checked_by": "slow on the CPU"}
    entry = {"axes": {"size": "2"}, "items": 5, "request": request, "engines": [engine]}
    (root / "experiments" / "lists").mkdir(parents=True)
    path = root / "experiments" / "lists" / "end_to_end.json"
    path.write_text(json.dumps({"tools": [entry]}), encoding="utf-8")


def rows_of(out: Path) -> dict[str, dict[str, Any]]:
    text = (out / "imaginary-cpu-y" / "lists.end_to_end.json").read_text(encoding="utf-8")
    return {row["start"]: row for row in json.loads(text)["cases"]}


@pytest.mark.parametrize("request_text", ["tool --seed {seed} --file {output}", "tool --seed {seed}"])
def test_a_tool_has_a_row_per_start(program: Program, tmp_path: Path, request_text: str) -> None:
    plant(tmp_path, request=request_text)
    assert run([], program, tmp_path / "out", "lockstep end-to-end", lambda _: None, tmp_path) == 0
    rows = rows_of(tmp_path / "out")
    assert list(rows) == ["cold", "warm", "resident"]
    for start, row in rows.items():
        assert row["name"] == f"lists/fast/cpu/size:2/start:{start}"
        assert (row["status"], row["scope"], row["timer"]) == ("ok", "end_to_end", "steady clock")
        assert row["verified"] == "own check: the output equals that of slow on the CPU, byte for byte"
        assert row["repetitions"] >= LEAST["cpu"] and row["axes"] == {"mode": "plain", "size": "2"}
    # The made-up program reports 100 s for its first two requests and 0.25 s for each of the others.
    assert rows["resident"]["time"]["median"] == rows["resident"]["time"]["mean"] == 0.25


def test_a_wrong_output_and_an_error_have_no_time(program: Program, tmp_path: Path) -> None:
    plant(tmp_path / "a", options="--how wrong")
    assert run([], program, tmp_path / "a" / "out", "", lambda _: None, tmp_path / "a") == 1
    for row in rows_of(tmp_path / "a" / "out").values():
        assert row["status"] == "failed" and row["time"] is None
        assert row["reason"] == "the output of fast is not that of slow on the CPU"
    plant(tmp_path / "b", options="--how broken")
    assert run([], program, tmp_path / "b" / "out", "", lambda _: None, tmp_path / "b") == 1
    assert "ended with code 3: no luck" in rows_of(tmp_path / "b" / "out")["warm"]["reason"]


def test_each_cold_start_has_an_empty_cache(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path)
    caches: list[str] = []
    runner = Runner(program.path, tmp_path)

    def record(cache: Path) -> dict[str, str]:
        caches.append(cache.name)
        return {}

    monkeypatch.setattr(runner, "environment", record)
    seconds = end_to_end.started(tools_of("lists", tmp_path)[0], "cold", runner)
    assert len(seconds) == len(caches) == len(set(caches)) >= LEAST["cpu"]
    assert "warm" not in caches


def test_caches_are_those_of_the_program_and_of_the_driver(tmp_path: Path) -> None:
    environment = Runner(Path("lockstep"), tmp_path).environment(tmp_path / "cold")
    assert environment["LOCKSTEP_CACHE"].startswith(str(tmp_path))
    assert environment["CUDA_CACHE_PATH"].startswith(str(tmp_path))


def test_requests_to_a_process_have_seeds_of_their_own(program: Program, tmp_path: Path) -> None:
    plant(tmp_path)
    _, output = resident(tools_of("lists", tmp_path)[0], Runner(program.path, tmp_path))
    seeds = [line.split()[2] for line in (tmp_path / "lines").read_text(encoding="utf-8").splitlines()]
    assert len(set(seeds)) == len(seeds) == 2 + LEAST["cpu"] and seeds[-1] == "1"
    assert output == b"result of 1\n"


def test_the_first_two_requests_to_a_process_are_no_samples(program: Program, tmp_path: Path) -> None:
    plant(tmp_path)
    seconds, _ = resident(tools_of("lists", tmp_path)[0], Runner(program.path, tmp_path))
    assert seconds == [0.25] * LEAST["cpu"]


def test_an_unknown_experiment_and_a_file_that_does_not_parse_are_errors(program: Program, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="unknown experiment trees"):
        run(["trees"], program, tmp_path, "", lambda _: None, tmp_path)
    with pytest.raises(UserError, match="no tool to run"):
        run([], program, tmp_path, "", lambda _: None, tmp_path)
    plant(tmp_path)
    (tmp_path / "experiments" / "lists" / "end_to_end.json").write_text('{"tools": [{}]}', encoding="utf-8")
    with pytest.raises(UserError, match="does not parse"):
        tools_of("lists", tmp_path)


def test_every_experiment_has_a_request_for_each_machine() -> None:
    for name in names():
        tools = tools_of(name, ROOT)
        assert {tool.machine for tool in tools} == {"cpu", "cuda"}, name
        for tool in tools:
            assert tool.request[0] == tool.check[0] and list(tool.request) != list(tool.check)
            assert any(end_to_end.SEED in word for word in tool.request)
