"""gdb commands for kernels in the emulator. In gdb: `source lanes.py`, stop in a kernel, then

    lanes                              the lanes of the block that runs on this thread, and where each waits
    lanes of block (3,0,0)             those of another block that is running
    lane 5 of block (3,0,0)            selects the stack of its lane 5 and prints the backtrace
    lane 5 of warp 1 of block (3,0,0)  the same for its lane 37
    lane                               back to the thread's own stack

After `lane 5` the commands up, down, info locals and print work in that lane. Nothing in the program changes, so this
works in a core file, too. Enter `lane` before you step. The script reads harness/simt/emulator/debug.hpp.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Any, Iterator, NamedTuple

import gdb
import gdb.unwinder

VERSION = 1
#: What a suspended lane has saved from its stack pointer on (lockstep_switch_stack in emulator/fiber.cpp).
SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")
OWN_HEADERS = re.compile(r"harness/simt/.*\.hpp$")
REQUEST = re.compile(r"(?:(\d+)\s*)?(?:of\s+warp\s+(\d+)\s*)?(?:of\s+block\s*\((\d+),\s*(\d+),\s*(\d+)\)\s*)?")


def read(address: int, layout: str) -> tuple[Any, ...]:
    return struct.unpack(layout, gdb.selected_inferior().read_memory(address, struct.calcsize(layout)).tobytes())


def word(address: int) -> int:
    return int(read(address, "<Q")[0])


def text(address: int) -> str:
    return str(gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string())


def address_of(symbol: str) -> int:
    return int(gdb.parse_and_eval(f"(unsigned long)&'{symbol}'"))


class Layout(NamedTuple):
    """Where a lane's state lies: struct DebugLayout."""

    version: int
    own_switch: int
    lane_size: int
    lane_fiber: int
    lane_site: int
    lane_mask: int
    warp_size: int
    warp_exited: int
    warp_with_fiber: int
    warp_at_collective: int
    warp_at_barrier: int
    site_is_pointer: int


def read_layout() -> Layout:
    try:
        start = address_of("lockstep_debug_layout")
    except gdb.error:
        raise gdb.GdbError("this program has no emulator (no symbol lockstep_debug_layout)")
    layout = Layout(*read(start, f"<{len(Layout._fields)}I"))
    if layout.version != VERSION:
        raise gdb.GdbError(f"version {layout.version} of the emulator (this script reads version {VERSION})")
    return layout


@dataclass
class Lane:
    block: Block
    number: int
    address: int
    running: bool

    def _in_warp(self, offset: int) -> bool:
        """Whether the lane's bit is set in the warp's mask at this offset."""
        warp = self.block.warps + self.number // 32 * self.block.layout.warp_size
        return bool(read(warp + offset, "<I")[0] >> self.number % 32 & 1)

    def suspended(self) -> bool:
        return (
            self._in_warp(self.block.layout.warp_with_fiber)
            and not self._in_warp(self.block.layout.warp_exited)
            and not self.running
        )

    def state(self) -> str:
        if self.running:
            return "runs"
        if self._in_warp(self.block.layout.warp_exited):
            return "has exited"
        if self._in_warp(self.block.layout.warp_at_barrier):
            return f"waits at the block's barrier, at {self._site()}"
        if self._in_warp(self.block.layout.warp_at_collective):
            mask = read(self.address + self.block.layout.lane_mask, "<I")[0]
            return f"waits at a warp collective of mask {mask:#010x}, at {self._site()}"
        return "can run" if self.suspended() else "has not started"

    def _site(self) -> str:
        site = self.address + self.block.layout.lane_site
        file, _, line = read(word(site) if self.block.layout.site_is_pointer else site, "<QQI")
        return f"{text(file)}:{line}"

    def registers(self) -> dict[str, int]:
        if not self.block.layout.own_switch:
            raise gdb.GdbError("the registers of waiting lanes are not known (the emulator saves them on x86-64 only)")
        saved = word(word(self.address + self.block.layout.lane_fiber))
        return {name: word(saved + 8 * place) for place, name in enumerate(SAVED)} | {"rsp": saved + 8 * len(SAVED)}


@dataclass
class Block:
    """A running block: struct DebugBlock."""

    layout: Layout
    thread: gdb.InferiorThread
    kernel: str
    index: tuple[int, int, int]
    lanes: int
    warps: int
    count: int
    running: int  # the address of the lane that runs on the block's thread, which may be in another block

    def __str__(self) -> str:
        x, y, z = self.index
        return f"kernel '{self.kernel}', block ({x},{y},{z})"

    def lane(self, number: int) -> Lane:
        address = self.lanes + number * self.layout.lane_size
        return Lane(self, number, address, address == self.running)

    def runs(self) -> bool:
        return 0 <= self.running - self.lanes < self.count * self.layout.lane_size


def blocks_of(thread: gdb.InferiorThread) -> Iterator[Block]:
    """The blocks of a CPU thread, those that were begun last first."""
    layout = read_layout()
    before = gdb.selected_thread()
    thread.switch()
    try:
        running = word(address_of("lockstep::simt::emulator::current_lane"))
        block = word(address_of("lockstep_debug_blocks"))
    finally:
        before.switch()
    while block != 0:
        block_now, kernel, lanes, warps, x, y, z, count = read(block, "<QQQQ4I")
        yield Block(layout, thread, text(kernel), (x, y, z), lanes, warps, count, running)
        block = block_now


def find_block(index: tuple[int, int, int] | None) -> Block:
    own = gdb.selected_thread()
    if own is None or not own.is_valid():
        raise gdb.GdbError("the program does not run")
    others = [thread for thread in gdb.selected_inferior().threads() if thread.num != own.num]
    blocks = [block for thread in (own, *others) for block in blocks_of(thread)]
    if not blocks:
        raise gdb.GdbError("no block is running")
    if index is None:
        return next((block for block in blocks if block.runs()), blocks[0])
    for block in blocks:
        if block.index == index:
            return block
    known = ", ".join("({},{},{})".format(*block.index) for block in blocks[:8])
    raise gdb.GdbError("block ({},{},{}) is not running (these are: {})".format(*index, known))


def parse(argument: str) -> tuple[int | None, Block]:
    """Reads `5 of warp 1 of block (3,0,0)`, of which each part may be missing."""
    found = REQUEST.fullmatch(argument.strip())
    if found is None:
        raise gdb.GdbError("unknown lane (expected, for example: 5 of block (3,0,0), or 5 of warp 1)")
    lane, warp, *index = found.groups()
    block = find_block((int(index[0]), int(index[1]), int(index[2])) if index[0] is not None else None)
    number = None if lane is None else int(lane) + 32 * int(warp or 0)
    if number is not None and not 0 <= number < block.count:
        raise gdb.GdbError(f"no lane {number} (the block has {block.count} lanes)")
    return number, block


def ranges(numbers: list[int]) -> str:
    """[0, 1, 2, 5] becomes `0-2, 5`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


class LaneUnwinder(gdb.unwinder.Unwinder):
    """Shows the frames of a suspended lane as the callers of the thread's innermost frame."""

    def __init__(self) -> None:
        super().__init__("lockstep lanes")
        self.thread: gdb.InferiorThread | None = None
        self.registers: dict[str, int] = {}

    def select(self, thread: gdb.InferiorThread | None, registers: dict[str, int]) -> None:
        self.thread, self.registers = thread, registers
        gdb.invalidate_cached_frames()

    def __call__(self, frame: Any) -> Any:
        own = gdb.selected_thread()
        if not self.registers or frame.level() != 0 or own is None or self.thread is None or own.num != self.thread.num:
            return None
        # gdb requires that callers lie above, so the innermost frame is said to lie directly below the lane's.
        unsigned = gdb.lookup_type("unsigned long")
        identity = type("Identity", (), {"sp": gdb.Value(self.registers["rsp"] - 8).cast(unsigned)})()
        identity.pc = frame.read_register("rip")
        info = frame.create_unwind_info(identity)
        for name, value in self.registers.items():
            like = frame.read_register(name)
            info.add_saved_register(name, gdb.Value(value).cast(unsigned).cast(like.type))
        return info


class LanesCommand(gdb.Command):
    """lanes [of block (X,Y,Z)]: the lanes of a running block, and where each waits."""

    def __init__(self) -> None:
        super().__init__("lanes", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        number, block = parse(argument)
        if number is not None:
            raise gdb.GdbError("`lanes` lists a whole block (for one lane, use `lane`)")
        print(block)
        for first in range(0, block.count, 32):
            states: dict[str, list[int]] = {}
            for number in range(first, min(first + 32, block.count)):
                states.setdefault(block.lane(number).state(), []).append(number % 32)
            for state, lanes in states.items():
                print(f"  warp {first // 32}, lanes {ranges(lanes)}: {state}")


class LaneCommand(gdb.Command):
    """lane N [of warp W] [of block (X,Y,Z)]: selects a lane's stack and prints its backtrace. Without N: the thread's."""

    def __init__(self, unwinder: LaneUnwinder) -> None:
        super().__init__("lane", gdb.COMMAND_STACK)
        self._unwinder = unwinder

    def invoke(self, argument: str, from_tty: bool) -> None:
        self._unwinder.select(None, {})
        if not argument.strip():
            gdb.execute("frame 0", from_tty)
            return
        number, block = parse(argument)
        if number is None:
            raise gdb.GdbError("which lane? (for a whole block, use `lanes`)")
        lane = block.lane(number)
        if not lane.running and not lane.suspended():
            raise gdb.GdbError(f"lane {number} {lane.state()} (it has no stack)")
        print(f"{block}, warp {number // 32}, lane {number % 32}: {lane.state()}")
        block.thread.switch()
        if lane.suspended():
            self._unwinder.select(block.thread, lane.registers())
        self._print_frames(1 if lane.suspended() else 0)

    @staticmethod
    def _print_frames(first: int) -> None:
        """Prints the frames from `first` on, and selects the innermost one that is the user's code."""
        frames = gdb.execute("backtrace", to_string=True).splitlines()
        print("\n".join(line for line in frames if not first or not line.startswith("#0 ")))
        frame: gdb.Frame | None = gdb.newest_frame()
        while frame is not None:
            source = frame.find_sal().symtab
            if frame.level() >= first and source is not None and not OWN_HEADERS.search(source.filename):
                frame.select()
                return
            frame = frame.older()


def forget(unwinder: LaneUnwinder) -> None:
    """Ends the selection of a lane when the program goes on."""
    gdb.events.cont.connect(lambda _: unwinder.select(None, {}))


lane_unwinder = LaneUnwinder()
gdb.unwinder.register_unwinder(None, lane_unwinder, replace=True)
forget(lane_unwinder)
LanesCommand()
LaneCommand(lane_unwinder)
