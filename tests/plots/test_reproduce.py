"""reproduce with a fake program: order, resuming, failures, the progress bar."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from plots import reproduce
from plots.cli import main
from plots.progress import Progress, Stage
from tests.plots.conftest import FIXTURE

#: Calls reproduce with a program whose second case has this status; returns the exit code and the program's calls.
Call = Callable[..., tuple[int, list[str]]]

PROGRAM = """#!/bin/sh
echo "$@" >> {log}
case "$*" in
    limits*) echo "copy 1 TB/s"; exit 0 ;;
    trace*) exit 0 ;;
    *--dry-run) {refusal} echo "random_grids/word/cpu  units 0..1"; echo "random_grids/list/cpu  units 0..1"; echo "2 cases"; exit 0 ;;
esac
mkdir -p {results}
cp -r {fixture}/imaginary-cpu-y {results}/
echo "[1/2] random_grids/word/cpu  ok  1 ms"
echo "[2/2] random_grids/list/cpu  {status}"
echo "results in {results}/imaginary-cpu-y/random_grids.json"
exit {code}
"""


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    def reproduce(status: str = "ok  2 ms", code: int = 0, *more: str, refusal: str = "") -> tuple[int, list[str]]:
        log, results = tmp_path / "calls.txt", tmp_path / "results"
        program = tmp_path / "program"
        program.write_text(
            PROGRAM.format(log=log, results=results, fixture=FIXTURE, status=status, code=code, refusal=refusal),
            encoding="utf-8",
        )
        program.chmod(0o755)
        monkeypatch.setenv("LOCKSTEP_BINARY", str(program))
        log.unlink(missing_ok=True)
        exit_code = main(
            ["reproduce", "random_grids", "--results", str(results), "--out", str(tmp_path / "out"), *more]
        )
        return exit_code, [line for line in log.read_text(encoding="utf-8").splitlines() if "--dry-run" not in line]

    return reproduce


@pytest.fixture(autouse=True)
def sweeps_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plots.reproduce.runnable", lambda: ["random_grids"])


def test_runs_draws_and_names_the_page(call: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, calls = call()
    assert code == 0
    assert [line.split()[0] for line in calls] == ["limits", "trace", "run"]
    assert "--preset quick" in calls[2]
    assert capsys.readouterr().out.rstrip().endswith(f"open {tmp_path / 'out' / 'index.html'}")
    assert (tmp_path / "out" / "figures" / "random_grids" / "imaginary-cpu-y" / "steps.svg").is_file()
    assert "random_grids/word/cpu" in (tmp_path / "out" / "log" / "random_grids.txt").read_text(encoding="utf-8")


def test_finished_experiments_do_not_run_again(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plots.reproduce.pages", lambda results, out, *rest: out / "index.html")
    call()
    assert call()[1] == []
    assert len(call("ok  2 ms", 0, "--fresh")[1]) == 3
    (tmp_path / "results" / "imaginary-cpu-y" / "random_grids.json").unlink()
    assert [line.split()[0] for line in call()[1]] == ["run"]


def test_a_failing_case_is_named_and_run_again(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("disagrees (unit 3)", 1)[0] == 1
    assert "random_grids/list/cpu disagrees (unit 3)" in capsys.readouterr().out
    assert "Not everything ran" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    monkeypatch.setattr("plots.reproduce.pages", lambda results, out, *rest: out / "index.html")  # not drawn again
    assert [line.split()[0] for line in call("disagrees (unit 3)", 1)[1]] == ["run"]


def test_counters_are_read_for_the_written_rows(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counters = tmp_path / "experiments" / "random_grids" / "counters.py"
    counters.parent.mkdir(parents=True)
    counters.touch()
    asked: list[tuple[Path, list[str]]] = []
    monkeypatch.setattr("plots.reproduce.ROOT", tmp_path)
    monkeypatch.setattr("plots.reproduce.pages", lambda results, out, *rest: out / "index.html")
    monkeypatch.setattr("plots.reproduce.shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("plots.reproduce.join", lambda program, file, wanted: asked.append((file, wanted)))
    # Patched last, because monkeypatch itself calls this function to find a name.
    monkeypatch.setattr("plots.reproduce.importlib.import_module", lambda name: SimpleNamespace(wanted=lambda: [name]))
    call()
    assert not asked
    call("ok  2 ms", 0, "--counters")
    assert asked == [
        (tmp_path / "results" / "imaginary-cpu-y" / "random_grids.json", ["experiments.random_grids.counters"])
    ]


def test_without_ncu_nothing_is_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("plots.reproduce.shutil.which", lambda name: None)
    assert main(["reproduce", "random_grids", "--counters", "--out", str(tmp_path / "out")]) == 2
    assert "ncu is not installed" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_missing_program_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LOCKSTEP_BINARY", str(tmp_path / "none"))
    assert main(["reproduce", "--out", str(tmp_path)]) == 2
    assert "the program is not built" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_shows_the_remaining_time() -> None:
    clock = iter([0.0, 2.0, 2.0, 4.0, 4.0]).__next__
    stream = Terminal()
    progress = Progress([Stage("run", 4, 100.0), Stage("figures", 10, 0.5)], stream, clock)
    progress.begin("run")
    progress.step()
    progress.step()
    assert progress.left() == pytest.approx(2 * 2.0 + 10 * 0.5)
    progress.finish()
    assert progress.left() == pytest.approx(5.0)
    assert "9 s left" in stream.getvalue() and "run 2/4" in stream.getvalue()


def test_plain_lines_without_a_terminal() -> None:
    stream = io.StringIO()
    progress = Progress([Stage("run", 2, 30.0)], stream, lambda: 0.0)
    progress.begin("run")
    progress.step()
    progress.end()
    assert stream.getvalue() == "run: about 1 min 00 s left in all\n"


def test_an_experiment_without_a_case_here_is_left_out(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    code, calls = call("ok", 0, refusal='echo "lockstep: no case to run (no machine has one)" >&2; exit 2;')
    assert code == 0 and not any(line.startswith("run") for line in calls)
    assert "random_grids: not run, lockstep: no case to run" in capsys.readouterr().out


def test_planning_errors_are_reported_before_anything_runs(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    code, calls = call("ok", 0, refusal='echo "lockstep: invalid repetitions (must be 2 or more)" >&2; exit 2;')
    assert code == 2 and calls == []
    assert "random_grids cannot be run (invalid repetitions (must be 2 or more))" in capsys.readouterr().err


@pytest.mark.parametrize("name", [b"\xff", b"loop", b"a\nb"])
def test_a_plan_takes_every_path(tmp_path: Path, name: bytes) -> None:
    (tmp_path / "loop").symlink_to("loop")
    jobs = reproduce.plan(Path("/bin/true"), "quick", [], tmp_path / os.fsdecode(name), tmp_path)
    assert {"limits", "random_grids"} <= {job.name for job in jobs}
