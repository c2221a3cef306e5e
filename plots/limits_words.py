"""What the limits of a device are, in words, and the table of them. `./lockstep limits` measures them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from plots.errors import NotTestable
from plots.results import Case, Device
from plots.table_data import MISSING, TableData
from plots.units import percent, quantity

#: Name in limits.json: what it is called, and how it is measured. {size} is the end of a name: 4MB, 1GB.
WORDS: Mapping[str, tuple[str, str]] = {
    "copy.memcpy": ("memory, cudaMemcpy", "a copy within the device; bytes read and written"),
    "copy": ("memory, copy kernel", "16 bytes per thread and step; bytes read and written"),
    "store": ("memory, stores only", "16 bytes per thread and step; bytes written"),
    "load": ("memory, loads only", "64 bytes folded into 4; bytes read and written"),
    "l2.read": ("L2 cache, loads", "16-byte loads past L1 over a third of the cache, repeated"),
    "l2.write": ("L2 cache, stores", "16-byte stores over a third of the cache, repeated"),
    "random_load.*": ("random loads from {size}", "4 bytes each, 8 in flight per thread"),
    "random_atomic.*": ("random atomic additions in {size}", "4 bytes each, the old value unused"),
    "clock": ("multiprocessor clock", "under load"),
    "fma": ("FP32 multiply-adds", "registers and a constant multiplier, 8 chains per thread"),
    "fma.shared_register": (
        "FP32 multiply-adds, multiplier in a register",
        "all chains share one multiplier, which the operand cache keeps",
    ),
    "fma.three_registers": (
        "FP32 multiply-adds, three registers",
        "each chain has its own multiplier, so an instruction reads three registers",
    ),
    "fma.double": ("FP64 multiply-adds", "registers and a constant multiplier"),
    "lop3": ("three-input logic (LOP3)", "Keccak's chi on 8 words in registers"),
    "imad": ("integer multiply-adds", "32 bits, 8 words in registers"),
    "imad.high": ("integer multiply-adds, upper word", "the upper 32 bits of a 64-bit product"),
    "mufu.ex2": ("exponentials (ex2.approx)", "8 chains per thread"),
    "mufu.rsqrt": ("reciprocal square roots (rsqrt.approx)", "8 chains per thread"),
    "popc": ("population counts", "8 chains per thread"),
    "shfl": ("warp shuffles", "each lane takes a word of the next lane; lanes are counted"),
    "redux": ("warp sums", "one instruction adds the words of a warp; lanes are counted"),
    "shared_lookup.*": ("look-ups in {size} of shared memory", "2 bytes each, at random places"),
    "random_words.*": ("random words, {size}", "each thread sums the words of its own stream"),
    "launch": ("kernel launch, checked", "the host's time to queue an empty kernel and check for errors"),
    "launch.bare": ("kernel launch, bare", "the host's time to queue an empty kernel with <<<>>>"),
    "launch.graph": ("kernel in a graph", "the device's time from one empty kernel to the next in a CUDA graph"),
    "grid_barrier.*": ("barrier of the whole grid", "cooperative groups, blocks per multiprocessor: {size}"),
    "pcie.to_device": ("transfer to the device", "from pinned host memory"),
    "pcie.to_host": ("transfer to the host", "to pinned host memory"),
    "pcie.both": ("transfers both ways at once", "two streams; bytes of both directions"),
    "cpu.copy": ("host memory, copy", "a memcpy on every core; bytes read and written"),
    "cpu.random_load.*": ("host memory, random loads from {size}", "4 bytes each, on all cores"),
    "compile.nvrtc": ("compiling a kernel at run time", "NVRTC, from source to machine code"),
    "compile.load": ("loading a compiled kernel", "from machine code in memory to a kernel that can be launched"),
}
#: On a machine without a GPU the same names are those of the CPU.
CPU_WORDS: Mapping[str, tuple[str, str]] = {
    "copy": WORDS["cpu.copy"],
    "random_load.*": WORDS["cpu.random_load.*"],
    "popc": ("population counts", "one core, 8 words in registers"),
    "imad": ("integer multiply-adds", "one core, 8 words in registers"),
}
ENGINES = {
    "xorwow": "XORWOW",
    "taus88": "taus88",
    "philox7": "Philox4x32-7",
    "philox10": "Philox4x32-10",
    "pcg32": "PCG32",
}


def in_words(name: str, device: Device) -> tuple[str, str]:
    """What a limit is called, and how it is measured. A limit without words keeps its name."""
    own = WORDS if device.has_gpu else {**WORDS, **CPU_WORDS}
    stem, _, end = name.rpartition(".")
    title, how = own.get(name) or own.get(f"{stem}.*") or (name, "")
    size = ENGINES.get(end, re.sub(r"(\d)([KMGT]?B)$", r"\1 \2", end))
    return title.format(size=size), how.format(size=size)


def table(device: Device, cases: Iterable[Case] = ()) -> TableData:
    """A row per limit. `cases` are the rows of `limits`, which know the documented value of some.

    Raises NotTestable if no limit was measured on the device.
    """
    if not device.limits:
        raise NotTestable(f"no limits of {device.name}; ./lockstep limits measures them")
    known = {case.variant: case.metrics["documented"] for case in cases if _is_documented(case, device)}
    words, plain, values = [], [], []
    for name, entry in device.limits.items():
        value, unit = float(entry["value"]), str(entry.get("unit", ""))
        documented = known.get(name)
        words.append(
            (
                *in_words(name, device),
                quantity(value, unit),
                quantity(documented, unit) if documented else MISSING,
                percent(value / documented) if documented else MISSING,
            )
        )
        plain.append((name, value, unit, documented if documented else ""))
        values.append((None, None, value, documented, value / documented if documented else None))
    return TableData(
        "limits",
        "Limits of the device",
        device.name,
        ("limit", "how it is measured", "measured", "documented", "reached"),
        tuple(words),
        ("limit", "value", "unit", "documented"),
        tuple(plain),
        f"results/{device.slug}/limits.json; medians",
        "",
        "./lockstep limits",
        tuple(values),
    )


def _is_documented(case: Case, device: Device) -> bool:
    return case.experiment == "limits" and case.device.slug == device.slug and bool(case.metrics.get("documented"))
