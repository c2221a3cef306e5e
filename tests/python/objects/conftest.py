"""Fixtures of the tests of lockstep.objects: the machines, and a cache of code that only these tests use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

collect_ignore_glob = [] if os.environ.get("LOCKSTEP_LIBRARY") else ["test_*.py"]


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("LOCKSTEP_CACHE")
    os.environ["LOCKSTEP_CACHE"] = str(folder)
    yield folder
    if before is None:
        del os.environ["LOCKSTEP_CACHE"]
    else:
        os.environ["LOCKSTEP_CACHE"] = before


def compiled_machines() -> list[str]:
    from lockstep.objects.native import has_gpu

    return ["cpu", "emulator", *(["cuda"] if has_gpu() else [])]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`machine`: each that compiles sections. `any_machine`: with plain Python, the specification."""
    if "machine" in metafunc.fixturenames:
        metafunc.parametrize("machine", compiled_machines())
    if "any_machine" in metafunc.fixturenames:
        metafunc.parametrize("any_machine", ["python", *compiled_machines()])
