"""Haskell: the system as a program of GHC with -O2, written by _haskell.py.

A sort becomes a strict data type, a defined symbol a strict function, and the rules of a symbol its clauses, in their order. So the
program evaluates arguments first and makes the same rewrites as one_core, on one core, up to what GHC computes at compile time: chains
of constants, such as the letters of the transformation tree, become their last one. The program does not count rewrites. Two options
keep GHC from less work: -fno-full-laziness from storing the value of a closed term for all later rewrites, and -fno-cse from merging
functions with equal rules and then their calls. The nursery is 64 MiB (+RTS -A64m); all else of the run-time system has its defaults.
The clock runs from the input in the heap to the normal form; a full collection comes before each sample. GHC is Debian's or Ubuntu's
package ghc. The programs are linked statically, so that they run on a machine without GHC.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from baselines.term_rewriting.peers._haskell import haskell
from baselines.term_rewriting.peers._system import read_system
from baselines.term_rewriting.peers._workloads import (
    Failures,
    Worker,
    Workload,
    by_depth,
    by_elements,
    called,
    emitted,
    expected,
    prepare,
    split,
    verified,
)
from processes.driver import Place, Reading, Skipped, sample

SOURCES = Path(__file__).with_suffix("")
WORKLOADS = (
    by_depth("transformation_tree", 22),
    by_depth("tree_merge_sort", 17),
    by_depth("binary_fibonacci", 26),
    by_elements("queens", 8),
)
OPTIONS = "-O2 -fno-full-laziness -fno-cse -fno-stg-cse -w -rtsopts -optl-static -optl-pthread -optl-s".split()


def program(text: str) -> str:
    return (SOURCES / "head.hs").read_text() + text + (SOURCES / "main.hs").read_text()


class Ghc:
    name = "ghc"
    description = "strict Haskell, native code of GHC -O2, on one core"

    def build(self, place: Place) -> None:
        version = called("ghc", "--numeric-version").strip()
        for workload in WORKLOADS:
            self.compile(place, workload)
        (place.folder / "version").write_text(f"GHC {version}\n")

    def compile(self, place: Place, workload: Workload) -> None:
        output = place.folder / workload.name
        if output.is_file():
            return
        prepare(place, workload).unlink()
        output.with_suffix(".in").write_text(split(emitted(place, workload, "ocaml"))[1])
        # The rules do not depend on the size, and a small input is read faster.
        small = {axis: value if axis == "system" else "2" for axis, value in workload.axes.items()}
        system = read_system(emitted(place, Workload(small), "maude"))
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "Main.hs"
            source.write_text(program(haskell(system)))
            called("ghc", *OPTIONS, "-outputdir", folder, "-o", output, source)

    def readings(self, place: Place) -> Iterator[Reading]:
        failures = Failures()
        for workload in failures.each(WORKLOADS):
            try:
                yield self.reading(place, workload)
            except Skipped as reason:
                failures.add(workload, reason)

    def reading(self, place: Place, workload: Workload) -> Reading:
        wanted = expected(place, workload)
        output = place.folder / workload.name
        with Worker(output, output.with_suffix(".in"), "+RTS", "-A64m", "-RTS") as worker:
            seconds = sample(worker.seconds)
            return Reading(
                variant=self.name,
                machine="cpu",
                version=(place.folder / "version").read_text().strip(),
                axes=workload.axes,
                seconds=seconds,
                items=wanted.rewrites,
                verified=verified(worker, wanted),
                timer="steady clock",
                note="one core; strict data and functions",
            )


DRIVER = Ghc()
