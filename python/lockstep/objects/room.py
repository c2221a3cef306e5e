"""Sections that make objects or change the length of lists (Section 7.2).

New objects get the ids behind those that exist, and lists that are full move behind the contents. There is room for as
many as the array has elements. If that is not enough, the section is undone and runs again with four times the room.
"""

from __future__ import annotations

import struct
from array import array
from typing import TYPE_CHECKING, Any

from .errors import ObjectsError
from .model import Sequence
from .native import Memory
from .program import Program
from .world import Column, root_of

if TYPE_CHECKING:
    from .store import Store

MIN_ROOM = 64
#: Ids of objects and places in lists are 32-bit integers, and the last one means none.
MAX_IDS = 2**32 - 1


class Room:
    """Memory of one section for what it makes."""

    def __init__(self, store: Store, program: Program, elements: int) -> None:
        self._store, self._program = store, program
        self.room = max(MIN_ROOM, elements)
        self._roots = {root_of(one): None for one in program.made}
        suppliers = [member.supplier for member in program.members.values()]
        self._saved = {one: store.values(one) for one in suppliers if one[0] in ("column", "contents") and one[1][0]}
        self._counts: dict[Any, Memory] = {}
        self._tags: dict[type, Memory] = {}

    def provide(self, members: dict[str, bytes]) -> None:
        """Restores all columns, with room behind them, and sets the section's arguments."""
        for supplier, values in self._saved.items():
            extra = self._extra(*supplier)
            longer = values + array(values.typecode, bytes(values.itemsize * extra)) if extra else values
            self._store.replace(supplier, longer)
        for name, member in self._program.members.items():
            kind, *of = member.supplier
            if kind in ("column", "contents") and of[0][0]:
                members[name] = struct.pack("<Q", self._store.address(name, member.supplier))
            elif kind == "made":
                members[name] = self._made(of[0])
            elif kind == "pool":
                used = next(len(values) for one, values in self._saved.items() if one[:2] == ("contents", of[0]))
                members[name] = struct.pack("<QQ", self._counter(of[0], used), self._end(used))

    def _extra(self, kind: str, of: Column, part: str) -> int:
        if kind == "column":
            return self.room + 1 if of[0] in self._roots else 0
        return self.room if of in self._program.grown else 0

    def _made(self, root: type) -> bytes:
        first = len(self._store.image.members.get(root, []))
        self._end(first)
        tags = self._tags[root] = Memory(self._store.machine, "I", self.room)
        return struct.pack("<QQQQ", self._counter(root, 0), tags.address, first, self.room)

    def _end(self, first: int) -> int:
        if first + self.room > MAX_IDS:
            raise ObjectsError(
                "a section needs more objects or list elements than 32-bit ids name (divide the section)"
            )
        return first + self.room

    def _counter(self, key: Any, value: int) -> int:
        counter = self._counts[key] = Memory(self._store.machine, "Q", 1)
        counter.upload(array("Q", [value]))
        return counter.address

    def made(self) -> dict[type, array[Any]]:
        """The class tags of the new objects, in the order of their ids, by root class."""
        return {root: self._tags[root].download()[: self._counts[root].download()[0]] for root in self._roots}


class Makings:
    """What sections have made since the last fetch, on its way into Python objects."""

    def __init__(self, program: Program, tags: dict[type, array[Any]]) -> None:
        self.grown, self._fields, self._tags = program.grown, program.made_fields(), tags
        self._new: dict[type, list[Any]] = {}

    def make(self, store: Store) -> None:
        """New Python objects, without fields yet. They have the ids behind those of the objects that exist."""
        by_tag = {tag: one for one, tag in store.tags.items()}
        for root, tags in self._tags.items():
            self._new[root] = [object.__new__(by_tag[tag]) for tag in tags]
            store.image.members.setdefault(root, []).extend(self._new[root])

    def set_fields(self, store: Store) -> int:
        """The fields of the new objects. Returns their number."""
        count = 0
        for column, classes in self._fields.items():
            new = self._new.get(column[0], [])
            end = len(store.image.members[column[0]])
            first = end - len(new)
            kind = store.world.columns[column]
            if isinstance(kind, Sequence):
                values: list[Any] = store.grown_lists(column, range(first, end))
            else:
                values = store.image.unpack(
                    kind, {part: whole[first:end] for part, whole in store.parts(column).items()}
                )
            for member, value in zip(new, values):
                if type(member) in classes:
                    setattr(member, column[1], value)
                    count += 1
        return count
