"""CUB's DeviceBatchedTopK (https://github.com/NVIDIA/cccl, 3.5 or later, tried with 3.6.0 at 571f2fc).

Same work: boards of exactly k occupied sites, one bit per site. A key per site comes from cuRAND's Philox, CUB selects
the sites of the k smallest keys, and a kernel sets their bits (cub_topk/main.cu). CUDA 13.0 has CCCL 3.0.1, which has
no top-k, so a checkout is needed: `--checkout cub_topk=PATH`. Keys are 24-bit floats, so a tie at the k-th key makes
the draw very slightly uneven.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from baselines.peers.programs import compile_program, nvcc_command, required_checkout, required_gpu, run_program
from baselines.random_grids.peers._boards import ON_A_GPU
from processes.driver import Place, Reading


class CubTopk:
    name = "cub_topk"
    description = "random keys and cub::DeviceBatchedTopK"

    def build(self, place: Place) -> None:
        tree = required_checkout(
            place, self.name, "cub/cub/device/device_batched_topk.cuh", "https://github.com/NVIDIA/cccl, 3.5 or later"
        )
        include = [f"-I{tree / folder}" for folder in ("cub", "thrust", "libcudacxx/include")]
        source = Path(__file__).with_suffix("") / "main.cu"
        compile_program(place.folder / self.name, nvcc_command(place, "-std=c++20", *include), [source])

    def readings(self, place: Place) -> Iterator[Reading]:
        required_gpu(place)
        for case in ON_A_GPU:
            samples = run_program(place.folder / self.name, case.sites, case.count)
            yield Reading(
                variant=self.name,
                machine="cuda",
                version=samples.version,
                axes=case.axes,
                seconds=samples.seconds,
                items=case.count,
                verified=samples.verified,
                timer="events",
                note="keys from cuRAND's Philox4x32-10",
            )


DRIVER = CubTopk()
