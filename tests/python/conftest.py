"""Tests of the Python package with the library of the build that LOCKSTEP_LIBRARY names."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

collect_ignore_glob = [] if os.environ.get("LOCKSTEP_LIBRARY") else ["test_*.py"]


@pytest.fixture
def refusal() -> Callable[[str], str]:
    """Runs a program that must print an error of the package and end. A process of its own: a double free ends Python."""

    def run(text: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "python")}
        tried = subprocess.run([sys.executable, "-Bc", text], env=environment, capture_output=True, text=True)
        assert tried.returncode == 0, tried.stderr
        return tried.stdout

    return run
