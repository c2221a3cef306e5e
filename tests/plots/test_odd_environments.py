"""Commands in odd environments, with closed descriptors, under signals, and without the rows that they need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plots.catalog import ROOT
from plots.cli import main
from tests.plots.conftest import FIXTURE
from tests.plots.door import SLUG, small, write


ENVIRONMENTS: list[dict[str, str]] = [
    {"MPLBACKEND": "nonsense", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"MPLBACKEND": "TkAgg", "DISPLAY": "", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
]


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=range(len(ENVIRONMENTS)))
def test_environments_give_no_traceback(tmp_path: Path, environment: dict[str, str]) -> None:
    document = small()
    document["context"]["device"]["name"] = "GPU – 漢"
    document["cases"] = document["cases"][:3]
    write(tmp_path, document)
    command = ["compare", str(tmp_path), str(FIXTURE), "--out", str(tmp_path / "out")]
    done = subprocess.run(
        [sys.executable, "-m", "plots", *command], cwd=ROOT, env=os.environ | environment, capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "out" / "compare" / "compare.svg").is_file()


@pytest.mark.parametrize("closed", ["1", "2", "0 1 2"])
def test_closed_descriptors_give_no_traceback(tmp_path: Path, closed: str) -> None:
    write(tmp_path, small())
    line = f'exec "$0" -m plots shards "$1" {" ".join(f"{number}>&-" for number in closed.split())}'
    done = subprocess.run(["bash", "-c", line, sys.executable, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == (2 if "1" in closed else 1), done  # its shards disagree
    assert done.stderr.count("\n") == (closed == "1") and "Traceback" not in done.stderr


def test_a_signal_in_a_finaliser_still_ends_the_command() -> None:
    script = """
import signal, sys, time
from plots import process

class Last:
    def __del__(self): signal.raise_signal(signal.SIGTERM)

def main():
    last = Last()
    del last  # what a finaliser raises is printed and lost
    time.sleep(10)
    return 0

process.prepare()
sys.exit(process.run(main))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (143, "")


@pytest.mark.parametrize(("code", "said"), [(2, "a reason\n"), (130, "a reason\n"), (0, "cannot"), (1, "cannot")])
def test_only_a_result_that_cannot_be_printed_is_one_more_error(code: int, said: str) -> None:
    script = f"""
import sys
from plots import process

def main():
    print("a result")
    if {code} > 1: print("a reason", file=sys.stderr)
    return {code}

process.prepare()
sys.exit(process.run(main))
"""
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-c", script]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, cwd=ROOT, env=buffered, stdout=full, stderr=subprocess.PIPE, text=True)
    assert said in done.stderr and done.stderr.count("\n") == 1
    assert done.returncode == max(code, 2)


def test_a_readme_that_lacks_the_rows_of_its_picture_is_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, small())
    assert main(["report", "--readme", SLUG, "--results", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "cannot draw the picture of README.md" in said
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == [path.name], "half of the pages"


@pytest.mark.parametrize("own", [None, "3"])
def test_numexpr_starts_no_thread_unless_the_user_wants_some(own: str | None) -> None:
    code = "import os; from plots import process; process.prepare(); print(os.environ['NUMEXPR_NUM_THREADS'])"
    environment = {name: value for name, value in os.environ.items() if name != "NUMEXPR_NUM_THREADS"}
    environment |= {} if own is None else {"NUMEXPR_NUM_THREADS": own}
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == f"{own or 1}\n", done
