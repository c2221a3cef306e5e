"""Tests that includes and imports follow the arrows of CONTRIBUTING.md, and that planted violations are found."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from plots.catalog import ROOT
from tests.layout.arrows import violations

#: A violation of each kind: a file and its text.
WRONG = {
    "harness/bench/a.hpp": '#include "common/lists/workload.hpp"',
    "harness/simt/a.hpp": '  #  include "harness/bench/axes.hpp"',
    "harness/random/a.hpp": '#include "harness/stats/interval.hpp"',
    "harness/nodes/a.py": "from plots import load",
    "common/lists/a.hpp": '#include "reference_cpu/lists/sequential.hpp"',
    "reference_cpu/lists/a.cpp": '#include "kernels/lists/ours.hpp"',
    "baselines/lists/a.cu": '#include "kernels/lists/ours.hpp"',
    "kernels/lists/a.cu": '#include "baselines/lists/usual.hpp"',
    "kernels/lists/b.cu": '#include "common/trees/workload.hpp"',
    "experiments/lists/a.cpp": '#include "experiments/trees/experiment.hpp"',
    "experiments/lists/a.py": "from experiments.trees import measures",
    "experiments/lists/b.py": "import tests.plots.conftest",
    "plots/a.py": "from harness.nodes import reframe_check",
    "plots/a.cu": '#include "harness/simt/launch.hpp"',
    "plots/b.py": "from processes import rows",
    "processes/b.py": "from experiments.lists import measures",
    "baselines/lists/peers/b.py": "from plots.load import load",
    "baselines/trees/peers/b.py": "from baselines.lists.peers import _build",
    "experiments/lists/b.cpp": '#include "python/library/tensor.hpp"',
    "python/lockstep/a.py": "from plots import load",
    "tests/lists/a.cpp": '#include "kernels/trees/ours.hpp"',
    "examples/lists/main.cpp": '#include "tests/lists/rooms.hpp"',
    "examples/trees/main.cpp": '#include "examples/lists/rooms.hpp"',
}
RIGHT = {
    "common/lists/workload.hpp": '#include "harness/bench/axes.hpp"',
    "reference_cpu/lists/sequential.hpp": '#include "common/lists/workload.hpp"\n// #include "kernels/lists/ours.hpp"',
    "kernels/lists/ours.hpp": '#include "reference_cpu/lists/sequential.hpp"\n#include "workload.hpp"',
    "baselines/lists/usual.hpp": "#include <vector>",
    "harness/cli/program.cpp": '#include "harness/ranks/ranks.hpp"\n#include "harness/simt/launch.hpp"',
    "experiments/lists/experiment.hpp": '#include "kernels/lists/ours.hpp"\n#include "baselines/lists/usual.hpp"',
    "experiments/lists/figures.py": "from experiments.lists import measures\nfrom plots.catalog import About",
    "experiments/trees/experiment.hpp": '#include "harness/bench/axes.hpp"',
    "plots/catalog.py": "import json\nfrom plots import load\nimport experiments.lists.figures",
    "processes/a.py": "from plots.atomic import write_text\nfrom processes.driver import Place",
    "baselines/lists/peers/a.py": "from baselines.lists.peers._build import b\nfrom processes.driver import Place",
    "python/library/lists.cpp": '#include "experiments/lists/experiment.hpp"\n#include "python/library/tensor.hpp"',
    "python/lockstep/b.py": "from lockstep._library import library",
    "tests/plots/test_a.py": "from experiments.trees import measures\nfrom harness.nodes import reframe_check",
    "tests/lists/a_test.cpp": '#include "kernels/lists/ours.hpp"',
    "examples/lists/rooms.hpp": '#include "kernels/lists/ours.hpp"',
    "examples/lists/example.cpp": '#include "rooms.hpp"',
}


def planted(root: Path, texts: dict[str, str]) -> list[str]:
    for name in ("CONTRIBUTING.md", "cmake/install.cmake"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes((ROOT / name).read_bytes())
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text + "\n", encoding="utf-8")
    return violations(root, texts)


def test_includes_and_imports_follow_the_arrows() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode != 0:
        pytest.skip("the tree is not a git repository")
    files = [name for name in listed.stdout.split("\0") if (ROOT / name).is_file()]
    assert len(files) > 500
    assert violations(ROOT, files) == []


def test_allowed_uses_are_not_reported(tmp_path: Path) -> None:
    assert planted(tmp_path, RIGHT) == []


@pytest.mark.parametrize("name", WRONG)
def test_a_planted_violation_is_reported(name: str, tmp_path: Path) -> None:
    found = planted(tmp_path, {**RIGHT, name: WRONG[name]})
    assert len(found) == 1 and found[0].startswith(f"{name}: ")
