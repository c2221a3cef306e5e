"""What peers of the queue check of their own results."""

from __future__ import annotations

import pytest

from baselines.replications.peers._queue import CLIENTS, axes, check, verified
from baselines.peers.programs import WrongResult


def test_a_mean_within_the_tolerance_passes() -> None:
    check(100, 100 * CLIENTS, 4.1)
    assert "within 0.15" in verified(100)


def test_a_lost_customer_and_a_wrong_mean_are_reported() -> None:
    with pytest.raises(WrongResult, match="999999 of 1000000"):
        check(100, 100 * CLIENTS - 1, 4.0)
    with pytest.raises(WrongResult, match="4.2, not 4"):
        check(100, 100 * CLIENTS, 4.2)
    check(100, 100 * 1_000_000, 4.01, clients=1_000_000)
    with pytest.raises(WrongResult, match="mean time"):
        check(100, 100 * 1_000_000, 4.02, clients=1_000_000)


def test_the_axes_are_those_of_our_rows() -> None:
    assert axes(64) == {"model": "mm1", "clients": "10000", "replications": "64"}
    assert axes(64, 1_000_000)["clients"] == "1000000"
