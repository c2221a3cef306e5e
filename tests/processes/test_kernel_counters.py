"""Tests of the counters of this tree's kernels, with made-up tools, and of the committed files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plots.catalog import ROOT
from plots.errors import UserError
from processes import kernel_counters, nsight
from processes.device_counters import Counter
from processes.kernel_counters import DEVICE, EMULATED
from processes.nsight import BRANCHES, LANES, Counted

FOLDER = ROOT / "results" / "emulators"

LOADS = "l1tex__t_{}_pipe_lsu_mem_global_op_ld.sum"
UNIFORM, DIVERGENT = (f"smsp__sass_branch_targets_threads_{kind}.sum" for kind in ("uniform", "divergent"))
SHARED = "smsp__inst_executed_op_shared_atom.sum"  #: of all kinds; those of a kind (_dot_alu, _dot_cas) are among them
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"
NAMES = ["ID", "Kernel Name", LOADS.format("requests"), LOADS.format("sectors"), UNIFORM, DIVERGENT]
NAMES += [nsight.OF_LANES, nsight.OF_WARPS, SHARED, WAVEFRONTS]

#: As ncu prints it: progress between the program's lines, names, units, and a line per launch.
PRINTED = (
    "==PROF== Connected to process 7 (/tmp/map)\n"
    '==PROF== Profiling "first": 0%....50%....100% - 9 passes\n'
    "case one launches 2 digest 00000000000000ff\n"
    "case two launches 1 digest 0000000000000001\n"
    "==PROF== Disconnected from process 7\n"
    + "".join(
        ",".join(f'"{cell}"' for cell in row) + "\n"
        for row in (
            NAMES,
            ["", "", "", "sector", "", "", "inst", "inst", "inst", "inst"],
            ["0", "first(int, int)", "4", "1,016", "10", "2", "64", "2", "0", "n/a"],
            ["1", "second", "6", "24", "5", "0", "32", "2", "0", "n/a"],
            ["2", "third", "0", "0", "0", "0", "31", "1", "3", "6"],
        )
    )
)

ONE: nsight.Sums = {"global loads": (10, 1040), BRANCHES: (17, 2), LANES: (24.0, None)}


def test_launches_are_summed_for_each_case() -> None:
    first, second = nsight.counted_by_ncu("maps", PRINTED)
    assert first == Counted("maps", "one", 2, "00000000000000ff", ONE)
    assert second.sums == {"shared atomics": (3, 6), BRANCHES: (0, 0), LANES: (31.0, None)}


@pytest.mark.parametrize(
    "printed, why",
    [
        (PRINTED.replace("launches 1", "launches 2"), "3 launches"),
        (PRINTED.replace("==PROF== Disconnected", "==ERROR== ERR_NVGPUCTRPERM").replace('"2","third"', "2"), "GPUCTR"),
        ("", "0 cases"),
    ],
)
def test_launches_that_are_not_those_of_the_cases_are_a_mistake(printed: str, why: str) -> None:
    with pytest.raises(UserError, match=why):
        nsight.counted_by_ncu("maps", printed)


def test_every_counter_is_asked_of_ncu_once() -> None:
    metrics = nsight.ncu_words("ncu")[-1].split(",")
    assert len(metrics) == len(set(metrics)) and {*NAMES[2:]} <= {*metrics}


def tool(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def test_a_device_counts_the_cases_of_each_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool(tmp_path, "nvcc", f'echo "$@" >>{tmp_path}/compiled')
    (tmp_path / "printed").write_text(PRINTED, encoding="utf-8")
    tool(tmp_path, "ncu", f"cat {tmp_path}/printed")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    out = tmp_path / "out.csv"
    assert nsight.main(["--only", "map", "--out", str(out)]) == 0
    assert [one.kernel for one in kernel_counters.read(out)] == ["one", "two"]
    assert kernel_counters.read(out)[0].sums == ONE
    compiled = (tmp_path / "compiled").read_text(encoding="utf-8").splitlines()
    assert len(compiled) == 1 and compiled[0].endswith("/tests/counters/object_layout.cu")


def test_without_tools_or_with_a_wrong_name_nothing_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert nsight.main(["--out", str(tmp_path / "out.csv")]) == 2
    assert capsys.readouterr().err.startswith("lockstep: no nvcc")
    tool(tmp_path, "nvcc", "echo 'a.cu(3): error' >&2; exit 1")
    tool(tmp_path, "ncu", "exit 1")
    for words, why in ((["--only", "maps"], "unknown case maps"), (["--only", "map"], "cannot compile object_layout")):
        assert nsight.main([*words, "--out", str(tmp_path / "out.csv")]) == 2
        assert why in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()


def test_the_device_side_needs_no_packages() -> None:
    text = "import sys; sys.modules.update(pandas=None, matplotlib=None, jinja2=None); import processes.nsight"
    assert subprocess.run([sys.executable, "-c", text], cwd=ROOT).returncode == 0


def program(folder: Path, code: int, digest: str = "0" * 16) -> Path:
    sums = "emulated sums\\n    global loads: 12 requests, 48 sectors\\n    lanes per instruction: 30.5\\n"
    tool(folder, "lockstep", f'for case; do :; done\necho "case $case launches 1 digest {digest}"\n')
    with (folder / "lockstep").open("a", encoding="utf-8") as file:
        file.write(f"printf '{sums}' >&2\nexit {code}\n")
    return folder / "lockstep"


def test_the_emulator_counts_each_case_alone(tmp_path: Path) -> None:
    out = tmp_path / EMULATED
    kernel_counters.emulate_all(program(tmp_path, 0), ["rule_interpreter", "map"], out)
    counted = kernel_counters.read(out)
    assert [one.experiment for one in counted[:2]] == ["object_layout", "rule_interpreter"]
    assert counted[0] == Counted("object_layout", "map", 1, "0" * 16, {"global loads": (12, 48), LANES: (30.5, None)})


@pytest.mark.parametrize("code, digest", [(1, "0" * 16), (0, "none")])
def test_a_case_with_findings_or_without_a_result_is_a_mistake(tmp_path: Path, code: int, digest: str) -> None:
    with pytest.raises(UserError, match="cannot count object_layout map"):
        kernel_counters.emulate_all(program(tmp_path, code, digest), ["map"], tmp_path / EMULATED)
    assert not (tmp_path / EMULATED).exists()


@pytest.mark.parametrize("text", ["", "experiment,kernel\na,b\n", ",".join(nsight.COLUMNS) + "\na,b,c,d,e,f,g\n"])
def test_other_files_are_mistakes(text: str, tmp_path: Path) -> None:
    (tmp_path / DEVICE).write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=DEVICE):
        kernel_counters.read(tmp_path / DEVICE)


def test_the_page_has_what_both_machines_have_counted(tmp_path: Path) -> None:
    assert kernel_counters.section(tmp_path) == ""
    device = [Counted("maps", "one", 2, "ff", ONE), Counted("maps", "two", 1, "1", {LANES: (31.0, None)})]
    emulated = [
        Counted("maps", "one", 2, "ff", {**ONE, "shared loads": (3, 3), BRANCHES: (17, 3)}),
        Counted("maps", "two", 1, "2", {LANES: (20.0, None)}),
        Counted("maps", "three", 1, "3", {LANES: (20.0, None)}),
    ]
    for name, counted in ((DEVICE, device), (EMULATED, emulated)):
        (tmp_path / name).write_text(nsight.text_of(counted), encoding="utf-8")
    page = kernel_counters.section(tmp_path)
    assert "| global loads | 1 of 1 | 1 of 1 |" in page and "| shared loads | 0 of 1 | 0 of 1 |" in page
    assert "results of 1 of 2 cases" in page and "of 1 of 2 kernels" in page and "of 0 of 1:" in page
    assert "| maps one (differs) | 24.0 | 24.0 | 88.2% | 82.4% |" in page
    assert "| maps two (differs) | 31.0 | 20.0 | 100.0% | 100.0% |" in page and "three" not in page


def test_cases_agree_within_the_runs_of_the_device_and_its_repeated_passes() -> None:
    def counter(case: str, name: str, device: int, emulated: int) -> Counter:
        return Counter(case, 1, name, (10, device), (10, emulated))

    counters = [
        counter("a", "global stores", 369, 368),
        counter("b", "shared stores", 258, 256),
        counter("c", "shared stores", 300, 256),
        counter("d", "global loads", 1000, 1001),
        Counter("e", 1, LANES, (10.0, None), (10.4, None)),
    ]
    again = [counter("a", "global stores", 361, 0), *counters[1:]]
    lines = kernel_counters.agreement(counters, again)
    assert "agree 2 of 5" in lines[1] and "They are 3 if" in lines[2]
    assert "- global stores of a" in lines
    assert lines[-3:] == ["| b | shared stores |  |", "| c | shared stores |  |", "| d | global loads |  |"]
    assert "agree 1 of 5" in kernel_counters.agreement(counters, counters)[1]


def test_a_reason_is_beside_its_counter_and_all_reasons_are_needed() -> None:
    device, emulated = (kernel_counters.read(FOLDER / name) for name in (DEVICE, EMULATED))
    again = kernel_counters.beside(kernel_counters.read(FOLDER / kernel_counters.AGAIN), emulated)
    page = "\n".join(kernel_counters.agreement(kernel_counters.beside(device, emulated), again))
    for (case, counter), reason in kernel_counters.REASONS.items():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| {case} | ")]
        assert counter in row.split(" | ")[1] and reason in row.split(" | ")[2], f"{case} agrees in {counter}"


@pytest.mark.parametrize("name", [EMULATED, DEVICE])
def test_the_committed_files_have_every_case_as_this_module_writes_them(name: str) -> None:
    path = FOLDER / name
    if name == DEVICE and not path.exists():
        pytest.skip("no device has counted these cases yet")
    counted = kernel_counters.read(path)
    assert nsight.text_of(counted) == path.read_text(encoding="utf-8")
    assert [one.name for one in counted] == [(one, case) for one, cases in nsight.chosen([]).items() for case in cases]


def test_every_experiment_has_three_kernels() -> None:
    for experiment in (path.parent.name for path in (ROOT / "experiments").glob("*/experiment.cpp")):
        assert len(nsight.cases_of(experiment)) >= 3
