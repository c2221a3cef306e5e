"""Expected metrics: what a run says of its rows, and what counts as a change."""

from __future__ import annotations

from dataclasses import replace

from plots.expected import differences, metrics_of
from plots.results import View


def test_a_case_that_disagrees_equals_no_expected_metric(cpu: View) -> None:
    row = replace(cpu.cases[0], name="a", status="disagrees", reason="unit 7")
    assert metrics_of([row]) == {"a": {"status": "disagrees unit 7"}}


def test_a_metric_that_appears_is_a_change() -> None:
    assert differences({"a": {}}, {"a": {"words": "3"}}) == ["a: words was nothing, is 3"]
