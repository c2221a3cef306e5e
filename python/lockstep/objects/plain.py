"""Machine "python": the methods themselves, one element after another. It specifies what the other machines do."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any

from .draws import Draws, drawing
from .errors import ObjectsError
from .image import packed_numbers
from .model import FLOAT32
from .scalars import float32
from .phase_functions import functions_of, synchronizes
from .phases import IN_CHAIN, PHASE_DRAWS
from .plan import FOLDED, Method, Plan, Stage
from .world import declared_type

_REDUCERS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "min": min,
    "max": max,
}


class _Functions(dict[type, list[Callable[..., Any]]]):
    """The functions of a stage, one for each phase, by the class of the element: looked up once per section."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._stage = stage

    def __missing__(self, one: type) -> list[Callable[..., Any]]:
        stage = self._stage
        method = getattr(one, stage.method) if isinstance(stage.method, str) else stage.method
        if not callable(method):
            problem = "a method is given by its name, or as a function made with def"
            raise ObjectsError(problem, stage.file, stage.line)
        if stage.kind == "peach":
            self[one] = functions_of(method)
        else:
            self[one] = [_of_chain(method, stage)]
        return self[one]

    def apply(self, element: Any, phase: int = 0) -> Any:
        return self[type(element)][phase](element, *self._stage.arguments)


def _of_chain(method: Callable[..., Any], at: Stage | Plan) -> Callable[..., Any]:
    if synchronizes(method):
        raise ObjectsError(IN_CHAIN, at.file, at.line)
    return method


def round_fields(elements: Any) -> None:
    """Fields annotated as float32 hold float32, and narrow ints fit."""
    for element in elements:
        for name, value in vars(element).items() if hasattr(element, "__dict__") else ():
            declared = declared_type(type(element), name) if type(value) in (int, float) else None
            if declared == FLOAT32:
                setattr(element, name, float32(value))
            elif declared is not None and declared.narrow:
                if type(value) is float:
                    what = f"the field {name} of {type(element).__name__}"
                    raise ObjectsError(f"{what} cannot be a column (it holds float and {declared})")
                packed_numbers(declared, [value], f"{type(element).__name__}.{name}")


def check_reduction(reducer: Method, initial: Any, file: str, line: int) -> None:
    """Raises ObjectsError unless it reduces, and the initial value is an operand of it."""
    if reducer not in _REDUCERS if isinstance(reducer, str) else not callable(reducer):
        problem = "preduce takes +, *, min, max (of numbers), or a function of two values"
        raise ObjectsError(problem, file, line)
    if isinstance(reducer, str) and initial is not None and not isinstance(initial, Real):
        kind = type(initial).__name__
        problem = f"the initial value of preduce is not a number (it is of type {kind}, and {reducer} is of numbers)"
        raise ObjectsError(problem, file, line)


def combine_of(reducer: Method) -> Callable[[Any, Any], Any]:
    if not isinstance(reducer, str):
        return reducer
    return _REDUCERS[reducer]


def run(plan: Plan, ticks: int, first_tick: int, seed: int) -> list[Any]:
    """The values of the elements that are left."""
    results = []
    round_fields(plan.elements)
    functions = [_Functions(stage) for stage in plan.stages]
    phases = _phases(plan, functions[0]) if plan.writes else 1
    if phases > 1:
        _run_phases(plan, functions[0], phases, range(first_tick, first_tick + ticks), seed)
        round_fields(plan.elements)
        return []
    for position, element in enumerate(plan.elements):
        value, kept = element, True  # without ticks, too
        for tick in range(first_tick, first_tick + ticks):
            with drawing(Draws(seed, position, tick)):
                value, kept = element, True
                for stage, of_stage in zip(plan.stages, functions):
                    result = of_stage.apply(value)
                    if stage.kind == "pselect" and not result:
                        kept = False
                        break
                    value = result if stage.kind == "pmap" else value
        if kept and ticks > 0:
            results.append(value)
    round_fields(plan.elements)
    return results


def _phases(plan: Plan, functions: _Functions) -> int:
    """Of the method of peach, which has as many in every class."""
    counts = {len(functions[one]) for one in dict.fromkeys(map(type, plan.elements))}
    if len(counts) > 1:
        name = plan.stages[0].name
        problem = f"{name} has {min(counts) - 1} synchronize(), and that of another class {max(counts) - 1}"
        raise ObjectsError(problem, plan.file, plan.line)
    return counts.pop()


def _run_phases(plan: Plan, functions: _Functions, phases: int, ticks: range, seed: int) -> None:
    for tick in ticks:
        for phase in range(phases):
            for position, element in enumerate(plan.elements):
                with drawing(Draws(seed, position, tick, PHASE_DRAWS * phase)):
                    functions.apply(element, phase)


def reduced(plan: Plan, values: list[Any]) -> tuple[bool, Any]:
    """Reduces groups as the machines do. Precondition: no selection, which would move the groups."""
    if not values or plan.reducer is None:
        return False, None
    combine = _of_chain(combine_of(plan.reducer), plan)
    while len(values) > 1:
        groups = [values[first : first + FOLDED] for first in range(0, len(values), FOLDED)]
        values = [_folded(combine, group) for group in groups]
    return True, values[0]


def _folded(combine: Callable[[Any, Any], Any], values: list[Any]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = combine(result, value)
    return result
