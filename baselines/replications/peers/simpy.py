"""SimPy: the M/M/1 queue in pure Python, on one core, as a user of SimPy writes it.

SimPy is installed from PyPI into the peer's folder (pip install simpy). One process makes customers and puts them into a Store, another
one takes and serves them. Each replication is an environment of its own with its own `random.Random`. The clock runs around all
replications.
"""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from baselines.replications.peers._queue import CLIENTS, UTILISATION, axes, check, verified
from processes.driver import Place, Reading, Skipped, sample

REPLICATIONS = (1, 4)
REQUIREMENT = "simpy==4.1.2"


def replicate(simpy: Any, seed: int) -> tuple[int, float]:
    """Customers served and the sum of their times in the system."""
    environment = simpy.Environment()
    queue = simpy.Store(environment)
    draw = random.Random(seed)
    served, in_system = 0, 0.0

    def arrivals() -> Iterator[Any]:
        for _ in range(CLIENTS):
            yield environment.timeout(draw.expovariate(UTILISATION))
            yield queue.put(environment.now)

    def server() -> Iterator[Any]:
        nonlocal served, in_system
        while True:
            arrival = yield queue.get()
            yield environment.timeout(draw.expovariate(1.0))
            in_system += environment.now - arrival
            served += 1

    environment.process(arrivals())
    environment.process(server())
    environment.run()
    return served, in_system


class Simpy:
    name = "simpy"
    description = "M/M/1 on SimPy, pure Python, on one core"

    def build(self, place: Place) -> None:
        if (place.folder / "simpy").is_dir():
            return
        pip = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--target",
            str(place.folder),
            REQUIREMENT,
        ]
        done = subprocess.run(pip, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Skipped(f"pip install {REQUIREMENT} fails: {done.stderr.strip()[-300:]}")

    def readings(self, place: Place) -> Iterator[Reading]:
        sys.path.insert(0, str(place.folder))
        try:
            simpy = importlib.import_module("simpy")
        except ImportError as missing:
            raise Skipped(f"SimPy is not in {place.folder.name}") from missing
        finally:
            sys.path.remove(str(place.folder))
        for replications in REPLICATIONS:
            yield self.reading(simpy, replications)

    def reading(self, simpy: Any, replications: int) -> Reading:
        seeds = random.Random(1)

        def run() -> float:
            start = time.perf_counter()
            results = [replicate(simpy, seeds.getrandbits(64)) for _ in range(replications)]
            seconds = time.perf_counter() - start
            served = sum(count for count, _ in results)
            check(replications, served, sum(total for _, total in results) / served)
            return seconds

        return Reading(
            variant=self.name,
            machine="cpu",
            version=f"SimPy {simpy.__version__}, Python {sys.version.split()[0]}",
            axes=axes(replications),
            seconds=sample(run),
            items=replications * CLIENTS,
            verified=verified(replications),
            timer="steady clock",
            note="one core; event-driven processes and another random-number generator; sums the time in the system alone",
        )


DRIVER = Simpy()
