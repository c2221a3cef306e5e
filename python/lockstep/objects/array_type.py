"""Arrays with parallel sections: peach, pmap, pselect, preduce."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence as PythonSequence
from contextlib import contextmanager
from typing import Any

from . import nested, plain
from .calls import special
from .draws import is_drawing
from .errors import ObjectsError
from .execute import Execution, machine_name
from .launches import Launches
from .resident import Resident
from .plan import Method, Plan, Stage, caller, check_ticks
from .store import Store


class Array:
    """A list of objects or numbers, or a chain of operations over one that has not run yet (Section 4.1).

    A chain runs as one program, when its result is read, and only once.
    """

    def __init__(
        self,
        elements: PythonSequence[Any],
        stages: tuple[Stage, ...] = (),
        machine: str = "auto",
        seed: int = 0,
        stores: dict[str, Store] | None = None,
    ) -> None:
        self._elements = elements
        self._stores = {} if stores is None else stores  # by machine: what was traced, for the next section
        self._stages = stages
        self._machine = machine
        self._seed = seed
        self._result: list[Any] | None = None

    # Sections

    def peach(self, method: Method, *args: Any, ticks: int = 1, first_tick: int = 0) -> None:
        """Runs a method of every element `ticks` times, at once, and sets the fields that it changed.

        `method` is the name of a method, or a function whose first parameter is the element. Elements see one
        another's changes only after `synchronize()`: a section that would see them otherwise is refused. Random draws
        depend on the seed, the element's position, and the tick, which counts from `first_tick`.
        """
        stage = Stage("peach", method, args, *caller())
        elements = self._elements if not self._stages else self.to_list()
        plan = Plan(elements, (stage,), file=stage.file, line=stage.line)
        machine = machine_name(self._machine)
        check_ticks(stage, ticks, first_tick)
        if not elements:
            return
        if machine == "python":
            plain.run(plan, ticks, first_tick, self._seed)
            return
        with self._store(machine) as store:
            before, written = store.fetched, store.written_fields
            launches = Launches(plan, store)
            launches.run(ticks, first_tick, self._seed)
            store.fetch()
            launches.report.fetched = store.fetched - before
            launches.report.written_fields = store.written_fields - written

    @contextmanager
    def _store(self, machine: str) -> Iterator[Store]:
        """The objects of earlier sections, with what Python has changed since. A failure drops them."""
        store = self._stores.get(machine) or Store(machine)
        self._stores.clear()  # another machine, or a failure, has nothing of what this one knows
        store.refresh()
        yield store
        self._stores[machine] = store

    def resident(self) -> Resident:
        """For `with`: sections whose data stays on the machine until the block ends."""
        elements = self._elements if not self._stages else self.to_list()
        return Resident(elements, machine_name(self._machine), self._seed)

    def pmap(self, method: Method, *args: Any) -> Array:
        """The results of a method of every element, which writes nothing. Runs when the result is read."""
        return self._with(Stage("pmap", method, args, *caller()))

    def pselect(self, method: Method, *args: Any) -> Array:
        """The elements for which a method returns something true. Runs when the result is read."""
        return self._with(Stage("pselect", method, args, *caller()))

    def preduce(self, method: Method, initial: Any = None) -> Any:
        """Reduces all values with "+", "*", "min", "max", or an associative function of two values.

        Without values, returns `initial`, or raises ObjectsError if it is None. An `initial` value is the first
        operand. Groups of 64 values are reduced in their order, then groups of these results: floats give the same sum
        on every machine.
        """
        file, line = caller()
        plan = Plan(self._elements, self._stages, method, file, line)
        found, value = self._reduced(plan, machine_name(self._machine)) if self._elements else (False, None)
        if not found:
            if initial is None:
                raise ObjectsError("preduce of no values needs an initial value", file, line)
            return initial
        if initial is None:
            return value
        combine = plain.combine_of(method)
        return combine(initial, value)

    def _reduced(self, plan: Plan, machine: str) -> tuple[bool, Any]:
        if machine == "python":
            return plain.reduced(plan, plain.run(plan, 1, 0, self._seed))
        with self._store(machine) as store:
            execution = Execution(plan, store)
            execution.run(seed=self._seed)
            return execution.reduced()

    def _with(self, stage: Stage) -> Array:
        return Array(self._elements, (*self._stages, stage), self._machine, self._seed, self._stores)

    # Results

    def to_list(self) -> list[Any]:
        """Runs the chain, if it has not run yet."""
        if self._result is None:
            self._result = self._run() if self._stages and self._elements else list(self._elements)
        return self._result if self._elements else []

    def _run(self) -> list[Any]:
        last = self._stages[-1]
        plan = Plan(self._elements, self._stages, file=last.file, line=last.line)
        machine = machine_name(self._machine)
        if machine == "python":
            return plain.run(plan, 1, 0, self._seed)
        with self._store(machine) as store:
            execution = Execution(plan, store)
            execution.run(seed=self._seed)
            return execution.results()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_list())

    def __len__(self) -> int:
        return len(self.to_list())

    def __getitem__(self, at: Any) -> Any:
        return self.to_list()[at]

    def __repr__(self) -> str:
        steps = "".join(f".{stage.kind}(...)" for stage in self._stages)
        return f"array of {len(self._elements)}{steps}"


def array(elements: Iterable[Any], *, machine: str = "auto", seed: int = 0) -> Array:
    """An array whose sections run on a machine: cuda, cpu, emulator, python, or auto (a GPU, or else the CPU)."""
    machine_name(machine)
    if not hasattr(seed, "__index__"):
        raise ObjectsError(f"seed={seed!r} is not an int", *caller())
    if not 0 <= seed < 2**64:
        raise ObjectsError(f"seed={seed} is out of range (0 to 2^64 - 1)", *caller())
    if hasattr(elements, "tolist"):  # of numpy and others
        elements = elements.tolist()
    return Array(elements if isinstance(elements, (list, tuple)) else list(elements), (), machine, seed)


def peach(elements: Iterable[Any], method: Method, *args: Any, **options: Any) -> None:
    """array(elements).peach(method, *args); options are those of array and peach.

    In a method that a section runs, it is a nested section: a loop, with the option `ticks` alone.
    """
    if is_drawing():
        nested.run(tuple(elements), method, args, int(options.get("ticks", 1)))
        return
    settings = {name: options.pop(name) for name in ("machine", "seed") if name in options}
    array(elements, **settings).peach(method, *args, **options)


special(peach)(nested.translate)
