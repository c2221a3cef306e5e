"""What each device can do at best: the numbers that the shares of limits refer to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from plots.results import Device, Results
from plots.site.provenance import attributes, limit_text

#: What a limit measures. The words follow the name up to its first digit.
WORDS = {
    "clock": "clock of the multiprocessors during the measurement of FMA",
    "store": "streaming stores to device memory",
    "load": "streaming loads from device memory",
    "copy": "a copy kernel in device memory, bytes read and written",
    "copy.memcpy": "the driver's copy in device memory, bytes read and written",
    "l2.read": "loads that hit the L2 cache",
    "l2.write": "stores that stay in the L2 cache",
    "random_load": "loads of 4 bytes at random places of a buffer of this size",
    "random_atomic": "atomic additions at random places of a buffer of this size",
    "fma": "fused multiply-adds in single precision",
    "fma.shared_register": "the same, with two equal operands",
    "fma.three_registers": "the same, with three different operands",
    "fma.double": "fused multiply-adds in double precision",
    "lop3": "logic on three operands",
    "imad": "integer multiply-adds",
    "imad.high": "the upper half of integer multiply-adds",
    "mufu.ex2": "powers of two by the special function unit",
    "mufu.rsqrt": "reciprocal square roots by the special function unit",
    "popc": "bit counts",
    "shfl": "warp shuffles",
    "redux": "warp reductions",
    "shared_lookup": "look-ups in a table of this size in shared memory",
    "random_words": "random words of this engine, not stored",
    "launch": "the host's time to queue a kernel",
    "launch.bare": "the host's time to queue a kernel by the driver's own interface",
    "launch.graph": "the device's time from one kernel of a CUDA graph to the next",
    "grid_barrier": "a barrier of all blocks, with this number of blocks per multiprocessor",
    "pcie.to_device": "copies from the host's memory to the device",
    "pcie.to_host": "copies from the device to the host's memory",
    "pcie.both": "copies in both directions at once",
    "cpu.copy": "a copy on all CPU cores, bytes read and written",
    "cpu.random_load": "loads of 4 bytes at random places of a buffer of this size, all CPU cores",
    "compile.nvrtc": "compilation of a small kernel at run time",
    "compile.load": "loading a compiled kernel",
}


@dataclass(frozen=True)
class LimitRow:
    name: str
    words: str
    text: str
    value: float


@dataclass(frozen=True)
class DeviceLimits:
    slug: str
    name: str
    attributes: str
    rows: tuple[LimitRow, ...]


def device_limits(results: Results) -> list[DeviceLimits]:
    devices = sorted(results.devices, key=lambda device: not device.has_gpu)
    return [
        DeviceLimits(
            device.slug, device.name, attributes(device.attributes), tuple(_rows(device, _documented(results, device)))
        )
        for device in devices
        if device.limits
    ]


def _documented(results: Results, device: Device) -> dict[str, float]:
    """What the vendor's documents say of a limit."""
    rows = (case for case in results.cases if case.experiment == "limits" and case.device.slug == device.slug)
    return {case.variant: case.metrics["documented"] for case in rows if case.metrics.get("documented")}


def _rows(device: Device, documented: Mapping[str, float]) -> list[LimitRow]:
    rows = []
    for name, entry in device.limits.items():
        value, unit = float(entry["value"]), str(entry.get("unit", ""))
        stated = f" (documented: {limit_text(documented[name], unit)})" if name in documented else ""
        rows.append(LimitRow(name, words(name), limit_text(value, unit) + stated, value))
    return rows


def words(name: str) -> str:
    """The words of a limit by its whole name, or by the name before a size, an engine or a count."""
    if name in WORDS:
        return WORDS[name]
    return WORDS.get(re.sub(r"\.[^.]+$", "", name), "")
