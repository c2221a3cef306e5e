"""lockstep.rewrite on the CPU: normal forms, counts, limits, errors."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import lockstep
import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python"
EXAMPLE = ROOT / "examples" / "term_rewriting" / "multiples.py"

NATURAL = """(VAR x y)
(RULES
  +(0, y) -> y
  +(s(x), y) -> s(+(x, y))
  eq(x, x) -> yes
  eq(x, y) -> no
)
"""
SPINNING = "(RULES a -> b(a))"


def test_terms_are_rewritten_in_their_order() -> None:
    found = lockstep.rewrite(NATURAL, ["+(s(0), s(0))", "eq(s(0), s(0))", "eq(0, s(0))"], engine="oracle")
    assert found.normal_forms == ("s(s(0))", "yes", "no")
    assert (found.rewrites, found.comparisons, found.engine) == (4, 3, "oracle")


def test_engines_agree() -> None:
    terms = [f"+({'s(' * n}0{')' * n}, eq(0, 0))" for n in range(40)]
    found = [lockstep.rewrite(NATURAL, iter(terms), engine=name, machine="cpu") for name in ("oracle", "one_core")]
    assert found[0].normal_forms == found[1].normal_forms and len(found[0].normal_forms) == 40
    assert found[0].rewrites == found[1].rewrites and found[0].comparisons == found[1].comparisons == 40
    assert found[0].normal_forms[2] == "s(s(yes))"


def test_a_system_has_input_terms() -> None:
    text = "sort T = a() | f(T);\nvar X : T;\neqn f(X) = X;\ninput f(f(a()));\n"
    assert lockstep.rewrite(text, engine="oracle").normal_forms == ("a",)
    with pytest.raises(lockstep.Error, match="no term to rewrite"):
        lockstep.rewrite(NATURAL)


def test_integers_of_64_bits() -> None:
    text = "sort Int64 = fac(Int64);\nvar N : Int64;\neqn fac(0) = 1; fac(N) = mul64(N, fac(sub64(N, 1)));"
    found = lockstep.rewrite(text, ["fac(20)", "-5"], engine="oracle")
    assert found.normal_forms == ("2432902008176640000", "-5") and found.operations == 40
    with pytest.raises(lockstep.Error, match="mul64.21,2432902008176640000. has no result"):
        lockstep.rewrite(text, ["fac(21)"], engine="oracle")


def test_the_example_prints_least_common_multiples() -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-B", str(EXAMPLE), "--engine", "oracle", *words],
            env={**os.environ, "PYTHONPATH": str(PACKAGE)},
            capture_output=True,
            text=True,
        )

    lines = run().stdout.splitlines()
    assert [int(line.split()[1]) for line in lines[:12]] == [math.lcm(*range(1, n + 1)) for n in range(1, 13)]
    failed = run("--largest", "50")  # the least common multiple of 1 .. 43 needs more than 64 bits
    assert failed.returncode != 0 and "has no result (it does not fit into 64 bits)" in failed.stderr


def test_limits_are_errors() -> None:
    with pytest.raises(lockstep.Error, match="not finished after 100 rewrites"):
        lockstep.rewrite(SPINNING, ["a"], engine="oracle", max_rewrites=100)
    with pytest.raises(lockstep.Error, match="seconds"):
        lockstep.rewrite("(RULES a -> a)", ["a"], engine="oracle", timeout=0.05)
    with pytest.raises(lockstep.Error, match="not finished within 100000 bytes"):
        lockstep.rewrite(SPINNING, ["a"], engine="oracle", memory=100000)


@pytest.mark.parametrize(
    ("system", "terms", "options", "line"),
    [
        (NATURAL, ["0", "+(0)"], {}, r"term 2:1:1: wrong number of arguments"),
        ("(RULES f(x) -> y", ["f"], {}, r"system:1:17: "),
        ("(THEORY (AC f))", ["f"], {}, r"THEORY is not supported"),
        ('#include "x.rec"\nREC-SPEC X\n', ["f"], {}, r"cannot include x.rec"),
        (NATURAL, ["0"], {"engine": "fastest"}, r"unknown engine fastest|invalid engine"),
        (NATURAL, ["0"], {"machine": "abacus"}, r"abacus"),
        (NATURAL, ["0\0"], {}, r"term 1 contains a NUL"),
        (NATURAL, ["0"], {"max_rewrites": 0}, r"max_rewrites 0 is out of range"),
        (NATURAL, ["0"], {"memory": -1}, r"memory -1 is out of range"),
        (NATURAL, ["0"], {"timeout": float("nan")}, r"timeout nan is out of range"),
        (NATURAL, ["0"], {"timeout": 0}, r"timeout 0.0 is out of range"),
        (NATURAL, ["0"], {"timeout": 10**400}, r"timeout is too large"),
        (NATURAL, ["0"], {"timeout": "3"}, r"timeout is not a number \(it is of type str\)"),
        (NATURAL, ["0"], {"timeout": True}, r"timeout is not a number \(it is of type bool\)"),
        (NATURAL, ["0"], {"memory": 10**5000}, r"memory of 16610 bits is out of range"),
        (NATURAL, ["0"], {"engine": None}, r"engine is not a string \(it is of type NoneType\)"),
        (NATURAL, ["0"], {"machine": b"cpu"}, r"machine is not a string \(it is of type bytes\)"),
    ],
)
def test_mistakes_are_one_line(system: str, terms: list[str], options: dict[str, object], line: str) -> None:
    with pytest.raises(lockstep.Error, match=line) as caught:
        lockstep.rewrite(system, terms, **{"engine": "oracle", **options})  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_one_string_is_no_list() -> None:
    with pytest.raises(TypeError):
        lockstep.rewrite(NATURAL, "0")
    with pytest.raises(TypeError):
        lockstep.rewrite(NATURAL, [0])  # type: ignore[list-item]
    with pytest.raises(lockstep.Error, match="terms is not a list"):
        lockstep.rewrite(NATURAL, 3)  # type: ignore[arg-type]


#: Says that it begins, and rewrites without an end.
ENDLESS = """
import sys, lockstep
print("begun", flush=True)
try:
    lockstep.rewrite("(RULES a -> a)", ["a"], engine=sys.argv[1], machine="cpu")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("engine", ["oracle", "one_core", "auto"])
def test_ctrl_c_ends_a_call(engine: str, interrupted: Callable[..., str]) -> None:
    assert interrupted(ENDLESS, engine) == "interrupted\n"
