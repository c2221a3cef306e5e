"""Compares our CPU rewriter with native OCaml and Maude in one run: `python3 -m experiments.term_rewriting.peers`.

Each tool gets the same system and input from `lockstep rewrite --emit`. The number of rewrites is ours; Maude counts the same. Times
cover rewriting alone, after the input has been read. OCaml and Maude report processor time. Elapsed time on a busy machine is
meaningful only if the tools have priority over everything else (`chrt -f 50 python3 -m ...`, as root).

The order of the tools changes every round, so that what one tool leaves behind, such as pages that the host of a virtual machine
takes back, affects every other tool. Maude merges equal subterms of an input, so its trees are grown by rules. A tool that is not
installed is skipped, with the reason. `--into FILE` appends every reading to a CSV file; peers_table.py writes a page from it.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from experiments.term_rewriting.peers_table import (
    BARS,
    Reading,
    elapsed,
    from_csv,
    processor,
    seconds_of,
    span,
    to_csv,
)
from plots.atomic import write_text

SYSTEMS = Path(__file__).parent / "systems"
DEEP = "ulimit -s unlimited 2>/dev/null; "


class Skipped(Exception):
    """Says why a tool is not measured."""


def number(value: int) -> str:
    return "S(" * value + "Zero" + ")" * value


def sort_of(values: list[int]) -> str:
    return "Sort(" + "".join(f"Cons({number(v)}," for v in values) + "Nil" + ")" * (len(values) + 1)


def rules(name: str) -> str:
    """The text of a system of the paper, without its input."""
    text = (SYSTEMS / f"{name}.trs").read_text()
    return text[: text.index("\nInput ")] + "\n"


def transformation_tree(depth: int) -> str:
    return rules("transformation_tree") + "input Expand(" + "Suc(" * depth + "Zero" + ")" * (depth + 1) + ";\n"


def tree_merge_sort(depth: int, elements: int) -> str:
    source = random.Random(1)
    level = []
    for _ in range(1 << depth):
        values = list(range(elements))
        source.shuffle(values)
        level.append(f"Leaf({sort_of(values)})")
    while len(level) > 1:
        level = [f"Node({a},{b})" for a, b in zip(level[::2], level[1::2])]
    return rules("tree_merge_sort") + f"input {level[0]};\n"


def grown_tree_merge_sort(depth: int, elements: int) -> str:
    """A tree that rules grow and whose leaves sort one of two lists, so that the input has no equal subterms to merge."""
    source = random.Random(1)
    lists = []
    for _ in range(2):
        values = list(range(elements))
        source.shuffle(values)
        lists.append(f"Leaf({sort_of(values)})")
    text = rules("tree_merge_sort").replace("Node(Tree, Tree);", "Node(Tree, Tree) | Grow(Nat) | Grow2(Nat);")
    return text + (
        f"Grow(Zero) = {lists[0]};\nGrow(S(X)) = Node(Grow(X), Grow2(X));\n"
        f"Grow2(Zero) = {lists[1]};\nGrow2(S(X)) = Node(Grow(X), Grow2(X));\n"
        f"input Grow({number(depth)});\n"
    )


def run(command: str) -> str:
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Skipped(f"ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-200:]}")
    return done.stdout + done.stderr


def figure(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    if found is None:
        raise Skipped(f"its output does not match {pattern}")
    return float(found.group(1))


@dataclass(frozen=True)
class Seconds:
    """Seconds of rewriting, as far as the tool reports them."""

    processor: float | None
    elapsed: float | None


@dataclass(frozen=True)
class Tool:
    name: str
    version: str
    time: Callable[[], Seconds]


def ours(program: Path, engine: str, file: Path) -> str:
    return run(f"{program} rewrite {file} --engine {engine} --stats -o /dev/null")


def own_tool(engine: str, program: Path, file: Path) -> Tool:
    def time() -> Seconds:
        text = ours(program, engine, file)
        return Seconds(figure(r"processors +([\d.]+) s", text), figure(r"time +([\d.]+) s", text))

    time()  # compiles the system if the cache does not have it
    return Tool(engine, "", time)


def ocaml(program: Path, file: Path) -> Tool:
    if shutil.which("ocamlopt") is None:
        raise Skipped("ocamlopt is not installed (apt-get install ocaml-nox)")
    source = file.with_suffix(".ml")
    binary = file.with_suffix(".exe")
    run(f"{program} rewrite {file} --emit ocaml -o {source}")
    run(f"{DEEP}ocamlopt -unsafe -inline 100 -w -a -o {binary} {source}")
    version = run("ocamlopt -version").strip()
    command = f"{DEEP}{binary} 2>&1 >/dev/null"
    return Tool("OCaml", f"OCaml {version}", lambda: Seconds(figure(r"seconds ([\d.]+)", run(command)), None))


def maude(program: Path, file: Path) -> Tool:
    if shutil.which("maude") is None:
        raise Skipped("Maude is not installed (apt-get install maude)")
    source = file.with_suffix(".maude")
    run(f"{program} rewrite {file} --emit maude -o {source}")
    command = f"{DEEP}maude -no-banner -no-wrap -batch {source} </dev/null | grep -o '^rewrites: .*ms real'"

    def time() -> Seconds:
        text = run(command)
        return Seconds(figure(r"in (\d+)ms cpu", text) / 1000, figure(r"\((\d+)ms real", text) / 1000)

    return Tool("Maude", "Maude " + run("maude --version").strip(), time)


def commit() -> str:
    if named := os.environ.get("LOCKSTEP_COMMIT"):
        return named
    changed = run("git status --porcelain --untracked-files=no").strip()
    return run("git rev-parse HEAD").strip() + (" with changes" if changed else "")


def processor_name() -> str:
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return re.sub(r"\((?:R|TM)\)", "", found.group(1)).strip() if found else "unknown processor"


def scheduling() -> str:
    policies = {os.SCHED_FIFO: "fifo", os.SCHED_RR: "rr", os.SCHED_OTHER: "other"}
    return policies.get(os.sched_getscheduler(0), "otherwise")


def measure(number: int, system: str, program: Path, file: Path, rounds: int, with_maude: bool) -> list[Reading]:
    print(system)
    tools = [own_tool("one_core", program, file), own_tool("all_cores", program, file)]
    for make in [ocaml, maude] if with_maude else [ocaml]:
        try:
            tools.append(make(program, file))
        except Skipped as reason:
            print(f"  {make.__name__:9} skipped: {reason}")
    rewrites = int(figure(r"rewrites +(\d+)", ours(program, "one_core", file)))
    orders = list(itertools.permutations(tools))
    readings: list[Reading] = []
    after = ""
    for turn in range(rounds):
        for tool in orders[turn * 5 % len(orders)]:
            load = os.getloadavg()[0]
            seconds = tool.time()
            readings.append(
                Reading(
                    number,
                    datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                    commit(),
                    processor_name(),
                    os.cpu_count() or 1,
                    scheduling(),
                    round(load, 2),
                    system,
                    turn + 1,
                    tool.name,
                    tool.version,
                    after,
                    rewrites,
                    seconds.processor,
                    seconds.elapsed,
                )
            )
            after = tool.name
    for tool in tools:
        own = [reading for reading in readings if reading.tool == tool.name]
        print(
            f"  {tool.name:9} processor {span(seconds_of(own, processor)):26} elapsed {span(seconds_of(own, elapsed))}"
        )
    for bar in BARS:
        if ratios := bar.ratios(readings):
            print(f"  {bar.tool} to {bar.other}, {bar.kind}: {span(ratios, 2)}, at least {bar.min_ratio:g}")
    return readings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--program", type=Path, default=Path("build/release/lockstep"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument(
        "--depth", type=int, default=18, help="depth of tree merge sort; the transformation tree is 4 deeper"
    )
    parser.add_argument("--into", type=Path, help="append the readings to this CSV file")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    if not program.exists():
        print(f"no {arguments.program} (not built) Run ./lockstep list, or give --program.", file=sys.stderr)
        return 2
    into: Path | None = arguments.into
    readings = from_csv(into.read_text()) if into is not None and into.exists() else []
    number = max((reading.run for reading in readings), default=0) + 1
    depth: int = arguments.depth
    with tempfile.TemporaryDirectory() as folder:
        for system, text, with_maude in (
            (f"transformation tree {depth + 4}", transformation_tree(depth + 4), True),
            (f"tree merge sort {depth} 5", tree_merge_sort(depth, 5), False),
            (f"tree merge sort {depth} 5, grown by rules", grown_tree_merge_sort(depth, 5), True),
        ):
            file = Path(folder) / (re.sub(r"\W+", "_", system) + ".trs")
            file.write_text(text)
            readings += measure(number, system, program, file, arguments.rounds, with_maude)
    if into is not None:
        write_text(into, to_csv(readings))
    return 0


if __name__ == "__main__":
    sys.exit(main())
