"""Random graphs of polymorphic objects: every machine follows references and dispatches as Python does."""

from __future__ import annotations

import random

import pytest
from lockstep.objects import array, atomic_add, random_below


class Node:
    def __init__(self, number: int) -> None:
        self.number = number
        self.result = 0
        self.visits = 0
        self.link: Node | Leaf | None = None
        self.others: list[Node | Leaf] = []

    def weight(self, depth: int) -> int:
        return self.number + depth

    def walk(self, steps: int) -> None:
        at: Node | Leaf | None = self.link
        total = self.weight(0)
        for step in range(steps):
            if at is None:
                break
            total = total * 3 + at.weight(step)
            if isinstance(at, Node):
                if len(at.others) > 0:
                    at = at.others[random_below(len(at.others))]
                else:
                    at = at.link
            else:
                atomic_add(at, "touched", 1)
                at = at.home
        self.result = total % 1000003
        self.visits += 1


class Twice(Node):
    def weight(self, depth: int) -> int:
        return 2 * super().weight(depth)


class Deep(Twice):
    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.extra = number * 7 % 13

    def weight(self, depth: int) -> int:
        if depth > 1:
            return super().weight(depth - 1)
        return self.extra


class Leaf:
    def __init__(self, home: Node | None, value: int) -> None:
        self.home, self.value, self.touched = home, value, 0

    def weight(self, depth: int) -> int:
        return self.value - depth


def graph(seed: int) -> tuple[list[Node], list[Leaf]]:
    rng = random.Random(seed)
    kinds: list[type[Node]] = rng.sample([Node, Twice, Deep], rng.randint(1, 3))
    nodes = [rng.choice(kinds)(number) for number in range(60)]
    leaves = [Leaf(rng.choice([*nodes, None]), rng.randrange(50)) for _ in range(rng.choice([0, 12]))]
    for node in nodes:
        targets: list[Node | Leaf] = [*nodes, *leaves]
        node.link = rng.choice([*targets, None])
        node.others = [rng.choice(targets) for _ in range(rng.randrange(4))]
    return nodes, leaves


@pytest.mark.parametrize("seed", range(8))
def test_random_graphs(seed: int, machine: str) -> None:
    states = []
    for on in ("python", machine):
        nodes, leaves = graph(seed)
        array(nodes, machine=on, seed=seed).peach("walk", 9, ticks=3)
        states.append(([(one.result, one.visits) for one in nodes], [one.touched for one in leaves]))
    assert states[0] == states[1]
    assert len({result for result, _ in states[0][0]}) > 20
