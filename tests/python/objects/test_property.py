"""Random small programs: every machine computes what Python computes."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from lockstep.objects import array

INTS = ["self.a", "self.b", "x", "y", "3", "-7", "2"]
FLOATS = ["self.u", "self.v", "z", "0.75", "-2.5"]


class Generator:
    """Writes expressions and statements of the subset. Divisors are never zero, and ints stay small."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def whole(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.2:
            return self.random.choice(INTS)
        a, b = self.whole(depth - 1), self.whole(depth - 1)
        form = self.random.randrange(8)
        if form < 4:
            return f"(({a} {self.random.choice(['+', '-', '*', '&', '|', '^'])} {b}) % 1000003)"
        if form == 4:
            return f"({a} {self.random.choice(['//', '%'])} (abs({b}) + 1))"
        if form == 5:
            return f"(-{a} if {self.condition(depth - 1)} else {b})"
        if form == 6:
            return f"{self.random.choice(['min', 'max'])}({a}, {b})"
        return f"({a} >> ({b} & 7))"

    def real(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.2:
            return self.random.choice(FLOATS)
        a, b = self.real(depth - 1), self.real(depth - 1)
        form = self.random.randrange(6)
        if form < 2:
            return f"({a} {self.random.choice(['+', '-'])} {b})"
        if form == 2:
            return f"({a} * 0.5)"
        if form == 3:
            return f"({a} / (abs({b}) + 1.25))"
        if form == 4:
            return f"float({self.whole(depth - 1)})"
        return f"({a} if {self.condition(depth - 1)} else {b})"

    def condition(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.4:
            kind = self.random.choice([self.whole, self.real])
            return f"{kind(0)} {self.random.choice(['<', '<=', '==', '!=', '>'])} {kind(0)}"
        form = self.random.choice(["({} and {})", "({} or {})", "(not {} or {})"])
        return form.format(self.condition(depth - 1), self.condition(depth - 1))

    def statements(self, depth: int, indent: str) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            form = self.random.randrange(7)
            if form < 2:
                lines.append(f"{indent}{self.random.choice(['x', 'y', 'self.a', 'self.b'])} = {self.whole(3)}")
            elif form < 4:
                lines.append(f"{indent}{self.random.choice(['z', 'self.u', 'self.v'])} = {self.real(3)}")
            elif form == 4 and depth > 0:
                lines += [f"{indent}if {self.condition(2)}:", *self.statements(depth - 1, indent + "    ")]
                lines += [f"{indent}else:", *self.statements(depth - 1, indent + "    ")]
            elif form == 5 and depth > 0:
                lines.append(f"{indent}for i{depth} in range({self.whole(0)} % 5):")
                lines += self.statements(depth - 1, indent + "    ")
            else:
                lines.append(f"{indent}x = self.helper({self.whole(1)}, {self.real(1)})")
        return lines

    def program(self) -> str:
        head = "class Thing:\n    def __init__(self, n):\n        self.a, self.b, self.u, self.v = n, 3 - n, n / 3, 1.5\n\n"
        helper = "    def helper(self, x, z):\n        y = x\n" + "\n".join(
            [f"        y = {self.whole(2)}", f"        if {self.condition(1)}:", f"            return {self.whole(2)}"]
        )
        body = ["        x = 1", "        y = self.a", "        z = self.u", *self.statements(2, "        ")]
        return head + helper + "\n        return y\n\n    def step(self):\n" + "\n".join(body) + "\n"


def module_of(text: str, folder: Path, name: str) -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fields(things: list[Any]) -> list[list[str]]:
    return [[str(one.a), str(one.b), float(one.u).hex(), float(one.v).hex()] for one in things]


@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed: int, machine: str, tmp_path: Path) -> None:
    if machine == "emulator" and seed >= 3:
        pytest.skip("few programs where compilation takes longest")
    text = Generator(seed).program()
    module = module_of(text, tmp_path, f"program{seed}")
    expected = [module.Thing(n) for n in range(-6, 7)]
    found = [module.Thing(n) for n in range(-6, 7)]
    array(expected, machine="python").peach("step", ticks=2)
    array(found, machine=machine).peach("step", ticks=2)
    assert fields(found) == fields(expected), text
