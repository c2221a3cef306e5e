"""Input files: valid ones of every kind, what can be damaged in them, and things that are no files."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.hostile.values import NUMBERS, TEXTS
from tests.plots.door import MUTATIONS

Document = dict[str, Any]
NETWORK = "a b 5 50\nb a 7 60\nb c 3 30\nc a 4 70\n"
PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079\n"
DESIGN = "clients,utilisation\n7,0.5\n9,0.75\n"
MASK = "X??.\n????\n.O??\n"
SITE_COUNTS = "0\n3\n1\n6\n3\n"
#: Addition in TPDB's format, with terms in lines and in binary.
NATURAL = "(VAR x y)\n(RULES +(0, y) -> y\n +(s(x), y) -> s(+(x, y))\n eq(x, x) -> 0)\n(SIG (pair 2))\n"
TERMS = b"+(s(0), s(s(0)))\neq(s(0), +(0, s(0)))\npair(0, 0)\n"
BINARY_TERMS = b"".join(
    (
        b"LSTERMS1" + (2).to_bytes(4, "little"),
        b"\0\0\0\0\x01\0\0\x000" + b"\x01\0\0\0\x01\0\0\0s",
        (2).to_bytes(8, "little") + b"\0\0\0\0" + b"\x01\0\0\0\0\0\0\0",
        (1).to_bytes(8, "little") + b"\x01\0\0\0",
    )
)
LINES = "devices\nlist\ngrids --width 3 --height 2 --occupied 2\n"
SOURCE = "__global__ void f(int* a) {\n    // @warp: begin\n    a[0] += 1;\n    // @warp: end\n}\n"
CUDA = (
    "__global__ void f(int* a) { *a = 1; }\nint main() {\n    int* a;\n    cudaMalloc(&a, 4);\n    f<<<1, 1>>>(a);\n}\n"
)
DRAW = '{"repository": "", "commit": "", "folders": "src/*-cuda", "seed": 1, "count": 0, "programs": {}}\n'
#: Rows of a results file that takes part. More would only take time.
ROWS = 12


@dataclass(frozen=True)
class Stock:
    """The valid inputs, from the tree under test."""

    tree: Path
    slug: str

    def valid(self, kind: str, chance: random.Random) -> bytes:
        make: dict[str, Callable[[random.Random], bytes]] = {
            "system": lambda _: chance.choice(self.systems),
            "portable": lambda _: chance.choice([text for text in self.systems if b"Int64" not in text]),
            "natural": lambda _: NATURAL.encode(),
            "terms": lambda _: chance.choice((TERMS, BINARY_TERMS)),
            "source": lambda _: chance.choice((SOURCE.encode(), self.annotated)),
            "cuda": lambda _: CUDA.encode(),
            "draw": lambda _: DRAW.encode(),
            "network": lambda _: chance.choice((NETWORK.encode(), self.map)),
            "puzzles": lambda _: (PUZZLE * chance.randint(1, 3)).encode(),
            "design": lambda _: DESIGN.encode(),
            "mask": lambda _: MASK.encode(),
            "counts": lambda _: SITE_COUNTS.encode(),
            "lines": lambda _: LINES.encode(),
            "results": lambda _: dumped(self.results(chance)),
            "old": lambda _: chance.choice(self.old),
            "sweeps": lambda _: self.sweeps,
            "expected": lambda _: self.expected,
            "traces": lambda _: chance.choice(self.traces),
        }
        return make[kind](chance)

    @cached_property
    def map(self) -> bytes:
        return (self.tree / "examples/object_layout/harbour.osm").read_bytes()

    @cached_property
    def systems(self) -> list[bytes]:
        paths = sorted((self.tree / "experiments/term_rewriting/systems").iterdir())
        texts = [path.read_bytes() for path in paths if path.stat().st_size < 20_000]
        texts = [text for text in texts if not text.startswith(b"(")]  # TPDB's format has no input terms
        return [text for text in texts if b"#include" not in text and not re.search(rb"REC-SPEC[^\n]*:", text)]

    @cached_property
    def annotated(self) -> bytes:
        return (self.tree / "kernels/replications/warps_annotated.cu").read_bytes()

    @cached_property
    def sweeps(self) -> bytes:
        return (self.tree / "experiments/random_grids/sweeps.json").read_bytes()

    @cached_property
    def expected(self) -> bytes:
        return (self.tree / "results/expected/random_grids.txt").read_bytes()

    @cached_property
    def traces(self) -> list[bytes]:
        paths = sorted((self.tree / "results/schematics").glob("*.json"), key=lambda path: path.stat().st_size)
        return [path.read_bytes() for path in paths[:2]]

    @cached_property
    def old(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted((self.tree / "tests/expected/schema1").glob("*.json"))]

    @cached_property
    def whole_results(self) -> str:
        return (self.tree / "tests/plots/results/imaginary-gpu-x/random_grids.json").read_text(encoding="utf-8")

    def results(self, chance: random.Random) -> Document:
        document: Document = json.loads(self.whole_results)
        cases = document["cases"]
        document["cases"] = [cases[index] for index in sorted(chance.sample(range(len(cases)), ROWS))]
        for row in document["cases"]:
            row["date"] = "2026-01-02T03:04:05+00:00"
        parts = chance.choice((2, 3))  # of three shards
        row = document["cases"][0]
        document["cases"] += [row | {"name": f"{row['name']}/shard:{i}of3", "shard": f"{i}/3"} for i in range(parts)]
        return document

    def measured_here(self, chance: random.Random, experiment: str) -> Document:
        """Results of this device and this experiment, to which a run adds rows."""
        document = self.results(chance)
        document["context"]["device"] |= {"slug": self.slug}
        for row in document["cases"]:
            row["experiment"] = experiment
            row["name"] = row["name"].replace("random_grids", experiment, 1)
        return document


def dumped(document: Any) -> bytes:
    return json.dumps(document).encode("utf-8", "surrogatepass")


def is_json(kind: str) -> bool:
    return kind in ("results", "old", "sweeps", "traces")


# Damages. Each returns the new content, and whether no reader can accept it.


def truncated(content: bytes, kind: str, chance: random.Random) -> tuple[bytes, bool]:
    cut = content[: chance.randrange(max(1, len(content.rstrip()) - 1))]
    return cut, is_json(kind)


def flipped(content: bytes, _: str, chance: random.Random) -> tuple[bytes, bool]:
    damaged = bytearray(content or b"x")
    for _number in range(chance.choice((1, 1, 2, 20))):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged), False


def inserted(content: bytes, _: str, chance: random.Random) -> tuple[bytes, bool]:
    place = chance.randrange(len(content) + 1)
    piece = chance.choice(
        (b"\0", b"\xff\xfe", b"\xef\xbb\xbf", *TEXTS, b"a" * 1_000_000, b"\n" * 100_000, b"\0" * 100_000)
    )
    return content[:place] + piece + content[place:], False


def nested(content: bytes, kind: str, chance: random.Random) -> tuple[bytes, bool]:
    depth = chance.choice((10, 65, 1000, 100_000))
    opening, closing = chance.choice(
        ((b"[", b"]"), (b"(", b")"), (b'{"a":', b"}"), (b"{", b"}"), (b"s(", b")"), (b"/*", b"*/"))
    )
    place = chance.randrange(len(content) + 1) if chance.random() < 0.5 else 0
    return content[:place] + opening * depth + closing * depth + content[place:], is_json(kind) and place == 0


def renumbered(content: bytes, _: str, chance: random.Random) -> tuple[bytes, bool]:
    """A number of the file becomes a hostile one."""
    starts = [place for place, letter in enumerate(content) if 48 <= letter <= 57]
    if not starts:
        return inserted(content, _, chance)
    start = end = chance.choice(starts)
    while end < len(content) and 48 <= content[end] <= 57:
        end += 1
    return content[:start] + chance.choice(NUMBERS).encode() + content[end:], False


def reworded(content: bytes, _: str, chance: random.Random) -> tuple[bytes, bool]:
    """A word of the file becomes a hostile text."""
    words = content.split(b" ")
    words[chance.randrange(len(words))] = chance.choice(TEXTS)
    return b" ".join(words), False


def repeated(content: bytes, _: str, chance: random.Random) -> tuple[bytes, bool]:
    lines = content.splitlines(keepends=True) or [b"x"]
    place = chance.randrange(len(lines))
    count = chance.choice((1, 2, 1000))
    return b"".join(lines[:place] + lines[place : place + 1] * count + lines[place:])[:4_000_000], False


def emptied(_: bytes, kind: str, chance: random.Random) -> tuple[bytes, bool]:
    return chance.choice((b"", b"\n", b" ", b"\0", b"\xff", b"null", b"[]", b"{}", b"0")), is_json(kind)


def revalued(content: bytes, kind: str, chance: random.Random) -> tuple[bytes, bool]:
    """A value of a JSON document becomes one of another type or size, or disappears."""
    if not is_json(kind):
        return renumbered(content, kind, chance)
    try:
        document = json.loads(content)
        for _number in range(chance.choice((1, 1, 1, 3))):
            chance.choice(MUTATIONS)(document, chance)
        return dumped(document), False
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):  # damaged before, or without rows
        return flipped(content, kind, chance)


Damage = Callable[[bytes, str, random.Random], tuple[bytes, bool]]
DAMAGES: Sequence[Damage] = (
    *(truncated, flipped, inserted, nested, renumbered, reworded, repeated, emptied),
    *(revalued, revalued, revalued),
)

# Things that are no files. Each makes one at the path; a program that reads from there must say no.


def fifo(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def missing(path: Path) -> None:
    del path


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def unreadable(path: Path) -> None:
    path.write_bytes(b"x")
    path.chmod(0)


def large(path: Path) -> None:
    """Larger than every limit of a kind, without taking space."""
    with path.open("wb") as file:
        file.truncate(1100 << 20)


NO_FILES: Sequence[Callable[[Path], None]] = (fifo, folder, endless, missing, loop, dangling, unreadable, large)
