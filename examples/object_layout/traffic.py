"""The traffic simulation of the paper (Section 2) as Python classes, and its scenario (Section 5)."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from lockstep.objects import Stream, array, float32, last_report, prepare, random_below

GOOD, RAINY = float32(1.0), float32(0.75)


class Street:
    length: float32
    max_velocity: float32

    def __init__(self, length: float, max_velocity: float) -> None:
        self.length, self.max_velocity = float32(length), float32(max_velocity)
        self.neighbors: list[Street] = []


class Agent:
    progress: float32

    def __init__(self, street: Street, progress: float) -> None:
        self.street, self.progress = street, float32(progress)

    def advance(self, speed: float) -> None:
        self.progress = max(self.progress + speed * (1.0 / 60.0), float32(0.0))
        if self.progress >= self.street.length:
            neighbors = self.street.neighbors
            if len(neighbors) > 0:
                self.street = neighbors[random_below(len(neighbors))]
            self.progress = float32(0.0)


class Car(Agent):
    max_velocity: float32

    def __init__(self, street: Street, progress: float, max_velocity: float) -> None:
        super().__init__(street, progress)
        self.max_velocity = float32(max_velocity)

    def move(self, weather: float) -> None:
        self.advance(min(self.max_velocity, self.street.max_velocity) * weather)


class Pedestrian(Agent):
    def move(self, weather: float) -> None:
        self.advance(float32(random_below(7) - 2))


def random_streets(count: int, seed: int) -> list[Street]:
    """Streets of length 1 to 25, with 1 to 10 arbitrary neighbours: those of `lockstep traffic`."""
    streams = [Stream(seed, number, 2 << 20) for number in range(count)]
    streets = [Street(1 + stream.below(25), 45 + stream.below(40)) for stream in streams]
    for street, stream in zip(streets, streams):
        street.neighbors = [streets[stream.below(count)] for _ in range(1 + stream.below(10))]
    return streets


def random_agents(streets: list[Street], cars: int, pedestrians: int, seed: int) -> list[Agent]:
    agents: list[Agent] = []
    for number in range(cars + pedestrians):
        stream = Stream(seed, number, 1 << 20)
        street, progress, velocity = streets[stream.below(len(streets))], stream.below(10), 65 + stream.below(20)
        agents.append(Car(street, progress, velocity) if number < cars else Pedestrian(street, progress))
    return agents


def main() -> None:
    """The same scenario and the same final state as `lockstep traffic` with the same options."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--machine", default="auto")
    for name, default in {
        "cars": 200,
        "pedestrians": 800,
        "streets": 60,
        "ticks": 1000,
        "seed": 1,
        "repeat": 1,
    }.items():
        options.add_argument(f"--{name}", type=int, default=default)
    options.add_argument("--weather", choices=["good", "bad"], default="good")
    options.add_argument("--csv", type=Path, help="write the final state of every agent to this file")
    given = options.parse_args()
    prepare(given.machine)
    streets = random_streets(given.streets, given.seed)
    agents = random_agents(streets, given.cars, given.pedestrians, given.seed)
    for run in range(given.repeat):
        start = time.perf_counter()
        weather = GOOD if given.weather == "good" else RAINY
        section = array(agents, machine=given.machine, seed=given.seed)
        section.peach("move", weather, ticks=given.ticks, first_tick=run * given.ticks)
        report, seconds = last_report(), time.perf_counter() - start
        rate = len(agents) * given.ticks / report.ran / 1e9 if report.ran else 0
        print(
            f"{seconds:.3f} s, of which compilation {report.compiled:.3f} s and the machine {report.ran:.6f} s", end=""
        )
        print(f" ({rate:.3f} G agent-ticks/s on {report.machine})" if rate else "")
    if given.csv:
        numbers = {id(street): number for number, street in enumerate(streets)}
        rows = [
            f"{number},{type(agent).__name__.lower()},{numbers[id(agent.street)]},{agent.progress:.9g}\n"
            for number, agent in enumerate(agents)
        ]
        given.csv.write_text("agent,class,street,progress\n" + "".join(rows))


if __name__ == "__main__":
    main()
