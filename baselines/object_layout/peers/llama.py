"""LLAMA's memory layouts (https://github.com/alpaka-group/llama, tried with 0.6 at 086e66e; llama/main.cu).

Same work: program `bodies`, as many bodies and ticks, one thread per body, two kernels per tick. Layouts AoS, SoA with
a column per field, and AoSoA of 32. nvcc may fuse multiplications and additions, which our rows must not; initial
positions have the distribution of ours.

Needs Boost.Mp11 and {fmt}, and `--checkout llama=PATH`. CUDA 13.0 accepts LLAMA's inline __device__ variables only with
-rdc=true (without it: "An inline __device__/__constant__/__managed__ variable must have internal linkage when the
program is compiled in whole program mode", include/llama/StructName.hpp:297), and its use of {fmt} 9 only with
-std=c++17.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from baselines.peers.programs import (
    compile_program,
    nvcc_command,
    required_checkout,
    required_gpu,
    run_program,
)
from processes.driver import Place, Reading

BODIES, TICKS = (1024, 2048), 10


class Llama:
    name = "llama"
    description = "n bodies with LLAMA's layouts AoS, SoA and AoSoA"

    def build(self, place: Place) -> None:
        tree = required_checkout(place, self.name, "include/llama/llama.hpp", "https://github.com/alpaka-group/llama")
        options = ("-std=c++17", "-rdc=true", "--extended-lambda", "--expt-relaxed-constexpr", f"-I{tree / 'include'}")
        source = Path(__file__).with_suffix("") / "main.cu"
        compile_program(place.folder / self.name, nvcc_command(place, *options), [source])

    def readings(self, place: Place) -> Iterator[Reading]:
        required_gpu(place)
        for layout in ("aos", "soa", "aosoa"):
            for bodies in BODIES:
                samples = run_program(place.folder / self.name, layout, bodies, TICKS)
                yield Reading(
                    variant=f"llama_{layout}",
                    machine="cuda",
                    version=samples.version,
                    axes={"program": "bodies", "ticks": str(TICKS), "elements": str(bodies)},
                    seconds=samples.seconds,
                    items=float(bodies * bodies * TICKS),
                    verified=samples.verified,
                    timer="events",
                    note="may fuse multiplications and additions, ours does not",
                )


DRIVER = Llama()
