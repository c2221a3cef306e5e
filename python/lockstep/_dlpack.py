"""The structures of DLPack for ctypes, and the capsules in which Python objects pass them on.

https://dmlc.github.io/dlpack has the protocol; library/dlpack.hpp declares the same structures.
"""

from __future__ import annotations

import ctypes
from typing import Any, Protocol

CPU = 1
CUDA = 2
INTEGER = 0
NATURAL = 1
REAL = 2
BOOLEAN = 6


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("index", ctypes.c_int32)]


class ElementType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class View(ctypes.Structure):
    """DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("dimensions", ctypes.c_int32),
        ("type", ElementType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    """DLManagedTensor."""


Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = [("view", View), ("manager", ctypes.c_void_p), ("deleter", Deleter)]


class SupportsDlpack(Protocol):
    """An array of numpy, torch, cupy or another library that speaks DLPack."""

    def __dlpack__(self) -> Any:
        ...

    def __dlpack_device__(self) -> tuple[int, int]:
        ...


NAME = b"dltensor"
_new = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
# A destructor gets an object without references, so its address must not become an object again.
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)  # type: ignore[misc]
def _end_capsule(capsule: int) -> None:
    """Frees what nobody took: a consumer renames the capsule."""
    if _is_valid(capsule, NAME):
        managed = ctypes.cast(_pointer(capsule, NAME), ctypes.POINTER(Managed))
        managed.contents.deleter(managed)


# A capsule may outlive this module.
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_end_capsule))


def capsule_of(managed: int) -> Any:
    """A capsule that owns the structure at this address."""
    return _new(managed, NAME, ctypes.cast(_end_capsule, ctypes.c_void_p))


def view_in(capsule: Any) -> View:
    """The tensor of a capsule, which must outlive the result."""
    return ctypes.cast(_pointer(id(capsule), NAME), ctypes.POINTER(Managed)).contents.view  # type: ignore[no-any-return]
