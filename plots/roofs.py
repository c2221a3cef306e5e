"""How close a variant comes to the device's limits: its traffic or operations over what `lockstep limits` measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from plots.errors import NotTestable
from plots.figures import Scope, command_for, machine_name, source_of
from plots.interval import Interval
from plots.results import Case, View
from plots.tables import MISSING, TableData
from plots.units import digits, quantity


@dataclass(frozen=True)
class Roof:
    """`amount` is how much of the limited resource one launch uses; None if a case does not use it.

    `limit` is the name of a limit; {axis} in it is replaced by the case's value: "random_words.{engine}".
    """

    label: str
    limit: str
    unit: str
    amount: Callable[[Case], float | None]

    def height(self, view: View, case: Case) -> float | None:
        entry = view.device.limits.get(self.limit.format_map(_Axes(dict(case.axes))))
        return float(entry["value"]) if entry is not None else None

    def achieved(self, case: Case) -> Interval | None:
        amount = self.amount(case)
        return case.time.inverse() * amount if case.time is not None and amount else None


#: Every case declares the minimum number of bytes that it moves.
MEMORY = Roof("device memory", "copy", "B/s", lambda case: case.bytes or None)


class _Axes(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


@dataclass(frozen=True)
class RoofTable:
    """A row per variant (its best case on the device's main machine), a column per roof: the share of the limit."""

    name: str
    title: str
    roofs: tuple[Roof, ...]
    where: Mapping[str, object] = field(default_factory=dict)
    caption: str = ""

    def fill(self, scope: Scope) -> TableData:
        view = scope.view
        if not view.device.limits:
            raise NotTestable(f"no limits of {view.device.name}; ./lockstep limits measures them")
        best: dict[str, Case] = {}
        for case in view.select(**(dict[str, object](machine=view.device.machine) | dict(self.where))):
            known = best.get(case.variant)
            if case.rate is not None and (known is None or known.rate is None or case.rate.value > known.rate.value):
                best[case.variant] = case
        words, plain = [], []
        for case in sorted(best.values(), key=lambda case: -(case.rate.value if case.rate else 0)):
            shares = [(roof, self._share(roof, view, case)) for roof in self.roofs]
            found = [(roof, *share) for roof, share in shares if share is not None]
            if found and case.rate is not None:
                cells = [_cell(share, roof.unit) for roof, share in shares]
                words.append((case.variant, quantity(case.rate.value, f"{case.item}/s"), *cells))
                plain += [
                    (case.variant, roof.label, done, height, done / height, roof.unit) for roof, done, height in found
                ]
        if not words:
            raise NotTestable(f"neither {' nor '.join(roof.label for roof in self.roofs)} was measured as a limit")
        return TableData(
            self.name,
            self.title,
            view.device.name,
            (f"variant, {machine_name(view.device.machine)}", "speed", *(roof.label for roof in self.roofs)),
            tuple(words),
            ("variant", "roof", "achieved", "limit", "share", "unit"),
            tuple(plain),
            source_of(view, list(best.values())),
            self.caption,
            command_for(best.values()),
        )

    @staticmethod
    def _share(roof: Roof, view: View, case: Case) -> tuple[float, float] | None:
        achieved, height = roof.achieved(case), roof.height(view, case)
        return None if achieved is None or not height else (achieved.value, height)


def _cell(share: tuple[float, float] | None, unit: str) -> str:
    if share is None:
        return MISSING
    achieved, height = share
    return f"{digits(100 * achieved / height)}% of {quantity(height, unit)}"
