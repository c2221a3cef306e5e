"""Cimba: the M/M/1 queue on a simulator in C that runs one replication per thread, on all cores.

Cimba 3.0.0 RC1 is https://github.com/ambonvik/cimba, commit 278eb471ce463878c844bad5984438ebc5ff4d5a (--checkout cimba=PATH). cimba/mm1.c
has the model of Cimba's own benchmark with our sizes. A customer is an object that one process puts into a queue and another one takes
out, with coroutine switches between them; our variants compute the same queue by Lindley's recursion, in whole numbers. The generator is
Cimba's own (sfc64), seeded by the hardware. The clock runs around cimba_run, which makes and joins its threads.

The program is built here without Meson, with the flags of Cimba's release build and those that its option benchopt adds, except for the
profile of a training run. It needs gcc and nasm, and is linked statically. gcc 12 has bool and static_assert in headers alone, hence
the two that are included everywhere.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from baselines.replications.peers._queue import CLIENTS, axes, check, verified
from processes.driver import Place, Reading, Skipped, sample

SOURCE = Path(__file__).with_suffix("") / "mm1.c"
#: Replications and customers of each. Cimba's own benchmark has a million customers per replication.
SIZES = ((64, CLIENTS), (1024, CLIENTS), (64, 1_000_000))
VERSION = "Cimba 3.0.0 RC1"
FLAGS = (
    "-std=c2x -include stdbool.h -include assert.h -O3 -w -D_POSIX_C_SOURCE=200809L -fno-semantic-interposition -ftls-model=initial-exec -flto=auto -fuse-linker-plugin "
    "-DNDEBUG -DNLOGINFO -DNASSERT -DNMXCSR"
).split()
#: Tables of the generators, which Cimba's own programs compute.
TABLES = {"cmi_random_exp_zig.inc": "calc_exponential.c", "cmi_random_nor_zig.inc": "calc_normal.c"}


def called(*command: str | Path) -> str:
    words = [str(word) for word in command]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError as missing:
        raise Skipped(f"{words[0]} is not installed") from missing
    except subprocess.CalledProcessError as failed:
        raise Skipped(f"{words[0]} fails: {failed.stderr.strip()[-300:]}") from failed


def compile_mm1(checkout: Path, folder: Path, output: Path) -> None:
    for table, source in TABLES.items():
        generator = folder / Path(source).stem
        called(
            "cc",
            "-w",
            "-O2",
            "-o",
            generator,
            *(checkout / "codegen" / name for name in (source, "calc_utils.c")),
            "-lm",
        )
        (folder / table).write_text(called(generator))
    port = checkout / "src" / "port" / "x86-64" / "linux"
    objects = []
    for assembly in sorted(port.glob("*.asm")):
        objects.append(folder / f"{assembly.stem}_asm.o")
        called("nasm", "-DNMXCSR", "-f", "elf64", assembly, "-o", objects[-1])
    sources = [*sorted((checkout / "src").glob("*.c")), *sorted(port.glob("*.c"))]
    includes = [f"-I{path}" for path in (folder, checkout / "include", checkout / "src")]
    called("cc", *FLAGS, *includes, "-static", "-s", "-o", output, SOURCE, *sources, *objects, "-lm", "-lpthread")


class Cimba:
    name = "cimba"
    description = "M/M/1 on Cimba, processes and queues in C, on all cores"

    def build(self, place: Place) -> None:
        output = place.folder / "mm1"
        if output.is_file():
            return
        if place.checkout is None:
            raise Skipped("needs --checkout cimba=PATH")
        with tempfile.TemporaryDirectory() as folder:
            compile_mm1(place.checkout, Path(folder), output)

    def readings(self, place: Place) -> Iterator[Reading]:
        for replications, clients in SIZES:
            yield self.reading(place, replications, clients)

    def reading(self, place: Place, replications: int, clients: int) -> Reading:
        program = place.folder / "mm1"
        if not program.is_file():
            raise Skipped("is not built")
        with subprocess.Popen(
            [program, str(clients), str(replications)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            requests, answers = process.stdin, process.stdout

            def run() -> float:
                requests.write("run\n")
                requests.flush()
                answer = answers.readline().split()
                if len(answer) != 3:
                    raise Skipped("ends without a result")
                check(replications, int(answer[1]), float(answer[2]), clients)
                return float(answer[0])

            try:
                seconds = sample(run)
            finally:
                process.kill()
        return Reading(
            variant=self.name,
            machine="cpu",
            version=VERSION,
            axes=axes(replications, clients),
            seconds=seconds,
            items=replications * clients,
            verified=verified(replications, clients),
            timer="steady clock",
            note="all cores; event-driven processes and another random-number generator; sums the time in the system alone",
        )


DRIVER = Cimba()
