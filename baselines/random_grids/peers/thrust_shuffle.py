"""thrust::shuffle of the CUDA Toolkit, one call per board (thrust_shuffle/main.cu).

Same work: a board of exactly k occupied sites, the first k entries of a shuffled sequence. The order of all sites is
written, 32 bits each; our variants store one bit per site. A call draws one board, and calls are alike, so the time of
a part of the boards is multiplied.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from baselines.peers.programs import compile_program, nvcc_command, required_gpu, run_program
from baselines.random_grids.peers._boards import ON_A_GPU
from processes.driver import Place, Reading

CALLS = 2048


class ThrustShuffle:
    name = "thrust_shuffle"
    description = "thrust::shuffle, one call per board"

    def build(self, place: Place) -> None:
        source = Path(__file__).with_suffix("") / "main.cu"
        compile_program(place.folder / self.name, nvcc_command(place, "-std=c++17"), [source])

    def readings(self, place: Place) -> Iterator[Reading]:
        required_gpu(place)
        for case in ON_A_GPU:
            samples = run_program(place.folder / self.name, case.sites, case.occupied, CALLS)
            yield Reading(
                variant=self.name,
                machine="cuda",
                version=samples.version,
                axes=case.axes,
                seconds=[seconds * case.count / CALLS for seconds in samples.seconds],
                items=case.count,
                verified=samples.verified,
                timer="events",
                note=f"extrapolated from {CALLS} calls, one per board; writes the order of all sites, not one bit each",
            )


DRIVER = ThrustShuffle()
