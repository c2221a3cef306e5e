"""Pi by thrust::transform_reduce and thrust::taus88, as in the CUDA Toolkit (thrust_pi/main.cu).

Same work: a count per replication, of as many draws as in our cases, with the paper's generator. A replication is a
reduction over runs of 100 draws, each with a generator that a hash seeds, as in Thrust's Monte Carlo example. A
reduction returns its result to the host, so replications follow one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from baselines.peers.programs import compile_program, nvcc_command, required_gpu, run_program
from processes.driver import Place, Reading

DRAWS = 10_000_000
CASES: list[tuple[int, Mapping[str, str]]] = [
    (1, {"replications": "1", "draws": str(DRAWS)}),
    (64, {"draws": str(DRAWS)}),
    (100, {"replications": "100", "draws": str(DRAWS)}),
]


class ThrustPi:
    name = "thrust_pi"
    description = "Pi by thrust::transform_reduce and thrust::taus88"

    def build(self, place: Place) -> None:
        source = Path(__file__).with_suffix("") / "main.cu"
        compile_program(place.folder / self.name, nvcc_command(place, "-std=c++17"), [source])

    def readings(self, place: Place) -> Iterator[Reading]:
        required_gpu(place)
        for replications, axes in CASES:
            samples = run_program(place.folder / self.name, replications, DRAWS)
            yield Reading(
                variant=self.name,
                machine="cuda",
                version=samples.version,
                axes=axes,
                seconds=samples.seconds,
                items=float(replications * DRAWS),
                verified=samples.verified,
                timer="events",
                note="one call per replication; streams of 100 draws, seeded by a hash",
            )


DRIVER = ThrustPi()
