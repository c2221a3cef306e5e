"""Verdicts that several numbers make: the parts of a claim, and all claims about a paper's own numbers."""

from __future__ import annotations

from plots.claims import Claim, Part, Parts, judge, parts
from plots.interval import Interval, exact
from plots.results import View
from plots.site.claims_table import Judged, own_verdict
from plots.verdict import Verdict, at_least


def claim(*values: float) -> Claim:
    """At least 10 of a number, or of each of several numbers."""
    if len(values) == 1:
        return Claim("X1", "quote", "p. 1", "10", "a number", at_least(10), lambda view: exact(values[0]))
    found = parts({str(value): exact(value) for value in values})
    return Claim("X1", "quote", "p. 1", "10", "numbers", at_least(10), lambda view: found)


def test_one_part_is_judged_by_its_own_bound(gpu: View) -> None:
    only = Parts((Part("a cell", exact(5.0), at_least(10)),))
    found = judge(Claim("X1", "quote", "p. 1", "1", "a number", at_least(1), lambda view: only), gpu)
    assert found.verdict is Verdict.DOES_NOT_HOLD and found.bound_text == "at least 10"


def test_a_contradiction_is_more_than_a_mixed_verdict(gpu: View) -> None:
    mixed, fails, holds = (Judged(judge(one, gpu), "") for one in (claim(11, 9), claim(9), claim(11)))
    assert own_verdict([mixed, fails, holds]) == "contradicted"
    assert own_verdict([mixed, holds]) == "partly"


def test_numbers_that_hold_or_are_noise_contradict_nothing(gpu: View) -> None:
    noisy = parts({"holds": exact(11.0), "noise": Interval(10.0, 9.0, 11.0)})
    judged = judge(Claim("X1", "quote", "p. 1", "10", "numbers", at_least(10), lambda view: noisy), gpu)
    assert judged.verdict is Verdict.MIXED and own_verdict([Judged(judged, "")]) == "agrees"
