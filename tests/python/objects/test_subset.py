"""Each rule of the subset: what generated code computes is what Python computes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from lockstep.objects import array, atomic_add, atomic_max, atomic_min, float32, random_below, random_word
from lockstep.objects.native import compile_for_gpu
from lockstep.objects.plan import Plan, Stage
from lockstep.objects.section import translate
from lockstep.objects.world import World

LIMIT = 10


def twice(x: int) -> int:
    return 2 * x


class Base:
    RATE = 3

    def inherited(self, x: int) -> int:
        return x + self.RATE

    def extended(self, x: int) -> int:
        return x * 10


class Total:
    def __init__(self) -> None:
        self.sum = 0
        self.least = 10**6
        self.most = -(10**6)


class Calculator(Base):
    """One method per group of rules; each stores what it computed."""

    single: float32

    def __init__(self, number: int, total: Total) -> None:
        self.number = number
        self.real = number / 7 - 3
        self.single = float32(number / 3)
        self.flag = number % 2 == 0
        self.values = [number * i - 5 for i in range(number % 5)]
        self.next: Calculator | None = None
        self.counts = [0, 0, 0, 0]
        self.friends: list[Calculator | None] = [self, None, self]
        self.total = total
        self.out_int = self.out_int2 = self.out_int3 = 0
        self.out_real = self.out_real2 = 0.0
        self.out_single = float32(0)
        self.out_flag = False

    def integers(self) -> None:
        n = self.number
        self.out_int = (n * 7 - 3) // 4 + (-n) // 3 + n % 5 + (-n) % 7 + -(n - 4) * 2
        self.out_int2 = (n << 3) ^ (n >> 1) | (n & 6) + ~n
        self.out_int3 = n**3 + abs(n - 6) + min(n, 4, 9) + max(n, 4) + int(self.flag) + (+n)

    def wraps(self) -> None:
        big = 4611686018427387904
        self.out_int = big + big + self.number

    def reals(self) -> None:
        x = self.real
        self.out_real = x * 1.5 + self.number / 3 - x // 0.7 + x % 0.7 + (-x) % 0.7 + abs(x) + x**2
        self.out_real2 = math.sqrt(abs(x)) + math.floor(x) + math.ceil(x) * 10 + math.trunc(x) * 100 + math.fabs(x)
        self.out_int = int(x * 10)

    def singles(self) -> None:
        self.out_single = self.single * 1.1 + self.number - self.single / 3 - 1 / (self.single + 2)
        self.out_flag = self.single > 1.1
        self.out_real = float(self.single) * 1.1
        self.out_real2 = float(self.single // 0.7 + self.single % 0.3 + self.single**2 + 7 % (self.single + 1))
        self.single = min(self.single, float32(2.5))

    def conditions(self) -> None:
        n = self.number
        self.out_flag = 2 < n <= 7 and not n == 5 or n == 0
        if n < 3:
            self.out_int = 1
        elif n < 6 and self.flag:
            self.out_int = 2
        else:
            self.out_int = 3
        self.out_int2 = n if self.flag else -n
        self.out_int3 = 5 if len(self.values) > 2 and self.values[2] > 0 else 6

    def loops(self) -> None:
        total = 0
        for value in self.values:
            total += value
        for i in range(self.number):
            if i == 7:
                break
            if i % 3 == 1:
                continue
            total = total + i
        for i in range(10, -3, -4):
            total = total * 2 + i
        for i, value in enumerate(self.values):
            total += i * value
        left = self.number
        while left > 0:
            total += left
            left = left // 2
        while True:
            left += 1
            if left >= LIMIT:
                break
        self.out_int = total
        self.out_int2 = left
        self.out_int3 = self.values[-1] if self.values else -1

    def calls(self) -> None:
        self.out_int = twice(self.number) + self.inherited(x=self.number) + self.with_default() + self.double
        self.out_int2 = self.extended(self.number) + Base.extended(self, 1) + self.fixed(4)
        self.out_real = self.recurring(self.real)

    def extended(self, x: int) -> int:
        return super().extended(x) + 1

    def with_default(self, x: int = 5) -> int:
        return x + 1

    def recurring(self, x: float) -> float:
        if x > 0:
            return x
        return -x

    @property
    def double(self) -> int:
        return 2 * self.number

    @staticmethod
    def fixed(x: int) -> int:
        return x * x

    def references(self) -> None:
        other = self.next
        steps = 0
        while other is not None and steps < 20:
            steps += other.number
            other = other.next
        self.out_int = steps
        self.out_flag = self.next is self
        if self.next is not None:
            self.out_int2 = self.next.number
        if self.next:
            self.out_int3 = self.next.number

    def draws(self) -> None:
        first = random_below(1000)
        second = random_below(3 + self.number)
        self.out_int = first * 100000 + second
        self.out_int2 = random_word() - random_below(2**32 - 1)
        self.out_flag = random_below(2) == 0 and random_below(2) == 0 or random_below(3) == 1
        if random_below(2) == 0 or random_below(2) == 0:
            self.out_int3 = random_below(1000) if random_below(2) == 1 else -random_below(1000)
        atomic_add(self.total, "sum", first)
        atomic_min(self.total, "least", first)
        atomic_max(self.total, "most", first)

    def lists(self) -> None:
        counts = self.counts
        for value in self.values:
            counts[value % 3] += 1
        self.counts[-1] = self.number * 100
        if self.number % 2 == 0:
            self.friends[0] = self.friends[1]
        self.out_int = counts[0] + counts[3]


METHODS = ["integers", "wraps", "reals", "singles", "conditions", "loops", "calls", "references", "draws", "lists"]


def calculators(count: int) -> list[Calculator]:
    total = Total()
    made = [Calculator(number, total) for number in range(count)]
    for one, after in zip(made, made[1:]):
        one.next = after
    if count > 2:
        made[2].next = made[2]
    return made


def run_all(one: Calculator, step: int) -> None:
    """All methods, so that they are compiled once."""
    if step == 0:
        one.integers()
    elif step == 1:
        one.wraps()
    elif step == 2:
        one.reals()
    elif step == 3:
        one.singles()
    elif step == 4:
        one.conditions()
    elif step == 5:
        one.loops()
    elif step == 6:
        one.calls()
    elif step == 7:
        one.references()
    elif step == 8:
        one.draws()
    elif step == 9:
        one.lists()


def state(made: list[Calculator]) -> list[list[Any]]:
    names = ["number", "real", "single", "flag"]
    names += ["out_int", "out_int2", "out_int3", "out_real", "out_real2", "out_single", "out_flag"]
    rows = [[float(getattr(one, name)).hex() for name in names] for one in made]
    counts = [[*one.counts, *(0 if each is None else each.number + 1 for each in one.friends)] for one in made]
    return rows + counts + [[made[0].total.sum, made[0].total.least, made[0].total.most]]


def test_every_rule_is_pythons(machine: str) -> None:
    for step, name in enumerate(METHODS):
        expected, found = calculators(40), calculators(40)
        array(expected, machine="python", seed=5).peach(run_all, step)
        array(found, machine=machine, seed=5).peach(run_all, step)
        if name == "wraps":
            for one in expected:
                one.out_int -= 2**64 if one.out_int >= 2**63 else 0
        assert state(found) == state(expected), name


def test_a_method_changes_something() -> None:
    """Negative control of the comparison above."""
    for step, name in enumerate(METHODS):
        before, after = calculators(40), calculators(40)
        array(after, machine="python", seed=5).peach(run_all, step)
        assert state(before) != state(after), name


def test_answers_by_hand(any_machine: str) -> None:
    made = calculators(9)
    array(made, machine=any_machine).peach("integers")
    # number 8: 53 // 4 + -8 // 3 + 3 + -8 % 7 - 8 = 13 - 3 + 3 + 6 - 8
    assert made[8].out_int == 11
    array(made, machine=any_machine).peach("conditions")
    assert [one.out_flag for one in made] == [True, False, False, True, True, False, True, True, False]
    assert [one.out_int for one in made] == [1, 1, 1, 3, 2, 3, 3, 3, 3]


def test_types_come_back(machine: str) -> None:
    made = calculators(3)
    array(made, machine=machine).peach(run_all, 3)
    assert type(made[1].out_single) is float32 and type(made[1].out_flag) is bool and type(made[1].out_real) is float


@pytest.mark.skipif(not Path("/usr/local/cuda").exists(), reason="needs NVRTC")
def test_every_rule_compiles_for_gpus_that_are_not_here() -> None:
    plan = Plan(calculators(40), (Stage("peach", run_all, (0,), "here.py", 1),))
    translate(plan, World(), {})
    assert compile_for_gpu(90, plan.text, ["element"]) > 1000
    chain = (Stage("pselect", "inherited", (1,), "here.py", 1), Stage("pmap", "with_default", (), "here.py", 1))
    plan = Plan(calculators(40), chain, "+", "here.py", 1)
    translate(plan, World(), {})
    assert compile_for_gpu(90, plan.text, ["element", "fold"]) > 1000
