"""lockstep.random_subsets on the CPU: its sets, its tensors, its errors."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lockstep
import numpy
import pytest
from lockstep import _dlpack

PACKAGE = Path(__file__).parents[2] / "python"


def array_of(tensor: lockstep.Tensor) -> Any:
    return numpy.from_dlpack(tensor)


def elements_of(words: Any, n: int) -> Any:
    """A row of 0 and 1 per subset."""
    bits = numpy.unpackbits(words.view(numpy.uint8), axis=1, bitorder="little")
    assert not bits[:, n:].any()
    return bits[:, :n]


@pytest.mark.parametrize(("n", "k"), [(1, 0), (1, 1), (31, 7), (32, 16), (33, 33), (64, 20), (225, 141), (1024, 300)])
def test_every_subset_has_k_elements(n: int, k: int) -> None:
    made = lockstep.random_subsets(50, n, k, device="cpu")
    assert made.shape == (50, (n + 31) // 32) and len(made) == 50 and made.device == "cpu"
    words = array_of(made)
    assert words.shape == made.shape and words.dtype == numpy.uint32
    assert (elements_of(words, n).sum(axis=1) == k).all()


def test_every_subset_is_equally_likely() -> None:
    words = array_of(lockstep.random_subsets(20000, 6, 3, seed=5, device="cpu"))
    seen = Counter(words[:, 0].tolist())
    assert len(seen) == 20
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 50  # 19 degrees of freedom: p = 1e-4


def test_subsets_are_numbered() -> None:
    every = array_of(lockstep.random_subsets(100, 100, 30, seed=9, device="cpu"))
    some = array_of(lockstep.random_subsets(8, 100, 30, seed=9, first=61, device="cpu"))
    assert (some == every[61:69]).all()
    for other in (
        lockstep.random_subsets(100, 100, 30, seed=10, device="cpu"),
        lockstep.random_subsets(100, 100, 30, seed=9, engine="xorwow", device="cpu"),
    ):
        assert (array_of(other) != every).any()


def test_arrays_keep_the_memory_alive() -> None:
    """Also when the tensor and other memory of the same size come and go."""
    made = lockstep.random_subsets(1000, 1024, 500, device="cpu")
    shared, interface = array_of(made), numpy.asarray(made)
    assert shared.ctypes.data == interface.ctypes.data
    expected = shared.copy()
    del made
    gc.collect()
    for seed in range(3):
        lockstep.random_subsets(1000, 1024, 500, seed=2 + seed, device="cpu")
    assert (shared == expected).all() and (interface == expected).all()


def test_a_capsule_that_nobody_takes_is_freed() -> None:
    made = lockstep.random_subsets(1 << 14, 1 << 12, 1, device="cpu")  # 8 MiB in few subsets, as each takes time
    before = resident_bytes()
    for _ in range(200):
        made.__dlpack__()
        lockstep.random_subsets(1 << 14, 1 << 12, 0, device="cpu").__dlpack__()
    assert resident_bytes() - before < 200 << 20


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("kind", [numpy.uint32, numpy.int32])
def test_out_gets_the_words(kind: Any) -> None:
    out = numpy.zeros((10, 4), kind)
    assert lockstep.random_subsets(10, 100, 30, seed=9, out=out) is None  # into its memory, whatever `auto` is
    expected = array_of(lockstep.random_subsets(10, 100, 30, seed=9, device="cpu"))
    assert (out.view(numpy.uint32) == expected).all()
    lockstep.random_subsets(5, 100, 30, seed=9, first=5, out=out[:5])
    assert (out.view(numpy.uint32) == expected[[5, 6, 7, 8, 9, 5, 6, 7, 8, 9]]).all()


WRONG_OUT: dict[str, Any] = {
    "another shape": numpy.zeros((10, 3), numpy.uint32),
    "another rank": numpy.zeros(40, numpy.uint32),
    "another type": numpy.zeros((10, 4), numpy.float32),
    "wider": numpy.zeros((10, 4), numpy.uint64),
    "not contiguous": numpy.zeros((10, 8), numpy.uint32)[:, ::2],
    "by columns": numpy.zeros((4, 10), numpy.uint32).T,
}


@pytest.mark.parametrize("which", WRONG_OUT)
def test_an_unfit_out_is_refused(which: str) -> None:
    out = WRONG_OUT[which]
    with pytest.raises(lockstep.Error, match="out"):
        lockstep.random_subsets(10, 100, 30, out=out)
    assert not out.any()


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"n": 0}, r"n 0 is out of range \(1 to 16384\)"),
        ({"n": 16385}, r"n 16385 is out of range \(1 to 16384\)"),
        ({"k": 101}, r"k 101 is too large \(a subset has at most all 100 elements\)"),
        ({"n": -1}, r"n -1 is out of range \(1 to 16384\)"),
        ({"n": 1 << 40}, r"n 1099511627776 is out of range \(1 to 16384\)"),
        ({"k": -1}, r"k -1 is out of range \(0 to n\)"),
        ({"batch": -1}, "batch -1 is out of range"),
        ({"batch": 1 << 47}, "not enough memory|too large|too many"),
        ({"first": (1 << 48) - 1}, "too many sets"),
        ({"seed": 1 << 64}, "seed 18446744073709551616 is out of range"),
        ({"seed": 10**5000}, r"seed of 16610 bits is out of range \(0 to 2\^64 - 1\)"),
        ({"engine": "mt19937"}, "mt19937"),
        ({"engine": ""}, "engine is empty"),
        ({"engine": "philox10\0x"}, "engine contains a NUL"),
        ({"engine": "a\nb"}, r"a\\nb"),
        ({"device": "gpu"}, "unknown device 'gpu'"),
        ({"device": "cuda:\u0663"}, "unknown device"),  # a digit that is not of ASCII
        ({"device": "cuda:x"}, "unknown device 'cuda:x'"),
        ({"device": "cuda:99"}, r"no device cuda:99 \(there are \d+ GPUs\)"),
    ],
)
def test_mistakes_are_one_line(wrong: dict[str, Any], text: str) -> None:
    arguments: dict[str, Any] = {"batch": 3, "n": 100, "k": 30, "device": "cpu", **wrong}
    with pytest.raises((lockstep.Error, RuntimeError), match=text) as raised:
        lockstep.random_subsets(**arguments)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("value", [1.5, "3", None, True])
def test_other_types_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="batch is not an integer"):
        lockstep.random_subsets(value, 100, 30)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"engine": None}, "engine is not a string"),
        ({"engine": b"philox10"}, "engine is not a string"),
        ({"device": None}, "device is not a string"),
        ({"device": 0}, "device is not a string"),
        ({"out": [0] * 10}, "out is no array"),
    ],
)
def test_other_types_of_options_are_mistakes(wrong: dict[str, Any], text: str) -> None:
    for kind in (lockstep.Error, TypeError):
        with pytest.raises(kind, match=text):
            lockstep.random_subsets(10, 100, 30, **wrong)


def test_out_and_device_have_to_agree() -> None:
    out = numpy.zeros((10, 4), numpy.uint32)
    with pytest.raises(lockstep.Error, match=r"device cuda:77 is not that of out \(which is on cpu\)"):
        lockstep.random_subsets(10, 100, 30, out=out, device="cuda:77")
    with pytest.raises(lockstep.Error, match="unknown device 'gpu'"):
        lockstep.random_subsets(10, 100, 30, out=out, device="gpu")
    assert not out.any()
    lockstep.random_subsets(10, 100, 30, out=out, device="cpu")
    assert out.any()


def test_an_out_that_cannot_be_written_is_a_mistake() -> None:
    out = numpy.zeros((10, 4), numpy.uint32)
    out.flags.writeable = False
    with pytest.raises(lockstep.Error, match="out does not share its memory"):
        lockstep.random_subsets(10, 100, 30, out=out)


def test_rows_are_views() -> None:
    made = lockstep.random_subsets(5, 100, 30, seed=9, device="cpu")
    words = array_of(made)
    assert [list(row) for row in made] == words.tolist()
    places: list[Any] = [0, 4, -1, -5, numpy.int64(3)]
    for at in places:
        row = made[at]
        assert row.shape == (4,) and len(row) == 4 and row.device == "cpu"
        assert (array_of(row) == words[at]).all() and (numpy.asarray(row) == words[at]).all()
        assert row[-1] == words[at][-1] and array_of(row).ctypes.data == words[at].ctypes.data
    assert list(lockstep.random_subsets(0, 100, 30, device="cpu")) == []


def test_rows_keep_the_memory_alive() -> None:
    made = lockstep.random_subsets(1000, 1024, 500, device="cpu")
    expected = array_of(made).copy()
    row, shared = made[999], array_of(made[998])
    del made
    gc.collect()
    for seed in range(3):
        lockstep.random_subsets(1000, 1024, 500, seed=2 + seed, device="cpu")
    assert list(row) == expected[999].tolist() and (shared == expected[998]).all()


def test_an_index_is_an_integer_in_range() -> None:
    made = lockstep.random_subsets(5, 100, 30, device="cpu")
    for at in (5, -6, 10**5000):
        with pytest.raises(IndexError, match=r"is out of range \(of 5\)"):
            made[at]
    with pytest.raises(IndexError, match=r"index 4 is out of range \(of 4\)"):
        made[0][4]
    wrong: Any
    for wrong in ("0", 1.0, slice(2), None):
        with pytest.raises(lockstep.Error, match="an index is not an integer"):
            made[wrong]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_tensor_is_not_copied(copied: Callable[[Any], Any], refusal: Callable[[str], str]) -> None:
    """Both copies would free its memory. Another process tries it, as this ends Python."""
    text = f"""
import lockstep
from {copied.__module__} import {copied.__name__} as copied
made = lockstep.random_subsets(3, 10, 3, device="cpu")
for one in (made, made[0]):
    try:
        copied(one)
        raise SystemExit("copied")
    except lockstep.Error as error:
        print(error)
"""
    assert refusal(text).startswith("Subsets objects cannot be copied or pickled (they own memory of the library) Copy")


def test_an_empty_batch_is_an_empty_tensor() -> None:
    assert array_of(lockstep.random_subsets(0, 100, 30, device="cpu")).shape == (0, 4)


def test_a_tensor_answers_only_for_its_device() -> None:
    made = lockstep.random_subsets(2, 64, 5, device="cpu")
    assert made.__dlpack_device__() == (_dlpack.CPU, 0)
    assert hasattr(made, "__array_interface__") and not hasattr(made, "__cuda_array_interface__")
    made.__dlpack__(stream=None, max_version=(1, 0), dl_device=(1, 0), copy=False)
    for asked in ({"dl_device": (2, 0)}, {"copy": True}):
        with pytest.raises(BufferError):
            made.__dlpack__(**asked)  # type: ignore[arg-type]
    assert repr(made) == "<lockstep.Subsets 2x2 on cpu>"


def test_a_missing_library_is_one_line(tmp_path: Path) -> None:
    environment = {**os.environ, "LOCKSTEP_LIBRARY": str(tmp_path / "none.so"), "PYTHONPATH": str(PACKAGE)}
    tried = subprocess.run([sys.executable, "-c", "import lockstep"], env=environment, capture_output=True, text=True)
    assert tried.returncode == 1
    assert "none.so does not exist (it is part of an installation) Set LOCKSTEP_LIBRARY" in tried.stderr
