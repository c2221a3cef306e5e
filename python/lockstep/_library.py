"""The shared library: where it is, its functions, and its errors as exceptions."""

from __future__ import annotations

import ctypes
import os
from typing import NoReturn

from lockstep._dlpack import Device, Managed, View

FILE = "liblockstep.so"
VARIABLE = "LOCKSTEP_LIBRARY"


class Error(ValueError):
    """Values that are invalid alone or together: one line, `problem (why) suggestion`."""


class KindError(Error, TypeError):
    """A value of a type that an argument does not take."""


class Handle:
    """An object that owns memory of the library. A copy would free it, too."""

    _instead = ""  # what to copy

    def __reduce__(self) -> NoReturn:
        """copy.copy, copy.deepcopy and pickle call it."""
        problem = f"{type(self).__name__} objects cannot be copied or pickled (they own memory of the library)"
        raise KindError(f"{problem} {self._instead}".rstrip())


def library_path() -> str:
    path = os.environ.get(VARIABLE, "") or os.path.join(os.path.dirname(__file__), FILE)
    if not os.path.isfile(path):
        hint = f"Set {VARIABLE} to {FILE} of a build."
        raise ImportError(f"{path} does not exist (it is part of an installation) {hint}")
    return path


class SubsetsRequest(ctypes.Structure):
    _fields_ = [
        ("batch", ctypes.c_uint64),
        ("sites", ctypes.c_uint32),
        ("occupied", ctypes.c_uint32),
        ("seed", ctypes.c_uint64),
        ("first", ctypes.c_uint64),
        ("engine", ctypes.c_char_p),
        ("device", Device),
        ("stop", ctypes.c_void_p),
    ]


class RewriteRequest(ctypes.Structure):
    _fields_ = [
        ("system", ctypes.c_char_p),
        ("terms", ctypes.POINTER(ctypes.c_char_p)),
        ("term_count", ctypes.c_uint64),
        ("engine", ctypes.c_char_p),
        ("machine", ctypes.c_char_p),
        ("max_rewrites", ctypes.c_uint64),
        ("memory", ctypes.c_uint64),
        ("seconds", ctypes.c_double),
        ("stop", ctypes.c_void_p),
    ]


class RewrittenView(ctypes.Structure):
    _fields_ = [
        ("normal_forms", ctypes.c_char_p),
        ("engine", ctypes.c_char_p),
        ("rewrites", ctypes.c_uint64),
        ("comparisons", ctypes.c_uint64),
        ("operations", ctypes.c_uint64),
        ("seconds", ctypes.c_double),
    ]


def _loaded() -> ctypes.CDLL:
    path = library_path()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"{path} cannot be loaded ({error})") from error
    tensor = ctypes.POINTER(View)
    library.lockstep_last_error.restype = ctypes.c_char_p
    library.lockstep_tensor_lend.restype = ctypes.POINTER(Managed)
    library.lockstep_tensor_lend.argtypes = [tensor]
    library.lockstep_tensor_delete.restype = None
    library.lockstep_tensor_delete.argtypes = [tensor]
    library.lockstep_gpu_count.restype = ctypes.c_uint32
    library.lockstep_gpu_count.argtypes = []
    library.lockstep_subset_words.restype = ctypes.c_uint32
    library.lockstep_subset_words.argtypes = [ctypes.c_uint32]
    library.lockstep_random_subsets.restype = ctypes.c_int
    library.lockstep_random_subsets.argtypes = [
        ctypes.POINTER(SubsetsRequest),
        ctypes.c_void_p,
        ctypes.POINTER(tensor),
    ]
    rewritten = ctypes.POINTER(RewrittenView)
    library.lockstep_rewrite.restype = ctypes.c_int
    library.lockstep_rewrite.argtypes = [ctypes.POINTER(RewriteRequest), ctypes.POINTER(rewritten)]
    library.lockstep_stop_make.restype = ctypes.c_void_p
    library.lockstep_stop_make.argtypes = []
    for function in (library.lockstep_stop_request, library.lockstep_stop_delete):
        function.restype = None
        function.argtypes = [ctypes.c_void_p]
    library.lockstep_rewritten_delete.restype = None
    library.lockstep_rewritten_delete.argtypes = [rewritten]
    return library


library = _loaded()


def last_error() -> str:
    return str(library.lockstep_last_error().decode("utf-8", "replace"))


def check(code: int) -> None:
    """Raises what a function returned: Error for a mistake, RuntimeError for any other failure."""
    if code != 0:
        raise_failure(code, last_error())


def raise_failure(code: int, message: str) -> NoReturn:
    if code == 2:
        raise Error(message)
    raise RuntimeError(message)
