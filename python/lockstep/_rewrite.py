"""Terms to their normal forms."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable
from dataclasses import dataclass

from lockstep._library import Error, RewriteRequest, RewrittenView, check, library
from lockstep._subsets import natural


@dataclass(frozen=True)
class Rewritten:
    """Normal forms in the order of the terms, and what they took."""

    normal_forms: tuple[str, ...]
    rewrites: int
    comparisons: int  # by generated equalities, for rules that repeat a variable
    operations: int  # on integers
    engine: str
    seconds: float  # of rewriting alone


def _text(name: str, value: str) -> bytes:
    if not isinstance(value, str):
        raise TypeError(f"{name} is not a string")
    if "\0" in value:
        raise Error(f"{name} contains a NUL (no language has one)")
    return value.encode("utf-8", "surrogatepass")


def _seconds(timeout: float | None) -> float:
    if timeout is None:
        return 0.0
    if not 0 < timeout < math.inf:
        raise Error(f"timeout {timeout} is out of range (above 0)")
    return float(timeout)


def _limit(name: str, value: int | None) -> int:
    if value is None:
        return 0
    number = natural(name, value, 64)
    if number == 0:
        raise Error(f"{name} 0 is out of range (1 to 2^64 - 1)")
    return number


def rewrite(
    system: str,
    terms: Iterable[str] = (),
    *,
    engine: str = "auto",
    machine: str = "auto",
    max_rewrites: int | None = None,
    memory: int | None = None,
    timeout: float | None = None,
) -> Rewritten:
    """Rewrites the terms, or without terms the system's input terms, in one run: innermost, rules in their order.

    `system` is a text in one of the languages of `lockstep rewrite`. A limit that ends the run raises Error.
    """
    if isinstance(terms, str):
        raise TypeError("terms is one string: write [term]")
    texts = [_text(f"term {i}", term) for i, term in enumerate(terms, 1)]
    request = RewriteRequest(
        _text("system", system),
        (ctypes.c_char_p * len(texts))(*texts),
        len(texts),
        _text("engine", engine),
        _text("machine", machine),
        _limit("max_rewrites", max_rewrites),
        _limit("memory", memory),
        _seconds(timeout),
    )
    made = ctypes.POINTER(RewrittenView)()
    check(library.lockstep_rewrite(ctypes.byref(request), ctypes.byref(made)))
    try:
        view = made.contents
        forms = bytes(view.normal_forms).decode("utf-8", "replace").split("\n")
        return Rewritten(
            tuple(forms),
            view.rewrites,
            view.comparisons,
            view.operations,
            bytes(view.engine).decode("ascii"),
            view.seconds,
        )
    finally:
        library.lockstep_rewritten_delete(made)
