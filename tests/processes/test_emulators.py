"""Tests of `lockstep emulators` with made-up tools, and of the committed table."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from plots.catalog import ROOT
from plots.errors import UserError
from processes import emulators, emulators_table
from processes.driver import Skipped
from processes.emulator_tools import SOURCES, TOOLS, Built, Failed, Shop, Tool

#: Answers requests: the first word of the command is the digest of all kernels, the second what `shuffles` answers.
SERVE = """
import sys
digest, shuffles, calls = sys.argv[1], sys.argv[2], 0
for line in sys.stdin:
    calls += 1
    if line.startswith("shuffles") and shuffles == "end":
        sys.exit(1)
    refused = line.startswith("shuffles") and shuffles == "refused"
    unsteady = line.startswith("shuffles") and shuffles == "unsteady"
    word = format(calls, "016x") if unsteady else digest
    print("refused it cannot" if refused else f"0.00{1 + calls % 7} {word}", flush=True)
"""


@dataclass(frozen=True)
class MadeUp:
    """Stands for the program: context() is all that is asked."""

    def context(self) -> dict[str, Any]:
        return {"lockstep_schema": 2, "cpu": {"name": "CPU", "threads": 2}, "commit": "c0ffee", "dirty": False}


def tool(name: str, role: str, digest: str = "a1", shuffles: str = "ok") -> Tool:
    return Tool(name, name, role, lambda shop: Built([sys.executable, "-c", SERVE, digest, shuffles], "1.0"))


def broken(error: Exception) -> Callable[[Shop], Built]:
    def build(shop: Shop) -> Built:
        raise error

    return build


LOOPS = tool("loops", "reference")


def measured(tmp_path: Path, *tools: Tool) -> tuple[int, dict[str, dict[str, Any]], str]:
    code = emulators.run(
        emulators.Wish(samples=15), MadeUp(), tmp_path, "lockstep emulators", lambda text: None, (LOOPS, *tools)  # type: ignore[arg-type]
    )
    rows = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))["cases"]
    return code, {row["name"]: row for row in rows}, (tmp_path / "README.md").read_text(encoding="utf-8")


def test_the_figure_is_the_fastest_sample_per_operation(tmp_path: Path) -> None:
    code, rows, page = measured(tmp_path, tool("checked", "ours"))
    assert code == 0 and len(rows) == 2 * len(emulators.KERNELS)
    row = rows["emulators/checked/kernel:straight"]
    assert (row["status"], row["repetitions"], row["time"]["minimum"]) == ("ok", 15, 0.001)
    items = 1024 * 256
    assert row["items"] == items
    assert f"| {0.001 / items * 1e9:.2f} | {0.001 / items * 1e9:.2f} |" in page


def test_a_barrier_and_its_partner_are_two_operations(tmp_path: Path) -> None:
    _, rows, _ = measured(tmp_path, tool("checked", "ours"))
    assert rows["emulators/checked/kernel:barriers"]["items"] == 64 * 256 * 16 * 2


def test_nothing_is_timed_without_a_reference(tmp_path: Path) -> None:
    tools = (Tool("loops", "loops", "reference", broken(Failed("does not compile"))), tool("checked", "ours"))
    wish = emulators.Wish(samples=15)
    assert emulators.run(wish, MadeUp(), tmp_path, "", lambda text: None, tools) == 1  # type: ignore[arg-type]
    rows = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))["cases"]
    assert {row["status"] for row in rows if row["variant"] == "checked"} == {"disagrees"}


@pytest.mark.parametrize(
    "made, status, reason, code",
    [
        (tool("pocl", "peer", shuffles="refused"), "refused", "it cannot", 0),
        (tool("pocl", "peer", shuffles="unsteady"), "failed", "differ from launch to launch", 1),
        (tool("pocl", "peer", shuffles="end"), "failed", "its program ended", 1),
        (tool("pocl", "peer", digest="b2"), "disagrees", "differ from those of the loops", 1),
        (Tool("pocl", "PoCL", "peer", broken(Skipped("is not installed"))), "refused", "is not installed", 0),
        (Tool("pocl", "PoCL", "peer", broken(Failed("does not compile"))), "failed", "does not compile", 1),
    ],
    ids=["refused", "unsteady", "ended", "disagrees", "not-installed", "broken"],
)
def test_a_tool_without_a_time_says_why(made: Tool, status: str, reason: str, code: int, tmp_path: Path) -> None:
    done, rows, page = measured(tmp_path, made)
    row = rows["emulators/pocl/kernel:shuffles"]
    assert (done, row["status"], row.get("time")) == (code, status, None)
    assert reason in row["reason"] and reason in page and f"| {status} |" in page
    assert rows["emulators/loops/kernel:shuffles"]["status"] == "ok"


def test_a_tool_that_ends_is_not_asked_again_and_its_earlier_kernels_count(tmp_path: Path) -> None:
    _, rows, _ = measured(tmp_path, tool("checked", "ours", shuffles="end"))
    states = {name.split(":")[1]: row["status"] for name, row in rows.items() if "checked" in name}
    assert [states[kernel.name] for kernel in emulators.KERNELS] == ["ok", "ok", "failed", "failed", "failed"]


@pytest.mark.parametrize(
    "wish, what",
    [
        (emulators.Wish(only=["nothing"]), "unknown tool nothing"),
        (emulators.Wish(checkouts={"pocl": Path(".")}), "pocl has no checkout"),
        (emulators.Wish(checkouts={"hip_cpu": Path("/nonexistent")}), "no checkout of hip_cpu"),
        (emulators.Wish(samples=14), "14 samples are too few"),
    ],
)
def test_a_mistake_of_the_user_is_one_line(wish: emulators.Wish, what: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=what):
        emulators.run(wish, MadeUp(), tmp_path, "", tools=())  # type: ignore[arg-type]


def test_hip_cpu_without_its_tree_is_skipped(tmp_path: Path) -> None:
    build = next(tool.build for tool in TOOLS if tool.name == "hip_cpu")
    given: list[dict[str, Path]] = [{}, {"hip_cpu": tmp_path}]
    for checkouts in given:
        with pytest.raises(Skipped, match="needs its source tree|no include/hip"):
            build(Shop(ROOT, tmp_path, checkouts, "c0ffee"))


def test_every_language_has_every_kernel() -> None:
    for name, pattern in {
        "kernels.hpp": "__global__ void {}(",
        "kernels.cl": "__kernel void {}(",
        "plain.cpp": "void {}(",
    }.items():
        text = (ROOT / SOURCES / name).read_text(encoding="utf-8")
        for kernel in emulators.KERNELS:
            assert pattern.format(kernel.name) in text, f"{name} has no {kernel.name}"


def test_hooked_kernels_have_the_options_of_the_build() -> None:
    from processes.emulator_tools import HOOKED, HOOKED_TOO

    text = (ROOT / "harness/simt/CMakeLists.txt").read_text(encoding="utf-8")
    for option in (*HOOKED, *HOOKED_TOO):
        assert re.search(rf"(?<![\w-]){re.escape(option.removeprefix('-D'))}(?![\w-])", text), option


def test_the_committed_table_is_that_of_the_committed_rows() -> None:
    rows = emulators.FOLDER / emulators_table.ROWS
    assert (emulators.FOLDER / emulators_table.PAGE).read_text(encoding="utf-8") == emulators_table.page(rows)


@pytest.mark.parametrize(
    "change",
    ({"experiment": "random_grids"}, {"axes": {}}, {"items": 0}, {"reason": None}, {"time": {"minimum": -1.0}}),
)
def test_rows_of_another_kind_make_no_table(change: dict[str, Any], tmp_path: Path) -> None:
    document = json.loads((emulators.FOLDER / emulators_table.ROWS).read_text(encoding="utf-8"))
    document["cases"][0] |= change
    path = tmp_path / emulators_table.ROWS
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(UserError):
        emulators_table.page(path)
