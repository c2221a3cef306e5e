"""The GPU test programs of a build, as CTest knows them, and their tests."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Program:
    name: str
    path: Path
    environment: Mapping[str, str]
    folder: Path


def programs(build: Path) -> list[Program]:
    """Every program of the build that has the label gpu, built or not."""
    asked = ["ctest", "--test-dir", str(build), "--show-only=json-v1"]
    listed = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    return list(_programs(listed))


def _programs(listed: Mapping[str, object]) -> Iterator[Program]:
    for test in listed["tests"]:  # type: ignore[attr-defined]
        properties = {item["name"]: item["value"] for item in test["properties"]}
        if "gpu" in properties.get("LABELS", ()):
            environment = dict(item.split("=", 1) for item in properties.get("ENVIRONMENT", ()))
            path = Path(test.get("command", ["missing"])[-1])
            yield Program(test["name"], path, environment, Path(properties["WORKING_DIRECTORY"]))


def tests_of(program: Program, environment: Mapping[str, str]) -> list[str]:
    """The names of its tests, or none if it is not built or cannot say."""
    try:
        listed = subprocess.run(
            [str(program.path), "--gtest_list_tests"],
            cwd=program.folder,
            env={**os.environ, **program.environment, **environment},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return []
    names = []
    suite = ""
    for line in listed.splitlines():
        if line.startswith("  "):
            names.append(suite + line.split("#")[0].strip())
        elif line.split("#")[0].strip().endswith("."):
            suite = line.split("#")[0].strip()
    return [name for name in names if "DISABLED_" not in name]
