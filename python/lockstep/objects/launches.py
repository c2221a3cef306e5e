"""The launches of peach: one for all ticks, or one for each phase of each tick if the method has synchronize()."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .execute import Execution, Report, publish
from .plan import Plan
from .store import Store


class Launches:
    """A section of one method, whose columns are on the machine."""

    def __init__(self, plan: Plan, store: Store) -> None:
        self._executions: list[Execution] = []
        # A later phase may reach more objects: then all of them get new numbers.
        while not self._executions or any(one.version != store.version for one in self._executions):
            first = Execution(plan, store)
            later = [replace(plan, phase=phase, arguments={}, argument_types={}) for phase in range(1, first.phases)]
            self._executions = [first, *(Execution(one, store) for one in later)]
        self.version = store.version
        self.report = _sum([one.report for one in self._executions])

    def run(self, ticks: int, first_tick: int, seed: int) -> None:
        if len(self._executions) == 1:
            self._executions[0].run(ticks, first_tick, seed)
            return
        self.report.ran, self.report.jobs = 0, self._executions[0].jobs
        for tick in range(first_tick, first_tick + ticks):
            for one in self._executions:
                one.run(1, tick, seed)
                self.report.ran += one.report.ran
        publish(self.report)

    def set_arguments(self, arguments: tuple[Any, ...]) -> None:
        for one in self._executions:
            one.set_arguments(arguments)


def _sum(reports: list[Report]) -> Report:
    if len(reports) == 1:
        return reports[0]
    return Report(
        machine=reports[0].machine,
        text="\n".join(one.text for one in reports),
        translated=sum(one.translated for one in reports),
        compiled=sum(one.compiled for one in reports),
        sent=sum(one.sent for one in reports),
        sent_bytes=sum(one.sent_bytes for one in reports),
        columns=[name for one in reports for name in one.columns],
        visited=sum(one.visited for one in reports),
    )
