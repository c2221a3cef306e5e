"""What is run: the elements, the chain of operations, and where the user wrote them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence as PythonSequence
from dataclasses import dataclass, field
from typing import Any

from .errors import ObjectsError
from .model import NOTHING, Type
from .source import Source

Method = str | Callable[..., Any]
FOLDED = 64  # values that one lane reduces: fixed, so that every machine adds floats in the same order


@dataclass(frozen=True)
class Stage:
    """One operation of a chain."""

    kind: str  # peach, pmap, pselect
    method: Method
    arguments: tuple[Any, ...]
    file: str
    line: int

    @property
    def name(self) -> str:
        """Of the method, for people."""
        return self.method if isinstance(self.method, str) else getattr(self.method, "__name__", "")


@dataclass
class Plan:
    """What is run: elements, stages, and a reduction of the result."""

    elements: PythonSequence[Any]
    stages: tuple[Stage, ...]
    reducer: Method | None = None
    file: str = ""
    line: int = 0
    phase: int = 0  # of a method with synchronize()
    text: str = ""
    element_type: Type = NOTHING
    result: Type = NOTHING
    argument_types: dict[str, Type] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def writes(self) -> bool:
        return any(stage.kind == "peach" for stage in self.stages)

    @property
    def selects(self) -> bool:
        return any(stage.kind == "pselect" for stage in self.stages)


def check_ticks(stage: Stage, ticks: int, first_tick: int) -> None:
    """The words of a tick have the tick's number in 32 bits."""
    for name, value in (("ticks", ticks), ("first_tick", first_tick)):
        if not hasattr(value, "__index__"):
            raise ObjectsError(f"{name}={value!r} is not an int", stage.file, stage.line)
    if ticks < 0 or first_tick < 0 or first_tick + ticks > 2**32:
        raise ObjectsError(
            f"ticks {first_tick} to {first_tick + ticks} are out of range (0 to 2^32)", stage.file, stage.line
        )


def _nowhere() -> None:
    """Stands for the caller's code, which is not translated."""


def place_of(stage: Stage | Plan) -> Source:
    tree = ast.parse("def section(): pass").body[0]
    assert isinstance(tree, ast.FunctionDef)
    return Source(_nowhere, tree, stage.file, stage.line, ())  # type: ignore[arg-type]
