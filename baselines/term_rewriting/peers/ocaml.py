"""OCaml: the system as a program of ocamlopt, which `lockstep rewrite --emit ocaml` writes.

A sort becomes a type, a defined symbol a function, and the rules of a symbol the cases of its match, in their order. OCaml evaluates
arguments first, so it makes the same rewrites as one_core, on one core. It does not count them. The clock runs from the input in
OCaml's heap to the normal form; a full collection comes before each sample. ocamlopt is Debian's or Ubuntu's package ocaml-nox. The
programs are linked statically, so that they run on a machine without OCaml.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from baselines.term_rewriting.peers._workloads import (
    DEEP,
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
    by_depth("tree_merge_sort", 18),
    by_depth("binary_fibonacci", 36),
    by_depth("binary_search", 18),
    by_depth("symbolic", 23),
    Workload({"system": "mirrors", "depth": "18", "elements": "40"}),
    by_elements("queens", 8),
    by_elements("merge_sort", 2000),
    by_elements("sieve", 10000),
    by_elements("langtons_ant", 10000),
)


class Ocaml:
    name = "ocaml"
    description = "native code of ocamlopt, on one core"

    def build(self, place: Place) -> None:
        version = called("ocamlopt", "-version").strip()
        for workload in WORKLOADS:
            self.compile(place, workload)
        (place.folder / "version").write_text(f"OCaml {version}\n")

    def compile(self, place: Place, workload: Workload) -> None:
        program = place.folder / workload.name
        if program.is_file():
            return
        prepare(place, workload).unlink()
        text, data = split(emitted(place, workload, "ocaml"))
        program.with_suffix(".in").write_text(data)
        source, clock = program.with_suffix(".ml"), place.folder / "clock.c"
        source.write_text(text + (SOURCES / "main.ml").read_text())
        clock.write_text((SOURCES / "clock.c").read_text())
        options = "-unsafe -inline 100 -w -a -ccopt -static -ccopt -s".split()
        script = 'cd "$1" && shift && exec ocamlopt "$@"'
        called(*DEEP, "bash", "-c", script, "_", place.folder, *options, "-o", program, clock.name, source.name)
        for left in place.folder.iterdir():
            if left.suffix in (".ml", ".c", ".o", ".cmi", ".cmx"):
                left.unlink()

    def readings(self, place: Place) -> Iterator[Reading]:
        failures = Failures()
        for workload in failures.each(WORKLOADS):
            try:
                yield self.reading(place, workload)
            except Skipped as reason:
                failures.add(workload, reason)

    def reading(self, place: Place, workload: Workload) -> Reading:
        wanted = expected(place, workload)
        program = place.folder / workload.name
        with Worker(program, program.with_suffix(".in")) as worker:
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
                note="one core",
            )


DRIVER = Ocaml()
