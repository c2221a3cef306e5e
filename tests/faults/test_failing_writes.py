"""A quota, a full disk and a broken disk, without the right to mount one: the library of failing_writes.c is preloaded."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.conftest import TOP, Tool, check_error, finished_cases

SYSTEM = next((TOP / "experiments" / "term_rewriting").rglob("lists.rec"))
ERRORS = {
    errno.EDQUOT: ("Disk quota exceeded", "free space"),
    errno.ENOSPC: ("No space left", "free space"),
    errno.EIO: ("Input/output error", "another folder"),
}
COMMANDS = {
    "replicate": '"$L" replicate pi --machine cpu --replications 20000 --draws 10 --csv file',
    "rewrite": f'"$L" rewrite "{SYSTEM}" -o file',
    "weave": '"$L" weave source.cu -o file',
    "merge": '"$L" merge good.json --into file',
    "compare": '"$PYTHON" -m plots compare "$FIXTURE" "$FIXTURE" --out file',
}


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    made = tmp_path_factory.mktemp("library") / "failing_writes.so"
    source = Path(__file__).with_name("failing_writes.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(made), str(source), "-ldl"], check=True)
    return made


def failing(
    tool: Tool, folder: Path, library: Path, line: str, number: int, after: int
) -> subprocess.CompletedProcess[str]:
    return tool.shell(
        f'export LD_PRELOAD="{library}" FAILING_WRITES_BYTES={after} FAILING_WRITES_ERRNO={number}; exec {line}',
        folder,
        PYTHON=sys.executable,
        PYTHONPATH=str(TOP),
        PYTHONDONTWRITEBYTECODE="1",
        MPLCONFIGDIR=str(folder / "matplotlib"),
        FIXTURE=str(TOP / "tests" / "plots" / "results"),
    )


@pytest.mark.parametrize("number", ERRORS, ids=[errno.errorcode[number] for number in ERRORS])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_failing_write_leaves_the_old_file(
    tool: Tool, tmp_path: Path, library: Path, command: str, number: int
) -> None:
    shutil.copy(TOP / "tests" / "plots" / "results" / "imaginary-cpu-y" / "random_grids.json", tmp_path / "good.json")
    (tmp_path / "source.cu").write_text("// @warp\n__global__ void f() {\n}\n", encoding="utf-8")
    old = "old"
    if command == "merge":
        old = (tmp_path / "good.json").read_text(encoding="utf-8")
    if command != "compare":
        (tmp_path / "file").write_text(old, encoding="utf-8")
    before = sorted(path.name for path in tmp_path.iterdir())
    done = failing(tool, tmp_path, library, COMMANDS[command], number, after=10)
    check_error(done, ["cannot write file", *ERRORS[number]])
    if command == "compare":
        assert [path for path in (tmp_path / "file").rglob("*") if path.is_file()] == []
    else:
        assert (tmp_path / "file").read_text(encoding="utf-8") == old
        assert sorted(path.name for path in tmp_path.iterdir() if path.name != "matplotlib") == before


@pytest.mark.parametrize("after", [0, 5000, 40000])
def test_a_run_keeps_the_rows_that_fitted(tool: Tool, tmp_path: Path, library: Path, after: int) -> None:
    words = "run random_grids --preset quick --machine emulator --variant list --out ."
    run = f'"$L" {words}'
    done = failing(tool, tmp_path, library, run, errno.EDQUOT, after)
    check_error(done, ["cannot write ./", "Disk quota exceeded", "free space"])
    finished = finished_cases(tool, words.split(), done.stdout)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in files] == (["random_grids.json"] if finished else [])
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert all(f'"name":"{name}"' in text for name in finished)
        assert os.environ.get("LOCKSTEP_DOOR") is None or text.endswith("}\n")
        # The file that is there can be extended.
        assert tool.shell(f"exec {run}", tmp_path).returncode == 0
