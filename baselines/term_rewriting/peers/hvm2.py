"""HVM2: the system as an interaction net, on HVM2's C runtime (all cores) and its CUDA runtime (one GPU).

HVM2 2.0.22 is https://github.com/HigherOrderCO/HVM, commit 654276018084b8f44a22b562dd68ab18583bfb5b (--checkout hvm2=PATH). Its parser
needs the crate TSPL 0.0.13, https://github.com/HigherOrderCO/TSPL, commit dd051df04304671ed2766a4762f61a22fb8fa440, as the folder TSPL in
that checkout. rustc compiles both without cargo, which would download a command line as well.

_hvm.py writes the net from the rules. A rewrite takes 2 to 10 interactions. `items` are rewrites, as in every row of this experiment.
The result is a checksum of the normal form, which must be that of one_core's. The checksum is part of the time: a net evaluates only what
is asked for. The clock runs from the call of @main to the result. The runtimes print two decimals of a second, and the CUDA runtime takes
the processor's time; the driver changes both to the steady clock with nanoseconds before it compiles them, and frees the memory of a run.
The C runtime's threads are fixed when it is compiled. It is compiled for 1, 4, 8 and 16 of them, since its threads wait
actively for one another and more of them are often slower; the row is the fastest number's in three runs of each. It is
compiled with the net's functions (`hvm gen-c`). The CUDA runtime interprets the net, as `hvm gen-cu` does.

Which sizes: numbers have 24 bits, so results are sums modulo 2^24. A net has at most 2^29 nodes. The input is part of the net, a
definition has at most 64 nodes in the CUDA runtime and 4095 in the C runtime, and there are at most 2^14 definitions. So the random lists
of tree merge sort do not fit, and inputs are terms of a few dozen symbols. binary_fibonacci 36 would have up to 2^25 calls in flight,
each of several nodes and duplicators that copy its numerals, so it is run at depth 26. The transformation tree is run at depth 22 on a
GPU alone, because it takes the C runtime seconds. After 30 seconds, all runs of a workload on a GPU are ended.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from baselines.peers.programs import WrongResult
from baselines.term_rewriting.peers._hvm import checksum, net
from baselines.term_rewriting.peers._system import read_system
from baselines.term_rewriting.peers._workloads import (
    Expected,
    Failures,
    Workload,
    by_depth,
    by_elements,
    called,
    emitted,
    expected,
    prepare,
)
from processes.driver import Place, Reading, Skipped, sample

SOURCES = Path(__file__).with_suffix("")
SMALL = (by_depth("transformation_tree", 17), by_depth("binary_fibonacci", 26), by_elements("queens", 8))
LARGE = by_depth("transformation_tree", 22)
WORKLOADS = {"cpu": SMALL, "cuda": (LARGE, *SMALL)}
THREADS_LOG2 = (0, 2, 3, 4)
TRIALS = 3
RUSTC = ("rustc", "--edition", "2021", "-O", "-A", "warnings")
#: Makes both runtimes print the elapsed time in full, and the CUDA runtime measure it.
CHANGES = {
    "clock_t start = clock();": "u64 start = time64();",
    "clock_t end = clock();": "u64 end = time64();",
    "((double)(end - start)) / CLOCKS_PER_SEC": "(double)(end - start) / 1e9",
    "TIME: %.2fs": "TIME: %.9fs",
}
FREED = (
    '  printf("- MIPS: %.2f\\n", (double)gnet_get_itrs(gnet) / duration / 1000000.0);\n',
    "  cudaFree(gnet);\n  free(book);\n",
)
#: Seconds for all runs of a workload on the GPU: a net that does not end must not use up the machine.
GPU_LIMIT = 30
RESULT = re.compile(r"Result: (\d+)")
SECONDS = re.compile(r"- TIME: ([\d.]+)s")


def changed(runtime: Path) -> str:
    text = runtime.read_text()
    for old, new in CHANGES.items():
        text = text.replace(old, new)
    return text.replace(FREED[0], "".join(FREED))


def seconds_of(text: str, wanted: int) -> float:
    """The time that a run printed, if its result is right."""
    result, seconds = RESULT.search(text), SECONDS.search(text)
    if result is None or seconds is None:
        raise Skipped(f"prints no result: {text.strip()[-200:] or 'nothing'}")
    if int(result.group(1)) != wanted:
        raise WrongResult(f"its result is {result.group(1)}, not {wanted}")
    return float(seconds.group(1))


def compiled_for(place: Place, workload: Workload, log2: int) -> Path:
    return place.folder / f"{workload.name}-{1 << log2}_threads"


class Hvm2:
    name = "hvm2"
    description = "interaction nets on HVM2's C and CUDA runtimes"

    def build(self, place: Place) -> None:
        if (place.folder / "version").is_file():
            return
        if place.checkout is None or not (place.checkout / "TSPL" / "src" / "lib.rs").is_file():
            raise Skipped("needs --checkout hvm2=PATH, with TSPL as the folder TSPL in it")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            front = self.front(place.checkout, folder)
            (folder / "runtime.c").write_text(changed(place.checkout / "src" / "hvm.c"))
            (folder / "runtime.cu").write_text(changed(place.checkout / "src" / "hvm.cu"))
            for workload in (LARGE, *SMALL):
                self.compile(place, workload, front, folder)
            if place.nvcc is not None:
                (folder / "main.cu").write_text((SOURCES / "main.cu").read_text())
                target = f"-gencode=arch=compute_{place.architecture},code=sm_{place.architecture}"
                output = place.folder / "hvm_cuda"
                called(place.nvcc, "-std=c++17", "-O3", "-w", target, "-o", output, folder / "main.cu")
                called("strip", output)
        found = re.search(r'^version = "(.*)"', (place.checkout / "Cargo.toml").read_text(), re.MULTILINE)
        (place.folder / "version").write_text(f"HVM2 {found.group(1) if found else 'of unknown version'}\n")

    def front(self, checkout: Path, folder: Path) -> Path:
        """Compiles HVM2's parser and code generator, and our front end."""
        libraries: list[str] = []
        for crate, source in (
            ("highlight_error", SOURCES / "highlight_error.rs"),
            ("TSPL", checkout / "TSPL" / "src" / "lib.rs"),
            ("hvm", checkout / "src" / "lib.rs"),
        ):
            known = ["-L", str(folder), *libraries]
            output = folder / f"lib{crate}.rlib"
            called(*RUSTC, "--crate-type", "rlib", "--crate-name", crate, *known, "-o", output, source)
            libraries += ["--extern", f"{crate}={output}"]
        called(*RUSTC, "-L", folder, *libraries, "-o", folder / "front", SOURCES / "front.rs")
        return folder / "front"

    def compile(self, place: Place, workload: Workload, front: Path, folder: Path) -> None:
        normal_form = prepare(place, workload)
        system = read_system(emitted(place, workload, "maude"))
        stem = place.folder / workload.name
        stem.with_suffix(".sum").write_text(f"{checksum(system, normal_form.read_text())}\n")
        normal_form.unlink()
        written = folder / f"{workload.name}.hvm"
        written.write_text(net(system))
        with stem.with_suffix(".book").open("wb") as book:
            subprocess.run([front, "book", written], stdout=book, check=True)
        source = written.with_suffix(".c")
        for log2 in THREADS_LOG2:
            with source.open("wb") as text:
                subprocess.run([front, "c", written, folder / "runtime.c", str(log2)], stdout=text, check=True)
            program = compiled_for(place, workload, log2)
            called("cc", "-O3", "-w", "-static", "-s", "-o", program, source, "-lm", "-lpthread")

    def readings(self, place: Place) -> Iterator[Reading]:
        failures = Failures()
        machines = ("cpu", "cuda") if place.has_gpu else ("cpu",)
        for machine, workload in failures.each((machine, one) for machine in machines for one in WORKLOADS[machine]):
            try:
                yield self.reading(place, workload, machine)
            except Skipped as reason:
                failures.add(workload, Skipped(f"{machine}: {reason}"))

    def reading(self, place: Place, workload: Workload, machine: str) -> Reading:
        wanted = expected(place, workload)
        if machine == "cuda":
            return self.row(workload, place, machine, wanted, self.on_gpu(place, workload), "the net is interpreted")
        threads, seconds = self.on_cpu(place, workload)
        return self.row(
            workload, place, machine, wanted, seconds, f"compiled, {threads} {'thread' if threads == 1 else 'threads'}"
        )

    def wanted_sum(self, place: Place, workload: Workload) -> int:
        return int((place.folder / f"{workload.name}.sum").read_text())

    def on_cpu(self, place: Place, workload: Workload) -> tuple[int, list[float]]:
        """The fastest number of threads, and its samples."""
        wanted = self.wanted_sum(place, workload)

        def run(log2: int) -> float:
            return seconds_of(called(compiled_for(place, workload, log2), limit=60), wanted)

        fastest = min(THREADS_LOG2, key=lambda log2: min(run(log2) for _ in range(TRIALS)))
        return 1 << fastest, sample(lambda: run(fastest))

    def on_gpu(self, place: Place, workload: Workload) -> list[float]:
        program = place.folder / "hvm_cuda"
        if not program.is_file():
            raise Skipped("the CUDA runtime is not built (no nvcc)")
        wanted = self.wanted_sum(place, workload)
        with subprocess.Popen(
            ["timeout", str(GPU_LIMIT), program, place.folder / f"{workload.name}.book"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            requests, answers = process.stdin, process.stdout

            def run() -> float:
                requests.write("run\n")
                requests.flush()
                lines: list[str] = []
                while (line := answers.readline()) not in ("", "End\n"):
                    lines.append(line)
                return seconds_of("".join(lines), wanted)

            try:
                return sample(run)
            except OSError as broken:
                raise Skipped("ends before its time") from broken
            finally:
                process.kill()

    def row(
        self, workload: Workload, place: Place, machine: str, wanted: Expected, seconds: list[float], how: str
    ) -> Reading:
        return Reading(
            variant=self.name,
            machine=machine,
            version=(place.folder / "version").read_text().strip(),
            axes=workload.axes,
            seconds=seconds,
            items=wanted.rewrites,
            verified="own check: the checksum of the normal form is that of one_core's",
            timer="steady clock",
            note=f"{how}; includes a checksum of the normal form",
        )


DRIVER = Hvm2()
