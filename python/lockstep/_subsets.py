"""Random subsets of exactly k of n sites."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, overload

from lockstep import _dlpack
from lockstep._arguments import integer, natural, place, text
from lockstep._dlpack import SupportsDlpack
from lockstep._interruptible import Stop, interruptible
from lockstep._library import Error, KindError, SubsetsRequest, check, library
from lockstep._tensor import Tensor

MAX_ELEMENTS = 16384  # as in common/random_grids/workload.hpp
DEVICES = "auto, cpu, cuda and cuda:N"
#: Words from which a call on the CPU draws in a thread of its own, so that Ctrl-C ends it.
LONG = 1 << 22


class Subsets(Tensor):
    """Subsets as bits: shape (batch, ceil(n / 32)), element s of a subset is bit s % 32 of word s / 32, unsigned.

    `subsets[i]` is row i, a view.
    """

    def __getitem__(self, at: int) -> Subset:
        return Subset(self, place(at, len(self)))

    def __iter__(self) -> Iterator[Subset]:
        return (Subset(self, at) for at in range(len(self)))


class Subset(Tensor):
    """A row of Subsets, in their memory, which it keeps alive. `subset[j]` is word j, an int, if that is of the host."""

    def __init__(self, rows: Subsets, row: int) -> None:
        self._rows = rows
        of = rows._view
        self._offset = 4 * row * of.shape[1]  # bytes
        self._view = _dlpack.View(
            (of.data or 0) + self._offset, of.device, 1, of.type, _shape_of_row(of), None, of.byte_offset
        )

    def _lent(self) -> _dlpack.Managed:
        lent = self._rows._lent()
        view = lent.view
        view.data, view.dimensions, view.shape = view.data + self._offset, 1, _shape_of_row(view)
        return lent

    def __getitem__(self, at: int) -> int:
        number = place(at, len(self))
        if self._view.device.type != _dlpack.CPU:
            raise Error(
                f"the words are in memory of {self.device} (Python reads memory of the host) Use torch or cupy."
            )
        return ctypes.c_uint32.from_address(self._view.data + 4 * number).value

    def __iter__(self) -> Iterator[int]:
        return (self[at] for at in range(len(self)))


def _shape_of_row(view: _dlpack.View) -> Any:
    """The shape without its first dimension, in the same memory."""
    return ctypes.cast(ctypes.addressof(view.shape.contents) + 8, ctypes.POINTER(ctypes.c_int64))


def device_named(name: str) -> _dlpack.Device:
    if not isinstance(name, str):
        raise KindError(f"device is not a string (it is of type {type(name).__name__}) The devices are {DEVICES}.")
    if name == "auto":
        name = "cuda" if library.lockstep_gpu_count() > 0 else "cpu"
    if name == "cpu":
        return _dlpack.Device(_dlpack.CPU, 0)
    kind, _, index = name.partition(":")
    if kind == "cuda" and (index.isascii() and index.isdecimal() or name == "cuda") and len(index) < 9:
        return _dlpack.Device(_dlpack.CUDA, int(index or "0"))
    raise Error(f"unknown device {name!r} (the devices are {DEVICES})")


def engine_named(name: str) -> bytes:
    """An engine that is none, the library refuses."""
    if name == "":
        raise Error(
            "engine is empty (it has to be the name of an engine) choose from philox10, philox7, xorwow, taus88"
        )
    return text("engine", name)


def out_view(out: SupportsDlpack, batch: int, n: int, device: str) -> tuple[Any, _dlpack.View]:
    """The capsule of `out` and its tensor, after a check that it can take the subsets."""
    if not hasattr(out, "__dlpack__"):
        given = type(out).__name__
        raise KindError(f"out is no array (it is of type {given}) Pass an array of numpy, torch, cupy or the like.")
    try:
        capsule = out.__dlpack__()
        view = _dlpack.view_in(capsule)
    except Error:
        raise
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise Error(f"out does not share its memory ({' '.join(str(error).split())})") from error
    if view.device.type not in (_dlpack.CPU, _dlpack.CUDA):
        raise Error("out is in memory of another kind (it must be of the host or of a CUDA device)")
    if device != "auto":
        named = device_named(device)
        if (named.type, named.index) != (view.device.type, view.device.index):
            where = "cpu" if view.device.type == _dlpack.CPU else f"cuda:{view.device.index}"
            raise Error(f"device {device} is not that of out (which is on {where}) Leave device out.")
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


def draw(request: SubsetsRequest, to: int | None, made: Any) -> None:
    """Draws into memory at `to`, or into a new tensor. Ctrl-C ends a long call."""
    words = request.batch * library.lockstep_subset_words(request.sites)
    if request.device.type != _dlpack.CPU or words < LONG:
        check(library.lockstep_random_subsets(request, to, made))
        return
    stop = Stop()
    request.stop = stop.handle
    try:
        interruptible(lambda: check(library.lockstep_random_subsets(request, to, made)), stop)
    except BaseException:
        if made:  # the interrupt came after the last set
            library.lockstep_tensor_delete(made)
        raise


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
    out: an array that gets the words instead, of shape (batch, ceil(n / 32)) and 32-bit integers. Its device draws them.
    The call waits for the default stream of the GPU, and the words are complete when it returns. Ctrl-C ends a long call
    on the CPU.
    """
    request = SubsetsRequest(
        natural("batch", batch, 48),
        integer("n", n, 1, MAX_ELEMENTS, f"1 to {MAX_ELEMENTS}"),
        integer("k", k, 0, 2**32 - 1, "0 to n"),
        natural("seed", seed, 64),
        natural("first", first, 48),
        engine_named(engine),
    )
    made = ctypes.POINTER(_dlpack.View)()
    if out is None:
        request.device = device_named(device)
        draw(request, None, made)
        return Subsets(made)
    capsule, view = out_view(out, request.batch, request.sites, device)
    request.device = _dlpack.Device(view.device.type, view.device.index)
    draw(request, (view.data or 0) + view.byte_offset, made)
    del capsule  # the memory stays until here
    return None
