"""The claims on the committed rows of the card that the README quotes."""

from __future__ import annotations

import pytest

from plots.catalog import load_experiment, names
from plots.claims import judge_all
from tests.plots.committed import committed_view


@pytest.mark.parametrize("experiment", names())
def test_no_claim_waits_for_a_row(experiment: str) -> None:
    """Rows of sweeps of the presets, such as all those of one model on the CPU, were once lost in a merge."""
    judged = judge_all(load_experiment(experiment).claims, committed_view(experiment))
    waiting = [judgement.claim.id for judgement in judged if "no row with" in judgement.verdict_text]
    assert waiting == []
