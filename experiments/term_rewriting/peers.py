"""Our CPU rewriter beside OCaml native and Maude, in one run: `python3 experiments/term_rewriting/peers.py`.

Each tool gets the same system and input, from `lockstep rewrite --emit`, and prints rewrites a second as the median of several
runs; rewrites are ours, which Maude counts alike. Times are of rewriting alone, the input has been read: processor time, as OCaml and Maude give it, and for several cores
elapsed time, which means something on an idle machine only. Maude
merges equal subterms of an input, so it is given trees that rules grow; a tool that is not installed is skipped with the reason.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

SYSTEMS = Path(__file__).parent / "systems"
DEEP = "ulimit -s unlimited 2>/dev/null; "


class Skipped(Exception):
    """Why a tool is not measured."""


def number(value: int) -> str:
    return "S(" * value + "Zero" + ")" * value


def sort_of(values: list[int]) -> str:
    return "Sort(" + "".join(f"Cons({number(v)}," for v in values) + "Nil" + ")" * (len(values) + 1)


def rules(name: str) -> str:
    """The text of one of the paper's systems, without its input."""
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
    """The tree is grown by rules, whose leaves sort one of two lists: nothing of it can be merged in the input."""
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
        raise Skipped(f"its output has no {pattern}")
    return float(found.group(1))


def ours(program: Path, engine: str, file: Path, time: str) -> tuple[float, float]:
    """Rewrites, and the seconds on that line."""
    text = run(f"{program} rewrite {file} --engine {engine} --stats -o /dev/null")
    return figure(r"rewrites +(\d+)", text), figure(rf"{time} +([\d.]+) s", text)


def ocaml(program: Path, file: Path) -> Callable[[], float]:
    if shutil.which("ocamlopt") is None:
        raise Skipped("ocamlopt is not installed (apt-get install ocaml-nox)")
    source = file.with_suffix(".ml")
    binary = file.with_suffix(".exe")
    run(f"{program} rewrite {file} --emit ocaml -o {source}")
    run(f"{DEEP}ocamlopt -unsafe -inline 100 -w -a -o {binary} {source}")
    return lambda: figure(r"seconds ([\d.]+)", run(f"{DEEP}{binary} 2>&1 >/dev/null"))


def maude(program: Path, file: Path) -> Callable[[], float]:
    if shutil.which("maude") is None:
        raise Skipped("Maude is not installed (apt-get install maude)")
    source = file.with_suffix(".maude")
    run(f"{program} rewrite {file} --emit maude -o {source}")
    command = f"{DEEP}maude -no-banner -no-wrap -batch {source} </dev/null | grep -o '^rewrites: .*ms cpu'"
    return lambda: figure(r"in (\d+)ms cpu", run(command)) / 1000


def compare(title: str, program: Path, file: Path, runs: int, with_maude: bool) -> None:
    """Tools take turns, so that whatever else the machine does falls on all of them."""
    timers: dict[str, Callable[[], float]] = {
        "one_core": lambda: ours(program, "one_core", file, "processors")[1],
        "one_core, elapsed": lambda: ours(program, "one_core", file, "time")[1],
        "all_cores, elapsed": lambda: ours(program, "all_cores", file, "time")[1],
    }
    makers: list[tuple[str, Callable[[Path, Path], Callable[[], float]]]] = [("OCaml", ocaml)]
    if with_maude:
        makers.append(("Maude", maude))
    print(title)
    for name, make in makers:
        try:
            timers[name] = make(program, file)
        except Skipped as reason:
            print(f"  {name:19} skipped: {reason}")
    rewrites = ours(program, "one_core", file, "time")[0]
    times: dict[str, list[float]] = {name: [] for name in timers}
    for _ in range(runs):
        for name, timer in timers.items():
            times[name].append(timer())
    base = statistics.median(times["one_core"])
    for name, seconds in times.items():
        median = statistics.median(seconds)
        print(
            f"  {name:19} {rewrites / median / 1e6:9.1f} M rewrites/s   {median:8.4f} s"
            f" ({min(seconds):.4f} .. {max(seconds):.4f})   one_core is {median / base:.2f} times as fast"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--program", type=Path, default=Path("build/release/lockstep"))
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--depth", type=int, default=18, help="of tree merge sort; the transformation tree has 4 more")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    if not program.exists():
        print(f"no {arguments.program} (not built) Run ./lockstep list, or give --program.", file=sys.stderr)
        return 2
    depth: int = arguments.depth
    with tempfile.TemporaryDirectory() as folder:
        for title, text, with_maude in (
            (f"transformation tree {depth + 4}", transformation_tree(depth + 4), True),
            (f"tree merge sort {depth} 5", tree_merge_sort(depth, 5), False),
            (f"tree merge sort {depth} 5, grown by rules", grown_tree_merge_sort(depth, 5), True),
        ):
            file = Path(folder) / (re.sub(r"\W+", "_", title) + ".trs")
            file.write_text(text)
            compare(title, program, file, arguments.runs, with_maude)
    return 0


if __name__ == "__main__":
    sys.exit(main())
