"""Measures what a user writes with common libraries: `python3 experiments/random_grids/peers.py`.

Draws grids of exactly k occupied sites with numpy, torch, cupy and thrust::shuffle, each in its usual way, and prints grids
per second as the median of several runs. It skips a library that is not installed or sees no GPU, and prints the reason.
Each library writes one byte or one index per site, never a bit mask, so its times include more memory traffic than ours.
"""

from __future__ import annotations

import argparse
import importlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Draw = Callable[[int], None]
"""Draws the given number of grids and waits until they are complete."""

THRUST = r"""
#include <cstdio>
#include <cstdlib>
#include <chrono>
#include <thrust/device_vector.h>
#include <thrust/random.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
int main(int, char** a) {
    int const sites = std::atoi(a[1]), grids = std::atoi(a[2]);
    thrust::device_vector<int> order(sites);
    thrust::sequence(order.begin(), order.end());
    thrust::default_random_engine engine(1);
    for (int run = 0; run < 6; ++run) {
        auto const begin = std::chrono::steady_clock::now();
        for (int i = 0; i < grids; ++i) thrust::shuffle(order.begin(), order.end(), engine);
        cudaDeviceSynchronize();
        std::printf("%.9f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
}
"""


class Skipped(Exception):
    """The reason why a library is not measured."""


def load(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Skipped(f"{name} cannot be imported ({error})") from error


def numpy_permuted(sites: int, occupied: int) -> Draw:
    numpy = load("numpy")
    generator = numpy.random.Generator(numpy.random.Philox(1))
    row = numpy.zeros(sites, dtype=numpy.uint8)
    row[:occupied] = 1

    def draw(grids: int) -> None:
        generator.permuted(numpy.broadcast_to(row, (grids, sites)), axis=1)

    return draw


def numpy_choice(sites: int, occupied: int) -> Draw:
    numpy = load("numpy")
    generator = numpy.random.Generator(numpy.random.Philox(1))

    def draw(grids: int) -> None:
        for _ in range(grids):
            generator.choice(sites, occupied, replace=False, shuffle=False)

    return draw


def torch_topk(sites: int, occupied: int) -> Draw:
    torch = load("torch")
    if not torch.cuda.is_available():
        raise Skipped("torch sees no GPU")

    def draw(grids: int) -> None:
        torch.rand(grids, sites, device="cuda").topk(occupied, sorted=False)
        torch.cuda.synchronize()

    return draw


def cupy_argsort(sites: int, occupied: int) -> Draw:
    cupy = load("cupy")
    try:
        if cupy.cuda.runtime.getDeviceCount() == 0:
            raise Skipped("cupy sees no GPU")
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise Skipped(f"cupy sees no GPU ({error})") from error

    def draw(grids: int) -> None:
        cupy.argpartition(cupy.random.random((grids, sites), dtype=cupy.float32), occupied - 1, axis=1)
        cupy.cuda.get_current_stream().synchronize()

    return draw


PEERS: dict[str, tuple[Callable[[int, int], Draw], int]] = {
    "numpy Generator.permuted": (numpy_permuted, 4096),
    "numpy Generator.choice": (numpy_choice, 4096),
    "torch rand().topk": (torch_topk, 1 << 18),
    "cupy random().argpartition": (cupy_argsort, 1 << 18),
}
"""Name to a factory of the drawing function and the number of grids per call."""


def seconds_of(draw: Draw, grids: int, repetitions: int) -> list[float]:
    draw(grids)
    times = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        draw(grids)
        times.append(time.perf_counter() - begin)
    return times


def thrust_seconds(sites: int, grids: int) -> list[float]:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        raise Skipped("nvcc is not installed")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "shuffle.cu"
        program = Path(folder) / "shuffle"
        source.write_text(THRUST)
        built = subprocess.run(
            [nvcc, "-std=c++17", "-O3", "-arch=native", str(source), "-o", str(program)],
            capture_output=True,
            text=True,
        )
        if built.returncode != 0:
            raise Skipped("it does not compile: " + (built.stderr.strip().splitlines() or ["no message"])[-1])
        run = subprocess.run([str(program), str(sites), str(grids)], capture_output=True, text=True)
        if run.returncode != 0:
            raise Skipped("it does not run: " + (run.stderr.strip().splitlines() or ["no message"])[-1])
        return [float(line) for line in run.stdout.split()][1:]


def measure(sites: int, occupied: int, repetitions: int) -> Iterator[str]:
    for name, (make, grids) in PEERS.items():
        try:
            times = seconds_of(make(sites, occupied), grids, repetitions)
        except Skipped as why:
            yield f"{name:28} skipped: {why}"
            continue
        yield f"{name:28} {grids / statistics.median(times):12.4g} grids/s"
    try:
        grids = 1000
        yield f"{'thrust::shuffle':28} {grids / statistics.median(thrust_seconds(sites, grids)):12.4g} grids/s"
    except Skipped as why:
        yield f"{'thrust::shuffle':28} skipped: {why}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sites", type=int, default=1024)
    parser.add_argument("--occupied", type=int, default=512)
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    if not 0 < arguments.occupied <= arguments.sites:
        print(
            f"--occupied {arguments.occupied} does not fit (there are {arguments.sites} sites) give 1 to {arguments.sites}",
            file=sys.stderr,
        )
        return 2
    for line in measure(arguments.sites, arguments.occupied, max(1, arguments.repetitions)):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
