"""The interval of a median, the noise, and when a sample is large enough, by numbers that can be checked by hand."""

from __future__ import annotations

import pytest

from processes.sampling import MOST, enough, rank_of_bound, sample, summarize


@pytest.mark.parametrize(("count", "rank"), [(1, 0), (5, 0), (6, 1), (8, 1), (9, 2), (10, 2), (15, 4), (25, 8)])
def test_the_rank_of_a_bound_is_that_of_the_sign_test(count: int, rank: int) -> None:
    # Of 10 values, both tails beyond the 2nd have 2 (1 + 10) / 1024 = 2.1%, beyond the 3rd 2 (1 + 10 + 45) / 1024 = 10.9%.
    assert rank_of_bound(count) == rank


def test_a_summary_of_the_numbers_1_to_10() -> None:
    summary = summarize([10, 1, 9, 2, 8, 3, 7, 4, 6, 5])
    assert (summary.count, summary.median, summary.low, summary.high) == (10, 5.5, 2, 9)
    assert summary.coverage == 1 - 22 / 1024
    assert summary.mean == 5.5 and summary.mad == 2.5
    assert summary.sigma == pytest.approx((82.5 / 9) ** 0.5)
    assert summary.noise == pytest.approx(3.5 / 5.5)


def test_a_sample_that_is_too_small_for_an_interval_has_its_range() -> None:
    summary = summarize([3.0, 1.0, 2.0])
    assert (summary.median, summary.low, summary.high) == (2.0, 1.0, 3.0)
    assert summary.coverage == pytest.approx(1 - 2 / 8)


@pytest.mark.parametrize("values", [[], [1.0, float("nan")], [1.0, -1.0]])
def test_times_that_cannot_be_are_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="at least one value"):
        summarize(values)


def test_a_sample_ends_by_its_number_its_noise_its_total_or_its_limit() -> None:
    assert not enough([1e-3] * 9, 10)
    assert enough([1e-3] * 10, 10)  # no noise
    noisy = [1e-3, 2e-3]
    assert not enough(noisy * 5, 10)
    assert not enough(noisy * (MOST // 2 - 1), 10)
    assert enough(noisy * (MOST // 2), 10)  # the limit
    assert enough([0.04, 0.06] * 5, 10)  # 0.5 s in all
    assert not enough([0.04, 0.05] * 5, 10)
    assert not enough([1.0] * 14, 15)


def test_warm_ups_are_not_samples() -> None:
    times = iter([9.0, 9.0, *[1.0] * 10])
    assert sample(lambda: next(times)) == [1.0] * 10
    assert next(times, None) is None
