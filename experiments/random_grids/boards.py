"""The boxes of the schematic figures of random_grids: the slides' board, and one draw step by step."""

from __future__ import annotations

from collections.abc import Iterator

from plots.errors import NotTestable
from plots.traces import Cell, Trace

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
