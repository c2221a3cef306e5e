"""A tensor of the library, which numpy, torch, cupy and others take over without a copy."""

from __future__ import annotations

import ctypes
from typing import Any

from lockstep import _dlpack
from lockstep._library import Handle, last_error, library

#: Letters of the array interfaces of numpy and of CUDA.
KINDS = {_dlpack.INTEGER: "i", _dlpack.NATURAL: "u", _dlpack.REAL: "f", _dlpack.BOOLEAN: "b"}


class Tensor(Handle):
    """Contiguous memory of the host (kDLCPU) or of a GPU (kDLCUDA), which arrays made from it keep alive.

    `numpy.from_dlpack(tensor)`, `torch.from_dlpack(tensor)` and `cupy.from_dlpack(tensor)` share its memory. Its values
    are complete, so a consumer waits for no stream.
    """

    _instead = "Copy an array that shares the memory, such as numpy.from_dlpack(tensor)."

    def __init__(self, made: Any) -> None:
        """`made` is a pointer to a new tensor of the library, which this object deletes."""
        self._made = made
        self._view: _dlpack.View = made.contents

    def __del__(self) -> None:
        if library is not None and getattr(self, "_made", None) is not None:
            library.lockstep_tensor_delete(self._made)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._view.shape[: self._view.dimensions])

    @property
    def device(self) -> str:
        """'cpu' or 'cuda:1'."""
        where = self._view.device
        return "cpu" if where.type == _dlpack.CPU else f"cuda:{where.index}"

    def __len__(self) -> int:
        return self.shape[0]

    def __dlpack_device__(self) -> tuple[int, int]:
        return int(self._view.device.type), int(self._view.device.index)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the tensor is on {self.device}")
        if copy:
            raise BufferError("the tensor is not copied")
        return _dlpack.capsule_of(ctypes.addressof(self._lent()))

    def _lent(self) -> _dlpack.Managed:
        """A new reference to the memory, which its deleter ends."""
        lent = library.lockstep_tensor_lend(self._made)
        if not lent:
            raise MemoryError(last_error())
        return lent.contents  # type: ignore[no-any-return]

    def _interface(self) -> dict[str, object]:
        kind, bits = KINDS[self._view.type.code], self._view.type.bits
        order = "|" if bits == 8 else "<"
        address = self._view.data or 0
        return {"shape": self.shape, "typestr": f"{order}{kind}{bits // 8}", "data": (address, False), "version": 3}

    def __getattr__(self, name: str) -> Any:
        # Each device has one of the interfaces.
        here = {"__array_interface__": _dlpack.CPU, "__cuda_array_interface__": _dlpack.CUDA}.get(name)
        if here is not None and "_view" in self.__dict__ and self._view.device.type == here:
            return self._interface()
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __repr__(self) -> str:
        return f"<lockstep.{type(self).__name__} {'x'.join(map(str, self.shape))} on {self.device}>"
