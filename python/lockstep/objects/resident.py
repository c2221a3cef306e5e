"""Sections whose data stays on the machine until Python reads it (Section 7.1)."""

from __future__ import annotations

from collections.abc import Sequence as PythonSequence
from types import TracebackType
from typing import Any

from lockstep._library import Handle

from . import plain
from .errors import ObjectsError, caller
from .launches import Launches
from .plan import Method, Plan, Stage, check_ticks
from .store import Store
from .turns import turn


class Resident(Handle):
    """The sections of a `with` block over one array. Fields of the Python objects change at its end, or by fetch().

    Within the block, Python must not change fields that the sections use: they would not see it. If a section fails,
    the objects have their state of the latest fetch.
    """

    def __init__(self, elements: PythonSequence[Any], machine: str, seed: int) -> None:
        self._elements, self._machine, self._seed = elements, machine, seed
        self._store = Store(machine) if machine != "python" else None
        self._known: dict[tuple[Any, ...], Launches] = {}

    def peach(self, method: Method, *args: Any, ticks: int = 1, first_tick: int = 0) -> None:
        """As Array.peach, but sends only what is not on the machine yet, and fetches nothing."""
        stage = Stage("peach", method, args, *caller())
        plan = Plan(self._elements, (stage,), file=stage.file, line=stage.line)
        check_ticks(stage, ticks, first_tick)
        if not self._elements:
            return
        with turn():
            if self._store is None:
                plain.run(plan, ticks, first_tick, self._seed)
                return
            try:
                self._launches(plan, stage, self._store).run(ticks, first_tick, self._seed)
            except ObjectsError:
                self._known.clear()
                self._store.forget()
                raise

    def _launches(self, plan: Plan, stage: Stage, store: Store) -> Launches:
        """The same method with arguments of the same types needs neither tracing nor translation."""
        kinds = [type(one) if isinstance(one, (int, float)) else id(one) for one in stage.arguments]
        key = (stage.method, *kinds)
        known = self._known.get(key)
        if known is None or not known.is_valid:
            self._known[key] = Launches(plan, store)
            return self._known[key]
        known.check_parts()
        if stage.arguments:
            known.set_arguments(stage.arguments)
        return known

    def fetch(self) -> None:
        """Sets the fields that sections have changed. They stay on the machine, too."""
        if self._store is not None:
            with turn():
                self._store.fetch()

    def __enter__(self) -> Resident:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.fetch()
