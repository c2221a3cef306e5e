"""Lockstep for Python: the experiments' fastest exact methods, on all CPU cores or a GPU, as tensors of DLPack.

    words = torch.from_dlpack(lockstep.random_subsets(1 << 20, 1024, 300, seed=7))
    forms = lockstep.rewrite("(VAR x) (RULES f(x) -> x a -> b)", ["f(f(a))"]).normal_forms

Values that are invalid raise lockstep.Error, a ValueError, with one line that says what to do.
"""

from lockstep._library import Error
from lockstep._rewrite import Rewritten, rewrite
from lockstep._subsets import Subsets, random_subsets
from lockstep._tensor import Tensor

__all__ = ["Error", "Rewritten", "Subsets", "Tensor", "random_subsets", "rewrite"]
