"""Tests of the emulated counters beside a device's, with made-up programs, and of the committed file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from plots.catalog import ROOT
from plots.errors import UserError
from processes import device_counters
from processes.device_counters import LATER, NAME, UNSEEN, Counter
from processes.nsight import LANES

FOLDER = ROOT / "results" / "emulators"

PRINTED = """   12  32.0 | 3 x = 1;
emulated sums
    global loads: 12 requests, 48 sectors
    shared stores: 7 requests, 9 wavefronts
    branches: 40, 10 divergent
    lanes per instruction: 30.5
"""

HEADER = "program,kernels,counter,device_requests,emulated_requests,device_units,emulated_units\n"
FILE = (
    HEADER
    + "a,2,global loads,12,1,48,2\na,2,shared loads,3,4,5,6\na,2,branches,20,0,5,0\n"
    + f"a,2,{LANES},30.0,1.0,,\n"
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / NAME
    path.write_text(text, encoding="utf-8")
    return path


def test_sums_are_read_from_what_the_emulator_prints() -> None:
    assert device_counters.sums_of(PRINTED) == {
        "global loads": (12, 48),
        "shared stores": (7, 9),
        "branches": (40, 10),
        LANES: (30.5, None),
    }
    assert device_counters.sums_of("12 requests, 48 sectors") == {}


def test_the_emulated_columns_are_computed_again_and_the_others_are_kept(tmp_path: Path) -> None:
    path = written(tmp_path, FILE)
    show = [sys.executable, "-c", f"import sys; sys.stderr.write({PRINTED!r})"]
    device_counters.emulate_again(path, {"a": (tmp_path, show)})
    rows = "a,2,global loads,12,12,48,48\na,2,shared loads,3,0,5,0\na,2,branches,20,40,5,10\n"
    assert path.read_text(encoding="utf-8") == HEADER + rows + f"a,2,{LANES},30.0,30.5,,\n"


def test_programs_of_other_draws_keep_their_columns(tmp_path: Path) -> None:
    path = written(tmp_path, FILE + "b,1,branches,20,3,5,1\n")
    finds = [sys.executable, "-c", f"import sys; sys.stderr.write({PRINTED!r}); sys.exit(1)"]
    device_counters.emulate_again(path, {"a": (tmp_path, finds), "c": (tmp_path, finds)})
    text = path.read_text(encoding="utf-8")
    assert "a,2,branches,20,40,5,10\n" in text and text.endswith("b,1,branches,20,3,5,1\n")


def test_a_program_that_fails_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    path = written(tmp_path, FILE)
    fails = {"a": (tmp_path, [sys.executable, "-c", "import sys; sys.exit(1)"])}
    for commands in (dict[str, tuple[Path, list[str]]](), fails):
        with pytest.raises(UserError):
            device_counters.emulate_again(path, commands)
    assert path.read_text(encoding="utf-8") == FILE


@pytest.mark.parametrize(
    "device, emulated, close", [((20, 5), (40, 10), True), ((20, 5), (20, 6), False), ((20, 0), (0, 0), True)]
)
def test_branches_are_compared_by_the_share_that_is_not_divergent(
    device: tuple[int, int], emulated: tuple[int, int], close: bool
) -> None:
    assert Counter("a", 1, "branches", device, emulated).is_close is close


@pytest.mark.parametrize("lanes, close", [(31.5, True), (28.5, True), (28.4, False), (31.6, False)])
def test_lanes_are_close_within_five_percent(lanes: float, close: bool) -> None:
    assert Counter("a", 1, LANES, (30.0, None), (lanes, None)).is_close is close


@pytest.mark.parametrize(
    "text",
    ["", HEADER, FILE.replace("12,1", "twelve,1"), FILE.replace("program", "name"), FILE.replace("12,1", "-1,1")],
)
def test_other_files_are_mistakes(text: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=NAME):
        device_counters.read(written(tmp_path, text))


@pytest.mark.parametrize("kind", ["endless", "pipe", "large"])
def test_what_has_no_end_is_not_read(kind: str, tmp_path: Path) -> None:
    path = tmp_path / NAME
    if kind == "endless":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.touch()
        os.truncate(path, 1 << 40)
    with pytest.raises(UserError, match="not a regular file|MiB, more than 256"):
        device_counters.read(path)


def test_the_page_counts_what_is_equal_and_close(tmp_path: Path) -> None:
    text = FILE.replace("12,1,48,2", "12,12,48,2").replace("30.0,1.0", "30.0,30.0")
    page = device_counters.section(written(tmp_path, text))
    assert "| global loads | 1 of 1 | 0 of 1 |" in page and "| shared loads | 0 of 1 | 0 of 1 |" in page
    assert "of 1 of 1 programs" in page and "of 0 of 1:" in page
    assert "| a (differs) | 30.0 | 30.0 | 75.0% | 100.0% |" in page


@pytest.mark.parametrize("name", [NAME, UNSEEN, LATER])
def test_the_committed_files_are_as_this_module_writes_them(name: str) -> None:
    path = FOLDER / name
    assert device_counters.text_of(device_counters.read(path)) == path.read_text(encoding="utf-8")


def test_no_program_is_in_both_committed_files() -> None:
    seen, unseen = ({one.program for one in device_counters.read(FOLDER / name)} for name in (NAME, UNSEEN))
    assert not seen & unseen
    assert f"of {len(unseen)} programs" in device_counters.unseen_section(FOLDER / UNSEEN)
    text = device_counters.later_section(FOLDER / LATER)
    assert f"of {len(unseen)} programs" in text and "| cross |" in text


def test_what_the_model_counted_for_unseen_programs_is_of_the_same_device() -> None:
    before, now = (device_counters.read(FOLDER / name) for name in (UNSEEN, LATER))
    assert [(one.program, one.name, one.device) for one in before] == [
        (one.program, one.name, one.device) for one in now
    ]
    assert before != now
