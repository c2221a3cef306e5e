"""Full disks, closed outputs, limits of the shell, and unusual names: one line that says what to do."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.faults.conftest import Tool, check_error

TABLE = '"$L" replicate pi --machine cpu --replications 20000 --draws 10 --csv table.csv'
RUN = '"$L" run random_grids --preset quick --machine emulator --variant list --out'


def test_the_file_size_limit_is_an_error_and_leaves_the_old_file(tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("old", encoding="utf-8")
    done = tool.shell(f"ulimit -f 8; exec {TABLE}", tmp_path)
    check_error(done, ["cannot write table.csv", "File too large", "ulimit -f"])
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
    assert (tmp_path / "table.csv").read_text(encoding="utf-8") == "old"


def test_a_full_disk_leaves_the_old_file(tool: Tool, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "lockstep-test", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small disk needs the right to mount one")
    try:
        (disk / "table.csv").write_text("old", encoding="utf-8")
        done = tool.shell(TABLE, disk)
        check_error(done, ["cannot write table.csv", "No space left", "free space"])
        assert {path.name: path.read_text(encoding="utf-8") for path in disk.iterdir()} == {"table.csv": "old"}
        done = tool.shell(f"exec {RUN} .", disk)
        assert done.returncode in (0, 2), done
        for file in disk.glob("*/*"):
            assert file.name == "random_grids.json" and file.read_text(encoding="utf-8").endswith("}\n")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("output", [">/dev/full", ">&-"])
@pytest.mark.parametrize(
    "command", ["list", "--version", "list --json", "replicate --help", "replicate pi --machine cpu"]
)
def test_a_result_that_cannot_be_printed_is_an_error(tool: Tool, tmp_path: Path, command: str, output: str) -> None:
    check_error(tool.shell(f'"$L" {command} {output}', tmp_path), ["cannot write", "standard output", "redirect"])


def test_closed_descriptors_do_not_mix_output_into_files(tool: Tool, tmp_path: Path) -> None:
    done = tool.shell(f"{TABLE} <&- >&- 2>&-", tmp_path)
    assert done.returncode == 2
    table = (tmp_path / "table.csv").read_text(encoding="utf-8")
    assert table.count("\n") == 20001 and "95%" not in table


def test_a_reader_that_ends_ends_a_run_after_its_case(tool: Tool, tmp_path: Path) -> None:
    done = tool.shell(f"{RUN} . | sed '/^ *.1.[0-9]*. /q'; echo ${{PIPESTATUS[0]}}", tmp_path)
    *_, first, code = done.stdout.splitlines()
    assert first.lstrip().startswith("[1/") and code == "141"
    assert done.stderr == ""
    (file,) = tmp_path.glob("*/*")
    (row,) = json.loads(file.read_text(encoding="utf-8"))["cases"][:1]
    assert row["variant"] in first.split()


def test_a_read_only_folder_is_an_error(tool: Tool, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(0o555)
    mounted = os.geteuid() == 0  # root may write to any folder, except on a read-only disk
    mount = ["mount", "-t", "tmpfs", "-o", "ro", "lockstep-test", str(folder)]
    if mounted and subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("a read-only disk needs the right to mount one")
    try:
        check_error(tool.shell(TABLE, folder), ["cannot write table.csv", "another folder"])
        check_error(tool.shell(f"{RUN} .", folder), ["cannot write", "another folder"])
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


def test_too_little_memory_is_an_error(tool: Tool, tmp_path: Path) -> None:
    huge = '"$L" replicate pi --machine cpu --replications 100000000 --draws 1 --csv table.csv'
    check_error(tool.shell(f"ulimit -v 400000; exec {huge}", tmp_path), ["memory"])


@pytest.mark.parametrize("limit", ["-s 64", "-n 16"])
def test_small_limits_are_raised_or_enough(tool: Tool, tmp_path: Path, limit: str) -> None:
    done = tool.shell(f"ulimit -S {limit}; exec {TABLE}", tmp_path)
    assert done.returncode == 0, done


def test_no_home(tool: Tool, tmp_path: Path) -> None:
    done = tool.shell(f"unset HOME XDG_CACHE_HOME; {TABLE}", tmp_path)
    assert done.returncode == 0, done


def test_paths_with_blanks_and_umlauts(tool: Tool, tmp_path: Path) -> None:
    folder = tmp_path / "Größe mit Lücke 'x'"
    for language in ("C", "C.UTF-8"):
        done = tool.shell(f'exec {RUN} "$OUT"', tmp_path, OUT=str(folder), LC_ALL=language)
        assert done.returncode == 0 and str(folder) in done.stdout, done
    (file,) = folder.glob("*/*")
    assert file.name == "random_grids.json"


def test_a_decimal_comma_changes_no_file(tool: Tool, tmp_path: Path) -> None:
    available = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    if "de_DE.utf8" not in available:
        pytest.skip("the locale de_DE.UTF-8 is not installed")
    assert tool.shell(TABLE, tmp_path, LC_ALL="C").returncode == 0
    table = (tmp_path / "table.csv").read_bytes()
    assert tool.shell(TABLE, tmp_path, LC_ALL="de_DE.UTF-8").returncode == 0
    assert (tmp_path / "table.csv").read_bytes() == table
