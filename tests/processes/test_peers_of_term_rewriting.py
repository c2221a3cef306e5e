"""What peers of term_rewriting get: the parser of systems, sharing, and the generators of Haskell and of nets for HVM2."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path

import pytest

from baselines.term_rewriting.peers._haskell import haskell
from baselines.term_rewriting.peers._hvm import checksum, net
from baselines.term_rewriting.peers._sharing import named
from baselines.term_rewriting.peers._system import read_system, read_term
from baselines.term_rewriting.peers._workloads import (
    Expected,
    Failures,
    Worker,
    by_depth,
    by_elements,
    expected,
    split,
    verified,
)
from baselines.term_rewriting.peers.hvm2 import seconds_of
from baselines.term_rewriting.peers.maude import spelled
from baselines.peers.programs import WrongResult
from processes.driver import Place, Skipped

MAUDE = """*** Written by `lockstep rewrite --emit maude`.
set include BOOL off .
fmod LOCKSTEP is
  sort Nat-s .
  op zero : -> Nat-s .
  op s : Nat-s -> Nat-s .
  op plus-u : Nat-s Nat-s -> Nat-s .
  op twice : Nat-s -> Nat-s .
  eq plus-u(zero,V0:Nat-s) = V0:Nat-s .
  eq plus-u(s(V0:Nat-s),V1:Nat-s) = s(plus-u(V0:Nat-s,V1:Nat-s)) .
  eq twice(V0:Nat-s) = plus-u(s(V0:Nat-s),s(V0:Nat-s)) .
endfm
reduce twice(s(zero)) .
"""
CONDITION = "  ceq twice(V0:Nat-s) = zero if V0:Nat-s = zero /\\ s(V0:Nat-s) =/= s(s(zero)) .\nendfm"


def test_a_system_is_read_with_its_rules_in_order_and_its_input() -> None:
    system = read_system(MAUDE)
    assert list(system.symbols) == ["zero", "s", "plus-u", "twice"] and system.sorts == ["Nat-s"]
    assert system.symbols["plus-u"].own_name == "plus_"
    assert [rule.left[0] for rule in system.rules] == ["plus-u", "plus-u", "twice"]
    assert system.rules[1].right == ("s", ("plus-u", (0,), (1,)))
    assert system.input == ("twice", ("s", ("zero",)))
    assert system.is_defined("twice") and not system.is_defined("s")


def test_conditions_are_read_with_their_sense() -> None:
    rule = read_system(MAUDE.replace("endfm", CONDITION)).rules[-1]
    assert [(one.left, one.equal) for one in rule.conditions] == [((0,), True), (("s", (0,)), False)]


def test_a_deep_term_is_read_without_recursion() -> None:
    deep = sys.getrecursionlimit() * 3
    term = read_term("s(" * deep + "zero" + ")" * deep)
    for _ in range(deep):
        term = term[1]
    assert term == ("zero",)


def test_equal_subterms_of_a_right_side_get_one_name() -> None:
    shared = ("f", ("s", (0,)), ("s", (0,)))
    assert list(named([shared])) == [("s", (0,))]
    assert list(named([("f", (0,), (0,))])) == [] and list(named([("s", (0,)), ("s", (0,))])) == [("s", (0,))]


def test_haskell_keeps_the_order_of_rules_and_shares() -> None:
    text = haskell(read_system(MAUDE))
    first, second = text.index("f2_plus_u (K0_zero) y0 = y0"), text.index(
        "f2_plus_u (K1_s y0) y1 = (K1_s (f2_plus_u y0 y1))"
    )
    assert first < second < text.index("f2_plus_u x0 x1 = K2_plus_u x0 x1")
    assert "f3_twice y0 = (let { s0 = (K1_s y0) } in (f2_plus_u s0 s0))" in text
    assert 'string7 "plus_("' in text


def test_haskell_has_a_guard_for_conditions() -> None:
    text = haskell(read_system(MAUDE.replace("endfm", CONDITION)))
    assert "f3_twice y0 | y0 == (K0_zero), (K1_s y0) /= (K1_s (K1_s (K0_zero))) = (K0_zero)" in text


def definitions(text: str) -> dict[str, str]:
    return dict(line.split(" = ", 1) for line in text.splitlines())


def test_every_wire_of_a_net_has_two_ends() -> None:
    for body in definitions(net(read_system(MAUDE))).values():
        wires = [word for word in re.sub(r"[(){}?$&!~*]", " ", body).split() if word[0].isalpha()]
        assert all(wires.count(wire) == 2 for wire in wires), body


def test_a_net_copies_what_a_rule_uses_twice_and_erases_what_it_does_not_use() -> None:
    system = read_system(MAUDE)
    twice = definitions(net(system))["@f3"]
    assert "{" in twice and twice.count("@f2") == 1
    dropped = read_system(MAUDE.replace("= V0:Nat-s .", "= zero ."))
    assert "*" in definitions(net(dropped))["@f2.0"]


def test_the_checksum_counts_each_symbol_by_its_number() -> None:
    system = read_system(MAUDE)
    assert checksum(system, "s(s(s(zero)))\n") == 2 + 2 + 2 + 1
    assert checksum(system, "s(" * (1 << 23) + "zero" + ")" * (1 << 23)) == 1  # modulo 2^24


def test_a_run_of_hvm2_needs_the_expected_result() -> None:
    output = "Result: 46\n- ITRS: 1272\n- TIME: 0.012500000s\n- MIPS: 1\n"
    assert seconds_of(output, 46) == 0.0125
    with pytest.raises(WrongResult, match="46, not 47"):
        seconds_of(output, 47)
    with pytest.raises(Skipped, match="no result"):
        seconds_of("OOM\n", 46)


def test_the_input_is_taken_out_of_the_program_of_ocaml() -> None:
    text = 'let wide = false\nlet inputs = [\n  "0U";]\n\ntype input = int\nlet head text = 1\n\nlet () =\n  main ()\n'
    program, data = split(text)
    assert data == "0U" and "inputs" not in program and "main" not in program and "let head" in program
    with pytest.raises(Skipped):
        split(text.replace('"0U";', '"0U";\n  "1U";'))


def test_maudes_spelling_is_undone() -> None:
    assert spelled("cons(s(x-u1), true-r)") == "cons(s(x_1),true)"


def test_a_workload_names_our_case() -> None:
    assert by_depth("tree_merge_sort", 18).argument == "@tree_merge_sort,depth=18"
    assert by_elements("queens", 8).axes == {"system": "queens", "elements": "8"}


WORKER = """
import sys
for line in sys.stdin:
    print("0.25" if line == "run\\n" else "End", flush=True)
"""


def test_a_worker_prints_seconds_and_then_its_normal_form(tmp_path: Path) -> None:
    script = tmp_path / "worker.py"
    script.write_text(WORKER)
    digest = hashlib.sha256(b"End\n").hexdigest()
    with Worker(sys.executable, script) as worker:
        assert worker.seconds() == 0.25
        assert "digest" in verified(worker, Expected(1, digest))
    with Worker(sys.executable, script) as worker, pytest.raises(WrongResult, match="differs"):
        verified(worker, Expected(1, "0"))
    with Worker("false") as worker, pytest.raises(Skipped, match="ends with"):
        worker.seconds()


def test_what_is_expected_comes_from_the_build(tmp_path: Path) -> None:
    place = Place(tmp_path, None, False, None, "90", tmp_path / "lockstep")
    workload = by_depth("symbolic", 5)
    with pytest.raises(Skipped, match="not built"):
        expected(place, workload)
    (tmp_path / "symbolic-5.json").write_text(json.dumps({"rewrites": 7, "digest": "ab"}))
    assert expected(place, workload) == Expected(7, "ab")


def test_a_workload_that_fails_leaves_the_others() -> None:
    failures, done = Failures(), []
    with pytest.raises(Skipped, match="symbolic-1: no room"):
        for workload in failures.each([by_depth("symbolic", 1), by_depth("symbolic", 2)]):
            done.append(workload.name)
            if workload.axes["depth"] == "1":
                failures.add(workload, Skipped("no room"))
    assert done == ["symbolic-1", "symbolic-2"]
