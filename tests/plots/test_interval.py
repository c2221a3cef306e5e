"""Intervals, bounds and verdicts, at and around their edges."""

from __future__ import annotations

import pytest

from plots.interval import Interval, exact, hull, share_of
from plots.units import axis_label, digits, duration, interval, percent, percent_spread, quantity
from plots.verdict import Bound, Verdict, about, above, at_least, at_most, below, between, equals


def test_ratio_takes_the_worst_corners() -> None:
    ratio = Interval(4, 3, 5) / Interval(2, 1, 4)
    assert (ratio.value, ratio.low, ratio.high) == (2, 0.75, 5)


def test_division_by_an_interval_that_reaches_zero_is_an_error() -> None:
    with pytest.raises(ValueError):
        exact(1) / Interval(1, 0, 2)


def test_an_interval_holds_its_value() -> None:
    with pytest.raises(ValueError):
        Interval(3, 1, 2)


def test_hull_spans_all() -> None:
    spanned = hull([Interval(1, 0.5, 2), Interval(5, 4, 9), Interval(3, 3, 3)])
    assert (spanned.value, spanned.low, spanned.high) == (3, 0.5, 9)


def test_the_first_interval_of_a_hull_need_not_be_the_lowest() -> None:
    spanned = hull([Interval(1, 0.9, 2), Interval(5, 0.1, 9), Interval(3, 3, 3)])
    assert (spanned.value, spanned.low, spanned.high) == (3, 0.1, 9)


@pytest.mark.parametrize(
    ("bound", "measured", "verdict"),
    [
        (at_least(2), Interval(3, 2, 4), Verdict.HOLDS),
        (at_least(2), Interval(3, 1.9, 4), Verdict.NOT_TESTABLE),
        (at_least(2), Interval(1, 0.5, 1.9), Verdict.DOES_NOT_HOLD),
        (at_least(2), Interval(1, 0.5, 2), Verdict.NOT_TESTABLE),
        (at_most(2), Interval(1, 1, 2), Verdict.HOLDS),
        (at_most(2), Interval(3, 2.1, 4), Verdict.DOES_NOT_HOLD),
        (above(1), exact(1), Verdict.DOES_NOT_HOLD),
        (above(1), Interval(1.1, 1, 1.2), Verdict.NOT_TESTABLE),
        (above(1), Interval(1.1, 1.01, 1.2), Verdict.HOLDS),
        (below(1), exact(1), Verdict.DOES_NOT_HOLD),
        (between(1, 2), Interval(1.5, 1, 2), Verdict.HOLDS),
        (between(1, 2), Interval(1.5, 0, 3), Verdict.NOT_TESTABLE),
        (between(1, 2), Interval(2.5, 2.1, 3), Verdict.DOES_NOT_HOLD),
        (equals(0), exact(0), Verdict.HOLDS),
        (equals(0), exact(1), Verdict.DOES_NOT_HOLD),
        (about(2, 0.1), Interval(2.1, 2, 2.2), Verdict.HOLDS),
        (about(2, 0.1), Interval(2.1, 2, 2.21), Verdict.NOT_TESTABLE),
    ],
)
def test_verdict(bound: Bound, measured: Interval, verdict: Verdict) -> None:
    assert bound.judge(measured) is verdict


def test_bounds_as_text() -> None:
    assert at_least(28.5e9).text("sets/s") == "at least 28.5 G sets/s"
    assert above(1).text() == "above 1"
    assert between(1, 1.05).text() == "1 to 1.05"
    assert equals(4).text("words") == "4 words"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1024, "1024"), (0.12345, "0.123"), (12.345, "12.3"), (1.0, "1"), (0.9999, "1.000"), (1234.5, "1230")],
)
def test_digits(value: float, text: str) -> None:
    assert digits(value) == text


def test_units() -> None:
    assert quantity(2.85e10, "sets/s") == "28.5 G sets/s"
    assert quantity(0.00123, "s") == "1.23 ms"
    assert quantity(120, "registers") == "120 registers"
    assert quantity(4.31e12, "B/s") == "4.31 TB/s"
    assert interval(Interval(2e9, 1.9e9, 2.1e9), "grids/s") == "2.00 [1.90, 2.10] G grids/s"
    assert interval(exact(120), "") == "120"


def test_a_number_that_reads_1000_gets_the_next_prefix() -> None:
    assert quantity(9.996e8, "B/s") == "1.000 GB/s"


def test_duration() -> None:
    assert [duration(seconds) for seconds in (0, 59.4, 60, 3599, 3660)] == [
        "0 s",
        "59 s",
        "1 min 00 s",
        "59 min 59 s",
        "1 h 01 min",
    ]


def test_a_count_has_no_unit() -> None:
    assert axis_label("agents", "1") == "agents"
    assert axis_label("time", "ms") == "time (ms)"


def test_the_interval_of_a_share_is_wilsons() -> None:
    """For 10 of 100 it is [0.0552, 0.1744]; at both ends it stays within 0 and 1 and keeps a width."""
    found = share_of(10, 100)
    assert (found.value, round(found.low, 4), round(found.high, 4)) == (0.1, 0.0552, 0.1744)
    none, every = share_of(0, 100), share_of(100, 100)
    assert none.value == none.low == 0 < none.high < 0.04
    assert 0.96 < every.low < every.high == every.value == 1


def test_a_share_that_is_not_0_does_not_read_as_0() -> None:
    assert [percent(share) for share in (0.0, 0.001, 0.41)] == ["0%", "<1%", "41%"]


def test_an_interval_of_a_share_shows_both_ends() -> None:
    assert percent_spread(Interval(0.9991, 0.99903, 0.99914)) == "99.91% (99.90% to 99.91%)"
    assert percent_spread(Interval(0.22, 0.21, 0.23)) == "22.0% (21.0% to 23.0%)"
    assert percent_spread(exact(0.5)) == "50.0%"
