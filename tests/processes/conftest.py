"""A made-up program that answers like ours, so that no test depends on a build or on time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from processes.program import Program

#: `tool --seed N --file F` writes the seed to the file, or prints it without --file; `--wrong` writes something else.
PROGRAM = """#!{python}
import json, sys

CONTEXT = {{
    "lockstep_schema": 2,
    "device": {{"name": "Imaginary CPU Y", "slug": "imaginary-cpu-y", "machine": "cpu"}},
    "cpu": {{"name": "Imaginary CPU Y", "threads": 8}},
    "commit": "c0ffee", "dirty": False, "publishable": True, "limits": {{}},
}}
AXES = [
    {{"name": "size", "default": "8", "allowed": []}},
    {{"name": "mode", "default": "plain", "allowed": ["plain", "fancy"]}},
]


def tool(words):
    options = dict(zip(words[1::2], words[2::2]))
    text = "result of " + options["--seed"] + (" by mistake" if options.get("--how") == "wrong" else "") + "\\n"
    if options.get("--how") == "broken":
        print("no luck", file=sys.stderr)
        return 3
    if "--file" in options:
        open(options["--file"], "w").write(text)
    else:
        sys.stdout.write(text)
    return 0


def batch(file, table):
    rows = ["line,command,seconds"]
    for number, line in enumerate(open(file).read().splitlines(), 1):
        if (code := tool(line.split())) != 0:
            return code
        rows.append(f"{{number}},tool,{{100 if number < 3 else 0.25}}")
    open(table, "w").write("\\n".join(rows) + "\\n")
    return 0


words = sys.argv[1:]
if words == ["devices", "--json"]:
    print(json.dumps(CONTEXT))
elif words == ["list", "--json"]:
    print(json.dumps({{"experiments": [{{"name": "lists", "item": "items", "axes": AXES}}]}}))
elif words[0] == "batch":
    sys.exit(batch(words[1], words[3]))
else:
    sys.exit(tool(words))
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    path = tmp_path / "lockstep"
    path.write_text(PROGRAM.format(python=sys.executable), encoding="utf-8")
    path.chmod(0o755)
    return Program(path)
