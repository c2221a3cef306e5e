"""Samples of the array libraries on a GPU, and what drivers need to know of them before they start."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from processes.driver import Skipped, sample


def imported(name: str) -> Any:
    """A library that a user installs. mypy must not look for it, as it is not on every machine."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Skipped(f"{name} cannot be imported ({error})") from error


def torch_on_gpu() -> Any:
    torch = imported("torch")
    if not torch.cuda.is_available():
        raise Skipped("torch sees no GPU")
    return torch


def cupy_on_gpu() -> Any:
    cupy = imported("cupy")
    try:
        if cupy.cuda.runtime.getDeviceCount() == 0:
            raise Skipped("cupy sees no GPU")
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise Skipped(f"cupy sees no GPU ({error})") from error
    return cupy


def torch_samples(torch: Any, run: Callable[[], object]) -> list[float]:
    """Seconds between two events around `run`. What it returns is freed before the next run, so that its memory is used
    again: the libraries keep freed memory, and cudaMalloc is outside the time."""

    def seconds() -> float:
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        torch.cuda.synchronize()
        begin.record()
        run()
        end.record()
        end.synchronize()
        return 1e-3 * float(begin.elapsed_time(end))

    return sample(seconds)


def cupy_samples(cupy: Any, run: Callable[[], object]) -> list[float]:
    """As torch_samples."""

    def seconds() -> float:
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        cupy.cuda.get_current_stream().synchronize()
        begin.record()
        run()
        end.record()
        end.synchronize()
        return 1e-3 * float(cupy.cuda.get_elapsed_time(begin, end))

    return sample(seconds)
