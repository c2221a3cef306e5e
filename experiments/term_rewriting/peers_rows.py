"""Joins times of OCaml and Maude to the rows of a result file: `python3 -m experiments.term_rewriting.peers_rows prepare FOLDER`.

`prepare FOLDER` writes and compiles the workloads of sweeps.json, so that they can be copied to a machine without these tools.
`join RESULTS FOLDER` runs them there and adds ocaml_seconds and maude_seconds to the rows of one_core of the same workload. Both are
processor time of rewriting alone. Maude merges equal subterms of an input, so it does not get the systems in MERGED_BY_MAUDE. A tool
that is not installed is skipped, with the reason.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from experiments.term_rewriting.peers import DEEP, Skipped, figure, run
from plots.atomic import write_text


def compile_ocaml(program: Path, workload: str, binary: Path) -> None:
    if shutil.which("ocamlopt") is None:
        raise Skipped("ocamlopt is not installed (apt-get install ocaml-nox)")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "system.ml"
        run(f"{program} rewrite {workload} --emit ocaml -o {source}")
        run(f"{DEEP}ocamlopt -unsafe -inline 100 -w -a -o {binary} {source}")


def write_maude(program: Path, workload: str, source: Path) -> None:
    run(f"{program} rewrite {workload} --emit maude -o {source}")


def ocaml_seconds(binary: Path) -> float:
    return figure(r"seconds ([\d.]+)", run(f"{DEEP}timeout 30 {binary} 2>&1 >/dev/null"))


def maude_run(source: Path, maude: str = "maude") -> tuple[float, float]:
    """Rewrites and seconds."""
    if shutil.which(maude) is None:
        raise Skipped("Maude is not installed (apt-get install maude)")
    text = run(
        f"{DEEP}timeout 15 {maude} -no-banner -no-wrap -batch {source} </dev/null | grep -o '^rewrites: .*ms cpu'"
    )
    return figure(r"rewrites: (\d+)", text), figure(r"in (\d+)ms cpu", text) / 1000


#: Systems whose input has many equal subterms, which Maude would merge.
MERGED_BY_MAUDE = ("tree_merge_sort", "list_of_lists", "mapped_list_of_lists")
#: Larger inputs are not written as text.
MAX_INPUT_DEPTH = 14


def workloads(program: Path) -> Iterator[dict[str, str]]:
    """The axes of each case of one_core. The program plans them: it alone reads the patterns of sweeps.json."""
    listed = json.loads(run(f"{program} list term_rewriting --json"))["experiments"][0]
    system = next(axis["default"] for axis in listed["axes"] if axis["name"] == "system")
    plan = run(f"{program} run term_rewriting --preset full --variant one_core --dry-run")
    seen = set()
    for line in plan.splitlines():
        if not line.startswith("term_rewriting/one_core/cpu"):
            continue
        found = {"system": system} | dict(axis.split(":", 1) for axis in line.split()[0].split("/")[3:])
        if found["system"] in MERGED_BY_MAUDE and int(found.get("depth", "10")) > MAX_INPUT_DEPTH:
            continue
        if name_of(found) not in seen:
            seen.add(name_of(found))
            yield found


def name_of(axes: Mapping[str, str]) -> str:
    """The name of a file; axes that are missing have their defaults."""
    return "-".join((axes["system"], axes.get("depth", "10"), axes.get("elements", "5")))


def prepare(program: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for axes in workloads(program):
        workload = f"@{axes['system']}" + "".join(f",{axis}={axes[axis]}" for axis in axes if axis != "system")
        compile_ocaml(program, workload, folder / f"{name_of(axes)}.exe")
        if axes["system"] not in MERGED_BY_MAUDE:
            write_maude(program, workload, folder / f"{name_of(axes)}.maude")
        print(workload)


def measured(folder: Path, name: str, rewrites: float, runs: int, maude: str) -> dict[str, float]:
    """Medians of processor time, without times that are too short for the tool's clock."""
    found: dict[str, float] = {}
    if (folder / f"{name}.exe").is_file():
        seconds = statistics.median(ocaml_seconds(folder / f"{name}.exe") for _ in range(runs))
        if seconds > 1e-4:
            found["ocaml_seconds"] = seconds
    if (folder / f"{name}.maude").is_file():
        try:
            results = [maude_run(folder / f"{name}.maude", maude) for _ in range(runs)]
            if results[0][0] != rewrites:
                raise Skipped(f"Maude counts {results[0][0]:.0f} rewrites, Lockstep {rewrites:.0f}")
            if statistics.median(time for _, time in results) > 5e-3:
                found["maude_seconds"] = statistics.median(time for _, time in results)
        except Skipped as reason:
            print(f"{name}: skipped: {reason}", file=sys.stderr)
    return found


def join(results: Path, folder: Path, runs: int, maude: str) -> None:
    lines = results.read_text(encoding="utf-8").split("\n")
    joined = 0
    for index, line in enumerate(lines):
        if not line.startswith('{"name":'):
            continue
        row = json.loads(line.rstrip(","))
        axes = row.get("axes", {})
        if row.get("variant") != "one_core" or row["status"] != "ok" or axes.get("sharing") != "none":
            continue
        found = measured(folder, name_of(axes), row["items"], runs, maude)
        row["measurements"].update(found)
        lines[index] = json.dumps(row, separators=(",", ":")) + ("," if line.endswith(",") else "")
        joined += len(found)
    if joined:
        write_text(results, "\n".join(lines))
    print(f"{joined} times joined to {results}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="peers_rows", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=("prepare", "join"))
    parser.add_argument("paths", nargs="+", type=Path, help="prepare: FOLDER; join: RESULTS FOLDER")
    parser.add_argument("--program", type=Path, default=Path("build/release/lockstep"))
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--maude", default="maude", help="the program to run")
    arguments = parser.parse_args()
    program: Path = arguments.program.resolve()
    if len(arguments.paths) != {"prepare": 1, "join": 2}[arguments.what]:
        parser.error("prepare takes a folder, join a result file and a folder")
    if arguments.what == "join":
        join(arguments.paths[0], arguments.paths[1], arguments.runs, arguments.maude)
        return 0
    if not program.exists():
        print(f"no {arguments.program} (not built) Run ./lockstep list, or give --program.", file=sys.stderr)
        return 2
    prepare(program, arguments.paths[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
