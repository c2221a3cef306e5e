"""Job arrays by Thrust's stable_sort_by_key, as in the CUDA Toolkit (thrust_sort/main.cu).

Same work: from class tags on the device to a job array in which each class starts at a multiple of 32. The tags have
the distribution of ours and other values. Our variant `jobs_sorted` uses CUB's radix sort, which is therefore no peer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from baselines.peers.programs import compile_program, nvcc_command, required_gpu, run_program
from processes.driver import Place, Reading

#: Elements and types of the sweep figure9. 100 000 elements are the default.
CASES = [(100_000, 100), (1_000_000, 100), (10_000_000, 100), (1_000_000, 1000), (10_000_000, 1000)]


class ThrustSort:
    name = "thrust_sort"
    description = "job arrays by Thrust's stable sort, searches, scan and scatter"

    def build(self, place: Place) -> None:
        source = Path(__file__).with_suffix("") / "main.cu"
        options = ("-std=c++17", "--extended-lambda")
        compile_program(place.folder / self.name, nvcc_command(place, *options), [source])

    def readings(self, place: Place) -> Iterator[Reading]:
        required_gpu(place)
        for elements, types in CASES:
            axes = {"program": "jobs", "types": str(types)}
            if elements != 100_000:
                axes["elements"] = str(elements)
            samples = run_program(place.folder / self.name, elements, types)
            yield Reading(
                variant=self.name,
                machine="cuda",
                version=samples.version,
                axes=axes,
                seconds=samples.seconds,
                items=elements,
                verified=samples.verified,
                timer="events",
                note="temporary memory is kept from run to run",
            )


DRIVER = ThrustSort()
