"""The slides' claims on the made-up devices and on the slides' own numbers; round numbers, so each is checked by
hand.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from plots.catalog import Experiment
from plots.claims import Claim, Judgement, Measured, Part, Parts, judge, judge_all, parts, summary
from plots.interval import Interval, exact
from plots.results import View
from plots.units import digits
from plots.verdict import Verdict, above, at_most


def judged(grids: Experiment, view: View) -> dict[str, Judgement]:
    return {judgement.claim.id: judgement for judgement in judge_all(grids.claims, view)}


def test_every_claim_of_the_slides_is_there_once(grids: Experiment) -> None:
    assert [claim.id for claim in grids.claims] == [f"B{number:02d}" for number in range(1, 32)]


@pytest.mark.parametrize(
    ("claim", "verdict", "value"),
    [
        ("B01", Verdict.HOLDS, 100e9),
        ("B02", Verdict.HOLDS, 200e9),
        ("B03", Verdict.HOLDS, 2.0),
        ("B04", Verdict.HOLDS, 0.974),
        ("B13", Verdict.HOLDS, 2e9),
        ("B15", Verdict.HOLDS, 2.0),
        ("B17", Verdict.HOLDS, 124),
        ("B18", Verdict.DOES_NOT_HOLD, 40),
        ("B19", Verdict.HOLDS, 1024),
        ("B20", Verdict.DOES_NOT_HOLD, 2.0),
        ("B24", Verdict.NOT_TESTABLE, 1.0 / 0.54),
        ("B29", Verdict.DOES_NOT_HOLD, 0.943),
        ("B30", Verdict.HOLDS, 0.5),
    ],
)
def test_on_the_made_up_gpu(grids: Experiment, gpu: View, claim: str, verdict: Verdict, value: float) -> None:
    judgement = judged(grids, gpu)[claim]
    assert judgement.measured is not None
    assert judgement.measured.value == pytest.approx(value, rel=1e-3)
    if claim == "B30":  # exactly on the bound, so the noise decides
        verdict = Verdict.NOT_TESTABLE
    assert judgement.verdict is verdict


def test_raw_speed_is_twice_the_slides_gpu(grids: Experiment, gpu: View) -> None:
    """76 multiprocessors at the same clock: twice 38.

    Threadwise is 1.905x as fast as on the slides, warpwise 1.538x.
    """
    judgement = judged(grids, gpu)["B12"]
    assert judgement.verdict is Verdict.DOES_NOT_HOLD or judgement.verdict is Verdict.NOT_TESTABLE
    assert "threadwise: 0.952" in judgement.note and "warpwise: 0.769" in judgement.note


def test_a_variant_that_disagrees_is_no_evidence(grids: Experiment, gpu: View) -> None:
    assert judged(grids, gpu)["B26"].verdict is Verdict.DOES_NOT_HOLD
    assert judged(grids, gpu)["B28"].verdict is Verdict.DOES_NOT_HOLD


def test_without_a_gpu_speeds_are_not_testable_and_say_why(grids: Experiment, cpu: View) -> None:
    found = judged(grids, cpu)
    assert found["B01"].verdict_text == "not testable here (needs a GPU)"
    assert found["B04"].verdict is Verdict.HOLDS
    assert found["B10"].verdict is Verdict.HOLDS


def test_the_slides_own_numbers_are_judged(grids: Experiment) -> None:
    (paper,) = grids.papers()
    found = judged(grids, paper)
    assert found["B03"].measured is not None and found["B03"].measured.value == pytest.approx(58.5 / 28.5)
    assert found["B20"].verdict is Verdict.DOES_NOT_HOLD, "256 KB of registers over 100 KB is 2.56, not 4"
    assert found["B15"].verdict is Verdict.HOLDS
    assert found["B04"].verdict is Verdict.NOT_TESTABLE


BELOW, SPANNING, ABOVE = Interval(0.8, 0.7, 0.9), Interval(1.2, 0.9, 1.5), Interval(1.4, 1.2, 1.5)


def claim_of(found: Measured | Parts | Interval, by_construction: str = "") -> Claim:
    return Claim("X", "q", "p", "1", "how", above(1), lambda view: found, by_construction=by_construction)


def test_an_interval_that_spans_the_bound_decides_nothing(gpu: View) -> None:
    found = judge(claim_of(SPANNING), gpu)
    assert found.verdict_text == "not testable here (the interval of these samples spans the bound)"
    assert found.measured == SPANNING


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([ABOVE, ABOVE], "holds"),
        ([BELOW, BELOW], "does not hold"),
        ([ABOVE, BELOW], "mixed (holds in 1 of 2)"),
        ([ABOVE, SPANNING, ABOVE], "mixed (holds in 2 of 3, 1 within the noise)"),
        ([BELOW, SPANNING], "mixed (holds in 0 of 2, 1 within the noise)"),
        ([SPANNING, SPANNING], "not testable here (the interval of these samples spans the bound)"),
    ],
)
def test_every_part_is_judged_by_itself(gpu: View, rows: list[Interval], text: str) -> None:
    found = judge(claim_of(parts({f"row {i}": row for i, row in enumerate(rows)})), gpu)
    assert found.verdict_text == text
    values = sorted({digits(row.value) for row in rows})
    assert found.measured_text == f"{' to '.join([values[0], *values[1:][-1:]])} in {len(rows)} cases"


def test_a_wide_row_does_not_hide_that_another_fails(gpu: View) -> None:
    """One interval over both rows would span the bound."""
    found = judge(claim_of(parts({"noisy": Interval(0.9, 0.1, 9), "worst": BELOW})), gpu)
    assert found.parts_text == "fails at worst (0.800); within the noise at noisy (0.900)"


def test_the_three_worst_parts_are_named(gpu: View) -> None:
    rows = {f"k {value:g}": exact(value) for value in (0.9, 0.5, 2.0, 0.7, 0.6)}
    assert (
        judge(claim_of(parts(rows)), gpu).parts_text
        == "fails at k 0.5 (0.500), k 0.6 (0.600), k 0.7 (0.700) and 1 more"
    )


def test_a_part_can_have_a_bound_of_its_own(gpu: View) -> None:
    found = judge(claim_of(Parts((Part("a", exact(5), at_most(4)), Part("b", exact(5))))), gpu)
    assert found.verdict_text == "mixed (holds in 1 of 2)"
    assert found.bound_text == "each is within a bound of its own"


def test_no_parts_are_not_testable(gpu: View) -> None:
    claim = replace(claim_of(ABOVE), measure=lambda view: parts({}))
    assert judge(claim, gpu).verdict_text == "not testable here (no rows to compare)"


def test_what_is_true_by_construction_is_shown_and_not_counted(gpu: View) -> None:
    built = judge(claim_of(ABOVE, "a maximum is no less than the mean"), gpu)
    assert built.verdict_text == "holds, by construction"
    assert "a maximum is no less than the mean" in built.details
    measured = judge(claim_of(BELOW), gpu)
    assert summary([built, measured]) == (
        "of 1 claim that a measurement can decide, 1 does not hold; 1 more is true by construction"
    )


def test_a_construction_that_the_rows_contradict_is_counted(gpu: View) -> None:
    assert judge(claim_of(BELOW, "it cannot be below"), gpu).is_counted


def test_summary_counts_all(grids: Experiment, cpu: View) -> None:
    total, *counts = map(int, re.findall(r"\d+", summary(judge_all(grids.claims, cpu))))
    built = sum(bool(claim.by_construction) for claim in grids.claims)
    assert total == 31 - built
    assert sum(counts) == 31
