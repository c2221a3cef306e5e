"""What the tests of the door share: a small results file, values that do not fit, hostile texts, mutations."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def change(document: Document, place: str, value: Any) -> None:
    put(document, tuple(int(step) if step.isdigit() else step for step in place.split(".")), value)


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
