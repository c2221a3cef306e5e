"""The door: what a results file may hold, and what becomes of hostile values that it may hold."""

from __future__ import annotations

import copy
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from plots import escape
from plots.catalog import ROOT, load_experiment
from plots.cli import main
from plots.draw import draw
from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable, UserError, attempt
from plots.findings_page import in_markdown
from plots.interval import exact
from plots.load import load_file, read_json, result_files
from plots.results import View
from plots.schema import Misfit, check
from plots.style import Looks
from tests.plots.conftest import FIXTURE

Document = dict[str, Any]
SLUG = "imaginary-gpu-x"
HOSTILE = "GPU $x_{$ <script>alert(1)</script> `a` | [b](http://c) \\ & \" ' é 漢"
NASTY: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 1e60, 10**400, 1e-320, 2**70, 0.5, float("nan"), float("inf")),
    *(
        "",
        "x",
        "0/0",
        "3/2",
        "0/4",
        "ok",
        "0x",
        "../../x",
        "$x_{$",
        "<b>",
        "a|b`",
        "nan",
        "é漢",
        "\ud800",
        "a\nb",
        "\x1b[2J",
    ),
    *("9" * 60, "a" * 100000, [], [[]], {}, {"a": 1}, {"median": 0}, {"median": "1"}, {"median": 1e-9, "low": 5}),
)


def small() -> Document:
    """A results file with a few rows of every kind: timed, not timed, disagreeing, of a CPU, and two shards."""
    text = (FIXTURE / SLUG / "random_grids.json").read_text(encoding="utf-8")
    document: Document = json.loads(text)
    wanted = {"word", "threadwise", "word64", "halving", "all_cores", "list"}
    document["cases"] = [row for row in document["cases"] if row["variant"] in wanted][:14]
    for index in (0, 1):
        row = copy.deepcopy(document["cases"][0])
        row |= {"name": f"{row['name']}/shard:{index}of2", "shard": f"{index}/2", "units": 500}
        document["cases"].append(row)
    return document


def write(folder: Path, document: Document | str, slug: str = SLUG) -> Path:
    path = folder / slug / "random_grids.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def change(document: Document, place: str, value: Any) -> None:
    put(document, tuple(int(step) if step.isdigit() else step for step in place.split(".")), value)


def commands(results: Path, out: Path) -> list[list[str]]:
    return [
        ["report", "random_grids", "--claims", "--results", str(results)],
        ["figures", "random_grids", "--results", str(results), "--out", str(out)],
        ["report", "random_grids", "--results", str(results), "--out", str(out)],
        ["compare", str(results), str(FIXTURE), "--out", str(out)],
        ["shards", str(results)],
    ]


REFUSED: list[tuple[str, Any, str]] = [
    *(
        ("context.device.multiprocessors", value, "a whole number from 1")
        for value in (0, -1, 1e60, "", [], True, None)
    ),
    ("context.device.multiprocessors", float("nan"), "NaN is no number"),
    ("context.device.name", "a\nb", "without control characters"),
    ("context.device.name", "a\ud800", "without control characters"),
    ("context.device.name", "a" * 513, "at most 512"),
    ("context.device.slug", "../../etc", "a name for a folder"),
    ("context.device.slug", "a/b", "a name for a folder"),
    ("context.device.slug", "a..b", "a name for a folder"),
    ("context.device", [], "an object that names the device"),
    ("context.limits", {"copy": {"value": 0}}, "context.limits.copy.value: is not a number above 0"),
    ("context.limits", {"a b": {"value": 1}}, "is not a name"),
    ("cases.2.role", None, "cases[2].role: is not one of"),
    ("cases.2.machine", "any", "which only a peer"),
    ("cases.2.shard", True, "cases[2].shard: is not a shard"),
    ("cases.2.shard", "4/4", "not below the number of shards"),
    ("cases.2.experiment", "9" * 60, "cases[2].experiment: is not a name"),
    ("cases.2.experiment", "a" * 200, "is not a name"),
    ("cases.2.variant", "a b", "is not a name"),
    ("cases.2.variant", "a\n", "is not a name"),
    ("cases.2.axes", {"grid": 3}, "cases[2].axes.grid: is not a text"),
    ("cases.2.axes", {"grid": "a\x1b[2J"}, "cases[2].axes.grid: is not a text"),
    ("cases.2.digest", "12", "is not a digest"),
    ("cases.2.time.median", 0, "cases[2].time.median: is not a number above 0"),
    ("cases.2.time.median", 10**400, "cases[2].time.median: is not a number above 0"),
    ("cases.2.time.median", float("inf"), "Infinity is no number"),
    ("cases.2.time", {}, "cases[2].time.median: is missing"),
    ("cases.2.items", 1e60, "a number from 0 to 1e30"),
    ("cases.2.metrics", {"a": "1"}, "cases[2].metrics.a: is not a number"),
    ("cases.2.kernels", [{"registers": "many"}], "cases[2].kernels[0].registers: is not a whole number"),
    ("cases.2.unknown", {"a": [1e60]}, "cases[2].unknown.a[0]: is not a value"),
    ("cases.2", 5, "cases[2]: is not an object"),
    ("cases", {}, "cases: is not a list of rows"),
    ("benchmarks", None, "benchmarks: is not of type array"),
    ("context", [], "another schema"),
    ("context.lockstep_schema", "2\n3", "found 2\\n3, this program"),
    ("context.lockstep_schema", "2" * 1000, "another schema"),
]


@pytest.mark.parametrize("place, value, why", REFUSED)
def test_a_value_that_does_not_fit_is_refused_in_one_line(
    tmp_path: Path, place: str, value: Any, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = small()
    change(document, place, value)
    path = write(tmp_path, document)
    assert main(["shards", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and len(said) < 600
    assert said.startswith(f"lockstep: {path} ") and why in said and said.endswith(" run the experiment again\n")


@pytest.mark.parametrize(
    "text, why",
    [
        ("[" * 100_000 + "]" * 100_000, "is nested too deeply"),
        (
            '{"context": {"lockstep_schema": 2}, "benchmarks": [], "cases": [], "x": ' + "[" * 700 + "]" * 700 + "}",
            "nested",
        ),
        ('{"a": ' + "9" * 5000 + "}", "Exceeds the limit"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ("[]", "its top level is not an object"),
        ('{"a": 1', "line 1, column 8"),
        ("", "line 1, column 1"),
    ],
    ids=range(7),
)
def test_a_text_that_is_no_document_is_refused_in_one_line(tmp_path: Path, text: str, why: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UserError) as refused:
        load_file(path)
    assert why in str(refused.value) and "\n" not in str(refused.value)


def test_a_number_that_is_too_large_for_a_float_is_refused(tmp_path: Path) -> None:
    text = json.dumps(small()).replace('"noise": null', "").replace('"items": 1000000.0', '"items": 1e400', 1)
    with pytest.raises(UserError, match=r"cases\[0\].items: is not a number from 0 to 1e30"):
        load_file(write(tmp_path, text))


def test_files_that_are_no_documents_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    (tmp_path / "b.json").mkdir()
    (tmp_path / "c.json").write_bytes(b'{"a": "\xff"}')
    with (tmp_path / "d.json").open("wb") as file:
        file.truncate(300 << 20)
    for name, why in (("a", "not a regular"), ("b", "not a regular"), ("c", "not UTF-8"), ("d", "300 MiB")):
        with pytest.raises(UserError, match=why):
            read_json(tmp_path / f"{name}.json")


@pytest.mark.parametrize("path", list(result_files(ROOT / "results")), ids=lambda path: str(path.name))
def test_the_committed_rows_fit(path: Path) -> None:
    check(read_json(path))


@pytest.mark.parametrize(
    "path", sorted((ROOT / "results" / "schematics").glob("*.json")), ids=lambda path: str(path.name)
)
def test_the_committed_traces_fit(path: Path) -> None:
    check(read_json(path), "traces")


@pytest.mark.parametrize("column, value", [(0, "x"), (0, -1), (4, 5), (5, "x"), (5, 1e60)])
def test_a_trace_with_a_wrong_value_does_not_fit(column: int, value: Any) -> None:
    document = read_json(ROOT / "results" / "schematics" / "object_layout.json")
    document["schematics"][0]["events"][3][column] = value
    with pytest.raises(Misfit, match=rf"schematics\[0\].events\[3\]\[{column}\]: is not a"):
        check(document, "traces")


def test_a_reason_of_several_lines_becomes_one(tmp_path: Path) -> None:
    document = small()
    document["cases"][3] |= {"status": "failed", "reason": "error:\n\ta  b\n"}
    assert load_file(write(tmp_path, document))[3].reason == "error: a b"


def test_a_row_without_a_slug_takes_its_folder_as_a_file_name(tmp_path: Path) -> None:
    document = small()
    del document["context"]["device"]["slug"]
    assert load_file(write(tmp_path, document, "My GPU (x).."))[0].device.slug == "my-gpu-x"


def test_each_place_has_its_escape() -> None:
    assert escape.line("a\n\x1b[2J\u202e\ud800é") == "a\\n\\x1b[2J\\u202e\\ud800é"
    assert escape.markdown("a|b `c` <i> *d* [e](f) g_h $i$ [1, 2]") == (
        "a\\|b \\`c\\` \\<i\\> \\*d\\* [e\\](f) g_h \\$i\\$ [1, 2]"
    )
    assert escape.mathtext("$x_{$") == "\\$x_{\\$"
    assert [escape.file_name(text) for text in ("../A b", "..", "", "x" * 99)] == ["a-b", "device", "device", "x" * 64]


def test_a_formula_in_a_name_is_drawn_as_text() -> None:
    series = (Series("$y^$", (Point("$x_{$", exact(1.0)), Point("<b>&", exact(2.0))), "a"),)
    other = (Series("$z_{$", (Point("$x_{$", exact(3.0)),), "b"),)
    drawn = Drawing("n", HOSTILE, HOSTILE, Axis("$a_{$", "$"), Axis("b", "1"), series + other, "dots", HOSTILE)
    svg = draw(drawn, Looks(), "svg", "png")["svg"].decode("utf-8")
    texts = "".join(ElementTree.fromstring(svg).itertext())
    assert "$x_{$" in texts and "$z_{$" in texts and "<b>&" in texts and "<script>" not in svg


#: The scripts of a page: its own, and the data of its figures.
OWN_SCRIPTS = {
    (("src", "lockstep.js"), ("defer", None)),
    (("type", "application/json"), ("class", "figure-data")),
}


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.scripts: set[tuple[tuple[str, str | None], ...]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "script":
            self.scripts.add(tuple(attrs))


def hostile_results(folder: Path) -> Path:
    """Every free text is hostile: the device, its attributes, the CPU, axes, reasons, items."""
    document = small()
    document["context"]["device"] |= {"name": HOSTILE, "driver": HOSTILE, "extra": HOSTILE}
    document["context"] |= {"compiler": HOSTILE, "commit": HOSTILE, "cpu": {"name": HOSTILE, "threads": 3}}
    document["context"]["limits"]["copy"]["unit"] = HOSTILE
    for row in document["cases"]:
        row["item"] = row["command"] = row["commit"] = HOSTILE
        row["axes"]["engine"] = HOSTILE
        row["name"] += f"/engine:{HOSTILE}"
        if row["status"] != "ok":
            row["reason"] = HOSTILE + "\n" + HOSTILE
    peer = copy.deepcopy(document["cases"][0]) | {
        "role": "peer",
        "version": HOSTILE,
        "note": HOSTILE,
        "verified": HOSTILE,
    }
    document["cases"].append(peer | {"variant": "other", "name": f"random_grids/other/cuda/engine:{HOSTILE}"})
    write(folder, document)
    return folder


def test_hostile_texts_stay_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results, out = hostile_results(tmp_path / "results"), tmp_path / "out"
    for command in commands(results, out):
        assert main(command) in (0, 1, 2)
        said = capsys.readouterr()
        assert "Traceback" not in said.err and said.err.count("\n") <= 1
        assert all(letter == "\n" or letter.isprintable() for letter in said.out)
    pages = list(out.glob("*.html"))
    assert len(pages) > 2
    for path in pages:
        page = Tags()
        page.feed(path.read_text(encoding="utf-8"))
        assert page.scripts <= OWN_SCRIPTS and "b" not in page.tags
    for drawn in out.rglob("*.svg"):
        ElementTree.parse(drawn)
    tables = [file.read_text(encoding="utf-8") for file in out.rglob("*.md")]
    assert tables
    for text in tables:
        assert "<script>" not in text.replace("\\<script\\>", "")
        heads = [line for line in text.splitlines() if line.startswith("| ---")]
        rows = [line for line in text.splitlines() if line.startswith("| ")]
        assert len({line.replace("\\|", "").count("|") for line in rows}) == len(heads) == 1
    assert {path.parent.name for path in (out / "figures").rglob("cases.csv")} == {SLUG}


def test_hostile_texts_stay_texts_on_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = hostile_results(tmp_path)
    assert main(["report", "--pages", SLUG, "--results", str(results)]) == 0
    text = (results / SLUG / "random_grids.md").read_text(encoding="utf-8")
    assert "\\<script\\>" in text and "<script>" not in text and "](http://c)" not in text.replace("\\](", "")
    capsys.readouterr()


def test_an_ordinary_view_is_the_same_in_markdown(gpu: View) -> None:
    assert in_markdown(gpu).cases == list(gpu.cases) and in_markdown(gpu).device == gpu.device


def test_rows_that_a_figure_cannot_compute_with_are_not_testable() -> None:
    def divide(by: float) -> float:
        return 1 / by

    assert attempt(divide, 2.0) == 0.5
    with pytest.raises(NotTestable, match="do not give its numbers .ZeroDivisionError"):
        attempt(divide, 0.0)


ENVIRONMENTS: list[dict[str, str]] = [
    {"MPLBACKEND": "nonsense", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"MPLBACKEND": "TkAgg", "DISPLAY": "", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
]


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=range(len(ENVIRONMENTS)))
def test_environments_give_no_traceback(tmp_path: Path, environment: dict[str, str]) -> None:
    document = small()
    document["context"]["device"]["name"] = "GPU – 漢"
    document["cases"] = document["cases"][:3]
    write(tmp_path, document)
    command = ["compare", str(tmp_path), str(FIXTURE), "--out", str(tmp_path / "out")]
    done = subprocess.run(
        [sys.executable, "-m", "plots", *command], cwd=ROOT, env=os.environ | environment, capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "out" / "compare" / "compare.svg").is_file()


@pytest.mark.parametrize("closed", ["1", "2", "0 1 2"])
def test_closed_descriptors_give_no_traceback(tmp_path: Path, closed: str) -> None:
    write(tmp_path, small())
    line = f'exec "$0" -m plots shards "$1" {" ".join(f"{number}>&-" for number in closed.split())}'
    done = subprocess.run(["bash", "-c", line, sys.executable, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == (2 if "1" in closed else 1), done  # its shards disagree
    assert done.stderr.count("\n") == (closed == "1") and "Traceback" not in done.stderr


def test_a_signal_in_a_finaliser_still_ends_the_command() -> None:
    script = """
import signal, sys, time
from plots import process

class Last:
    def __del__(self): signal.raise_signal(signal.SIGTERM)

def main():
    last = Last()
    del last  # what a finaliser raises is printed and lost
    time.sleep(10)
    return 0

process.prepare()
sys.exit(process.run(main))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (143, "")


def test_a_readme_that_lacks_the_rows_of_its_picture_is_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, small())
    assert main(["report", "--readme", SLUG, "--results", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "cannot draw the picture of README.md" in said
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == [path.name], "half of the pages"


def places(value: Any, steps: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The place of every value of a document but the document itself."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = []
    for step, one in inner:
        found += [(*steps, step), *places(one, (*steps, step))]
    return found


def put(document: Document, place: tuple[Any, ...], value: Any) -> None:
    inner: Any = document
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = copy.deepcopy(value)


def replaced(document: Document, chance: random.Random) -> None:
    put(document, chance.choice(places(document)), chance.choice(NASTY))


def deleted(document: Document, chance: random.Random) -> None:
    *path, last = chance.choice(places(document))
    inner: Any = document
    for step in path:
        inner = inner[step]
    del inner[last]


def doubled(document: Document, chance: random.Random) -> None:
    row = copy.deepcopy(chance.choice(document["cases"]))
    document["cases"].append(row)
    if chance.random() < 0.7:
        row[chance.choice(list(row))] = copy.deepcopy(chance.choice(NASTY))


MUTATIONS: tuple[Callable[[Document, random.Random], None], ...] = (replaced, replaced, deleted, doubled)


def test_300_mutations_end_in_success_or_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without pixels, which take most of the time: what is drawn is drawn by test_hostile_texts_stay_texts."""
    monkeypatch.setattr(
        "plots.figures_command.draw_many", lambda jobs, *kinds: [{kind: b"" for kind in kinds} for _ in jobs]
    )
    monkeypatch.setattr(
        "plots.site.figure_card.draw_many", lambda jobs, *kinds: [{kind: b"<svg/>" for kind in kinds} for _ in jobs]
    )
    monkeypatch.setattr("plots.compare_command.draw", lambda *_: {})
    monkeypatch.setattr("plots.catalog.load_experiment", lru_cache(load_experiment))
    chance = random.Random(33)
    fine = 0
    for number in range(300):
        document = small()
        chance.choice(MUTATIONS)(document, chance)
        write(tmp_path, document)
        command = commands(tmp_path, tmp_path / "out")[number % 5]
        code = main(command)
        said = capsys.readouterr().err
        assert code in ((0, 2) if command[0] != "shards" else (0, 1, 2)), (number, command, said)
        assert said.count("\n") == (code == 2), (number, command, said)
        fine += code == 0
    assert 60 < fine < 260


def test_the_door_lets_a_value_in_or_refuses_it_in_one_line(tmp_path: Path) -> None:
    """700 values in 700 places of the context and of a row."""
    base = small()
    base["cases"] = [base["cases"][1]]
    found = [place for place in places(base) if place[0] in ("context", "cases")]
    path, chance = tmp_path / "a.json", random.Random(34)
    for _ in range(700):
        document = copy.deepcopy(base)
        put(document, chance.choice(found), chance.choice(NASTY))
        path.write_text(json.dumps(document), encoding="utf-8")
        try:
            load_file(path)
        except UserError as refused:
            assert str(refused).isprintable() and len(str(refused)) < 600
