"""The share of the machine that each process has: one GPU and two cores.

Programs start a thread per core. Without shares, the threads of many processes compete for the same cores.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

CORES = 2


@dataclass(frozen=True)
class Share:
    gpu: str  # as CUDA_VISIBLE_DEVICES names it; empty: any
    cores: tuple[int, ...]

    def command(self, words: Sequence[str]) -> list[str]:
        """The command on these cores only, if there is a program that arranges it."""
        if shutil.which("taskset") is None:
            return list(words)
        return ["taskset", "--cpu-list", ",".join(map(str, self.cores)), *words]

    def environment(self) -> dict[str, str]:
        return {"CUDA_VISIBLE_DEVICES": self.gpu} if self.gpu else {}


def shares(processes: int) -> list[Share]:
    """One per process. GPUs and cores are dealt out in turn."""
    gpus = visible_gpus() or [""]
    cores = sorted(os.sched_getaffinity(0))
    return [
        Share(
            gpus[i % len(gpus)],
            tuple(sorted({cores[(CORES * i + j) % len(cores)] for j in range(CORES)})),
        )
        for i in range(processes)
    ]


def visible_gpus() -> list[str]:
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        return [name for name in named.split(",") if name]
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return []
    return [str(i) for i, line in enumerate(line for line in listed.splitlines() if line.startswith("GPU "))]
