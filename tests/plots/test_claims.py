"""The slides' claims on the made-up devices and on the slides' own numbers; round numbers, so each is checked by
hand.
"""

from __future__ import annotations

import re

import pytest

from plots.catalog import Experiment
from plots.claims import Claim, Judgement, judge, judge_all, summary
from plots.interval import Interval
from plots.results import View
from plots.verdict import Verdict, above


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
        ("B24", Verdict.UNDECIDED, 1.0 / 0.54),
        ("B29", Verdict.DOES_NOT_HOLD, 0.943),
        ("B30", Verdict.HOLDS, 0.5),
    ],
)
def test_on_the_made_up_gpu(grids: Experiment, gpu: View, claim: str, verdict: Verdict, value: float) -> None:
    judgement = judged(grids, gpu)[claim]
    assert judgement.measured is not None
    assert judgement.measured.value == pytest.approx(value, rel=1e-3)
    if claim == "B30":  # exactly on the bound, so the noise decides
        verdict = Verdict.UNDECIDED
    assert judgement.verdict is verdict


def test_raw_speed_is_twice_the_slides_gpu(grids: Experiment, gpu: View) -> None:
    """76 multiprocessors at the same clock: twice 38.

    Threadwise is 1.905x as fast as on the slides, warpwise 1.538x.
    """
    judgement = judged(grids, gpu)["B12"]
    assert judgement.verdict is Verdict.DOES_NOT_HOLD or judgement.verdict is Verdict.UNDECIDED
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


def test_a_straddling_interval_is_undecided(gpu: View) -> None:
    claim = Claim("X", "q", "p", "1", "how", above(1), lambda view: Interval(1.2, 0.9, 1.5))
    assert judge(claim, gpu).verdict is Verdict.UNDECIDED


def test_summary_counts_all(grids: Experiment, cpu: View) -> None:
    text = summary(judge_all(grids.claims, cpu))
    assert sum(map(int, re.findall(r"\d+", text))) == 31
