"""Columns in the memory of a machine, for one section or for several (Section 7.1)."""

from __future__ import annotations

import time
from array import array
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from operator import itemgetter
from typing import Any

from . import host
from .image import NO_ID as NO_JOB, Image
from .model import NOTHING, Conflict, Reference, Type
from .native import Machine, Memory
from .opening import machine_name
from .columns import stored_parts
from .program import Program
from .room import Makings
from .world import Column, World, root_of


class Store:
    """The objects that sections reached so far, and their columns: sent when first used, fetched when asked for."""

    def __init__(self, machine: str) -> None:
        self._wanted = machine
        self.world = World()
        self.tags: dict[type, int] = {}
        self.version = -1  # of the world whose objects and types the columns have
        self.sent_bytes = 0
        self.sent: list[str] = []
        self.fetched = 0.0  # seconds
        self.written_fields = 0  # of Python objects
        self.makings: Makings | None = None  # objects and longer lists of the latest section
        self._memory: dict[tuple[Any, ...], Memory] = {}
        self._latest: dict[tuple[Any, ...], array[Any]] = {}  # columns that sections write, when they were last fetched
        self._kinds: dict[Column, Type] = {}
        self._written: dict[Column, set[type]] = {}
        self._written_lists: set[Column] = set()
        self.list_versions: Counter[Column] = Counter()  # how many sections could change the lists of a field

    @cached_property
    def machine(self) -> Machine:
        """The machine, which opens in the background until a section needs it (opening.py)."""
        return Machine(machine_name(self._wanted))

    def refresh(self) -> None:
        """Takes over what Python code has changed: sends columns again, or else lets everything be traced anew."""
        columns = self.world.refresh()
        if columns is None:
            self.forget()
            return
        for column in columns:
            for supplier in [one for one in self._memory if one[0] == "column" and one[1] == column]:
                self._latest.pop(supplier, None)
                del self._memory[supplier]

    def prepare(self) -> None:
        """Numbers the objects. If a section found more, or wider types, all columns are fetched and made anew."""
        if self.version == self.world.version:
            return
        if self.version >= 0:
            self.fetch()
        self._memory.clear()
        self._latest.clear()
        self.image = Image(self.world, self.tags)
        self._kinds = dict(self.world.columns)
        self.version = self.world.version

    def address(self, name: str, supplier: tuple[Any, ...]) -> int:
        """The column of a field, or of the contents of its lists."""
        if supplier not in self._memory:
            what, of, part = supplier
            values = self.image.column(of, part) if what == "column" else self._contents(of, part)
            self._memory[supplier] = self.upload(name, values)
        return self._memory[supplier].address

    def values(self, supplier: tuple[Any, ...]) -> array[Any]:
        """What the machine has of a column, or would be sent."""
        self.address("", supplier)
        return self._memory[supplier].download()

    def replace(self, supplier: tuple[Any, ...], values: array[Any]) -> None:
        self._memory[supplier] = Memory(self.machine, values.typecode, len(values))
        self._memory[supplier].upload(values)

    def parts(self, column: Column) -> dict[str, array[Any]]:
        """The columns of a field."""
        kind = self._kinds[column]
        return {part: self._memory["column", column, part].download() for part, _ in stored_parts(kind)}

    def base(self, kind: Type, parts: list[str]) -> tuple[Memory | None, list[Memory]]:
        """The job array, if there are several classes, and the columns of the base array in its order."""
        key = ("base", self.world.base_version, kind)
        if (*key, "") not in self._memory:
            for old in [one for one in self._memory if one[0] == "base"]:
                del self._memory[old]
            elements = self.world.base_elements()
            columns = [self.image.pack(kind, part, elements, "the array") for part in parts]
            if isinstance(kind, Reference) and not kind.unique:
                order = host.job_order(columns[0], 1 + max(self.tags.values()))
                positions = [0 if position == NO_JOB else position for position in order]
                columns = [array("I", itemgetter(*positions)(column)) for column in columns]
                self._memory[(*key, "order")] = self.upload("order", order)
            for part, column in zip(parts, columns):
                self._memory[(*key, part)] = self.upload("base" + part, column)
            self._memory.setdefault((*key, ""), self._memory[(*key, parts[0])])
        return self._memory.get((*key, "order")), [self._memory[(*key, part)] for part in parts]

    def upload(self, name: str, values: array[Any]) -> Memory:
        memory = Memory(self.machine, values.typecode, len(values))
        memory.upload(values)
        self.sent_bytes += memory.bytes
        self.sent.append(name)
        return memory

    def _contents(self, home: Column, part: str) -> array[Any]:
        kind = self.world.list_type(home)
        return self.image.contents(kind, self.image.lists(home), part)

    def will_write(self, program: Program) -> None:
        """Notes the classes of which a section may change a field."""
        self._written_lists |= program.written_lists
        self.list_versions.update(program.written_lists)
        for column, classes in program.writers().items():
            self._written.setdefault(column, set()).update(classes)

    def fetch(self) -> None:
        """Sets the fields of the Python objects that sections have changed since the last time (Section 4.5)."""
        start, makings = time.perf_counter(), self.makings
        if makings is not None:
            makings.make(self)
        for column, classes in self._written.items():
            kind = self._kinds[column]
            if isinstance(kind, Reference) and not kind.unique:
                self._fetch_union(column, kind, classes)
            else:
                self._fetch_column(column, kind, classes)
        for column in self._written_lists:
            self._fetch_lists(column, makings is not None and column in makings.grown)
        self._written.clear()
        self._written_lists.clear()
        if makings is not None:
            self.written_fields += makings.set_fields(self)
            self.forget()
        self.fetched += time.perf_counter() - start

    def _fetch_column(self, column: Column, kind: Type, classes: set[type]) -> None:
        """Sets what differs from the values that the objects have; the first time, all values."""
        supplier = ("column", column, "")
        columns = (self._latest.get(supplier), self._memory[supplier].download())
        for one in sorted(classes, key=self.tags.__getitem__):
            where = (self.image.of_class[one], column[1], self.world.values[one, column[1]], columns)
            first = self.image.first[one]
            if isinstance(kind, Reference):
                objects = self.image.members[root_of(next(iter(kind.classes)))] if kind.classes else []
                self.written_fields += host.set_references(*where, first, objects)
            else:
                self.written_fields += host.set_numbers(*where, first)
        self._latest[supplier] = columns[1]

    def _fetch_union(self, column: Column, kind: Reference, classes: set[type]) -> None:
        values = self.image.unpack(kind, self.parts(column))
        for one in sorted(classes, key=self.tags.__getitem__):
            first, members, held = self.image.first[one], self.image.of_class[one], self.world.values[one, column[1]]
            for at, member in enumerate(members):
                if held[at] is not values[first + at]:
                    held[at] = values[first + at]
                    setattr(member, column[1], held[at])
                    self.written_fields += 1

    def _list_contents(self, column: Column) -> list[Any]:
        kind = self.world.list_type(column).element
        if kind == NOTHING:
            return []
        parts = {part: self._memory["contents", column, part].download() for part, _ in stored_parts(kind)}
        return self.image.unpack(kind, parts)

    def grown_lists(self, column: Column, numbers: Iterable[int]) -> list[list[Any]]:
        """The lists of those numbers: ids of their objects, or for lists in lists their places."""
        outer = ("contents", (column[0], column[1][:-2])) if column[1].endswith("[]") else ("column", column)
        first, size = (self._memory[(*outer, part)].download() for part in ("_first", "_size"))
        values = self._list_contents(column)
        return [values[first[number] : first[number] + size[number]] for number in numbers]

    def _fetch_lists(self, column: Column, grown: bool) -> None:
        if grown:
            lists = self.image.lists(column)
            numbers = range(len(lists)) if column[1].endswith("[]") else self.image.ids_with(column)
            for one, now in zip(lists, self.grown_lists(column, numbers)):
                one[:] = now
            return
        values, first = self._list_contents(column), 0
        for one in self.image.lists(column):
            one[:] = values[first : first + len(one)]
            first += len(one)
        self.world.lists_changed(column)

    def elements_of(self, columns: list[Column]) -> list[Any]:
        """The elements of the lists of these fields, which are fetched if sections have changed them."""
        if not self._written_lists.isdisjoint(columns):
            self.fetch()
        return [one for column in columns for each in self.image.lists(column) for one in each]

    def check_fields(self, column: Column, classes: set[type]) -> None:
        """Raises Conflict if Python would refuse to set the field later, as in a frozen class."""
        for one in sorted(classes, key=self.tags.__getitem__):
            if not self.image.of_class[one]:
                continue  # there will be some
            member = self.image.of_class[one][0]
            try:
                setattr(member, column[1], getattr(member, column[1]))
            except AttributeError as error:
                raise Conflict(f"the field {column[1]} of {one.__name__} cannot be set: {error}") from None

    def check_lists(self, column: Column) -> None:
        """Raises Conflict unless every object has a list of its own."""
        lists = self.image.lists(column)
        if any(type(one) is not list for one in lists):
            raise Conflict(f"the elements of {column[1]} are written, and one is a tuple")
        if len(set(map(id, lists))) != len(lists):
            raise Conflict(f"the elements of {column[1]} are written, and two objects have the same list")

    def forget(self) -> None:
        """Drops all columns: the Python objects have what counts."""
        self._memory.clear()
        self._latest.clear()
        self._written.clear()
        self._written_lists.clear()
        self.makings = None
        self.version = -1
        self.world = World()
