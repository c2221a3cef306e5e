"""Tests of the Python package with the library of the build that LOCKSTEP_LIBRARY names."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "python")}

collect_ignore_glob = [] if os.environ.get("LOCKSTEP_LIBRARY") else ["test_*.py"]


@pytest.fixture
def refusal() -> Callable[[str], str]:
    """Runs a program that must print an error of the package and end. A process of its own: a double free ends Python."""

    def run(text: str) -> str:
        tried = subprocess.run([sys.executable, "-Bc", text], env=ENVIRONMENT, capture_output=True, text=True)
        assert tried.returncode == 0, tried.stderr
        return tried.stdout

    return run


@pytest.fixture
def interrupted() -> Callable[..., str]:
    """Runs a program that prints `begun`, sends it Ctrl-C a second later, and returns what else it prints."""

    def run(text: str, *arguments: str) -> str:
        command = [sys.executable, "-c", text, *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as child:
            assert child.stdout is not None and child.stdout.readline() == "begun\n"
            time.sleep(1)
            child.send_signal(signal.SIGINT)
            printed = child.communicate(timeout=30)[0]
            assert child.returncode == 0
            return printed

    return run
