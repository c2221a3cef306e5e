"""Table 2 in the paper's shape: accesses to global memory by both schemes, as printed and as counted here."""

from __future__ import annotations

from dataclasses import dataclass

from experiments.replications import counted
from experiments.replications.measures import CHOSEN, WALK
from experiments.replications.wording import COMPARED
from plots.errors import NotTestable
from plots.figures import Scope, command_for
from plots.results import GPU, View
from plots.spec import source_of
from plots.tables import MISSING, TableData
from plots.units import digits

#: What the paper counts, its numbers with a thread and with a warp per replication, and our counter.
ACCESSES = (("reads", counted.READS, "loads"), ("writes", counted.WRITES, "stores"))
SCHEMES = ("TLP", "WLP", "TLP / WLP")


@dataclass(frozen=True)
class AccessTable:
    name: str
    title: str
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        view = scope.view
        rows = [(access, *_three(*printed), *_here(view, counter)) for access, printed, counter in ACCESSES]
        cases = view.select(variant=("threads", "warps"), machine=GPU, replications=COMPARED, **WALK, **CHOSEN)
        paper = next((one.device.name for one in scope.papers), "paper")
        heads = [f"{scheme}, {device}" for device in (paper, view.device.name) for scheme in SCHEMES]
        return TableData(
            self.name,
            self.title,
            view.device.name,
            ("", *heads),
            tuple((access, *(MISSING if one is None else digits(one) for one in numbers)) for access, *numbers in rows),
            ("access", *heads),
            tuple(rows),
            source_of(view, cases, "counted"),
            self.caption,
            command_for(cases, self.name),
        )


def _three(threads: float, warps: float) -> tuple[float, float, float]:
    return threads, warps, threads / warps


def _here(view: View, counter: str) -> tuple[float | None, float | None, float | None]:
    try:
        return _three(*counted.both(view, counter))
    except NotTestable:
        return None, None, None
