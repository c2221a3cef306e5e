"""Terms to their normal forms."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass

from lockstep._arguments import integer, seconds, text
from lockstep._interruptible import Stop, interruptible
from lockstep._library import KindError, RewriteRequest, RewrittenView, check, library


@dataclass(frozen=True)
class Rewritten:
    """Normal forms in the order of the terms, and what they took."""

    normal_forms: tuple[str, ...]
    rewrites: int
    comparisons: int  # by generated equalities, for rules that repeat a variable
    operations: int  # on integers
    engine: str
    seconds: float  # of rewriting alone


def _limit(name: str, value: int | None) -> int:
    return 0 if value is None else integer(name, value, 1, 2**64 - 1, "1 to 2^64 - 1")


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

    `system` is a text in one of the languages of `lockstep rewrite`. A limit that ends the run raises Error. Ctrl-C
    ends it, too.
    """
    if isinstance(terms, str):
        raise KindError("terms is one string (it has to be a list of terms) Write [term].")
    try:
        given = iter(terms)
    except TypeError:
        raise KindError(f"terms is not a list (it is of type {type(terms).__name__})") from None
    texts = [text(f"term {i}", term) for i, term in enumerate(given, 1)]
    stop = Stop()
    request = RewriteRequest(
        text("system", system),
        (ctypes.c_char_p * len(texts))(*texts),
        len(texts),
        text("engine", engine),
        text("machine", machine),
        _limit("max_rewrites", max_rewrites),
        _limit("memory", memory),
        0.0 if timeout is None else seconds("timeout", timeout),
        stop.handle,
    )
    made = ctypes.POINTER(RewrittenView)()
    interruptible(lambda: check(library.lockstep_rewrite(ctypes.byref(request), ctypes.byref(made))), stop)
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
