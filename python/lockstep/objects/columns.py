"""The columns of a program: where fields and the contents of lists are, who accesses them, and what methods make."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import Any

from .errors import ObjectsError
from .model import NOTHING, Conflict, Number, Reference, Sequence, Type
from .races import Access
from .scope import Scope, Value
from .text import identifier
from .world import Column, World, field_of, root_of

MAX_SITES = 0xFFFF  # a failure has 16 bits for its place


@dataclass(frozen=True)
class OwnField:
    """A field of the elements, and the classes of which it is used and written."""

    storage: str
    kind: Type
    uses: frozenset[type]
    writes: frozenset[type]


@dataclass(frozen=True)
class Member:
    """A member of the arguments: what it holds, and how the host supplies it."""

    cpp: str
    supplier: tuple[Any, ...]


@dataclass
class Columns:
    world: World
    tags: dict[type, int]
    changed: bool = False  # a type of a variable or result grew in this round
    members: dict[str, Member] = field(default_factory=dict)
    sites: list[tuple[str, int, str]] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    written: set[Column] = field(default_factory=set)
    stored: set[Column] = field(default_factory=set)  # written by assignments, not atomically
    written_lists: set[Column] = field(default_factory=set)
    grown: set[Column] = field(default_factory=set)  # lists whose length methods change
    made: dict[type, None] = field(default_factory=dict)  # classes of which methods make objects
    part_lists: set[Column] = field(default_factory=set)  # lists over whose elements nested sections run
    _storages: dict[tuple[Any, ...], str] = field(default_factory=dict)

    def begin_round(self) -> None:
        self.changed = False
        self.members, self.sites, self.accesses, self._storages = {}, [], [], {}

    # Classes and places

    def tag(self, one: type) -> int:
        """Classes are numbered in the order in which the tracer finds them, from the first element of the array on."""
        for found in self.world.objects:
            self.tags.setdefault(found, len(self.tags))
        return self.tags[one]

    def site(self, file: str, line: int, reason: str) -> int:
        place = (file, line, reason)
        if place not in self.sites:
            if len(self.sites) > MAX_SITES:
                raise ObjectsError(
                    "the section is too large: it has too many places where something can go wrong", file, line
                )
            self.sites.append(place)
        return self.sites.index(place)

    # Columns

    def access(self, scope: Scope, kind: str, of: Reference, name: str, node: ast.AST) -> None:
        line = scope.source.line_of(node)
        self.accesses.append(Access(kind, of.classes, name, of.own, of.private, scope.source.file, line))
        column = (root_of(next(iter(of.classes))), name)
        if kind != "read" and column not in self.written:
            self.written.add(column)
            self.changed = True
        if kind == "write" and of.own and column not in self.stored:
            self.stored.add(column)
            self.changed = True

    def access_element(self, scope: Scope, kind: str, of: Sequence, node: ast.AST) -> None:
        """Notes that the elements of a field's lists are read or written."""
        root, name = of.home
        if root is None:
            return
        field_name = field_of((root, name))[1]
        having = (one for one in self.world.objects if root_of(one) == root)
        classes = frozenset(one for one in having if self.world.uses(one, field_name))
        self.accesses.append(
            Access(kind, classes, name, of.own, of.private, scope.source.file, scope.source.line_of(node))
        )
        if kind == "element written" and (root, name) not in self.written_lists:
            self.written_lists.add((root, name))
            self.changed = True

    def grow(self, home: Column) -> None:
        """Notes that methods change the length of these lists, or make them."""
        if home not in self.grown:
            self.grown.add(home)
            self.changed = True
        self.written_lists.add(home)

    def lists_of(self, of: Sequence) -> tuple[str, str]:
        """C++ texts: the places and sizes of lists that grow, and the memory behind their contents."""
        root, name = of.home
        assert root is not None
        if name.endswith("[]"):
            outer = self.world.list_type((root, name[:-2]))
            storage = self.contents(outer)
        else:
            storage = self.column((root, name), of)
        lists = ", ".join(f"a.{storage}{part}" for part in ("_first", "_size", "_capacity"))
        kind = self.world.list_type((root, name))
        if kind.element == NOTHING:
            return f"Lists{{{lists}}}", ""  # nothing is appended to these lists
        pool = f"{self.contents(kind)}_pool"
        self.members[pool] = Member("Pool", ("pool", (root, name)))
        return f"Lists{{{lists}}}", f"a.{pool}"

    def slice_of(self, value: Value) -> str:
        """C++ text: where the list is now."""
        assert isinstance(value.type, Sequence)
        return f"slice_of({self.lists_of(value.type)[0]}, {value.text})" if value.type.grows else value.text

    def make(self, one: type) -> str:
        """C++ text: the memory for new objects of a class."""
        self.world.know(one)
        if one not in self.made:
            self.made[one] = None
            self.changed = True
        root = root_of(one)
        name = identifier("n", list(dict.fromkeys(map(root_of, self.made))).index(root), root.__name__)
        self.members[name] = Member("Made", ("made", root))
        return f"a.{name}"

    def place_of(self, column: Column, own: bool) -> str:
        """Where a field is while a section runs. Only its own element accesses a field that assignments write."""
        if own and column in self.stored:
            return "register"
        return "memory" if column in self.written else "constant"

    def own_fields(self) -> list[OwnField]:
        """The fields that elements keep in registers."""
        found = []
        for column in sorted(self.stored, key=lambda one: self._storages.get(("column", one), "")):
            own = [one for one in self.accesses if one.own and one.name == column[1]]
            uses = {each for one in own for each in one.classes if root_of(each) == column[0]}
            writes = {each for one in own if one.kind == "write" for each in one.classes if root_of(each) == column[0]}
            kind = self.world.columns[column]
            found.append(OwnField(self.column(column, kind), kind, frozenset(uses), frozenset(writes)))
        return found

    def is_column(self, one: type, name: str) -> bool:
        return (root_of(one), name) in self.written or self.world.has_field(one, name)

    def column(self, column: Column, kind: Type) -> str:
        """The name of the column's member; more than one if a field needs two columns."""
        owner = self.world.owner(column).__name__
        if isinstance(kind, Sequence):
            kind = replace(kind, grows=column in self.grown)
        return self._storage("c", f"{owner}_{column[1]}", kind, ("column", column))

    def contents(self, kind: Sequence) -> str:
        root, name = kind.home
        label = name if root is None else f"{root.__name__}_{name}"
        element = kind.element
        if isinstance(element, Sequence):
            element = replace(element, grows=element.home in self.grown)
        return self._storage("e", f"{label}_contents", element, ("contents", kind.home))

    def _storage(self, prefix: str, name: str, kind: Type, supplier: tuple[Any, ...]) -> str:
        if supplier not in self._storages:
            storage = self._storages[supplier] = identifier(prefix, len(self._storages), name)
            for part, cpp in stored_parts(kind):
                self.members[storage + part] = Member(f"{cpp}*", (*supplier, part))
        return self._storages[supplier]

    def load(self, storage: str, kind: Type, at: str, place: str = "constant") -> str:
        form = {"register": "lane.{}", "memory": "a.{}[{}]", "constant": "fetch(a.{}, {})"}[place]
        read = [form.format(storage + part, at) for part, _ in stored_parts(kind)]
        return read[0] if len(read) == 1 else f"{kind.cpp}{{{', '.join(read)}}}"

    def parts(self, storage: str, kind: Type, text: str) -> list[tuple[str, str]]:
        """What is stored into each column."""
        names = [part for part, _ in stored_parts(kind)]
        return [(storage + part, text if len(names) == 1 else f"{text}.{part[1:]}") for part in names]

    def made_fields(self) -> dict[Column, set[type]]:
        """The fields that new objects have, and their classes."""
        found: dict[Column, set[type]] = {}
        for access in self.accesses:
            if access.kind == "made":
                for one in access.classes:
                    found.setdefault((root_of(one), access.name), set()).add(one)
        return found

    def writers(self) -> dict[Column, set[type]]:
        """The fields that a section may change, and the classes of the objects."""
        found: dict[Column, set[type]] = {}
        for access in self.accesses:
            if access.kind in ("write", "atomic"):
                for one in access.classes:
                    found.setdefault((root_of(one), access.name), set()).add(one)
        return found

    def part_use(self) -> str:
        """What nested sections do with fields and lists of parts that others must not see: "written", so that no object
        may be a part twice; "read", while sections write them in their own elements, so that no part may be one; or "".
        """
        parts, written = [one for one in self.accesses if one.private == "part"], self.writers()
        if any(one.kind not in ("read", "element read") for one in parts):
            return "written"
        for one in parts:
            for column in ((root_of(each), one.name) for each in one.classes):
                if column in self.written_lists or one.classes & written.get(column, set()):
                    return "read"
        return ""


def stored_parts(kind: Type) -> list[tuple[str, str]]:
    """The columns of a field: two if its class is not unique (Section 4.4), or if it is a list (Figure 6)."""
    if isinstance(kind, Number):
        return [("", kind.cpp)]
    if isinstance(kind, Reference):
        return [("", "u32")] if kind.unique else [("_tag", "u32"), ("_id", "u32")]
    if isinstance(kind, Sequence):
        return [("_first", "u32"), ("_size", "u32"), *[("_capacity", "u32")] * kind.grows]
    raise Conflict("a field without a value")
