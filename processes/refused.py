"""What `lockstep emulate` refuses in the programs of public suites, by their texts: results/emulators/refused.csv.

Nothing is compiled or run. A name counts as refused if the translator refuses names like it (refused_features.cpp), and
neither the emulator's headers nor the program itself declare it. A program that is not refused may still not compile,
for a header or a library that is none of CUDA's.
"""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plots.atomic import write_text
from plots.catalog import ROOT
from plots.errors import UserError
from processes.population import SUFFIXES
from processes.taken_branches import taken

NAME = "refused.csv"
COLUMNS = ["suite", "program", "in device code", "on the host"]


@dataclass(frozen=True)
class Suite:
    """The programs are the folders that `folders` matches and that have a kernel."""

    repository: str
    commit: str  # of the clone that was scanned
    folders: str


SUITES = {
    "hecbench": Suite("zjin-lcf/HeCBench", "f27000a5188f8ac79bd43fc95a1b3f890c18823d", "src/*-cuda"),
    "cuda-samples": Suite("NVIDIA/cuda-samples", "c94ff366aed18c797b8a85dfaac7817b0228b420", "Samples/*/*"),
    "rodinia": Suite("yuhc/gpu-rodinia", "9c10d3ea16ddba2ba057cc3951a9efc4c2cc18a4", "cuda/*"),
}

FEATURE = re.compile(r'^ +\{"([^"]+)", "([^":]+)[^"]*"(?:, Follows::(\w+))?\},$', re.MULTILINE)
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
WORD = re.compile(r"[A-Za-z_]\w*")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)
QUALIFIED = re.compile(r"\b(cub|thrust)::([A-Za-z_]\w*)")
ON_DEVICE = re.compile(r"\b__(?:global|device)__\b")
#: Macros, functions with a body, structures and variables: a program's own names, which the translator never refuses.
OWN = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)"
    r"|[\w>*&]\s+\**(\w+)\s*\([^;{}()]*\)\s*\{"
    r"|\b(?:struct|class|union|enum)\s+(\w+)\s*[:{]"
    r"|^[ \t]*(?!(?:return|else|case|goto|throw|using|extern|struct|class|enum|union|delete|typename|friend|typedef"
    r"|co_return)\b)[A-Za-z_]\w*[ \t]+\**(\w+)[ \t]*(?:;|=[^=])",
    re.MULTILINE,
)
IN_DEVICE_CODE = {
    "inline PTX": re.compile(r'\b(?:asm|__asm__|__asm)\s*(?:volatile|__volatile__)?\s*\(\s*"[^"]'),
    "dynamic parallelism": re.compile(r"<<<"),
    "new in device code": re.compile(r"(?<!operator )\bnew\b(?!\s*\()"),
    "malloc in device code": re.compile(r"(?<![.>\w])(?:malloc|free)\s*\("),
}
#: What device code uses; the others are the host's.
OF_DEVICE = {
    *IN_DEVICE_CODE,
    "asynchronous barriers",
    "asynchronous copies",
    "mipmaps, gradients and gathers of textures",
    "surface references, which CUDA 12 does not have",
    "surfaces of cubemaps",
    "tensor cores",
    "texture references, which CUDA 12 does not have",
    "warp functions without _sync",
}
#: Names that only look like the feature's, because other programs have such names of their own.
OTHERS = re.compile(r"npp(?!i|s)|cub(?!$)|cuFunc(?![A-Z])")


@dataclass(frozen=True)
class Feature:
    prefix: str
    name: str
    follows: str

    def is_in(self, name: str) -> bool:
        rest = name[len(self.prefix) :]
        if not name.startswith(self.prefix) or (self.follows == "nothing" and rest):
            return False
        return self.follows != "no_letter" or not rest[:1].isalnum()


@dataclass(frozen=True)
class Scanned:
    suite: str
    program: str
    device: tuple[str, ...]
    host: tuple[str, ...]


@cache
def features() -> tuple[Feature, ...]:
    """Those of the translator."""
    text = (ROOT / "harness/simt/emulate/refused_features.cpp").read_text(encoding="utf-8")
    return tuple(Feature(*found) for found in FEATURE.findall(text))


def feature_of(name: str) -> tuple[str, ...]:
    """The first that fits, as in the translator."""
    return next(((feature.name,) for feature in features() if feature.is_in(name)), ())


@cache
def declared() -> frozenset[str]:
    """The words of the emulator's headers, and the names of those that programs include."""
    folder = ROOT / "harness/simt/cuda_api"
    # The functions without _sync are declared on request only.
    paths = [path for path in sorted(folder.glob("*.hpp")) if path.name != "warp_without_sync.hpp"]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    headers = (path for path in (folder / "include").rglob("*") if path.is_file())
    words = frozenset(word for text in texts for word in WORD.findall(text))
    # The headers use these two words for parameters, and a program for references.
    return words - {"texture", "surface"} | {str(path.relative_to(folder / "include")) for path in headers}


def without_comments(text: str) -> str:
    """Literals become empty or "x"."""

    def short(match: re.Match[str]) -> str:
        found = match[0]
        if found[0] == "/":
            return " "
        return found[0] + ("x" if len(found) > 2 else "") + found[0]

    return TOKEN.sub(short, text)


def device_code(text: str) -> Iterator[str]:
    """The bodies of the functions that have __global__ or __device__ before them."""
    behind = 0
    for match in ON_DEVICE.finditer(text):
        opens = re.compile(r"[;{=]").search(text, match.end())
        if match.start() < behind or opens is None or opens[0] != "{":
            continue
        depth, end = 1, opens.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        behind = end
        yield text[opens.start() : end]


def own_names(text: str) -> set[str]:
    return {name for names in OWN.findall(text) for name in names if name}


def refused_names(text: str, own: Collection[str] = ()) -> Iterator[str]:
    """The features of the names in a text without comments."""
    for name in {*WORD.findall(text)}:
        if name not in declared() and name not in own and not OTHERS.match(name):
            yield from feature_of(name) if name not in ("cub", "thrust") else ()
    for library, name in {*QUALIFIED.findall(text)}:
        if name not in declared():
            yield {"cub": "a part of CUB that is not declared", "thrust": "a part of Thrust that is not declared"}[
                library
            ]


def refused_headers(text: str, files: Collection[str] = ()) -> Iterator[str]:
    for header in INCLUDE.findall(text):
        if header not in declared() and header.split("/")[-1] not in files:
            yield from feature_of(header)


def scan(texts: Iterable[str], files: Collection[str] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a program uses that is refused: in device code, and on the host. `files` are the names of its own files."""
    found: set[str] = set()
    compiled = [taken(text) for text in texts]
    bare = [without_comments(text) for text in compiled]
    own = set().union(*map(own_names, bare))
    for whole, text in zip(compiled, bare):
        found.update(refused_headers(whole, files))
        found.update(refused_names(INCLUDE.sub("", text), own))
        for body in device_code(text):
            found.update(name for name, use in IN_DEVICE_CODE.items() if use.search(body))
    return tuple(sorted(found & OF_DEVICE)), tuple(sorted(found - OF_DEVICE))


def scan_suite(suite: str, checkout: Path) -> list[Scanned]:
    if suite not in SUITES:
        raise UserError(f"unknown suite {suite}", f"one of {', '.join(SUITES)}", "correct --scan")
    programs = []
    folders = SUITES[suite].folders
    for folder in sorted(path for path in checkout.glob(folders) if path.is_dir()):
        paths = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths]
        if any("__global__" in text for text in texts):
            programs.append(Scanned(suite, folder.name, *scan(texts, {path.name for path in paths})))
    if not programs:
        raise UserError(f"no program of {suite} in {checkout}", f"no folder {folders} has one", "correct --scan")
    return programs


def text_of(programs: Sequence[Scanned]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([one.suite, one.program, "; ".join(one.device), "; ".join(one.host)] for one in programs)
    return out.getvalue()


def read(path: Path) -> list[Scanned]:
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    if not rows or list(rows[0]) != COLUMNS:
        raise UserError(
            f"cannot use {path}", f"its columns are not {', '.join(COLUMNS)}", "run ./lockstep suite --scan"
        )

    def parts(text: str) -> tuple[str, ...]:
        return tuple(filter(None, text.split("; ")))

    return [Scanned(row["suite"], row["program"], parts(row[COLUMNS[2]]), parts(row[COLUMNS[3]])) for row in rows]


def run(checkouts: Sequence[tuple[str, Path]], out: Path) -> int:
    programs = [program for suite, checkout in checkouts for program in scan_suite(suite, checkout)]
    write_text(out, text_of(programs))
    print(summary(programs))
    return 0


def share(programs: Sequence[Scanned], wanted: Sequence[bool]) -> str:
    return f"{sum(wanted) / len(programs):.1%}"


def summary(programs: Sequence[Scanned]) -> str:
    device = share(programs, [not one.device for one in programs])
    whole = share(programs, [not one.device and not one.host for one in programs])
    return (
        f"Of {len(programs)} programs, {device} have device code in which nothing is refused, and {whole} "
        "use nothing that is refused on the host either."
    )


def section(path: Path) -> str:
    """The page's part about what is refused."""
    programs = read(path)
    reasons = Counter(reason for one in programs for reason in (*one.device, *one.host))
    suites = Counter(one.suite for one in programs)
    counts = [
        f"- {count} of {SUITES[suite].repository} at {SUITES[suite].commit[:12]}" for suite, count in suites.items()
    ]
    lines = [
        "",
        "## What public programs use that is refused",
        "",
        *textwrap.wrap(
            f"{summary(programs)} `./lockstep suite --scan` tells it from their texts ([{NAME}]({NAME})); nothing was "
            "compiled, and a program can also lack a header that is none of CUDA's. The programs are:",
            100,
            break_long_words=False,
        ),
        "",
        *counts,
        "",
        "| refused | programs |",
        "| --- | --- |",
        *(f"| {reason} | {count} |" for reason, count in reasons.most_common()),
    ]
    return "\n".join(lines) + "\n"
