"""Writes the committed results of two made-up machines: python3 tests/plots/make_fixture.py

Round numbers, so that tests can be checked by hand: 32-bit sets at 100 G/s with one lane worth 200 G/s, threadwise twice as fast
as warpwise, every interval 1% either way unless said otherwise.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "results"
COMMIT = "0123456789abcdef0123456789abcdef01234567"

GPU = {
    "name": "Imaginary GPU X",
    "slug": "imaginary-gpu-x",
    "machine": "cuda",
    "multiprocessors": 76,
    "clock_khz": 1665000,
    "memory_bytes": 17179869184,
    "l2_bytes": 33554432,
    "registers_per_multiprocessor": 65536,
    "shared_bytes_per_multiprocessor": 131072,
    "compute_capability": "9.9",
    "driver": "999.1",
    "runtime": "13.0",
}
CPU = {"name": "Imaginary CPU Y", "slug": "imaginary-cpu-y", "machine": "cpu"}
LIMITS = {
    "store": {"value": 1e12, "unit": "B/s"},
    "copy": {"value": 1.2e12, "unit": "B/s"},
    "random_words.xorwow": {"value": 2e12, "unit": "words/s"},
}


DEFAULTS = {
    "grid": "32x32",
    "occupied": "half",
    "engine": "xorwow",
    "output": "folded",
    "streams": "1000",
    "length": "1000",
}


def case(
    variant: str, role: str, machine: str, axes: dict[str, str], rate: float | None, **more: Any
) -> dict[str, Any]:
    """A row whose launch makes 1e6 grids. Without a rate it was not timed."""
    name = "/".join(["random_grids", variant, machine, *(f"{key}:{value}" for key, value in axes.items())])
    axes = DEFAULTS | axes
    seconds = 1e6 / rate if rate else None
    noise = more.pop("noise", 0.01)
    time = None
    if seconds:
        low, high = seconds * (1 - noise), seconds * (1 + noise)
        time = {
            "median": seconds,
            "low": low,
            "high": high,
            "mean": seconds,
            "sigma": seconds * noise,
            "mad": 0,
            "cv": noise,
        }
    row = {
        "name": name,
        "experiment": "random_grids",
        "variant": variant,
        "role": role,
        "machine": machine,
        "reference": "halving",
        "axes": axes,
        "seed": 1,
        "first_unit": 0,
        "units": 1000,
        "sweeps": ["quick"],
        "shard": "0/1",
        "status": "ok" if seconds else "not_timed",
        "reason": "",
        "verified_units": 1000,
        "units_total": 1000,
        "digest": "0x00000000deadbeef",
        "item": "grids",
        "items": 1e6,
        "bytes": 128e6 if axes["output"] == "stored" else 4000,
        "operations": 3.2e8,
        "launches_per_sample": 1,
        "repetitions": 11,
        "time": time,
        "extrapolated": False,
        "kernels": [],
        "metrics": {},
        "measurements": {},
        "cache": "hot",
        "commit": COMMIT,
        "dirty": False,
        "publishable": True,
        "date": "2026-01-02T03:04:05+00:00",
        "command": "lockstep run random_grids --preset quick",
    }
    return row | more


def kernel(name: str, registers: int, local_bytes: int = 0) -> list[dict[str, Any]]:
    return [{"name": name, "registers": registers, "local_bytes": local_bytes, "shared_bytes": 0}]


def counted(grid: str, steps: float, slowest: float) -> dict[str, Any]:
    """The reference on the CPU with its counted metrics."""
    shares = {f"steps_share_{step:02d}": share for step, share in ((3, 0.1), (4, 0.3), (5, 0.4), (6, 0.2))}
    width, height = (int(side) for side in grid.split("x"))
    metrics = {
        "steps_mean": steps,
        "words_mean": steps * width * height / 32,
        "candidates_kept": 0.5,
        "steps_slowest_of_32": slowest,
        "divergence_factor": slowest / steps,
    }
    return case("halving", "reference", "cpu", {"grid": grid}, 1e6, metrics=metrics | shares, kernels=[])


def probes(occupied: str, steps: float) -> dict[str, Any]:
    metrics = {"steps_mean": steps, "words_mean": steps, "divergence_factor": 1.25}
    return case("probe", "baseline", "cpu", {"occupied": occupied}, 5e5, metrics=metrics)


def gpu_cases() -> list[dict[str, Any]]:
    word, stored = {"grid": "32x1"}, {"output": "stored"}
    rows = [
        case("word", "paper", "cuda", word, 100e9),
        case("word", "paper", "cuda", word | {"occupied": "mixed"}, 90e9),
        case("word_one_lane", "paper", "cuda", word, 6.25e9),
        case("threadwise", "paper", "cuda", {}, 2e9, kernels=kernel("threadwise", 124)),
        case("threadwise", "paper", "cuda", {"grid": "64x64"}, 0.1e9, kernels=kernel("threadwise", 255, 1024)),
        case("warpwise", "paper", "cuda", {}, 1e9, kernels=kernel("warpwise", 40)),
        case(
            "warpwise_runtime_warp",
            "paper",
            "cuda",
            {},
            0.54e9,
            kernels=kernel("warpwise_runtime_warp", 32),
            noise=0.05,
        ),
        case("word64", "paper", "cuda", {"grid": "64x1"}, None, status="disagrees", reason="unit 3, word 0", time=None),
        case("list", "baseline", "cuda", {}, 0.02e9, kernels=kernel("list", 32, 2048)),
        case("all_cores", "contender", "cpu", stored | {"occupied": "512"}, 0.01e9),
        case("threadwise", "paper", "emulator", {"streams": "4"}, None),
    ]
    for k, factor in (("100", 1.0), ("323", 0.95), ("512", 0.9), ("mixed", 0.8)):
        rows.append(
            case(
                "threadwise",
                "paper",
                "cuda",
                stored | {"occupied": k},
                1.9e9 * factor,
                kernels=kernel("threadwise", 124),
            )
        )
        rows.append(
            case("warpwise", "paper", "cuda", stored | {"occupied": k}, 0.95e9 * factor, kernels=kernel("warpwise", 40))
        )
        rows.append(
            case("bernoulli", "ours", "cuda", stored | {"occupied": k}, 5e9 * factor, kernels=kernel("bernoulli", 48))
        )
    return rows + cpu_cases()


def cpu_cases() -> list[dict[str, Any]]:
    return [
        counted("8x1", 2.9, 5.6),
        counted("32x1", 4.87, 10.33),
        counted("32x32", 9.82, 15.3),
        probes("100", 105.0),
        probes("1024", 7690.0),
        case("list", "baseline", "cpu", {"occupied": "100"}, 4e5, metrics={"steps_mean": 100.0, "words_mean": 100.1}),
    ]


def document(device: dict[str, Any], cases: list[dict[str, Any]], limits: dict[str, Any]) -> dict[str, Any]:
    context = {
        "date": "2026-01-02T03:04:05+00:00",
        "host_name": "nowhere",
        "executable": "lockstep",
        "num_cpus": 2,
        "library_build_type": "release",
        "lockstep_schema": 2,
        "device": device,
        "cpu": {"name": "Imaginary CPU Y", "threads": 2},
        "compiler": "g++ 12.2.0",
        "nvcc": "13.0.88",
        "limits": limits,
    }
    return {"context": context, "benchmarks": [], "cases": cases}


def main() -> None:
    machines: list[tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]] = [
        (GPU, gpu_cases(), LIMITS),
        (CPU, cpu_cases(), {}),
    ]
    for device, cases, limits in machines:
        path = FOLDER / str(device["slug"]) / "random_grids.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document(device, cases, limits), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
