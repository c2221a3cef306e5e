"""The program and the Python package accept and reject the same results files, by the same schema and with the same words."""

from __future__ import annotations

import copy
import json
import os
import random
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from plots.catalog import ROOT
from plots.errors import UserError
from plots.load import read_results, result_files
from tests.plots.door import MUTATIONS, NASTY, REFUSED, Document, change, places, put, small

#: The advice of either side, with which a message ends.
ADVICE = (" move it away or name another file or folder", " run the experiment again")
ROW_DOES_NOT_FIT = " has a row that does not fit ("


def of_program(files: Sequence[Path]) -> list[str]:
    """What the program says of each file: "ok", or why it is rejected."""
    if "LOCKSTEP_DOOR" not in os.environ:
        pytest.skip("LOCKSTEP_DOOR names no program")
    text = "".join(f"{path}\n" for path in files)
    done = subprocess.run([os.environ["LOCKSTEP_DOOR"]], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert len(said) == len(files)
    return said


def of_python(path: Path) -> str:
    try:
        read_results(path)
        return "ok"
    except UserError as refused:
        return str(refused)


def without_advice(text: str) -> str:
    for advice in ADVICE:
        text = text.removesuffix(advice)
    return text


def compare(files: Sequence[Path]) -> list[str]:
    """Asserts that both sides agree, and returns what the program said."""
    said = of_program(files)
    for path, program in zip(files, said, strict=True):
        python = of_python(path)
        assert (program == "ok") == (python == "ok"), (path, program, python)
        assert program == "ok" or program.endswith(ADVICE[0]) or "run ./lockstep migrate" in program, program
        # What is no JSON at all is said in the words of either parser.
        if ROW_DOES_NOT_FIT in python and ROW_DOES_NOT_FIT in program:
            assert without_advice(program) == without_advice(python)
    return said


def written(folder: Path, number: int, document: Document | str) -> Path:
    path = folder / f"{number}.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def test_committed_results_are_accepted() -> None:
    files = [*result_files(ROOT / "results"), *result_files(ROOT / "tests" / "plots" / "results")]
    assert set(compare(files)) == {"ok"}


def test_wrong_values_are_rejected(tmp_path: Path) -> None:
    files = []
    for number, (place, value, _) in enumerate(REFUSED):
        document = small()
        change(document, place, value)
        files.append(written(tmp_path, number, document))
    assert "ok" not in compare(files)


#: Values at the edges of the two parsers and of the schema's limits.
EDGES: tuple[tuple[str, Any], ...] = (
    *(("cases.0.seed", value) for value in (2**64 - 1, 2**64, 2**64 + 1.0, -1, 0, -0.0, 0.5, 1e18)),
    *(("cases.0.units", value) for value in (10**18, 10**18 + 1, 1e18, 2.0, 2.5, None, -0.0, True)),
    *(("cases.0.items", value) for value in (1e30, 1.0000000000000002e30, 0, -1e-320, 5e-324, None)),
    *(("cases.0.time.median", value) for value in (1e-15, 9e-16, 1e12, 1.0000001e12, None)),
    *(("cases.0.item", value) for value in ("é" * 512, "é" * 513, "漢" * 512, "\U0001f600" * 512, "a" * 511 + "\u2028")),
    *(
        ("cases.0.item", value)
        for value in ("\x7f", "\x80", "\x9f", "\xa0", "\u202e", "\u2066", "\ufdd0", "\ufffe", "\uffff")
    ),
    *(("cases.0.item", value) for value in ("\U0001fffe", "\ufffd", "\u2027", "\u202f", "\ue000", "\x00", "\x1f", " ")),
    *(("cases.0.reason", value) for value in ("\t\n\r", "\x0b", "\x0c", "\x0e", "x" * 65536, "x" * 65537, "é" * 65536)),
    *(("cases.0.variant", value) for value in ("a" * 128, "a" * 129, "A.b-c+d_1", "1a", "é", "a\n", "")),
    *(("cases.0.digest", value) for value in ("", "0x", "0x0", "0x" + "f" * 16, "0x" + "f" * 17, "0xF", "0x1\n")),
    *(
        ("cases.0.shard", value)
        for value in ("0/1", "9999/9999", "9998/9999", "00010/2", "0/0", "0/01", "1/2x", "", "/", "1/")
    ),
    *(("cases.0.date", value) for value in ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05-01:00", "then", "", None)),
    *(
        ("context.device.slug", value)
        for value in ("a" * 64, "a" * 65, "a.b", "a..b", "a.", ".a", "-a", "_", "a-", "A")
    ),
    *(("context.lockstep_schema", value) for value in (2.0, 2.5, True, None, "2", [2], 1, 1.0, 3, {"a": 2})),
    *(("context.limits", None), ("context.limits", {}), ("context.limits", {"a": {"value": 1e-30}})),
    *(("context.limits", {"a": {"value": 1}, "b": {}}), ("context.limits", {"a": {"value": 1, "unit": None}})),
    *(("context", None), ("context", {}), ("context", []), ("context", 2), ("context", "x")),
    *(
        ("context.x\ny", 1),
        ("cases.0.x\ny", 1),
        ("cases.0.\ud800", 1),
        ("x\x1b", 1),
        ("cases.0.x\x00y", 1),
        ("cases.0.time.a\nb", 1),
    ),
    *(
        ("benchmarks", [value])
        for value in ({}, 1, [], {"name": "a", "real_time": 1, "cpu_time": 1, "time_unit": "ns"})
    ),
    ("benchmarks", [{"name": "a", "real_time": None, "cpu_time": 1, "time_unit": "ns", "aggregate_name": "median"}]),
    ("cases.0.kernels", [{"name": "a", "registers": 2.0}, {"name": "b", "grid": [1, 1, 1e30]}]),
    ("cases.0.metrics", {f"m{i}": i for i in range(1001)}),
    ("cases.0.axes", {f"a{i}": "x" for i in range(65)}),
    ("cases.0.sweeps", ["x"] * 1001),
)

TEXTS = (
    "",
    "{",
    "[]",
    "5",
    "nul",
    '{"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": []}',
    '\ufeff{"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": []}',
    '{"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": []} x',
    '{"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": [],}',
    '{"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": [] /* comment */}',
    '{"context": {"lockstep_schema": 1}, "context": {"lockstep_schema": 2}, "benchmarks": [], "cases": []}',
    '{"context": {"lockstep_schema": 2, "x": 1e400}, "benchmarks": [], "cases": []}',
    '{"context": {"lockstep_schema": 2, "x": 1e-400}, "benchmarks": [], "cases": []}',
    '{"context": {"lockstep_schema": 2, "x": -Infinity}, "benchmarks": [], "cases": []}',
    '{"context": {"lockstep_schema": 2, "x": ' + "9" * 400 + '}, "benchmarks": [], "cases": []}',
    '{"context": {"lockstep_schema": 2, "x": ' + "9" * 5000 + '}, "benchmarks": [], "cases": []}',
    '{"context": {"lockstep_schema": 2, "x": "\\ud83d\\ude00"}, "benchmarks": [], "cases": []}',
    '{"context": {"lockstep_schema": 2, "x": "\\ude00"}, "benchmarks": [], "cases": []}',
    '{"context": {"lockstep_schema": 2, "x": "a\tb"}, "benchmarks": [], "cases": []}',
    *(
        '{"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": [], "x": ' + "[" * depth + "]" * depth + "}"
        for depth in (62, 63, 64, 500, 100_000)
    ),
)


def test_edges(tmp_path: Path) -> None:
    files = []
    for number, (place, value) in enumerate(EDGES):
        document = small()
        change(document, place, value)
        files.append(written(tmp_path, number, document))
    files += [written(tmp_path, len(EDGES) + number, text) for number, text in enumerate(TEXTS)]
    said = compare(files)
    assert 40 < said.count("ok") < len(said) - 80
    assert [text for text in said if text != "ok" and (len(text) > 1000 or not text.isprintable())] == []


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    files = []
    for number, bad in enumerate((b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x00")):
        files.append(tmp_path / f"{number}.json")
        document = json.dumps(small()).encode("utf-8")
        files[-1].write_bytes(document.replace(b"imaginary", b"imagi" + bad + b"nary", 1))
    assert "ok" not in compare(files)


def test_seeded_mutations(tmp_path: Path) -> None:
    """LOCKSTEP_MUTATIONS is their number; the default fits into CI."""
    chance = random.Random(35)
    base = small()
    base["cases"] = base["cases"][:3]
    files = []
    for number in range(int(os.environ.get("LOCKSTEP_MUTATIONS", "1500"))):
        document = copy.deepcopy(base)
        chance.choice(MUTATIONS)(document, chance)
        if chance.random() < 0.3:
            put(document, chance.choice(places(document)), chance.choice(NASTY))
        files.append(written(tmp_path, number, document))
    said = compare(files)
    assert said.count("ok") > len(said) // 10 and said.count("ok") < len(said) * 9 // 10


def test_seeded_damage_to_the_bytes(tmp_path: Path) -> None:
    """A few bytes of the text are removed, doubled or replaced."""
    chance = random.Random(36)
    base = small()
    base["cases"] = base["cases"][:2]
    whole = json.dumps(base).encode("utf-8")
    files = []
    for number in range(int(os.environ.get("LOCKSTEP_MUTATIONS", "1500")) // 3):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 1, 3))):
            at, length = chance.randrange(len(damaged)), chance.choice((1, 1, 4))
            damaged[at : at + length] = chance.choice(
                (b"", damaged[at : at + length] * 2, chance.randbytes(length), b"9")
            )
        files.append(tmp_path / f"{number}.json")
        files[-1].write_bytes(damaged)
    said = compare(files)
    assert said.count("ok") > 10 and said.count("ok") < len(said) * 3 // 4


def tool() -> str:
    if "LOCKSTEP_BINARY" not in os.environ:
        pytest.skip("LOCKSTEP_BINARY names no program")
    return str(Path(os.environ["LOCKSTEP_BINARY"]).resolve())


def slug() -> str:
    """The folder of this machine's results."""
    said = subprocess.run([tool(), "devices", "--json"], capture_output=True, text=True, check=True).stdout
    return str(re.findall(r'"slug": "([^"]*)"', said)[0])


@pytest.mark.parametrize("place, value, why", REFUSED[::5], ids=range(len(REFUSED[::5])))
def test_every_command_refuses_at_the_door(tmp_path: Path, place: str, value: Any, why: str) -> None:
    good, bad = small(), small()
    change(bad, place, value)
    folder = tmp_path / slug()
    folder.mkdir()
    written(tmp_path, 0, good)
    files = {"merge": written(tmp_path, 1, bad), "run": folder / "random_grids.json", "limits": folder / "limits.json"}
    run = ["run", "random_grids", "--sweep", "quick", "--machine", "cpu", "--out", str(tmp_path)]
    calls = [
        ("merge", ["merge", str(files["merge"]), "--into", str(tmp_path / "new.json")]),
        ("merge", ["merge", str(tmp_path / "0.json"), "--into", str(files["merge"])]),
        ("limits", run),
        ("run", run),
    ]
    for name, words in calls:
        if name in ("limits", "run"):
            files["limits"].unlink(missing_ok=True)
            written(tmp_path, 2, bad).rename(files[name])
        before = files[name].read_bytes()
        done = subprocess.run([tool(), *words], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 2 and done.stdout == "", (words, done)
        assert done.stderr.startswith(f"lockstep: {files[name]}") and done.stderr.count("\n") == 1, done.stderr
        assert done.stderr.endswith(f"{ADVICE[0]}\n"), done.stderr
        assert files[name].read_bytes() == before and not (tmp_path / "new.json").exists()
