"""Short valid calls of every command, which the round then spoils. A command without a recipe gets its options alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: {kind} is an input file that is made; {out} a folder for output. `<{kind}` is standard input.
RECIPES: Mapping[str, Sequence[str]] = {
    "rewrite": (
        "{system} --engine one_core --max-rewrites 5000 --memory 64M --timeout 1",
        "{system} --engine oracle --max-rewrites 5000 --memory 64M --timeout 1 -o form.txt --stats",
        "{system} --engine oracle --max-rewrites 5000 --memory 64M --timeout 1 --profile profile.csv",
        "{system} --engine cpu_as_printed --max-rewrites 500 --memory 64M --timeout 1",
        "{system} --engine oracle --max-rewrites 5000 --memory 64M --timeout 1 --json",
        "{portable} --emit maude",
        "{system} --emit cpp -o out.cpp",
        "{system} --emit cuda",
        "{portable} --emit ocaml",
        "@tree_merge_sort,depth=3 --engine oracle --memory 64M --timeout 1",
        "- --engine oracle --max-rewrites 5000 --memory 64M --timeout 1 <{system}",
        "{system} --engine oracle --max-rewrites 5000 --memory 64M --timeout 1 --trace 5 --format binary -o terms.bin",
        "{natural} --terms {terms} --engine oracle --max-rewrites 5000 --memory 64M --timeout 1",
        "{natural} --terms - --engine oracle --max-rewrites 5000 --memory 64M --timeout 1 --json <{terms}",
    ),
    "weave": (
        "{source}",
        "{source} -o woven.cu",
        "{source} --diff --advise f=@count:n",
        "{source} -o woven.cu --dependencies woven.d",
        "- <{source}",
    ),
    "simulate": (
        "wator --elements 50 --ticks 3 --machine cpu --csv counts.csv",
        "infection --elements 50 --streets 3 --ticks 3 --machine cpu --json",
        "nasch --elements 5 --network {network} --ticks 3 --machine cpu",
        "nasch --elements 5 --network - --ticks 3 --machine emulator <{network}",
    ),
    "traffic": (
        "--streets 6 --cars 3 --pedestrians 4 --ticks 2 --machine cpu",
        "--network {network} --cars 3 --pedestrians 4 --ticks 2 --machine cpu --csv cars.csv",
        "--network {network} --cars 3 --pedestrians 4 --ticks 2 --machine cpu --png cars.png",
        "--network - --cars 3 --pedestrians 4 --ticks 2 --machine cpu <{network}",
        "--streets 6 --cars 3 --pedestrians 4 --ticks 2 --machine emulator --dispatch table",
        "--streets 6 --cars 3 --pedestrians 4 --ticks 2 --machine cpu --json",
    ),
    "interpret": (
        "--rules synthetic --states 8 --range 16 --load 1 --steps 2 --machine cpu",
        "--rules several --states 8 --range 16 --machine emulator --csv states.csv",
        "--rules accesses --states 8 --range 16 --accesses 2 --machine cpu",
        "--rules sudoku --file {puzzles} --machine cpu --csv solved.csv",
        "--rules sudoku --file - --machine emulator <{puzzles}",
        "--rules sudoku --puzzles 2 --clues 40 --machine cpu",
        "--rules sudoku --puzzles 2 --clues 40 --machine cpu --show 2 --json",
    ),
    "sudoku": (
        "{puzzles} --machine cpu --csv solutions.csv",
        "- --machine emulator --limit 3 --count <{puzzles}",
        "--generate 2 --clues 35 --machine cpu --json",
        "--generate 2 --minimal --seed 4 --machine cpu",
    ),
    "replicate": (
        "pi --replications 3 --draws 10 --machine cpu",
        "pi --replications 3 --draws 10 --machine cpu --json",
        "mm1 --replications 3 --clients 5 --machine cpu --csv table.csv",
        "walk --replications 3 --steps 5 --machine emulator --scheme lanes:2",
        "mm1 --replications 3 --machine cpu --design {design} --csv table.csv",
        "mm1 --replications 3 --machine cpu --design - <{design}",
        "pi --replications 4 --draws 100 --machine cpu --precision 0.5 --max-replications 64",
        "pi --replications 40 --draws 100 --machine cpu --coverage 2 --quantiles 0.5 --confidence 0.9",
    ),
    "grids": (
        "--width 5 --height 4 --occupied 7 --count 2",
        "--width 5 --height 4 --occupied 7,3 --count 2 --format json",
        "--width 5 --height 4 --occupied 7 --count 2 --format pbm --png boards.png",
        "--width 8 --height 8 --occupied half --streams 3 --machine emulator --format pgm",
        "--width 9 --height 9 --occupied 40 --count 20 --first 30 --format npy --out boards.npy",
        "--width 9 --height 2 --occupied mixed --count 20 --format packed --out boards.bin",
        "--mask {mask} --occupied 4 --count 3 --format indices --out sites.npy",
        "--mask - --occupied half --count 3 <{mask}",
        "--width 3 --height 2 --occupied-file {counts} --first 1 --format json",
        "--width 3 --height 2 --occupied-file - --count 2 <{counts}",
    ),
    "emulate": (
        "{cuda} --timeout 15",
        "{cuda} --timeout 15 --orders 2 --report report.sarif",
        "{cuda} --timeout 15 --no-checks --keep out --order random",
    ),
    "suite": ("--checkout {folder} --fixture {draw}", "--checkout {folder} --fixture {draw} --out table.md"),
    "batch": ("{lines}", "{lines} --csv seconds.csv", "- <{lines}"),
    "merge": ("{results} --into all.json", "{results} {results} --into all.json", "{results} --into {results}"),
    "migrate": ("{old} --out out", "{old}"),
    "run": (
        "random_grids --sweep quick --machine cpu --dry-run --out out",
        "random_grids rule_interpreter --preset quick --machine cpu,emulator --dry-run --out out",
        "object_layout --network {network} --machine cpu --dry-run --out out",
        "rule_interpreter --rules sudoku --puzzles {puzzles} --machine cpu --dry-run --out out",
        "random_grids --sweep quick --machine cpu --variant list --repetitions 2 --streams 2 --length 2 --out out",
        "random_grids --sweep quick --machine cpu --variant list --streams 2 --length 2 --missing --out out",
        "rule_interpreter --machine cpu --variant sequential --states 4 --range 8 --steps 1 --repetitions 2 --out out",
        "replications --machine cpu --model pi --replications 2 --draws 5 --repetitions 2 --out out",
        "random_grids --sweep quick --machine cpu --variant list --streams 2 --length 2 --repetitions 2 --json --out out",
    ),
    "list": ("", "random_grids", "--json", "random_grids replications --json"),
    "devices": ("", "--json"),
    "complete": ("bash", "zsh"),
    "limits": ("--only copy --repetitions 6 --out out",),
    "trace": ("--out out",),
    "report": (
        "random_grids --results {folder} --out out",
        "--claims --results {folder}",
        "random_grids --claims --results {folder}",
        "--pages imaginary-gpu-x --results {folder}",
    ),
    "figures": ("random_grids --results {folder} --out out",),
    "compare": (
        "{folder} {folder} --out out",
        "{folder} {folder} --out out --fail-on-change",
        "{folder} {folder} --out out --fail-on-regression 5",
    ),
    "shards": ("{folder}",),
    "expected": ("random_grids",),
    "reproduce": ("random_grids --results out --out report",),
    "peers": ("random_grids --no-build --only numpy_permuted --out out", "--no-build --only ocaml --out out"),
    "end-to-end": ("random_grids --out out",),
    # Without --device, which needs a GPU and Nsight Compute: spoiling adds it.
    "counters": ("--only map --out counters.csv", "--only word --only collect --out counters.csv"),
    # Measuring builds next to the sources, which no call can change.
    "emulators": ("--table-only --out {speeds}",),
}

#: Exit codes besides 0 and 2, and when --help or the README says so.
VERDICTS: Mapping[str, tuple[int, ...]] = {
    "run": (1,),  # a case failed or disagrees
    "limits": (1,),  # a limit failed
    "compare": (1,),  # --fail-on-...
    "shards": (1,),  # a set of shards is incomplete
    "expected": (1,),
    "reproduce": (1,),
    "peers": (1,),
    "end-to-end": (1,),
    "emulators": (1,),  # a tool broke
    "batch": (1, 3),  # that of the line that failed
    "rewrite": (3,),  # a limit ended a term
    "replicate": (3,),  # a precision was not reached
    "emulate": (1,),  # the program fails or a check finds something
    "suite": (1,),  # a program does not do what is expected
    "weave": (1,),  # --check: an output is not up to date
}

#: Commands whose whole job takes longer than a call of the round: they are asked to stop.
LENGTHY = frozenset(("limits", "trace", "expected", "reproduce", "end-to-end", "peers", "emulators", "counters"))
#: Commands that draw: each takes about a second, so they come less often.
DRAWING = frozenset(("report", "figures", "compare"))
#: Commands that may name many bad lines of a file before the line that ends them (README of the rule interpreter).
LISTING = frozenset(("interpret", "sudoku"))
#: Commands that say on standard error what they do, before it can fail.
TELLING = frozenset(("limits", "reproduce", "emulators", "counters"))
#: Commands that print what their input holds: their standard output is data, not a message.
COPYING = frozenset(("weave",))
#: Values of --format whose standard output is bytes.
BINARY_FORMATS = frozenset((b"npy", b"packed", b"indices", b"binary"))

#: The kind of a file that an option or an argument names. Others are found by their help, and get any kind.
KINDS: Mapping[str, str] = {
    "rewrite file": "system",
    "rewrite --terms": "terms",
    "weave input": "source",
    "emulate file": "cuda",
    "suite --fixture": "draw",
    "traffic --network": "network",
    "simulate --network": "network",
    "run --network": "network",
    "run --puzzles": "puzzles",
    "interpret --file": "puzzles",
    "replicate --design": "design",
    "grids --mask": "mask",
    "grids --occupied-file": "counts",
    "batch file": "lines",
    "merge file": "results",
    "merge --into": "results",
    "migrate file": "old",
}
