"""The claims of rule_interpreter on the paper's own tables, where the right answers are known."""

from __future__ import annotations

import pytest

from experiments.rule_interpreter import findings, measures
from experiments.rule_interpreter.claims import CLAIMS
from experiments.rule_interpreter.figures import published
from plots.catalog import ROOT
from plots.claims import judge
from plots.errors import NotTestable
from plots.interval import Interval
from plots.published import Published
from plots.results import Device, View
from plots.verdict import Verdict

NUMBERS = Published(ROOT / "results" / "published", "rule_interpreter")
CASES = list(published(NUMBERS))


def view(name: str = "GeForce GTX 1080 Ti (paper)") -> View:
    device = next(case.device for case in CASES if case.device.name == name)
    return View("rule_interpreter", device, [case for case in CASES if case.device == device], NUMBERS.facts())


def test_every_printed_row_is_there() -> None:
    # 24 rows in Tables 1 and 3, 12 in Tables 2 and 4, two cards.
    assert len(CASES) == 2 * (2 * 24 + 2 * 12)


@pytest.mark.parametrize(
    ("claim", "value", "verdict"),
    [
        ("K01", 3.52, Verdict.DOES_NOT_HOLD),  # 8.63 over 2.45 ms, not 4
        ("K06", 22 / 24, Verdict.DOES_NOT_HOLD),  # Algorithm 3 at load 2000 has B fastest
        ("K07", 8 / 12, Verdict.UNDECIDED),  # 6 of 12 are beyond the noise, which are not most
        ("K08", 6 / 12, Verdict.DOES_NOT_HOLD),  # Table 4 has none
        ("K12", 0.21e-3, Verdict.UNDECIDED),  # sigma is as large
        ("K22", 4.43, Verdict.DOES_NOT_HOLD),  # below the 12 operations of the smallest product
    ],
)
def test_the_papers_own_numbers(claim: str, value: float, verdict: Verdict) -> None:
    found = judge(next(one for one in CLAIMS if one.id == claim), view())
    assert found.measured is not None
    assert found.measured.value == pytest.approx(value, rel=2e-3)
    assert found.verdict is verdict


def test_claims_are_those_of_the_paper_in_order() -> None:
    assert [claim.id for claim in CLAIMS] == [f"K{number:02}" for number in range(1, 23)]


def test_what_was_not_measured_is_said() -> None:
    empty = View("rule_interpreter", Device("none", "None"), [], {})
    for claim in CLAIMS:
        assert judge(claim, empty).verdict is Verdict.NOT_TESTABLE
    with pytest.raises(NotTestable):
        findings.ours_against_others(empty)
    with pytest.raises(NotTestable):
        findings.auto_against_others(empty)


def test_a_share_of_rows_has_the_noise_as_its_interval() -> None:
    advantages = [
        Interval(1.2, 1.1, 1.3),
        Interval(1.01, 0.99, 1.03),
        Interval(0.99, 0.97, 1.01),
        Interval(0.8, 0.7, 0.9),
    ]
    found = measures.share_faster(advantages, "rows have C before A")
    assert found.interval == Interval(2 / 4, 1 / 4, 3 / 4)
    assert found.note == "2 of 4 rows have C before A, 1 beyond the noise; in 1 it is behind beyond the noise"


def test_the_largest_gain_is_given_for_other_pairs_of_layouts_too() -> None:
    found = judge(next(claim for claim in CLAIMS if claim.id == "K01"), view())
    assert (
        "layout A over C 3.62, best over best 3.52, layout B alone 29.9" in found.note
    )  # 8.88 over 2.45, 8.63 over 2.45
