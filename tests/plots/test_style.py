"""Colours are distinct for all readers: simulated colour blindness (Machado et al. 2009, full severity), distance in
CIELAB.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from plots.drawing import Series
from plots.style import FAINT, PALETTE, Looks

VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])


def linear(colour: str) -> NDArray[np.float64]:
    channels = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(light: NDArray[np.float64]) -> NDArray[np.float64]:
    scaled = TO_XYZ @ light / WHITE
    roots = np.where(scaled > 0.008856, np.cbrt(scaled), 7.787 * scaled + 16 / 116)
    return np.array([116 * roots[1] - 16, 500 * (roots[0] - roots[1]), 200 * (roots[1] - roots[2])])


def contrast(first: str, second: str) -> float:
    dim, bright = sorted(float(TO_XYZ[1] @ linear(colour)) for colour in (first, second))
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("mode", [0, 1])
def test_any_two_colours_are_distinct(vision: str, mode: int) -> None:
    seen = [lab(np.clip(VISION[vision] @ linear(twins[mode]), 0, 1)) for twins in PALETTE]
    assert min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(seen, 2)) > 12


@pytest.mark.parametrize(("mode", "card"), [(0, "#f6f7f9"), (1, "#1c2127")])
def test_colours_contrast_with_the_page(mode: int, card: str) -> None:
    assert min(contrast(twins[mode], card) for twins in PALETTE) > 3


def series(*names: str, kind: str = "measured", grey: bool = False) -> list[Series]:
    return [Series(name, (), name, kind, grey=grey) for name in names]


def test_no_two_lines_of_a_figure_share_a_colour_while_one_is_free() -> None:
    names = [f"variant {place}" for place in range(2 * len(PALETTE))]
    looks = Looks(names)
    first, ninth = names[0], names[len(PALETTE)]
    assert looks.of(series(first))[0].colour == looks.of(series(ninth))[0].colour == PALETTE[0][0]
    drawn = looks.of([*series(first, ninth, first), *series(ninth, kind="extrapolated"), *series("x", grey=True)])
    assert drawn[0].colour == drawn[2].colour == PALETTE[0][0]
    assert drawn[1].colour == drawn[3].colour != PALETTE[0][0]
    assert drawn[4].colour == FAINT
    every = looks.of(series(*names[3 : 3 + len(PALETTE)]))
    assert len({look.colour for look in every}) == len(PALETTE)
