"""Machine "python": the methods themselves, one element after another. It is the specification of the other machines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .draws import Draws, drawing
from .errors import ObjectsError
from .image import packed_numbers
from .model import FLOAT32
from .scalars import float32
from .phases import PHASE_DRAWS, functions_of
from .plan import FOLDED, Method, Plan, Stage
from .world import declared_type

_REDUCERS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "min": min,
    "max": max,
}


def _method(stage: Stage, element: Any) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(type(element), stage.method) if isinstance(stage.method, str) else stage.method
    if not callable(found):
        problem = "a method is given by its name, or as a function made with def"
        raise ObjectsError(problem, stage.file, stage.line)
    return found


def _apply(stage: Stage, element: Any) -> Any:
    return _method(stage, element)(element, *stage.arguments)


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


def combine_of(reducer: Method) -> Callable[[Any, Any], Any]:
    if not isinstance(reducer, str):
        return reducer
    return _REDUCERS[reducer]


def run(plan: Plan, ticks: int, first_tick: int, seed: int) -> list[Any]:
    """The values of the elements that are left."""
    results = []
    round_fields(plan.elements)
    if plan.writes and _phases(plan) > 1:
        _run_phases(plan, ticks, first_tick, seed)
        round_fields(plan.elements)
        return []
    for position, element in enumerate(plan.elements):
        for tick in range(first_tick, first_tick + ticks):
            with drawing(Draws(seed, position, tick)):
                value, kept = element, True
                for stage in plan.stages:
                    result = _apply(stage, value)
                    if stage.kind == "pselect" and not result:
                        kept = False
                        break
                    value = result if stage.kind == "pmap" else value
        if kept and ticks > 0:
            results.append(value)
    round_fields(plan.elements)
    return results


def _phases(plan: Plan) -> int:
    """Of the method of peach, which has as many in every class."""
    (stage,) = plan.stages
    methods = [_method(stage, one) for one in {type(each): each for each in plan.elements}.values()]
    counts = {len(functions_of(one)) for one in methods}
    if len(counts) > 1:
        problem = f"{stage.method} has {min(counts) - 1} synchronize(), and that of another class {max(counts) - 1}"
        raise ObjectsError(problem, plan.file, plan.line)
    return counts.pop()


def _run_phases(plan: Plan, ticks: int, first_tick: int, seed: int) -> None:
    (stage,) = plan.stages
    for tick in range(first_tick, first_tick + ticks):
        for phase in range(_phases(plan)):
            for position, element in enumerate(plan.elements):
                with drawing(Draws(seed, position, tick, PHASE_DRAWS * phase)):
                    functions_of(_method(stage, element))[phase](element, *stage.arguments)


def reduced(plan: Plan, values: list[Any]) -> tuple[bool, Any]:
    """Reduces groups as the machines do. Precondition: no selection, which would move the groups."""
    if not values or plan.reducer is None:
        return False, None
    combine = combine_of(plan.reducer)
    while len(values) > 1:
        groups = [values[first : first + FOLDED] for first in range(0, len(values), FOLDED)]
        values = [_folded(combine, group) for group in groups]
    return True, values[0]


def _folded(combine: Callable[[Any, Any], Any], values: list[Any]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = combine(result, value)
    return result
