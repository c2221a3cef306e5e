"""The slides' claims on the made-up devices and on the slides' own numbers; round numbers, so each is checked by
hand.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from experiments.random_grids.claims import UNIFORMITY
from plots.catalog import ROOT, Experiment
from plots.claims import Claim, Judgement, Measured, Part, Parts, judge, judge_all, parts, summary
from plots.interval import Interval, exact
from plots.results import Case, View
from plots.units import digits
from plots.verdict import Verdict, above, at_most


def judged(grids: Experiment, view: View) -> dict[str, Judgement]:
    return {judgement.claim.id: judgement for judgement in judge_all(grids.claims, view)}


def test_every_claim_of_the_slides_is_there_once(grids: Experiment) -> None:
    assert [claim.id for claim in grids.claims] == [f"B{number:02d}" for number in range(1, 33)]


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
        ("B19", Verdict.DOES_NOT_HOLD, 0.2),
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

    Threadwise is 1.905x as fast as on the slides, warpwise 1.538x, word 3.5x.
    """
    judgement = judged(grids, gpu)["B12"]
    assert judgement.verdict_text == "mixed (holds in 1 of 3)"
    assert judgement.parts_text == "fails at word (1.75); warpwise (0.769)"


def test_a_variant_that_disagrees_is_no_evidence(grids: Experiment, gpu: View) -> None:
    assert judged(grids, gpu)["B26"].verdict is Verdict.DOES_NOT_HOLD


def checked(case: Case, sets: float, wrong: float = 0.0) -> Case:
    return replace(case, metrics={**case.metrics, "sets_checked": sets, "sets_with_another_count": wrong})


def test_the_sites_of_every_set_are_counted(grids: Experiment, gpu: View) -> None:
    timed = [case for case in gpu if case.machine == "cuda" and case.time is not None]
    unchecked = judged(grids, gpu)["B28"]
    assert unchecked.verdict is Verdict.NOT_TESTABLE and "do not count the sites of every set" in unchecked.note
    all_right = judged(grids, replace(gpu, cases=[checked(case, 1e6) for case in timed]))["B28"]
    assert all_right.verdict is Verdict.HOLDS
    one_wrong = [checked(case, 1e6, float(i == 0)) for i, case in enumerate(timed)]
    assert judged(grids, replace(gpu, cases=one_wrong))["B28"].verdict is Verdict.DOES_NOT_HOLD
    one_unchecked = [checked(case, 1e6 * (case.variant != "warpwise")) for case in timed]
    assert judged(grids, replace(gpu, cases=one_unchecked))["B28"].verdict is Verdict.NOT_TESTABLE


def test_divergence_within_a_warp_is_judged_by_the_emulator_and_by_the_counter(grids: Experiment, gpu: View) -> None:
    """The committed trace is of no device, so it decides alone where a device has no such rows."""
    traced = judged(grids, gpu)["B23"]
    assert traced.verdict is Verdict.HOLDS and "emulated" in traced.note
    (paper,) = grids.papers()
    assert judged(grids, paper)["B23"].verdict is Verdict.NOT_TESTABLE
    row = next(case for case in gpu.select(variant="warpwise", output="folded"))
    emulated = replace(row, machine="emulator", time=None, status="not_timed")
    counters = replace(row, metrics={"counter_uniform_branches_percent": 100.0})
    assert judged(grids, replace(gpu, cases=[emulated, counters]))["B23"].verdict is Verdict.HOLDS
    diverges = replace(row, metrics={"counter_uniform_branches_percent": 93.0})
    found = judged(grids, replace(gpu, cases=[emulated, diverges]))["B23"]
    assert found.verdict is Verdict.MIXED and "hardware counter" in found.parts_text
    refused = replace(emulated, status="failed")
    found = judged(grids, replace(gpu, cases=[refused]))["B23"]
    assert found.verdict is Verdict.MIXED and "cases that the emulator refuses" in found.parts_text


def test_a_faster_kernel_in_shared_memory_refutes_that_registers_are_the_only_way(grids: Experiment, gpu: View) -> None:
    own = next(case for case in gpu.select(variant="threadwise", grid="32x32", output="folded"))
    assert own.time is not None

    def beside(variant: str, seconds: float, **kernel: int) -> Case:
        attributes = {"registers": 32, "local_bytes": 0, "shared_bytes": 0} | kernel
        return replace(own, variant=variant, time=own.time and own.time * seconds, kernels=(attributes,))

    slow = [beside("threadwise_runtime", 8, local_bytes=400), beside("threadwise_shared", 2, shared_bytes=49152)]
    only = judged(grids, replace(gpu, cases=[own, *slow]))["B21"]
    assert only.verdict is Verdict.HOLDS and only.measured is not None and only.measured.value == pytest.approx(2)
    faster = [*slow, beside("dense", 0.25, shared_bytes=32768)]
    found = judged(grids, replace(gpu, cases=[own, *faster]))["B21"]
    assert found.verdict is Verdict.DOES_NOT_HOLD and "dense, in memory" in found.note
    in_registers = [*slow, beside("novel", 0.25)]
    assert judged(grids, replace(gpu, cases=[own, *in_registers]))["B21"].verdict is Verdict.HOLDS


def test_the_sum_costs_no_less_than_the_faster_of_two_kernels_says(grids: Experiment, gpu: View) -> None:
    rows = [*gpu.select(variant="warpwise", grid="32x32", output="folded"), *gpu.select(variant="halving")]
    (warpwise,) = rows[:1]
    assert warpwise.time is not None
    control = replace(warpwise, variant="warpwise_no_sum", time=warpwise.time / 1.25)
    reduced = replace(warpwise, variant="warpwise_reduce", time=warpwise.time / 2.0)
    alone = judged(grids, replace(gpu, cases=[*rows, control]))["B16"].measured
    both = judged(grids, replace(gpu, cases=[*rows, control, reduced]))["B16"].measured
    assert alone is not None and alone.value == pytest.approx((15.3 / 9.82 - 1) / 0.25)
    assert both is not None and both.value == pytest.approx(15.3 / 9.82 - 1)


def test_the_tests_that_decide_a_claim_exist(grids: Experiment, gpu: View, cpu: View) -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "random_grids").glob("*.cpp"))
    for one in UNIFORMITY:
        assert f"TEST({one.test.replace('.', ', ')})" in sources
    for view in (gpu, cpu):
        found = judged(grids, view)["B27"]
        assert found.verdict is Verdict.MIXED and "narrow rows" in found.parts_text
    (paper,) = grids.papers()
    assert judged(grids, paper)["B27"].verdict is Verdict.NOT_TESTABLE


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
        ([ABOVE, SPANNING], "mixed (holds in 1 of 2, 1 within the noise)"),
        ([BELOW, SPANNING], "does not hold"),
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
        == "fails at k 0.5 (0.500); k 0.6 (0.600); k 0.7 (0.700); and 1 more"
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
    assert summary([built], "the paper's ") == "none of the paper's claims is testable; 1 is true by construction"
    measured = judge(claim_of(BELOW), gpu)
    assert summary([built, measured]) == ("of 1 testable claim, 1 does not hold; 1 more is true by construction")


def test_a_construction_that_the_rows_contradict_is_counted(gpu: View) -> None:
    assert judge(claim_of(BELOW, "it cannot be below"), gpu).is_counted


def test_summary_counts_all(grids: Experiment, cpu: View) -> None:
    total, *counts = map(int, re.findall(r"\d+", summary(judge_all(grids.claims, cpu))))
    built = sum(bool(claim.by_construction) for claim in grids.claims)
    assert total == 32 - built
    assert sum(counts) == 32


def test_a_summary_has_each_number_in_the_right_form(gpu: View) -> None:
    mixed = claim_of(parts({"a": ABOVE, "b": BELOW}))
    moved = replace(claim_of(BELOW), moves_with="an old GPU")
    each = [judge(one, gpu) for one in (claim_of(ABOVE), claim_of(BELOW), mixed, moved, claim_of(SPANNING))]
    assert summary(each) == (
        "of 5 testable claims, 1 holds, 1 does not hold, 1 is mixed, 1 fails on a number that depends on the hardware of its "
        "time, and 1 was not tested here"
    )
    assert summary([*each, *each], "the papers' ") == (
        "of the papers' 10 testable claims, 2 hold, 2 do not hold, 2 are mixed, 2 fail on a number that depends on the "
        "hardware of its time, and 2 were not tested here"
    )
