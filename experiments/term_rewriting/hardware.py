"""The paper's Figure 1, the hardware model of CUDA GPUs, with the numbers of a device."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plots.drawing import Axis, Drawing, Point, Series
from plots.errors import NotTestable
from plots.interval import exact
from plots.results import View
from plots.spec import Scope
from plots.units import digits

#: Boxes in a row. With more than 48, neighbours of one colour are drawn as one box.
WIDTH = 64
HOST, GLOBAL, REGISTERS, PROCESSORS = (
    "host (CPU)",
    "global memory (off the chip)",
    "registers (on the chip)",
    "streaming processors (SPs)",
)
#: Boxes of a multiprocessor: registers from 0 on, then processors.
REGISTER_BOXES, PROCESSOR_BOXES, GAP = 24, 9, 1
WARP = 32


@dataclass(frozen=True)
class Hardware:
    """What the figure says of a GPU. 0: not known."""

    host: str
    memory_bytes: float
    multiprocessors: int
    processors: int
    registers: int = 0


def of_device(view: View) -> Hardware:
    registers = int(view.attribute("registers_per_multiprocessor"))
    return Hardware(
        host_name(view),
        view.attribute("memory_bytes"),
        int(view.attribute("multiprocessors")),
        processors_of(view),
        registers,
    )


def of_paper(view: View) -> Hardware:
    memory = view.fact("global_memory") * 1e9
    return Hardware("CPU", memory, int(view.fact("sms")), int(view.fact("sps_per_sm")))


def host_name(view: View) -> str:
    for case in view.cases:
        cpu = dict(case.provenance.get("cpu", {}))
        if cpu.get("name"):
            return str(cpu["name"]).replace("(R)", "").replace("(TM)", "")
    return "CPU"


def processors_of(view: View) -> int:
    """SPs per multiprocessor: as many as the measured rate of fused multiply-adds needs, one a clock each, in whole warps."""
    clocks = view.attribute("multiprocessors") * view.limit("clock")
    return max(1, round(view.limit("fma") / clocks / WARP)) * WARP


@dataclass(frozen=True)
class HardwareModel:
    """A row for the host, for the global memory and for some multiprocessors. Without a GPU, it shows the paper's."""

    name: str
    title: str
    caption: str = ""
    across: bool = False

    def draw(self, scope: Scope) -> Drawing:
        view = scope.view
        device, source = view.device.name, f"results/{view.device.slug}/term_rewriting.json and limits.json"
        try:
            hardware = of_device(view)
        except NotTestable:
            hardware = of_paper(view)
            device, source = "Titan RTX (paper)", "results/published/term_rewriting.csv"
        rows, boxes = _boxes(hardware)
        series = [
            Series(
                colour,
                tuple(_point(row, place, text) for row, own, place, text in boxes if own == colour),
                colour,
                "cells",
            )
            for colour in (HOST, GLOBAL, REGISTERS, PROCESSORS)
        ]
        axes = Axis("part", "name"), Axis("row", "number")
        drawn = Drawing(self.name, self.title, device, *axes, tuple(series), "cells", source, self.caption)
        return replace(drawn, order=rows, width=WIDTH)


#: Row, colour, place and text.
Box = tuple[int, str, int, str]


def _point(row: int, place: int, text: str) -> Point:
    return Point(float(place), exact(float(row)), text)


def _band(row: int, colour: str, first: int, count: int, text: str) -> list[Box]:
    """Neighbouring boxes with a text in the middle one."""
    return [(row, colour, first + place, text if place == count // 2 else "") for place in range(count)]


def _boxes(hardware: Hardware) -> tuple[tuple[str, ...], list[Box]]:
    last = hardware.multiprocessors
    rows = ("host", "global memory", "SM 1", "SM 2", "…", f"SM {last}")
    boxes = _band(0, HOST, 0, WIDTH, f"{hardware.host}: copies data, launches kernels")
    boxes += _band(1, GLOBAL, 0, WIDTH, f"{digits(hardware.memory_bytes / 1e9)} GB for all SMs and the host")
    for row in (2, 3, 5):
        boxes += _multiprocessor(row, hardware)
    return rows, boxes


def _multiprocessor(row: int, hardware: Hardware) -> list[Box]:
    registers = f"{hardware.registers:,} registers" if hardware.registers else "registers"
    boxes = _band(row, REGISTERS, 0, REGISTER_BOXES, registers)
    first = REGISTER_BOXES + GAP
    texts = ("SP 1", "SP 2", "…", f"SP {hardware.processors}")
    for index, text in enumerate(texts):
        boxes += _band(row, PROCESSORS, first + index * (PROCESSOR_BOXES + GAP), PROCESSOR_BOXES, text)
    return boxes
