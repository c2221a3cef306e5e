"""What methods access, and whether an element could see or overwrite another's writes: the order must not matter."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import ObjectsError


@dataclass(frozen=True)
class Access:
    kind: str  # read, write, atomic, element read, element written
    classes: frozenset[type]
    name: str
    own: bool
    private: str
    file: str
    line: int


def check_accesses(accesses: list[Access]) -> None:
    """Raises ObjectsError if what an element reads could depend on the order of elements."""
    for one in accesses:
        for other in accesses:
            if one.name == other.name and one.classes & other.classes:
                _check_pair(one, other)


def _check_pair(one: Access, other: Access) -> None:
    name = f"{sorted(each.__name__ for each in one.classes & other.classes)[0]}.{one.name}"
    pairs = (("read", "write"), ("element read", "element written"))
    if (one.kind, other.kind) in pairs and not one.own and not one.private:
        raise ObjectsError(
            f"{name} is read in an object that may be another element, and written in line {other.line} "
            "(what is read would depend on the order)",
            one.file,
            one.line,
        )
    if one.kind == "atomic" and other.kind in ("read", "write"):
        raise ObjectsError(
            f"{name} has an atomic operation, and is {'read' if other.kind == 'read' else 'written'} in line "
            f"{other.line} (what is read would depend on the order)",
            one.file,
            one.line,
        )
