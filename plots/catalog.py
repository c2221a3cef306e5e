"""What the experiments declare in experiments/<name>/. A file is used because it exists; no list names the experiments.

figures.py   ABOUT, FIGURES, TABLES, COLOURS (a variant's colour in all figures, by name; may be left out), ITEMS (what
             some rows count, see `items_of`; may be left out), and published(numbers), which turns the paper's numbers
             into rows
claims.py    CLAIMS, and SHOWN_IN, which names the figure or table that shows what decides a claim
findings.py  FINDINGS, TOPICS, ANSWER, PICTURES and FRONT, which findings.py in this package describes
sweeps.json  the sweeps
An experiment with results and no declarations gets a ranking and a table of all its rows.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType

from plots.claims import Claim
from plots.errors import UserError
from plots.figures import FigureSpec, Ranking
from plots.findings import Finding, Topic
from plots.published import Published
from plots.quantity import rate, time
from plots.results import Case, Results, View
from plots.roofs import MEMORY, RoofTable
from plots.tables import PivotTable, TableSpec
from plots.traces import Schematic

ROOT = Path(__file__).resolve().parent.parent

AnyFigure = FigureSpec | Schematic
AnyTable = TableSpec | RoofTable
#: The item of rows with this value of this axis: {"rules": {"sudoku": "grids"}}.
Items = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class About:
    """The head of an experiment's section.

    `cited` and `asks` are the paper and the question in a few words, for README.md. `doi` or `url` is where the paper is.
    """

    title: str
    question: str
    paper: str
    unit: str = ""
    cited: str = ""
    asks: str = ""
    doi: str = ""
    url: str = ""

    @property
    def link(self) -> str:
        return f"https://doi.org/{self.doi}" if self.doi else self.url


@dataclass(frozen=True)
class Experiment:
    name: str
    about: About
    figures: Sequence[AnyFigure] = ()
    tables: Sequence[AnyTable] = ()
    claims: Sequence[Claim] = ()
    findings: Sequence[Finding] = ()
    topics: Sequence[Topic] = ()
    pictures: Sequence[str] = ()
    front: str = ""
    main_claim: str = ""
    answer: Finding | None = None
    paper_cases: Sequence[Case] = ()
    facts: dict[str, str] = field(default_factory=dict)
    sweeps: Sequence[dict[str, object]] = ()
    colours: Mapping[str, str] = field(default_factory=dict)

    def view(self, results: Results, slug: str) -> View:
        device = next(device for device in results.devices if device.slug == slug)
        return results.view(self.name, device, self.facts)

    def papers(self) -> list[View]:
        """One view per device of the paper, with the paper's numbers as rows."""
        devices = {case.device.slug: case.device for case in self.paper_cases}
        return [
            View(self.name, device, [case for case in self.paper_cases if case.device.slug == slug], self.facts)
            for slug, device in devices.items()
        ]


def names(root: Path = ROOT) -> list[str]:
    """Experiments that declare sweeps, figures or claims, sorted by name."""
    folders = [path for path in sorted((root / "experiments").glob("*")) if path.is_dir()]
    files = ("figures.py", "claims.py", "sweeps.json")
    return [folder.name for folder in folders if any((folder / file).is_file() for file in files)]


def load_experiment(name: str, root: Path = ROOT) -> Experiment:
    figures, claims, findings = (_module(name, part, root) for part in ("figures", "claims", "findings"))
    numbers = Published(root / "results" / "published", name)
    if figures is None:
        return Experiment(name, _plain_about(name), *_generic(), sweeps=load_sweeps(name, root))
    return Experiment(
        name=name,
        about=figures.ABOUT,
        figures=tuple(figures.FIGURES),
        tables=tuple(figures.TABLES),
        claims=_claims(claims) if claims else (),
        findings=tuple(getattr(findings, "FINDINGS", ())),
        topics=tuple(getattr(findings, "TOPICS", ())),
        pictures=tuple(getattr(findings, "PICTURES", ())),
        front=str(getattr(findings, "FRONT", "")),
        main_claim=str(getattr(findings, "MAIN_CLAIM", "")),
        answer=getattr(findings, "ANSWER", None),
        paper_cases=tuple(figures.published(numbers)) if hasattr(figures, "published") else (),
        facts=numbers.facts(),
        sweeps=load_sweeps(name, root),
        colours=getattr(figures, "COLOURS", {}),
    )


def _claims(module: ModuleType) -> tuple[Claim, ...]:
    """CLAIMS, each with the figure or table that SHOWN_IN names for it."""
    shown_in = getattr(module, "SHOWN_IN", {})
    return tuple(replace(claim, figure=shown_in.get(claim.id, claim.figure)) for claim in module.CLAIMS)


def items_of(name: str, root: Path = ROOT) -> Items:
    """What rows of an experiment count where that depends on an axis: the program writes one item into all of them."""
    items: Items = getattr(_module(name, "figures", root), "ITEMS", {})
    return items


def item_at(items: Items, axes: Mapping[str, str], item: str) -> str:
    """The item of a row with these axes, whose file says `item`."""
    found = (names[axes[axis]] for axis, names in items.items() if axes.get(axis) in names)
    return next(found, item)


def with_items(results: Results, root: Path = ROOT) -> Results:
    """The results, each row with the item that its experiment declares."""
    items = {name: items_of(name, root) for name in {case.experiment for case in results.rows()}}

    def named(cases: Sequence[Case]) -> tuple[Case, ...]:
        return tuple(_with_item(case, item_at(items[case.experiment], case.axes, case.item)) for case in cases)

    return replace(
        results,
        cases=named(results.cases),
        shard_sets=named(results.shard_sets),
        peers=named(results.peers),
        end_to_end=named(results.end_to_end),
    )


def _with_item(case: Case, item: str) -> Case:
    return case if case.item == item else replace(case, item=item)


def load_all(results: Results, root: Path = ROOT, only: Sequence[str] = ()) -> list[Experiment]:
    """Experiments with declarations or results. `only` selects some of them; an unknown name is an error."""
    known = list(dict.fromkeys([*names(root), *results.experiments()]))
    unknown = [name for name in only if name not in known]
    if unknown:
        raise UserError(
            f"unknown experiment {unknown[0]}", f"known are {', '.join(known) or 'none'}", "check the spelling"
        )
    return [load_experiment(name, root) for name in known if (not only or name in only) and name != "limits"]


def load_sweeps(name: str, root: Path = ROOT) -> list[dict[str, object]]:
    path = root / "experiments" / name / "sweeps.json"
    if not path.is_file():
        return []
    try:
        return list(json.loads(path.read_text(encoding="utf-8"))["sweeps"])
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise UserError(
            f"{path} does not parse", str(error), "correct it; compare the sweeps.json of another experiment"
        ) from None


def _module(name: str, part: str, root: Path) -> ModuleType | None:
    if not (root / "experiments" / name / f"{part}.py").is_file():
        return None
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    return importlib.import_module(f"experiments.{name}.{part}")


def _plain_about(name: str) -> About:
    return About(name.replace("_", " ").capitalize(), "", "")


def _generic() -> tuple[Sequence[AnyFigure], Sequence[AnyTable]]:
    figures = (Ranking("ranking", "Best speed of every variant", rate("items")),)
    tables = (
        PivotTable("variants", "Shortest time of every variant", ("variant", "machine"), "role", time()),
        RoofTable("limits", "Share of the device's limits", (MEMORY,)),
    )
    return figures, tables
