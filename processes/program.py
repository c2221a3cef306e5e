"""What the program says of itself and of this computer, so that Python does not find out a second time."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plots.catalog import ROOT
from plots.errors import UserError


@dataclass(frozen=True)
class Described:
    """An experiment as `lockstep list --json` describes it."""

    name: str
    item: str
    defaults: Mapping[str, str]
    allowed: Mapping[str, tuple[str, ...]]

    def axes(self, given: Mapping[str, str]) -> dict[str, str]:
        """The whole axis tuple, sorted by name, from the axes that differ from their default."""
        for name, value in given.items():
            if name not in self.defaults:
                known = ", ".join(self.defaults)
                raise UserError(f"{self.name} has no axis {name}", f"its axes are {known}", "correct the driver")
            if self.allowed[name] and value not in self.allowed[name]:
                known = ", ".join(self.allowed[name])
                raise UserError(f"{name} cannot be {value}", f"it is one of {known}", "correct the driver")
        return dict(sorted({**self.defaults, **given}.items()))

    def differing(self, axes: Mapping[str, str]) -> dict[str, str]:
        """The axes that differ from their default, in the order of the experiment."""
        return {name: axes[name] for name, value in self.defaults.items() if axes[name] != value}


@dataclass(frozen=True)
class Program:
    path: Path

    def context(self) -> dict[str, Any]:
        """The context of a results file: device, CPU, compiler, commit."""
        return dict(self._json("devices", "--json"))

    def experiments(self) -> dict[str, Described]:
        found = {}
        for entry in self._json("list", "--json")["experiments"]:
            axes = entry["axes"]
            found[entry["name"]] = Described(
                entry["name"],
                entry["item"],
                {axis["name"]: axis["default"] for axis in axes},
                {axis["name"]: tuple(axis["allowed"]) for axis in axes},
            )
        return found

    def _json(self, *arguments: str) -> Any:
        done = subprocess.run(
            [str(self.path), *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "LOCKSTEP_SOURCE": str(ROOT)},
        )
        if done.returncode != 0:
            why = done.stderr.strip() or f"exit code {done.returncode}"
            raise UserError(f"cannot ask {self.path}", why, "build this commit's program: ./lockstep list")
        return json.loads(done.stdout)
