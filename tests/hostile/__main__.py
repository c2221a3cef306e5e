"""A hostile round: python3 -m tests.hostile --seed 7 --calls 20000, or --seconds 300. Exits with 1 if it finds something.

It needs LOCKSTEP_BINARY, and leaves a folder per class of findings in --findings, with a script that repeats the call. With the
same seed, tree and folder, a round makes the same calls.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.hostile import place
from tests.hostile.round import Wish, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.hostile", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first call")
    parser.add_argument("--calls", type=int, default=0, help="how many (1000, or as many as --seconds allows)")
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--only", action="append", default=[], metavar="COMMAND")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--findings", type=Path, help="keeps the files of each class of findings in this folder")
    given = parser.parse_args()
    program = os.environ.get("LOCKSTEP_BINARY")
    if not program:
        parser.error("LOCKSTEP_BINARY names no program")
    scratch = _scratch(given.findings)
    try:
        where = place.prepare(scratch, Path(program))
        calls = given.calls or (1000 if not given.seconds else 10**9)
        findings = given.findings and given.findings.resolve()
        wish = Wish(given.seed, given.first, calls, given.seconds, given.only, given.jobs, findings)
        record = run(
            wish, where, lambda line: print(line.encode("unicode_escape").decode().replace("\\n", "\n"), flush=True)
        )
    finally:
        if given.findings is None:
            place.remove(scratch)
    print(record.summary().encode("ascii", "backslashreplace").decode())
    return 1 if record.classes else 0


def _scratch(findings: Path | None) -> Path:
    """The scripts of findings use the copy of the tree, so it stays beside them."""
    if findings is None:
        return Path(tempfile.mkdtemp(prefix="lockstep-hostile-"))
    scratch = findings.resolve() / "place"
    place.remove(scratch)
    scratch.mkdir(parents=True)
    return scratch


if __name__ == "__main__":
    sys.exit(main())
