"""Runs a section: compiles it, sends its columns, launches it, and brings changed fields and results back."""

from __future__ import annotations

import struct
import time
from array import array
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

from . import host
from .errors import ObjectsError
from .model import BOOL, Conflict, Number, Reference, Sequence, Type
from .native import Code, Memory
from .columns import stored_parts
from .plan import FOLDED, Plan
from .room import Makings, Room
from .section import translate
from .store import Store

NO_FAILURE = 2**64 - 1


@dataclass
class Report:
    """What the latest section did, in seconds and bytes."""

    machine: str = ""
    text: str = ""  # of the generated program
    jobs: int = 0
    translated: float = 0.0  # tracing, inference and writing the text
    compiled: float = 0.0  # or taken from the cache
    sent: float = 0.0
    ran: float = 0.0  # on the machine
    fetched: float = 0.0
    sent_bytes: int = 0
    columns: list[str] = field(default_factory=list)  # sent
    runs: int = 1  # more than one if a section was short of memory for what it makes
    made: int = 0  # objects
    visited: int = 0  # objects that the tracer found; none if it knew them all
    written_fields: int = 0  # of Python objects


_latest = Report()


def latest() -> Report:
    return _latest


def publish(report: Report) -> None:
    global _latest
    _latest = report


class Execution:
    """One section with its columns in the memory of a machine."""

    def __init__(self, plan: Plan, store: Store) -> None:
        self.plan, self.store = plan, store
        self._checked: list[int] | None = None  # versions of the lists of parts
        self.report = Report()
        start, visited = time.perf_counter(), store.world.visited
        self.program = translate(plan, store.world, store.tags)
        store.prepare()
        self.version = store.version
        self._check_elements()
        self.report.visited = store.world.visited - visited
        translated = time.perf_counter()
        entries = ["element"] + (["fold"] if plan.reducer is not None else [])
        machine = store.machine  # from here on, the section needs it
        self.report.machine = machine.name
        self.code: Code = machine.load(plan.text, entries)
        compiled = time.perf_counter()
        self.memory: dict[str, Memory] = {}
        self.members: dict[str, bytes] = {}
        sent_before = store.sent_bytes
        store.sent = self.report.columns
        self._send()
        self.report.sent_bytes = store.sent_bytes - sent_before
        self.report.text, self.report.translated = plan.text, translated - start
        self.report.compiled, self.report.sent = compiled - translated, time.perf_counter() - compiled

    @property
    def phases(self) -> int:
        """Of the method, if it has synchronize()."""
        return self.program.phases

    def _check_elements(self) -> None:
        """Two elements that are the same object would write the same fields, and two lists the same elements."""
        try:
            for column, classes in self.program.writers().items():
                self.store.check_fields(column, classes)
            for column in self.program.written_lists:
                self.store.check_lists(column)
        except Conflict as conflict:
            raise ObjectsError(str(conflict), self.plan.file, self.plan.line) from None
        self.part_use = self.program.part_use()
        self.check_parts()
        writes = self.program.stored or self.program.written_lists
        if writes and isinstance(self.plan.element_type, Reference):
            if not self.store.world.base_is_distinct():
                self._refuse("an object is twice in the array, and peach writes")

    def check_parts(self) -> None:
        """Nested sections may write fields of objects that no other element has. What they read, no other may write.

        Checks anew only if sections have changed the lists of parts since.
        """
        lists = sorted(self.program.part_lists, key=lambda one: one[1])
        versions = [self.store.list_versions[column] for column in lists]
        if self.part_use == "" or self._checked == versions:
            return
        of = f"fields of the elements of {', '.join(name for _, name in lists)}"
        found = [one for one in self.store.elements_of(lists) if one is not None]
        if self.part_use == "read":
            found = list({id(one): one for one in found}.values())
        elif not host.are_distinct(found):
            self._refuse(f"a nested section writes {of}, and one of them is there twice")
        if isinstance(self.plan.element_type, Reference):
            if not host.are_distinct([*found, *self.store.world.base_elements()]):
                uses = {"read": "reads", "written": "writes"}[self.part_use]
                self._refuse(f"a nested section {uses} {of}, and one is in the array")
        self._checked = versions

    def _refuse(self, problem: str) -> None:
        raise ObjectsError(problem, self.plan.file, self.plan.line)

    # Sending

    def _send(self) -> None:
        parts = [part for part, _ in stored_parts(self.plan.element_type)]
        order, base = self.store.base(self.plan.element_type, parts)
        self.jobs = len(self.plan.elements) if order is None else order.size
        self._order = order.address if order is not None else 0
        self._failure, self._full = (Memory(self.store.machine, "Q", 1) for _ in range(2))
        for name, member in self.program.members.items():
            kind, *of = member.supplier
            if kind == "base":
                self.members[name] = struct.pack("<Q", base[parts.index(of[0])].address)
            elif kind == "contents" and of[0][0] is None:
                self._keep(name, self._list_argument(of[0][1], of[1]))
            elif kind in ("column", "contents"):
                self.members[name] = struct.pack("<Q", self.store.address(name, member.supplier))
            elif kind in ("made", "pool"):
                self.members[name] = b""  # set for each run
            elif kind == "argument":
                self.members[name] = self._argument(of[0])
            elif kind in ("result", "kept"):
                code = "B" if kind == "kept" else _part_code(self.plan.result)
                memory = self.memory[name] = Memory(self.store.machine, code, len(self.plan.elements))
                self.members[name] = struct.pack("<Q", memory.address)
            else:  # of the reduction, set for each level
                self.members[name] = bytes(8)

    def _keep(self, name: str, values: array[Any]) -> None:
        memory = self.memory[name] = self.store.upload(name, values)
        self.members[name] = struct.pack("<Q", memory.address)

    def _list_argument(self, name: str, part: str) -> array[Any]:
        kind = self.plan.argument_types[name]
        assert isinstance(kind, Sequence)
        return self.store.image.contents(kind, [self.plan.arguments[name]], part)

    def _argument(self, name: str) -> bytes:
        kind, value = self.plan.argument_types[name], self.plan.arguments[name]
        if isinstance(kind, Sequence):
            return struct.pack("<II", 0, len(value))
        if isinstance(kind, Number):
            packed = self.store.image.pack(kind, "", [value], "an argument")
            return packed.tobytes().ljust(8, b"\0")
        assert isinstance(kind, Reference)
        parts = [self.store.image.pack(kind, part, [value], "an argument")[0] for part, _ in stored_parts(kind)]
        return struct.pack(f"<{len(parts)}I", *parts).ljust(8, b"\0")

    def set_arguments(self, arguments: tuple[Any, ...]) -> None:
        """Other values of the same types for the next run. Precondition: the section has one stage."""
        for number, value in enumerate(arguments):
            name = f"x0_{number}"
            self.plan.arguments[name] = value
            self.members[name] = self._argument(name)

    # Running

    def run(self, ticks: int = 1, first_tick: int = 0, seed: int = 0) -> None:
        self.store.will_write(self.program)
        self.report.jobs = self.jobs
        self._full.upload(array("Q", [0]))
        if self.program.made or self.program.grown:
            self._run_with_room(ticks, first_tick, seed)
        else:
            self._failure.upload(array("Q", [NO_FAILURE]))
            self.report.ran = self._launch("element", self.jobs, ticks, first_tick, seed)
        publish(self.report)

    def _run_with_room(self, ticks: int, first_tick: int, seed: int) -> None:
        """Runs until there is enough memory for what the section makes, and sets the Python objects at once."""
        room = Room(self.store, self.program, len(self.plan.elements))
        self.report.runs = 0
        while True:
            room.provide(self.members)
            self._failure.upload(array("Q", [NO_FAILURE]))
            self._full.upload(array("Q", [0]))
            self.report.runs += 1
            self.report.ran = self._launch("element", self.jobs, ticks, first_tick, seed)
            if self._full.download()[0] == 0:
                break
            room.room *= 4
        made = room.made()
        self.report.made = sum(map(len, made.values()))
        self.store.makings = Makings(self.program, made)
        self.store.fetch()

    def _launch(self, entry: str, jobs: int, ticks: int, first_tick: int, seed: int) -> float:
        head = (jobs, seed, first_tick, ticks, self._failure.address, self._full.address, self._order)
        arguments = struct.pack("<QQqqQQQ", *head) + b"".join(self.members.values())
        seconds = self.code.launch(entry, jobs, arguments)
        failure = self._failure.download()[0]
        if failure != NO_FAILURE and self._full.download()[0] != 1:
            file, line, reason = self.program.sites[failure & 0xFFFF]
            where = f"element {failure >> 16}" if entry == "element" else "a reduction"
            raise ObjectsError(f"{reason} (in {where}; no field has changed)", file, line)
        return seconds

    # Results

    def results(self) -> list[Any]:
        """The values of the elements that are left, in the order of the array."""
        start = time.perf_counter()
        kind = self.plan.result
        columns = {part: self.memory["result" + part].download() for part, _ in stored_parts(kind)}
        if self.plan.selects:
            kept = self.memory["kept"].download()
            columns = {part: array(column.typecode, compress(column, kept)) for part, column in columns.items()}
        values = self.store.image.unpack(kind, columns)
        self.report.fetched = time.perf_counter() - start
        return values

    def reduced(self) -> tuple[bool, Any]:
        """Whether there is a value, and the reduction of all values."""
        kind = self.plan.result
        values, marks = self.memory["result"], self.memory.get("kept")
        count = len(self.plan.elements)
        while count > 1 or marks is None:
            jobs = max(1, -(-count // FOLDED))
            folded, folded_marks = Memory(self.store.machine, _part_code(kind), jobs), Memory(
                self.store.machine, "B", jobs
            )
            addresses = {"values": values.address, "marks": marks.address if marks else 0, "count": count}
            addresses.update(folded=folded.address, folded_marks=folded_marks.address)
            self.members.update({name: struct.pack("<Q", address) for name, address in addresses.items()})
            self.report.ran += self._launch("fold", jobs, 1, 0, 0)
            values, marks, count = folded, folded_marks, jobs
        if count == 0 or not marks.download()[0]:
            return False, None
        return True, self.store.image.unpack(kind, {"": values.download()})[0]


def _part_code(kind: Type) -> str:
    if kind == BOOL:
        return "B"
    return kind.code if isinstance(kind, Number) else "I"
