"""`lockstep peers` with made-up drivers: what becomes of one that works, one that cannot run and one that breaks."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from plots.errors import UserError
from processes import cli
from processes.peers import REASON, Wish, find, place_of, run, sentence
from processes.program import Program

GOOD = """
from processes.driver import Reading, Skipped, sample

class Good:
    name, description = "{name}", "a driver of a test"
    def build(self, place):
        (place.folder / "built").write_text(str(place.checkout or "none"))
    def readings(self, place):
        if not (place.folder / "built").exists():
            raise Skipped("not built")
        yield Reading("{name}", "cpu", "1.0", {{"size": "2"}}, [0.5] * 10, 5, "own check: equal", "steady clock")
DRIVER = Good()
"""
SKIPPED = """
from processes.driver import Skipped

class Absent:
    name, description = "absent", "a driver of a test"
    def build(self, place):
        raise Skipped("needs its source tree (--checkout absent=PATH)")
    def readings(self, place):
        yield from ()
DRIVER = Absent()
"""
UNINSTALLED = """
from processes.driver import Skipped

class Uninstalled:
    name, description = "uninstalled", "a driver of a test"
    def build(self, place):
        raise Skipped(f"{place.folder}/tool is not installed")
    def readings(self, place):
        yield from ()
DRIVER = Uninstalled()
"""
BROKEN = """
class Broken:
    name, description = "broken", "a driver of a test"
    def build(self, place):
        raise ZeroDivisionError("by accident")
DRIVER = Broken()
"""
NEEDS = "import a_package_that_nobody_has\nDRIVER = None\n"
MISTAKEN = "from baselines.lists.peers import _nothing_of_this_name\nDRIVER = None\n"
MISTYPED = "import baselines.lists.peers.nothing_of_this_name\nDRIVER = None\n"
WRONG_AXIS = GOOD.replace('"size": "2"', '"length": "2"')


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "tree"


def plant(root: Path, **drivers: str) -> None:
    folder = root / "baselines" / "lists" / "peers"
    folder.mkdir(parents=True)
    for name, text in drivers.items():
        (folder / f"{name}.py").write_text(text.format(name=name) if "{name}" in text else text, encoding="utf-8")
    importlib.invalidate_caches()


def rows_of(out: Path) -> dict[str, dict[str, Any]]:
    text = (out / "imaginary-cpu-y" / "lists.peers.json").read_text(encoding="utf-8")
    return {row["peer"]: row for row in json.loads(text)["cases"]}


def test_each_driver_gets_a_row_whatever_becomes_of_it(root: Path, program: Program, tmp_path: Path) -> None:
    wrong = {"broken_a": BROKEN, "axis_a": WRONG_AXIS, "mistaken_a": MISTAKEN, "mistyped_a": MISTYPED}
    plant(root, good_a=GOOD, absent_a=SKIPPED, needs_a=NEEDS, _shared="1 / 0", **wrong)
    said: list[str] = []
    assert run(Wish(), program, tmp_path / "out", "lockstep peers", said.append, root) == 1
    rows = rows_of(tmp_path / "out")
    assert {name: row["status"] for name, row in rows.items()} == {
        "absent_a": "refused",
        "axis_a": "failed",
        "broken_a": "failed",
        "good_a": "ok",
        "mistaken_a": "failed",
        "mistyped_a": "failed",
        "needs_a": "refused",
    }
    assert rows["absent_a"]["reason"] == "needs its source tree (--checkout absent=PATH)"
    assert "a_package_that_nobody_has" in rows["needs_a"]["reason"]
    assert rows["broken_a"]["reason"] == "ZeroDivisionError: by accident"
    assert "lists has no axis length" in rows["axis_a"]["reason"]
    assert rows["good_a"]["time"]["median"] == 0.5 and rows["good_a"]["axes"]["size"] == "2"
    assert said[-1] == "7 peers: 2 refused, 4 failed, 1 measured"


def test_a_skipped_peer_is_no_error(root: Path, program: Program, tmp_path: Path) -> None:
    plant(root, absent_b=SKIPPED)
    assert run(Wish(), program, tmp_path / "out", "", lambda _: None, root) == 0


def test_a_reason_names_no_path_of_this_machine(root: Path, program: Program, tmp_path: Path) -> None:
    plant(root, uninstalled_a=UNINSTALLED)
    assert run(Wish(), program, tmp_path / "out", "", lambda _: None, root) == 0
    reason = rows_of(tmp_path / "out")["uninstalled_a"]["reason"]
    assert reason.endswith("lists/uninstalled_a/tool is not installed") and not reason.startswith("/")


def test_building_and_running_can_be_two_calls(root: Path, program: Program, tmp_path: Path) -> None:
    plant(root, good_c=GOOD, absent_c=SKIPPED)
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    out = tmp_path / "out"
    wish = Wish(checkouts={"good_c": checkout}, run=False)
    assert run(wish, program, out, "", lambda _: None, root) == 0
    assert not out.exists()
    folder = root / "build" / "peers" / "lists"
    assert (folder / "good_c" / "built").read_text() == str(checkout.resolve())
    assert (folder / "absent_c" / REASON).is_file()

    assert run(Wish(build=False), program, out, "", lambda _: None, root) == 0
    rows = rows_of(out)
    assert rows["good_c"]["status"] == "ok"
    assert rows["absent_c"]["reason"] == "needs its source tree (--checkout absent=PATH)"  # kept from the other call


def test_a_peer_that_fails_later_keeps_its_measured_row(root: Path, program: Program, tmp_path: Path) -> None:
    plant(root, good_d=GOOD)
    out = tmp_path / "out"
    run(Wish(), program, out, "", lambda _: None, root)
    (root / "build" / "peers" / "lists" / "good_d" / "built").unlink()
    run(Wish(build=False), program, out, "", lambda _: None, root)
    text = (out / "imaginary-cpu-y" / "lists.peers.json").read_text(encoding="utf-8")
    assert [row["status"] for row in json.loads(text)["cases"]] == ["ok", "refused"]
    run(Wish(), program, out, "", lambda _: None, root)
    text = (out / "imaginary-cpu-y" / "lists.peers.json").read_text(encoding="utf-8")
    assert [row["status"] for row in json.loads(text)["cases"]] == ["ok"]


def test_the_speed_of_a_peer_is_items_over_time() -> None:
    row: dict[str, Any] = {"experiment": "random_grids", "axes": {}, "item": "grids", "version": "Queue 1.2"}
    row |= {"items": 11.0, "time": {"median": 5.5}, "repetitions": 10, "noise": 0.25}
    assert sentence(row) == "2 grids/s, 10 samples, noise 25.00%, Queue 1.2"


@pytest.mark.parametrize(
    ("wish", "problem"),
    [
        (Wish(experiments=["trees"]), "unknown experiment trees .known are lists"),
        (Wish(only=["god"]), "unknown peer god .known are good_e"),
        (Wish(checkouts={"bad": Path(".")}), "unknown peer bad"),
        (Wish(checkouts={"good_e": Path("/no/such/folder")}), "no checkout of good_e ./no/such/folder is not a folder"),
    ],
)
def test_wrong_names_are_the_users_mistakes(
    root: Path, program: Program, tmp_path: Path, wish: Wish, problem: str
) -> None:
    plant(root, good_e=GOOD)
    with pytest.raises(UserError, match=problem):
        run(wish, program, tmp_path / "out", "", lambda _: None, root)


def test_a_mistake_is_one_line_and_exit_code_2(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LOCKSTEP_BINARY", str(program.path))
    for words in (["peers", "--only", "nobody"], ["peers", "--checkout", "x"], ["peers", "--no-build", "--build-only"]):
        assert cli.main(words) == 2
        said = capsys.readouterr().err
        assert said.startswith("lockstep: ") and said.count("\n") == 1


def test_a_place_says_what_the_machine_has(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(root, good_f=GOOD)
    gpu = {"device": {"machine": "cuda", "compute_capability": "9.0"}}
    place = place_of(find(root)[0], Wish(), gpu, Path("lockstep"), root)
    assert place.has_gpu and place.architecture == "90" and place.checkout is None
    assert place.folder == root / "build" / "peers" / "lists" / "good_f"
    monkeypatch.setenv("CUDAARCHS", "100-real;120")
    place = place_of(find(root)[0], Wish(), {"device": {"machine": "cpu"}}, Path("lockstep"), root)
    assert not place.has_gpu and place.architecture == "100"
