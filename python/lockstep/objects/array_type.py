"""Arrays with parallel sections: peach, pmap, pselect, preduce.

What translates and runs sections is imported by the first section, while the GPU opens (opening.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence as PythonSequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from . import opening
from .draws import is_drawing
from .errors import ObjectsError, caller
from .turns import turn

if TYPE_CHECKING:
    from .plan import Method, Plan, Stage
    from .resident import Resident
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
        self._begin()
        from . import plain
        from .launches import Launches
        from .plan import Plan, Stage, check_ticks

        stage = Stage("peach", method, args, *caller())
        with turn():
            elements = self._values()
            plan = Plan(elements, (stage,), file=stage.file, line=stage.line)
            check_ticks(stage, ticks, first_tick)
            if not elements:
                return
            if self._machine == "python":
                plain.run(plan, ticks, first_tick, self._seed)
                return
            with self._store() as store:
                before, written = store.fetched, store.written_fields
                launches = Launches(plan, store)
                launches.run(ticks, first_tick, self._seed)
                store.fetch()
                launches.report.fetched = store.fetched - before
                launches.report.written_fields = store.written_fields - written

    def _begin(self) -> None:
        """Opens the machine in the background, if a section will use it."""
        if self._elements:
            with turn():
                opening.begin(self._machine)

    @contextmanager
    def _store(self) -> Iterator[Store]:
        """The objects of earlier sections, with what Python has changed since. A failure drops them."""
        from .store import Store

        store = self._stores.get(self._machine) or Store(self._machine)
        self._stores.clear()  # a failure has nothing of what was known
        store.refresh()
        yield store
        self._stores[self._machine] = store

    def resident(self) -> Resident:
        """For `with`: sections whose data stays on the machine until the block ends."""
        self._begin()
        from .resident import Resident

        return Resident(self._values(), self._machine, self._seed)

    def pmap(self, method: Method, *args: Any) -> Array:
        """The results of a method of every element, which writes nothing. Runs when the result is read."""
        return self._with("pmap", method, args)

    def pselect(self, method: Method, *args: Any) -> Array:
        """The elements for which a method returns something true. Runs when the result is read."""
        return self._with("pselect", method, args)

    def preduce(self, method: Method, initial: Any = None) -> Any:
        """Reduces all values with "+", "*", "min", "max", or an associative function of two values.

        Without values, returns `initial`, or raises ObjectsError if it is None. An `initial` value is the first
        operand. Groups of 64 values are reduced in their order, then groups of these results: floats give the same sum
        on every machine.
        """
        self._begin()
        from . import plain
        from .plan import Plan

        file, line = caller()
        plain.check_reduction(method, initial, file, line)
        plan = Plan(self._elements, self._stages, method, file, line)
        with turn():
            found, value = self._reduced(plan) if self._elements else (False, None)
        if not found:
            if initial is None:
                raise ObjectsError("preduce of no values needs an initial value", file, line)
            return initial
        if initial is None:
            return value
        combine = plain.combine_of(method)
        return combine(initial, value)

    def _reduced(self, plan: Plan) -> tuple[bool, Any]:
        from . import plain
        from .execute import Execution

        if self._machine == "python":
            return plain.reduced(plan, plain.run(plan, 1, 0, self._seed))
        with self._store() as store:
            execution = Execution(plan, store)
            execution.run(seed=self._seed)
            return execution.reduced()

    def _with(self, kind: str, method: Method, args: tuple[Any, ...]) -> Array:
        from .plan import Stage

        stage = Stage(kind, method, args, *caller())
        return Array(self._elements, (*self._stages, stage), self._machine, self._seed, self._stores)

    # Results

    def to_list(self) -> list[Any]:
        """Runs the chain, if it has not run yet."""
        if not self._stages:
            return list(self._elements)
        with turn():
            if self._result is None:
                self._result = self._run() if self._elements else []
            return self._result if self._elements else []

    def _values(self) -> PythonSequence[Any]:
        """The elements now, as the caller's list may have changed; of a chain, its result."""
        return self.to_list() if self._stages else self._elements

    def _run(self) -> list[Any]:
        self._begin()
        from . import plain
        from .execute import Execution
        from .plan import Plan

        last = self._stages[-1]
        plan = Plan(self._elements, self._stages, file=last.file, line=last.line)
        if self._machine == "python":
            return plain.run(plan, 1, 0, self._seed)
        with self._store() as store:
            execution = Execution(plan, store)
            execution.run(seed=self._seed)
            return execution.results()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __getitem__(self, at: Any) -> Any:
        return self._values()[at]

    def __getstate__(self) -> dict[str, Any]:
        """A copy traces its objects for itself."""
        return {**self.__dict__, "_stores": {}}

    def __repr__(self) -> str:
        steps = "".join(f".{stage.kind}(...)" for stage in self._stages)
        return f"array of {len(self._elements)}{steps}"


def array(elements: Iterable[Any], *, machine: str = "auto", seed: int = 0) -> Array:
    """An array whose sections run on a machine: cuda, cpu, emulator, python, or auto (a GPU, or else the CPU).

    A list stays the caller's: what is appended to it is an element of the next section. Machine python runs methods as
    they are, also those that the other machines refuse; README.md lists the differences.
    """
    opening.check_machine(machine)
    if not hasattr(seed, "__index__"):
        raise ObjectsError(f"seed={seed!r} is not an int", *caller())
    if not 0 <= seed < 2**64:
        raise ObjectsError(f"seed={seed} is out of range (0 to 2^64 - 1)", *caller())
    if hasattr(elements, "tolist"):  # of numpy and others
        elements = elements.tolist()
    return Array(elements if isinstance(elements, (list, tuple)) else list(elements), (), machine, seed)


def prepare(machine: str = "auto") -> None:
    """Does once what the first section would do: begins to open the GPU, and imports what translates methods.

    It returns before the GPU is open. So a program that calls it first makes its objects while the GPU opens. If the
    GPU cannot be opened, the first section raises the error.
    """
    opening.check_machine(machine)
    opening.begin(machine)
    from . import launches  # noqa: F401


def peach(elements: Iterable[Any], method: Method, *args: Any, **options: Any) -> None:
    """array(elements).peach(method, *args); options are those of array and peach.

    In a method that a section runs, it is a nested section: a loop, with the option `ticks` alone.
    """
    if is_drawing():
        from . import nested

        nested.run(tuple(elements), method, args, int(options.get("ticks", 1)))
        return
    settings = {name: options.pop(name) for name in ("machine", "seed") if name in options}
    array(elements, **settings).peach(method, *args, **options)
