"""A network file of `lockstep traffic` as a map: where its junctions are if streets are as long as the file says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy

Place = tuple[float, float]
ROUNDS = 400
BESIDE = 0.17  # share of the map between the vertices of two streets of opposite directions


@dataclass(frozen=True)
class Street:
    start: str
    end: str
    length: float


@dataclass(frozen=True)
class Town:
    streets: tuple[Street, ...]

    @property
    def junctions(self) -> list[str]:
        return list(dict.fromkeys(name for street in self.streets for name in (street.start, street.end)))

    def following(self, number: int) -> list[int]:
        """The streets that an agent can enter at the end of a street."""
        end = self.streets[number].end
        return [other for other, street in enumerate(self.streets) if street.start == end]

    def places(self, x: float, y: float, width: float, height: float) -> dict[str, Place]:
        """Where the junctions are in a rectangle whose top left corner is given."""
        return {
            name: (x + width * float(at[0]), y + height * float(at[1])) for name, at in zip(self.junctions, self._map)
        }

    def middles(self, x: float, y: float, width: float, height: float) -> list[Place]:
        """The middle of each street, to the right of its direction if both directions exist."""
        junctions = dict(zip(self.junctions, self._map))
        pairs = {(street.start, street.end) for street in self.streets}
        found = []
        for street in self.streets:
            start, end = junctions[street.start], junctions[street.end]
            along = (end - start) / max(float(numpy.hypot(*(end - start))), 1e-9)
            aside = BESIDE if (street.end, street.start) in pairs else 0.0
            middle = (start + end) / 2 + aside * numpy.array([-along[1], along[0]])
            found.append((x + width * float(middle[0]), y + height * float(middle[1])))
        return found

    @cached_property
    def _map(self) -> Any:
        """Positions from 0 to 1 whose distances are close to those along the streets (stress majorisation)."""
        far = self._distances()
        count = len(far)
        weights = 1 / (far + numpy.eye(count)) ** 2
        laplacian = numpy.diag(weights.sum(axis=1)) - weights
        inverse = numpy.linalg.pinv(laplacian)
        angle = 2 * numpy.pi * numpy.arange(count) / count
        points = numpy.stack([numpy.cos(angle), numpy.sin(angle)], axis=1) * far.max() / 2
        for _ in range(ROUNDS):
            apart = numpy.linalg.norm(points[:, None] - points[None], axis=2) + numpy.eye(count)
            pull = -weights * far / apart
            numpy.fill_diagonal(pull, 0)
            numpy.fill_diagonal(pull, -pull.sum(axis=1))
            points = inverse @ pull @ points
        points -= points.mean(axis=0)
        axes = numpy.linalg.svd(points)[2]
        points = points @ (axes * numpy.sign(axes[:, :1])).T
        span = points.max(axis=0) - points.min(axis=0)
        return (points - points.min(axis=0)) / numpy.where(span > 0, span, 1)

    def _distances(self) -> Any:
        """Between junctions along streets, in either direction."""
        index = {name: number for number, name in enumerate(self.junctions)}
        far = numpy.full((len(index), len(index)), numpy.inf)
        numpy.fill_diagonal(far, 0)
        for street in self.streets:
            start, end = index[street.start], index[street.end]
            far[start, end] = far[end, start] = min(far[start, end], street.length)
        for middle in range(len(index)):
            far = numpy.minimum(far, far[:, middle : middle + 1] + far[middle : middle + 1])
        return far


def read_town(text: str) -> Town:
    rows = [line.partition("#")[0].split() for line in text.splitlines()]
    return Town(tuple(Street(row[0], row[1], float(row[2])) for row in rows if row))
