"""The shared library's functions for sections (python/library/objects.hpp)."""

from __future__ import annotations

import ctypes
import os
import sys
from array import array
from typing import Any

from lockstep._library import Handle, check, last_error, library, library_path

_void, _text, _count = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64
for _name, _arguments in {
    "has_gpu": [],
    "open": [ctypes.c_uint32],
    "gpu_in_use": [],
    "load": [_text, _text, _text, ctypes.POINTER(_void)],
    "launch": [_void, _text, _count, _text, ctypes.POINTER(ctypes.c_double)],
    "compile_for": [ctypes.c_int, _text, _text, ctypes.POINTER(_count)],
    "allocate": [_text, _count, ctypes.POINTER(_void)],
    "release": [_text, _void],
    "upload": [_text, _void, _void, _count],
    "download": [_text, _void, _void, _count],
}.items():
    _function = getattr(library, f"lockstep_objects_{_name}")
    _function.restype, _function.argtypes = ctypes.c_int, _arguments


def has_gpu() -> bool:
    return bool(library.lockstep_objects_has_gpu())


def gpu_in_use() -> int:
    """The number of the GPU that sections of this thread would use. Loads no driver."""
    return int(library.lockstep_objects_gpu_in_use())


def open_gpu(number: int) -> tuple[int, str]:
    """Creates the GPU's context. Returns a code for raise_failure(), and its message, which belongs to this thread."""
    code = int(library.lockstep_objects_open(number))
    return code, last_error() if code != 0 else ""


def compile_for_gpu(capability: int, text: str, entries: list[str]) -> int:
    """Compiles for GPUs of a compute capability (90 is 9.0), which need not be here. Returns the bytes of the code."""
    size = _count()
    names = " ".join(entries).encode()
    check(library.lockstep_objects_compile_for(capability, text.encode(), names, ctypes.byref(size)))
    return size.value


class Machine:
    """A machine that compiles and runs sections: cpu, emulator or cuda."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._name = name.encode()
        if name == "emulator":  # kernels that are compiled for it look up its functions among those of the process
            ctypes.CDLL(library_path(), mode=ctypes.RTLD_GLOBAL | os.RTLD_NOLOAD)

    def load(self, text: str, entries: list[str]) -> Code:
        made = _void()
        check(library.lockstep_objects_load(self._name, text.encode(), " ".join(entries).encode(), ctypes.byref(made)))
        return Code(made)


class Code:
    """Compiled functions. They stay loaded."""

    def __init__(self, program: ctypes.c_void_p) -> None:
        self._program = program

    def launch(self, entry: str, jobs: int, arguments: bytes) -> float:
        """Calls the entry for all jobs, waits, and returns the seconds that the machine took."""
        seconds = ctypes.c_double()
        code = library.lockstep_objects_launch(self._program, entry.encode(), jobs, arguments, ctypes.byref(seconds))
        check(code)
        return seconds.value


class Memory(Handle):
    """Values of one type in a machine's memory."""

    def __init__(self, machine: Machine, code: str, size: int) -> None:
        self._machine = machine.name.encode()
        self.code, self.size = code, size
        self.bytes = size * array(code).itemsize
        self._address = _void()
        # A harmless access after a failed check reads the first value.
        check(library.lockstep_objects_allocate(self._machine, max(self.bytes, 16), ctypes.byref(self._address)))

    @property
    def address(self) -> int:
        return self._address.value or 0

    def upload(self, values: array[Any]) -> None:
        at, size = values.buffer_info()
        if size:
            check(library.lockstep_objects_upload(self._machine, self._address, at, size * values.itemsize))

    def download(self) -> array[Any]:
        values = array(self.code, bytes(self.bytes))
        at, size = values.buffer_info()
        if size:
            check(library.lockstep_objects_download(self._machine, at, self._address, size * values.itemsize))
        return values

    def release(self) -> None:
        if self._address and not sys.is_finalizing():
            library.lockstep_objects_release(self._machine, self._address)
            self._address = _void()

    def __del__(self) -> None:
        self.release()
