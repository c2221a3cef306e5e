"""Where a round runs: a copy of the tree that no call can change, and a folder per call."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from plots.catalog import ROOT
from tests.hostile.server import unprivileged

#: Not copied: builds, generated files, and results of devices, for which a small folder stands.
LEFT_OUT = shutil.ignore_patterns("build", "report", "nvidia-*", ".*", "__pycache__", "shared")


@dataclass(frozen=True)
class Place:
    scratch: Path
    tree: Path
    program: Path
    user: int  # that runs the calls; 0: the one who runs this
    environment: Mapping[str, str]

    def front(self, name: str) -> list[str]:
        """The words that start the program or a Python package."""
        return [str(self.program)] if name == "program" else [sys.executable, "-m", name]

    def folder(self, name: str) -> Path:
        """A new folder for a call. Calls run in a/work below it, so that ../../x is still inside."""
        folder = self.scratch / "calls" / name
        remove(folder)
        (folder / "a").mkdir(parents=True)
        return folder

    def hand_over(self, folder: Path) -> None:
        """Gives a folder to the user who runs the calls."""
        if self.user:
            for path in (folder, *folder.rglob("*")):
                os.lchown(path, self.user, self.user)


def prepare(scratch: Path, program: Path) -> Place:
    scratch.chmod(0o755)
    tree, home = scratch / "tree", scratch / "home"
    shutil.copytree(ROOT, tree, ignore=LEFT_OUT, symlinks=True)
    shutil.copytree(tree / "tests/plots/results/imaginary-gpu-x", tree / "results/imaginary-gpu-x")
    home.mkdir()
    own = scratch / "lockstep"
    shutil.copy2(program, own)
    for path in tree.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o555 if path.is_dir() or os.access(path, os.X_OK) else 0o444)
    tree.chmod(0o555)
    user = unprivileged()
    if user and not _can_run(user, own):
        user = 0
    if user:
        os.chown(home, user, user)
    environment = {
        **{"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(home), "LC_ALL": "C.UTF-8"},
        **{"LOCKSTEP_SOURCE": str(tree), "LOCKSTEP_BINARY": str(own), "LOCKSTEP_COMMIT": "0" * 40},
        **{"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(home)},
    }
    return Place(scratch, tree, own, user, environment)


def _can_run(user: int, program: Path) -> bool:
    """A program or an interpreter below /root, say, is for root alone."""
    for words in ([str(program), "--version"], [sys.executable, "-c", "import pandas"]):
        try:
            done = subprocess.run(words, user=user, group=user, extra_groups=[], capture_output=True, cwd="/")
        except OSError:
            return False
        if done.returncode != 0:
            return False
    return True


def remove(folder: Path) -> None:
    """Removes what a call made, whatever its modes are."""
    if folder.is_dir() and not folder.is_symlink():
        for path in (folder, *folder.rglob("*")):
            if path.is_dir() and not path.is_symlink() and path.stat().st_mode & 0o700 != 0o700:
                path.chmod(0o700)
        shutil.rmtree(folder)
