"""Maude: `reduce` of the module that `lockstep rewrite --emit maude` writes, on one core.

Maude tries rules in an order of its own and merges equal subterms of an input. So it gets systems whose rules do not overlap and whose
inputs have no equal redexes. It counts rewrites, and must count as many as one_core. Its own times have a resolution of 1 ms; a sample is
the elapsed time of one `reduce` in a process of its own. Reading the module and printing the normal form are outside. Maude is Debian's
or Ubuntu's package maude. Its program, prelude and shared libraries, with the dynamic loader, are copied, so that they run on a machine
without Maude.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from baselines.term_rewriting.peers._workloads import (
    DEEP,
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

WORKLOADS = (
    by_depth("transformation_tree", 17),
    by_depth("binary_fibonacci", 26),
    by_elements("queens", 8),
)
LOADER = "ld-linux-x86-64.so.2"
REPORT = re.compile(r"^rewrites: (\d+) in \d+ms cpu \((\d+)ms real\)", re.MULTILINE)
RESULT = re.compile(r"^result \S+: (.*)$", re.MULTILINE)


def copy_maude(folder: Path) -> None:
    found = shutil.which("maude")
    if found is None:
        raise Skipped("maude is not installed (apt-get install maude)")
    shutil.copy(found, folder / "maude")
    for library in re.findall(r"(/\S+) \(0x", called("ldd", found)):
        shutil.copy(library, folder / Path(library).name)
    shutil.copy("/usr/share/maude/prelude.maude", folder / "prelude.maude")


def spelled(normal_form: str) -> str:
    """Maude's normal form in Lockstep's spelling; see maude_name in emit_maude.cpp."""
    text = normal_form.replace(" ", "")
    text = re.sub(r"-r(?=[(),]|$)", "", text)
    return text.replace("-u", "_").replace("-q", "'").replace("-d", '"')


class Maude:
    name = "maude"
    description = "`reduce` of Maude, on one core"

    def build(self, place: Place) -> None:
        place.folder.mkdir(parents=True, exist_ok=True)
        if not (place.folder / "maude").is_file():
            copy_maude(place.folder)
        for workload in WORKLOADS:
            source = place.folder / f"{workload.name}.maude"
            if not source.is_file():
                prepare(place, workload).unlink()
                source.write_text(emitted(place, workload, "maude"))
        (place.folder / "version").write_text(f"Maude {called('maude', '--version').strip()}\n")

    def readings(self, place: Place) -> Iterator[Reading]:
        failures = Failures()
        for workload in failures.each(WORKLOADS):
            try:
                yield self.reading(place, workload)
            except Skipped as reason:
                failures.add(workload, reason)

    def reduced(self, place: Place, workload: Workload) -> str:
        folder = place.folder.resolve()
        options = "-no-banner -no-wrap -no-advise -batch".split()
        run: list[str | Path] = [
            folder / LOADER,
            "--library-path",
            folder,
            folder / "maude",
            *options,
            folder / f"{workload.name}.maude",
        ]
        return called("env", f"MAUDE_LIB={folder}", *DEEP, *run, limit=60)

    def reading(self, place: Place, workload: Workload) -> Reading:
        wanted = expected(place, workload)
        outputs: list[str] = []

        def run() -> float:
            outputs.append(self.reduced(place, workload))
            report = REPORT.search(outputs[-1])
            if report is None:
                raise Skipped("prints no rewrites")
            if int(report.group(1)) != wanted.rewrites:
                raise Skipped(f"counts {report.group(1)} rewrites, one_core {wanted.rewrites}")
            del outputs[:-1]
            return int(report.group(2)) / 1000

        seconds = sample(run)
        result = RESULT.search(outputs[-1])
        text = spelled(result.group(1)) + "\n" if result else ""
        if hashlib.sha256(text.encode()).hexdigest() != wanted.digest:
            raise Skipped("its normal form differs from that of one_core")
        return Reading(
            variant=self.name,
            machine="cpu",
            version=(place.folder / "version").read_text().strip(),
            axes=workload.axes,
            seconds=seconds,
            items=wanted.rewrites,
            verified=f"{wanted.check}, with as many rewrites",
            timer="steady clock",
            note="one core; times have a resolution of 1 ms",
        )


DRIVER = Maude()
