"""Random subsets of exactly k of n sites."""

from __future__ import annotations

import ctypes
from typing import Any, overload

from lockstep import _dlpack
from lockstep._dlpack import SupportsDlpack
from lockstep._library import Error, SubsetsRequest, check, library
from lockstep._tensor import Tensor


class Subsets(Tensor):
    """Subsets as bits: shape (batch, ceil(n / 32)), element s of a subset is bit s % 32 of word s / 32, unsigned."""


def natural(name: str, value: int, bits: int) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is not an integer")
    number = int(value)
    if not 0 <= number < 1 << bits:
        raise Error(f"{name} {number} is out of range (0 to 2^{bits} - 1)")
    return number


def device_named(name: str) -> _dlpack.Device:
    if name == "auto":
        name = "cuda" if library.lockstep_gpu_count() > 0 else "cpu"
    if name == "cpu":
        return _dlpack.Device(_dlpack.CPU, 0)
    kind, _, index = name.partition(":")
    if kind == "cuda" and (index.isdecimal() or name == "cuda") and len(index) < 9:
        return _dlpack.Device(_dlpack.CUDA, int(index or "0"))
    raise Error(f"unknown device {name!r} (the devices are auto, cpu, cuda and cuda:N)")


def out_view(out: SupportsDlpack, batch: int, n: int) -> tuple[Any, _dlpack.View]:
    """The capsule of `out` and its tensor, after a check that it can take the subsets."""
    capsule = out.__dlpack__()
    view = _dlpack.view_in(capsule)
    shape = tuple(view.shape[: view.dimensions])
    wanted = (batch, library.lockstep_subset_words(n))
    kind = (view.type.code, view.type.bits, view.type.lanes)
    if kind not in ((_dlpack.NATURAL, 32, 1), (_dlpack.INTEGER, 32, 1)):
        raise Error("out has another type (its elements must be 32-bit integers)")
    if shape != wanted:
        raise Error(f"out has shape {shape} (these subsets have shape {wanted})")
    if view.strides and batch > 0 and tuple(view.strides[:2]) != (wanted[1], 1):
        raise Error("out is not contiguous (its rows must follow one another)")
    return capsule, view


@overload
def random_subsets(
    batch: int, n: int, k: int, seed: int = 1, first: int = 0, engine: str = "philox10", device: str = "auto"
) -> Subsets:
    ...


@overload
def random_subsets(
    batch: int,
    n: int,
    k: int,
    seed: int = 1,
    first: int = 0,
    engine: str = "philox10",
    device: str = "auto",
    *,
    out: SupportsDlpack,
) -> None:
    ...


def random_subsets(
    batch: int,
    n: int,
    k: int,
    seed: int = 1,
    first: int = 0,
    engine: str = "philox10",
    device: str = "auto",
    *,
    out: SupportsDlpack | None = None,
) -> Subsets | None:
    """Draws `batch` subsets of exactly `k` of `n` elements, every subset equally likely, n at most 16384.

    Subset i of the result is number first + i of the sequence that seed, engine, n and k define. So equal arguments give
    equal subsets, on every device, and two calls draw from different parts of one sequence if their ranges differ.

    engine: philox10, philox7, xorwow or taus88.
    device: cpu, cuda, cuda:N, or auto: the first GPU, or without one all CPU cores.
    out: an array that gets the words instead, of shape (batch, ceil(n / 32)) and 32-bit integers. Its device counts.
    The call waits for the default stream of the GPU, and the words are complete when it returns.
    """
    request = SubsetsRequest(
        natural("batch", batch, 48),
        natural("n", n, 32),
        natural("k", k, 32),
        natural("seed", seed, 64),
        natural("first", first, 48),
        engine.encode("utf-8"),
        device_named(device),
    )
    made = ctypes.POINTER(_dlpack.View)()
    if out is None:
        check(library.lockstep_random_subsets(request, None, made))
        return Subsets(made)
    capsule, view = out_view(out, batch, n)
    request.device = _dlpack.Device(view.device.type, view.device.index)
    if view.device.type not in (_dlpack.CPU, _dlpack.CUDA):
        raise Error("out is in memory of another kind (it must be of the host or of a CUDA device)")
    check(library.lockstep_random_subsets(request, (view.data or 0) + view.byte_offset, made))
    del capsule  # the memory stays until here
    return None
