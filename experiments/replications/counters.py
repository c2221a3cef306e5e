"""Hardware counters of replications, into the rows of a result file: `python3 -m experiments.replications.counters LOCKSTEP RESULTS`.

Nsight Compute (ncu) reads them from the first launch of a case, apart from any timing: figures `counter_*` join the rows
of the same cases, which must be there. Where ncu is missing or may not read counters, nothing changes and the reason is
printed. Names of counters: the Nsight Compute guide's table of what they are called today.
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from plots.atomic import write_text

#: Our name of a counter, and ncu's. Loads and stores are those of warps; sectors have 32 bytes.
INSTRUCTIONS = {
    "instructions": "smsp__inst_executed.sum",
    "lanes_an_instruction": "smsp__thread_inst_executed_per_inst_executed.ratio",
}
ALL = {
    **INSTRUCTIONS,
    "branches_uniform_percent": "smsp__sass_average_branch_targets_threads_uniform.pct",
    "loads": "smsp__inst_executed_op_global_ld.sum",
    "loads_most": "smsp__inst_executed_op_global_ld.max",
    "stores": "smsp__inst_executed_op_global_st.sum",
    "stores_most": "smsp__inst_executed_op_global_st.max",
    "sectors_read": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "sectors_written": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "sector_used_read_percent": "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
    "sector_used_written_percent": "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
    "occupancy_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "waits_for_memory": "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "waits_to_send": "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
    "cycles_an_instruction": "smsp__average_warp_latency_per_inst_issued.ratio",
}


class Unreadable(Exception):
    """ncu cannot read counters here."""


def cases() -> Iterator[tuple[str, dict[str, str], Mapping[str, str]]]:
    """Variant, axes and counters: a thread and a warp each, then the forms of the latter."""
    for model in ("pi", "mm1", "walk"):
        for variant in ("threads", "warps"):
            yield variant, {"model": model, "replications": "64"}, ALL
        for variant in ("warps", "warps_macros", "warps_woven", "warps_ptx"):
            yield variant, {"model": model, "replications": "50"}, INSTRUCTIONS


def number(text: str) -> float:
    return float(text.replace(",", ""))


def read(text: str, wanted: Mapping[str, str]) -> dict[str, float]:
    """The counters of the first kernel in ncu's page `raw`: a line of names, one of units, one a kernel."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = list(csv.reader(lines))
    if len(rows) < 3:
        raise Unreadable(next((line for line in text.splitlines() if "==ERROR==" in line), "ncu printed no counters"))
    values = dict(zip(rows[0], rows[2]))
    units = dict(zip(rows[0], rows[1]))
    found: dict[str, float] = {}
    for name, metric in wanted.items():
        if metric in values and values[metric] not in ("", "n/a"):
            scale = {"Kinst": 1e3, "Minst": 1e6, "Ksector": 1e3, "Msector": 1e6}.get(units.get(metric, ""), 1)
            found[f"counter_{name}"] = number(values[metric]) * scale
    return found


def count(lockstep: Path, variant: str, axes: Mapping[str, str], wanted: Mapping[str, str]) -> dict[str, float]:
    ncu = shutil.which("ncu")
    if ncu is None:
        raise Unreadable("ncu is not installed")
    with tempfile.TemporaryDirectory() as folder:
        command = [ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none"]
        command += ["--metrics", ",".join(wanted.values()), "--kernel-name", variant, "--launch-count", "1"]
        command += [str(lockstep), "run", "replications", "--variant", variant, "--machine", "cuda", "--out", folder]
        command += ["--repetitions", "2", *(word for name in axes for word in (f"--{name}", axes[name]))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return read(done.stdout + done.stderr, wanted)


def counted(row: Mapping[str, Any], variant: str, axes: Mapping[str, str]) -> bool:
    """Whether the row is of this case, all other axes at their defaults."""
    default = {"draws": "100000", "clients": "10000", "steps": "1000", "utilisation": "0.75", "chunks": "30"}
    wanted = {**default, "engine": "taus88", "block": "0", "lanes": "0", **axes}
    return bool(row["variant"] == variant and row["machine"] == "cuda" and row["axes"] == wanted)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="counters", description="Hardware counters into the rows of a result file.")
    parser.add_argument("lockstep", type=Path, help="the program, built with CUDA")
    parser.add_argument("results", type=Path, help="replications.json of this device")
    options = parser.parse_args(arguments)
    lines = options.results.read_text(encoding="utf-8").split("\n")
    places = {i: json.loads(line.rstrip(",")) for i, line in enumerate(lines) if line.startswith('{"name":')}
    joined = 0
    for variant, axes, wanted in cases():
        places_of = [i for i, row in places.items() if "variant" in row and counted(row, variant, axes)]
        if not places_of:
            print(f"counters: no row of {variant} with {axes}", file=sys.stderr)
            continue
        try:
            found = count(options.lockstep, variant, axes, wanted)
        except Unreadable as reason:
            print(f"counters: skipped ({reason})", file=sys.stderr)
            break
        for i in places_of:
            places[i]["figures"].update(found)
            lines[i] = json.dumps(places[i], separators=(",", ":")) + ("," if lines[i].endswith(",") else "")
            joined += 1
    if joined:
        write_text(options.results, "\n".join(lines))
    print(f"counters of {joined} rows")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
