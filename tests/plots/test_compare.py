"""compare: pairs, ratios, refused pairs and exit codes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from plots.cli import main
from plots.compare import compare
from plots.compare_summary import MAX_LINES, largest
from plots.load import load
from tests.plots.conftest import FIXTURE

A = FIXTURE / "imaginary-gpu-x"


def changed(folder: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """A copy of the made-up GPU's results with every case changed."""
    target = folder / "b"
    shutil.copytree(A, target)
    path = target / "random_grids.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    for case in content["cases"]:
        change(case)
    path.write_text(json.dumps(content), encoding="utf-8")
    return target


def slower(factor: float) -> Callable[[dict[str, Any]], None]:
    def change(case: dict[str, Any]) -> None:
        for key in ("median", "low", "high") if case["time"] else ():
            case["time"][key] *= factor

    return change


def run(b: Path, out: Path, *more: str) -> int:
    return main(["compare", str(A), str(b), "--out", str(out), *more])


def test_equal_results_do_not_differ(tmp_path: Path) -> None:
    assert run(A, tmp_path, "--fail-on-regression", "0") == 0
    assert {pair.verdict() for pair in compare(A, A).pairs if pair.ratio} == {"no difference"}
    assert {"compare.md", "compare.csv", "compare.svg", "compare.png"} == {
        path.name for path in (tmp_path / "compare").iterdir()
    }


def test_the_current_folder_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["compare", str(A), str(A)]) == 0
    assert (tmp_path / "compare" / "compare.md").is_file()


def test_only_a_regression_beyond_the_requested_limit_fails(tmp_path: Path) -> None:
    b = changed(tmp_path, slower(1.25))
    assert run(b, tmp_path / "out") == 0
    assert run(b, tmp_path / "out", "--fail-on-regression", "30") == 0
    assert run(b, tmp_path / "out", "--fail-on-regression", "20%") == 1


def test_a_difference_within_the_noise_is_not_a_regression(tmp_path: Path) -> None:
    assert run(changed(tmp_path, slower(1.015)), tmp_path / "out", "--fail-on-regression", "1") == 0


def test_a_regression_says_how_much_longer_it_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Twice the time is 100% longer, and is beyond a limit of 60%."""
    assert run(changed(tmp_path, slower(2)), tmp_path / "out", "--fail-on-regression", "60") == 1
    assert "slower, 100% longer" in capsys.readouterr().out


def test_ratio_is_speed_of_b_over_a(tmp_path: Path) -> None:
    ratio = compare(A, changed(tmp_path, slower(2))).pairs[0].ratio
    assert ratio is not None
    assert ratio.value == pytest.approx(0.5)
    assert ratio.low == pytest.approx(0.5 * 0.99 / 1.01) and ratio.high == pytest.approx(0.5 * 1.01 / 0.99)


@pytest.mark.parametrize(
    ("key", "value", "reason"), [("seed", 2, "seed"), ("digest", "0x1", "results differ"), ("units", 5, "units")]
)
def test_different_work_is_refused(
    tmp_path: Path, key: str, value: object, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    b = changed(tmp_path, lambda case: case.update({key: value}))
    assert run(b, tmp_path / "out") == 2
    assert all(pair.ratio is None for pair in compare(A, b).pairs)
    assert reason in capsys.readouterr().err


def test_two_methods_are_compared_although_their_results_differ(tmp_path: Path) -> None:
    """`auto` may choose another method in another run, and each row is verified by the reference that it names."""
    b = changed(tmp_path, lambda case: case.update(digest="0x1", reference="another"))
    assert all(pair.ratio is not None for pair in compare(A, b).pairs if pair.a.time is not None)


def test_a_case_that_no_longer_agrees_is_a_regression(tmp_path: Path) -> None:
    def change(case: dict[str, Any]) -> None:
        if case["variant"] == "bernoulli":
            case.update(status="disagrees", reason="unit 7", time=None)

    b = changed(tmp_path, change)
    assert run(b, tmp_path / "out", "--fail-on-regression", "5") == 1
    assert "refused (B: disagrees, unit 7)" in {pair.verdict() for pair in compare(A, b).pairs}


def test_another_schema_is_refused(tmp_path: Path) -> None:
    b = changed(tmp_path, lambda case: None)
    path = b / "random_grids.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"lockstep_schema": 2', '"lockstep_schema": 7'), encoding="utf-8"
    )
    assert run(b, tmp_path / "out") == 2


@pytest.mark.parametrize(
    "arguments", [["compare", str(A)], ["compare", str(A), str(A), "--fail-on-regression", "-3"], ["paint"], []]
)
def test_a_wrong_command_line_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "--help" in said


def test_nothing_in_common_is_an_error(tmp_path: Path) -> None:
    assert run(changed(tmp_path, lambda case: case.update(experiment="other")), tmp_path / "out") == 2


def test_a_changed_count_is_named_and_fails_if_requested(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def change(case: dict[str, Any]) -> None:
        if "steps_mean" in case["metrics"]:
            case["metrics"]["steps_mean"] += 1

    b = changed(tmp_path, change)
    assert run(b, tmp_path / "out") == 0
    assert "steps_mean 2.9" in capsys.readouterr().out
    assert run(b, tmp_path / "out", "--fail-on-change") == 1


def test_a_small_change_of_a_count_is_a_change(tmp_path: Path) -> None:
    def change(case: dict[str, Any]) -> None:
        for name in case["metrics"]:
            case["metrics"][name] *= 1 + 1e-6

    assert run(changed(tmp_path, change), tmp_path / "out", "--fail-on-change") == 1


def test_hot_and_cold_rows_are_not_paired(tmp_path: Path) -> None:
    b = changed(tmp_path, lambda case: case.update(cache="cold") if case["machine"] == "cuda" else None)
    found = compare(A, b)
    assert all(pair.a.cache == pair.b.cache for pair in found.pairs)
    assert found.only_a == found.only_b > 0


def test_measurements_are_not_compared_as_counts(tmp_path: Path) -> None:
    def measured(seconds: float) -> Callable[[dict[str, Any]], None]:
        def change(case: dict[str, Any]) -> None:
            case["measurements"].update(pass_seconds_00007=seconds, counter_inst=1 / seconds, rounds=seconds)

        return change

    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    a, b = changed(tmp_path / "a", measured(0.5)), changed(tmp_path / "b", measured(0.25))
    assert run(b, tmp_path / "out", "--fail-on-change") == 0
    assert all("pass_seconds_00007" in pair.b.metrics for pair in compare(a, b).pairs)
    assert not any(pair.changed_metrics() for pair in compare(a, b).pairs)


def test_two_devices_are_compared_by_their_cases(tmp_path: Path) -> None:
    b = changed(tmp_path, slower(0.5))
    path = b / "random_grids.json"
    path.write_text(path.read_text(encoding="utf-8").replace("Imaginary GPU X", "Imaginary GPU Z"), encoding="utf-8")
    found = compare(A, b)
    assert (found.name_a, found.name_b) == ("Imaginary GPU X", "Imaginary GPU Z")
    assert {pair.verdict() for pair in found.pairs if pair.ratio} == {"faster"}


def test_folders_of_several_devices_are_compared_device_by_device(tmp_path: Path) -> None:
    every = tmp_path / "every"
    shutil.copytree(FIXTURE, every)
    shutil.copytree(A, every / "twin")
    path = every / "twin" / "random_grids.json"
    path.write_text(path.read_text(encoding="utf-8").replace("imaginary-gpu-x", "twin"), encoding="utf-8")
    found = compare(every, every)
    assert len(found.pairs) == len(load(every).cases)
    assert (found.only_a, found.only_b) == (0, 0)


def jittered(seed: int, width: float, factor: float = 1.0) -> Callable[[dict[str, Any]], None]:
    """A run of its own: every time is off by a random share of up to `width`."""
    random = Random(seed)

    def change(case: dict[str, Any]) -> None:
        slower(factor * (1 + random.uniform(-width, width)))(case)

    return change


def runs(tmp_path: Path, **changes: Callable[[dict[str, Any]], None]) -> dict[str, Path]:
    for name in changes:
        (tmp_path / name).mkdir()
    return {name: changed(tmp_path / name, change) for name, change in changes.items()}


def verdicts(a: Path, b: Path, repeat: Path | None = None) -> set[str]:
    """Of the cases on the GPU: those on the CPU are too few to show the noise between runs."""
    return {pair.verdict() for pair in compare(a, b, repeat).pairs if pair.ratio and pair.a.machine == "cuda"}


def test_two_runs_of_equal_code_on_a_noisy_machine_do_not_differ(tmp_path: Path) -> None:
    found = runs(tmp_path, a=jittered(1, 0.05), b=jittered(2, 0.05))
    pairs = [pair for pair in compare(found["a"], found["b"]).pairs if pair.ratio]
    alone = [pair for pair in pairs if replace(pair, noise=0.0).verdict() != "no difference"]
    assert len(alone) >= 5, "the interval of one run is too narrow here, or this test shows nothing"
    assert verdicts(found["a"], found["b"]) == {"no difference"}


def test_a_change_beyond_the_noise_between_runs_is_found(tmp_path: Path) -> None:
    found = runs(tmp_path, a=jittered(1, 0.03), again=jittered(2, 0.03), b=jittered(3, 0.03, 1.5))
    assert verdicts(found["a"], found["b"]) == {"slower"}
    assert verdicts(found["a"], found["b"], found["again"]) == {"slower"}


def test_repeat_measures_the_noise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = runs(tmp_path, a=jittered(1, 0.0), again=slower(1.2), b=slower(1.15))
    assert verdicts(found["a"], found["b"]) == {"slower"}, "all ratios are equal, so their spread shows no noise"
    assert verdicts(found["a"], found["b"], found["again"]) == {"no difference"}
    arguments = ["compare", str(found["a"]), str(found["b"]), "--out", str(tmp_path), "--repeat", str(found["again"])]
    assert main(arguments) == 0
    assert "noise between runs of random_grids on cuda: 20% (from --repeat)" in capsys.readouterr().out


def test_two_kinds_of_device_show_no_noise(tmp_path: Path) -> None:
    b = changed(tmp_path, jittered(1, 0.4))
    path = b / "random_grids.json"
    path.write_text(path.read_text(encoding="utf-8").replace("Imaginary GPU X", "Imaginary GPU Z"), encoding="utf-8")
    assert all(group[1] != "cuda" for group in compare(A, b).noise)


def test_rows_of_two_cpus_show_no_noise(tmp_path: Path) -> None:
    def move(case: dict[str, Any]) -> None:
        case["machine"] = "cpu" if case["machine"] == "cuda" else "emulator"

    found = runs(tmp_path, a=move, b=move)
    assert ("random_grids", "cpu") in compare(found["a"], found["b"]).noise
    path = found["b"] / "random_grids.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["context"]["cpu"] = {"name": "another CPU"}
    path.write_text(json.dumps(content), encoding="utf-8")
    assert compare(found["a"], found["b"]).noise == {}


def test_a_repeat_without_common_cases_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = changed(tmp_path, lambda case: case.update(experiment="other"))
    assert run(A, tmp_path / "out", "--repeat", str(other)) == 2
    assert "is no second run" in capsys.readouterr().err


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_a_line_per_experiment_and_the_largest_changes_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    b = changed(tmp_path, jittered(1, 0.0, 1.5))
    pairs = compare(A, b).pairs
    assert len([pair for pair in pairs if pair.verdict() == "slower"]) > MAX_LINES, "too few for this test"
    assert run(b, tmp_path / "out") == 0
    lines = lines_of(capsys)
    assert lines[0].split()[:2] == ["experiment", "pairs"]
    slow = [pair for pair in pairs if pair.verdict() == "slower"]
    others = len(pairs) - len(slow)
    assert lines[1].split()[:6] == ["random_grids", str(len(pairs)), "0", str(len(slow)), "0", str(others)]
    assert f"slower, the {MAX_LINES} largest changes of {len(slow)}:" in lines
    assert len([line for line in lines if line.endswith("  slower")]) == MAX_LINES
    assert not any(line.startswith("faster") for line in lines)
    assert run(b, tmp_path / "out", "--all") == 0
    assert len([line for line in lines_of(capsys) if line.endswith("  slower")]) == len(slow)


def test_the_largest_changes_come_first(tmp_path: Path) -> None:
    found = compare(A, changed(tmp_path, jittered(3, 0.5)))
    for verdict, sign in (("slower", 1), ("faster", -1)):
        values = [found.pairs[position].ratio for position in largest(found, verdict)]
        assert values == sorted(values, key=lambda ratio: sign * (ratio.value if ratio else 0)) and values


def test_only_and_variant_select_pairs_and_keep_their_verdicts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    b = changed(tmp_path, jittered(2, 0.05))
    every = {pair.b.describe(): pair.verdict() for pair in compare(A, b).pairs}
    some = compare(A, b, wanted=lambda case: case.variant == "bernoulli").pairs
    assert 0 < len(some) < len(every)
    assert all(every[pair.b.describe()] == pair.verdict() for pair in some)
    assert run(b, tmp_path / "out", "--variant", "bernoulli", "--only", "random_grids", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["pairs"]) == len(some)
    assert run(b, tmp_path / "out", "--only", "term_rewriting") == 2
    assert "check --only and --variant" in capsys.readouterr().err
    for option, valid in (("--variant", "bernoulli"), ("--only", "random_grids")):
        assert run(b, tmp_path / "out", option, valid, option, "bernuolli") == 2
        assert f"nothing to compare for {option} bernuolli" in capsys.readouterr().err


def test_all_with_json_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(A, tmp_path, "--all", "--json") == 2
    assert "--all with --json" in "".join(capsys.readouterr())


def test_many_changed_metrics_are_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def change(case: dict[str, Any]) -> None:
        for number in range(3 * MAX_LINES):
            case["metrics"][f"count_{number}"] = 1

    def another(case: dict[str, Any]) -> None:
        change(case)
        case["metrics"]["count_1"] = 2

    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    a = changed(tmp_path / "a", change)
    b = changed(tmp_path / "b", another)
    arguments = ["compare", str(a), str(b), "--out", str(tmp_path)]
    assert main(arguments) == 0
    lines = [line for line in lines_of(capsys) if line.startswith("metric changed") or line.endswith("more (--all)")]
    assert len(lines) == MAX_LINES + 1 and lines[-1].endswith("more (--all)")
    assert main([*arguments, "--all"]) == 0
    assert not any(line.endswith("more (--all)") for line in lines_of(capsys))


def test_json_has_the_pairs_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(changed(tmp_path, slower(2)), tmp_path / "out", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {pair["verdict"] for pair in found["pairs"] if pair["ratio"]} == {"slower"}
    assert found["pairs"][0]["ratio"][0] == pytest.approx(0.5)


def test_rows_of_two_commits_are_marked_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    b = changed(tmp_path, lambda case: case.update(commit="fedcba98765"))
    assert run(b, tmp_path) == 0
    said = capsys.readouterr().out
    assert "rows from commit 0123456789; B has" in said and "the ratio can include changes of the program" in said
    document = (tmp_path / "compare" / "compare.md").read_text(encoding="utf-8")
    assert (
        "1.00 [0.98, 1.02]\\* |" in document and "An asterisk marks a comparison of rows from two commits" in document
    )
    assert run(A, tmp_path) == 0 and "rows from commit" not in capsys.readouterr().out
