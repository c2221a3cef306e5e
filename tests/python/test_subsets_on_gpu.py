"""lockstep.random_subsets on a GPU: the subsets of the CPU, taken over by torch and cupy without a copy."""

from __future__ import annotations

from typing import Any

import lockstep
import numpy
import pytest
from lockstep._library import library

pytestmark = pytest.mark.skipif(library.lockstep_gpu_count() == 0, reason="there is no GPU")

SIZES = [(1, 1), (31, 7), (64, 20), (225, 141), (1024, 300), (4096, 4095)]


def imported(name: str) -> Any:
    """mypy must not look for it, as it is not on every machine."""
    return pytest.importorskip(name)


def on_cpu(batch: int, n: int, k: int, **more: Any) -> Any:
    return numpy.from_dlpack(lockstep.random_subsets(batch, n, k, device="cpu", **more))


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_torch_has_the_subsets_of_the_cpu(n: int, k: int) -> None:
    torch = imported("torch")
    made = lockstep.random_subsets(1000, n, k, seed=4, first=77)
    shared = torch.from_dlpack(made)
    assert made.device == "cuda:0" and shared.is_cuda
    assert shared.data_ptr() == made.__cuda_array_interface__["data"][0]
    expected = on_cpu(1000, n, k, seed=4, first=77)
    assert (shared.view(torch.int32).cpu().numpy().view(numpy.uint32) == expected).all()


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_cupy_has_the_subsets_of_the_cpu(n: int, k: int) -> None:
    cupy = imported("cupy")
    shared = cupy.from_dlpack(lockstep.random_subsets(1000, n, k, seed=4))
    assert (cupy.asnumpy(shared) == on_cpu(1000, n, k, seed=4)).all()


def test_out_of_torch_gets_the_words() -> None:
    torch = imported("torch")
    out = torch.zeros((500, 32), dtype=torch.int32, device="cuda")
    for first in (0, 500):
        lockstep.random_subsets(500, 1024, 300, first=first, out=out)
        assert (out.cpu().numpy().view(numpy.uint32) == on_cpu(500, 1024, 300, first=first)).all()


def test_arrays_keep_the_memory_alive() -> None:
    torch = imported("torch")
    shared = torch.from_dlpack(lockstep.random_subsets(1000, 1024, 500)).view(torch.int32)
    expected = shared.clone()
    for seed in range(3):
        lockstep.random_subsets(1000, 1024, 500, seed=2 + seed)
    assert torch.equal(shared, expected)


def test_rows_are_views() -> None:
    made = lockstep.random_subsets(100, 1024, 300, seed=4)
    row = made[-1]
    assert (row.shape, row.device) == ((32,), "cuda:0")
    assert row.__cuda_array_interface__["data"][0] == made.__cuda_array_interface__["data"][0] + 99 * 128
    with pytest.raises(lockstep.Error, match="the words are in memory of cuda:0"):
        row[0]
    torch = imported("torch")
    shared = torch.from_dlpack(row)
    assert shared.data_ptr() == row.__cuda_array_interface__["data"][0]
    assert (shared.view(torch.int32).cpu().numpy().view(numpy.uint32) == on_cpu(100, 1024, 300, seed=4)[99]).all()


def test_out_and_device_have_to_agree() -> None:
    torch = imported("torch")
    out = torch.zeros((500, 32), dtype=torch.int32, device="cuda")
    for device in ("cpu", "cuda:1"):
        with pytest.raises(lockstep.Error, match=r"is not that of out \(which is on cuda:0\)"):
            lockstep.random_subsets(500, 1024, 300, out=out, device=device)
    lockstep.random_subsets(500, 1024, 300, out=out, device="cuda")
    assert out.any()


def test_the_current_device_stays() -> None:
    torch = imported("torch")
    before = torch.cuda.current_device()
    last = library.lockstep_gpu_count() - 1
    assert lockstep.random_subsets(10, 64, 5, device=f"cuda:{last}").device == f"cuda:{last}"
    assert torch.cuda.current_device() == before
