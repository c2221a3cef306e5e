"""Lockstep for Python: the experiments' fastest exact methods, on all CPU cores or a GPU, as tensors of DLPack.

    words = torch.from_dlpack(lockstep.random_subsets(1 << 20, 1024, 300, seed=7))
    forms = lockstep.rewrite("(VAR x) (RULES f(x) -> x a -> b)", ["f(f(a))"]).normal_forms

Values that are invalid raise lockstep.Error, a ValueError, with one line that says what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockstep._library import Error

if TYPE_CHECKING:
    from lockstep._rewrite import Rewritten, rewrite
    from lockstep._subsets import Subset, Subsets, random_subsets
    from lockstep._tensor import Tensor

__all__ = ["Error", "Rewritten", "Subset", "Subsets", "Tensor", "random_subsets", "rewrite"]

_MODULES = {
    "Rewritten": "_rewrite",
    "Subset": "_subsets",
    "Subsets": "_subsets",
    "Tensor": "_tensor",
    "random_subsets": "_subsets",
    "rewrite": "_rewrite",
}


def __getattr__(name: str) -> object:
    """Imports a module when it is first used: a program that uses lockstep.objects alone starts sooner."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"lockstep.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
