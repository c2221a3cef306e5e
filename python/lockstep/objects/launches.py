"""The launches of peach: one for all ticks, or one for each phase of each tick if the method has synchronize()."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .errors import ObjectsError
from .execute import Execution, Report, publish
from .plan import Plan
from .store import Store


class Launches:
    """A section of one method, whose columns are on the machine."""

    def __init__(self, plan: Plan, store: Store) -> None:
        self._store = store
        made: list[Execution] = []
        while True:
            first = Execution(plan, store)
            later = [replace(plan, phase=phase, arguments={}, argument_types={}) for phase in range(1, first.phases)]
            self._executions = [first, *(Execution(one, store) for one in later)]
            made += self._executions
            # A later phase may reach more objects: then all of them get new numbers.
            if all(one.version == store.version for one in self._executions):
                break
        self._check_part_lists(plan)
        self._version, self._world = store.version, store.world
        self.report = _sum([one.report for one in made], "\n".join(one.plan.text for one in self._executions))

    def _check_part_lists(self, plan: Plan) -> None:
        """No phase may change lists of parts: in later phases, an object could be a part of two elements."""
        programs = [one.program for one in self._executions]
        parts = {column for one in programs for column in one.part_lists}
        written = {column for one in programs for column in one.written_lists}
        used = any(one.part_use for one in self._executions)
        for _, name in sorted(parts & written, key=lambda one: one[1]) if used else []:
            problem = (
                f"{name} is written, and a nested section writes fields of its elements "
                "(an object could be a part of two elements): use a section for each"
            )
            raise ObjectsError(problem, plan.file, plan.line)

    @property
    def is_valid(self) -> bool:
        """False if other sections have found more objects, or wider types, or let all objects be traced anew."""
        return self._store.world is self._world and self._store.version == self._version

    def check_parts(self) -> None:
        """Has to be called again if other sections may have changed lists."""
        for one in self._executions:
            one.check_parts()

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


def _sum(reports: list[Report], text: str) -> Report:
    if len(reports) == 1:
        return reports[0]
    return Report(
        machine=reports[0].machine,
        text=text,
        translated=sum(one.translated for one in reports),
        compiled=sum(one.compiled for one in reports),
        sent=sum(one.sent for one in reports),
        sent_bytes=sum(one.sent_bytes for one in reports),
        columns=[name for one in reports for name in one.columns],
        visited=sum(one.visited for one in reports),
    )
