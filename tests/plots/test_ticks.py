"""Labels of ticks: one notation per axis."""

from __future__ import annotations

import pytest

from plots.ticks import spread_out, text


@pytest.mark.parametrize(
    ("value", "ticks", "base", "label"),
    [
        (4096, (1024, 4096), 2, "4096"),
        (4096, (4096, 65536), 2, "$2^{12}$"),
        (1, (1, 65536), 2, "1"),
        (500000, (100000, 500000), 10, "$5\\cdot10^{5}$"),
        (20480, (20480, 131072), 2, "20480"),
        (0, (0, 65536), 2, "0"),
        (65536, (0, 65536), 0, "65536"),
    ],
)
def test_all_ticks_of_an_axis_are_powers_if_one_is_large(
    value: float, ticks: tuple[float, ...], base: int, label: str
) -> None:
    assert text(value, ticks, base) == label


def test_ticks_keep_apart_from_the_largest_down() -> None:
    assert spread_out([1, 2, 5, 10, 25, 50, 75, 90, 100]) == [1, 2, 5, 10, 25, 50, 100]
