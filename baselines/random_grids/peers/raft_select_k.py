"""RAFT's matrix::select_k (https://github.com/rapidsai/raft, tried with 26.10.0).

Same work: boards of exactly k occupied sites, one bit per site. A key per site comes from cuRAND's Philox, RAFT selects
the sites of the k smallest keys, and a kernel sets their bits (raft_select_k/main.cu). Temporary memory comes from
RAFT's pool. RAFT's headers need those of RMM and of CCCL 3.5. NVIDIA's wheels have all of them:

    python3 -m pip install --no-deps --target PATH libraft-cu13==26.10.0 librmm-cu13==26.10.0 rapids-logger==0.3.0
    ./lockstep peers random_grids --only raft_select_k --checkout raft_select_k=PATH

Keys are 24-bit floats, so a tie at the k-th key makes the draw very slightly uneven.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from baselines.peers.programs import compile_program, nvcc_command, required_checkout, required_gpu, run_program
from baselines.random_grids.peers._boards import ON_A_GPU
from processes.driver import Place, Reading


class RaftSelectK:
    name = "raft_select_k"
    description = "random keys and RAFT's select_k"

    def build(self, place: Place) -> None:
        tree = required_checkout(
            place, self.name, "librmm/include/rmm", "the wheels libraft-cu13, librmm-cu13 and rapids-logger, unpacked"
        )
        # RMM comes with the CCCL that it needs, which must precede the toolkit's.
        folders = ("librmm/include/rapids", "libraft/include", "librmm/include", "rapids_logger/include")
        options = [f"-I{tree / folder}" for folder in folders]
        libraries = [tree / "librmm/lib64/librmm.so", tree / "rapids_logger/lib64/librapids_logger.so"]
        place.folder.mkdir(parents=True, exist_ok=True)
        for library in libraries:
            shutil.copy(library, place.folder / library.name)
            options.append(str(library))
        options += ["-Xlinker", "-rpath,$ORIGIN"]
        command = nvcc_command(place, "-std=c++20", "--expt-relaxed-constexpr", "--extended-lambda", *options)
        # RMM's library uses the C++ runtime library of the machine, and exceptions must cross the two.
        shared = [option for option in command if not option.startswith("-static-lib") and option != "-Xcompiler"]
        compile_program(place.folder / self.name, shared, [Path(__file__).with_suffix("") / "main.cu"])
        version = (tree / "libraft/VERSION").read_text(encoding="utf-8").strip()
        (place.folder / "version.txt").write_text(f"RAFT {version}", encoding="utf-8")

    def readings(self, place: Place) -> Iterator[Reading]:
        required_gpu(place)
        for case in ON_A_GPU:
            samples = run_program(place.folder / self.name, case.sites, case.count)
            yield Reading(
                variant=self.name,
                machine="cuda",
                version=(place.folder / "version.txt").read_text(encoding="utf-8"),
                axes=case.axes,
                seconds=samples.seconds,
                items=case.count,
                verified=samples.verified,
                timer="events",
                note="keys from cuRAND's Philox4x32-10",
            )


DRIVER = RaftSelectK()
