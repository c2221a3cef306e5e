"""cuRAND's device API with Philox4x32-10, as in the CUDA Toolkit (curand/main.cu).

Same work: a result per replication, of as many draws or clients as in our cases, at the default utilisation. Pi has a
block or several per replication and adds counts by atomics; M/M/1 has a thread per replication and uses single
precision, where ours counts time in integers. Generator and streams differ from ours: each thread has a Philox
subsequence, so results depend on the launch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from baselines.peers.programs import compile_program, nvcc_command, required_gpu, run_program
from processes.driver import Place, Reading

#: Model, replications, items per replication, and axes. Defaults: 64 replications, 100 000 draws, 10 000 clients.
CASES: list[tuple[str, int, int, Mapping[str, str]]] = [
    ("pi", 1, 10_000_000, {"replications": "1", "draws": "10000000"}),
    ("pi", 64, 10_000_000, {"draws": "10000000"}),
    ("pi", 100, 10_000_000, {"replications": "100", "draws": "10000000"}),
    ("pi", 262_144, 100_000, {"replications": "262144"}),
    ("mm1", 16_384, 10_000, {"model": "mm1", "replications": "16384"}),
    ("mm1", 262_144, 10_000, {"model": "mm1", "replications": "262144"}),
]
NOTES = {
    "pi": "Philox4x32-10; results depend on the launch",
    "mm1": "Philox4x32-10; single precision, ours counts time in integers",
}


class Curand:
    name = "curand"
    description = "cuRAND's device API: Pi by blocks, M/M/1 by threads"

    def build(self, place: Place) -> None:
        source = Path(__file__).with_suffix("") / "main.cu"
        compile_program(place.folder / self.name, nvcc_command(place, "-std=c++17"), [source])

    def readings(self, place: Place) -> Iterator[Reading]:
        required_gpu(place)
        for model, replications, items, axes in CASES:
            samples = run_program(place.folder / self.name, model, replications, items)
            yield Reading(
                variant=self.name,
                machine="cuda",
                version=samples.version,
                axes=axes,
                seconds=samples.seconds,
                items=float(replications * items),
                verified=samples.verified,
                timer="events",
                note=NOTES[model],
            )


DRIVER = Curand()
