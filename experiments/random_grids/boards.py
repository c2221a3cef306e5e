"""The boxes of the schematic figures of random_grids: the slides' board, one draw step by step, and a warp's lanes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from plots.errors import NotTestable
from plots.traces import Cell, Trace

#: What a lane does in a step of the loop.
BRANCHES = {"include": "adds the selected sites", "exclude": "drops the other candidates"}
SIGNS = {"black": "X", "white": "O"}


def pieces(trace: Trace) -> Iterator[Cell]:
    """A row per row of the board. The letters are those that `lockstep grids` prints."""
    width, height = trace.parameters["width"], trace.parameters["height"]
    board = {event.element: event.label for event in trace.at(*SIGNS)}
    for site in range(width * height):
        if site in board:
            yield Cell(f"row {site // width}", site % width, board[site], SIGNS[board[site]])
        else:
            yield Cell(f"row {site // width}", site % width)


def steps(trace: Trace) -> Iterator[Cell]:
    """A row per step: the loop of the slides on the random words that were recorded."""
    bits, occupied = trace.parameters["bits"], trace.parameters["occupied"]
    candidates, chosen = (1 << bits) - 1, 0
    words: dict[int, int] = {}
    for event in trace.at("one"):
        words[event.step] = words.get(event.step, 0) | 1 << event.element
    for step, word in words.items():
        selected = word & candidates
        room = (chosen | selected).bit_count() <= occupied
        if room:
            chosen |= selected
            candidates &= ~selected
        else:
            candidates = selected
        row = f"step {step + 1}: {selected.bit_count()} {'join' if room else 'remain'}"
        for bit in range(bits):
            if chosen >> bit & 1:
                yield Cell(row, bit, "in the set")
            else:
                yield Cell(row, bit, "candidate" if candidates >> bit & 1 else "")
    if chosen.bit_count() != occupied:
        raise NotTestable(f"the recorded words give {chosen.bit_count()} of {occupied} bits")


def branches(trace: Trace) -> Mapping[int, list[str]]:
    """The branches that each lane takes, in order.

    Events of a lane stand in program order. Where a lane records the sum that it gets, its branch follows as in the slides' code.
    """
    found: dict[int, list[str]] = {}
    included: Counter[int] = Counter()
    for event in trace.events:
        branch = event.label
        if branch == "sum":
            room = included[event.lane] + event.element <= trace.parameters["occupied"]
            included[event.lane] += event.element if room else 0
            branch = "include" if room else "exclude"
        found.setdefault(event.lane, []).append(branch)
    return found


def lanes(trace: Trace) -> Iterator[Cell]:
    """A row per step, a box per lane. A lane that has left the loop is empty."""
    for lane, taken in branches(trace).items():
        for step, branch in enumerate(taken):
            yield Cell(f"step {step + 1}", lane, BRANCHES[branch])


def parted(trace: Trace) -> tuple[int, int]:
    """The steps of the warp in which its lanes part: on different branches, or some out of the loop. And all steps."""
    by_lane = list(branches(trace).values())
    steps = max(map(len, by_lane))
    together = sum(len({tuple(taken[step : step + 1]) for taken in by_lane}) == 1 for step in range(steps))
    return steps - together, steps
