"""The parts of the site that compute: verdicts in words, reasons, speeds, units, and what a cell sorts by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plots.catalog import Experiment, load_all
from plots.claims import Claim, judge, not_testable, summary
from plots.gather import most_decided_first
from plots.interval import exact
from plots.results import Device, View, no_row
from plots.site.assets import contrast, readable
from plots.site.claims_table import Judged, own_verdict
from plots.site.methods import METHODS
from plots.site.provenance import attributes, with_unit
from plots.site.reasons import reason
from plots.speeds import AT_THEIR_BEST, speeds
from plots.site.table_card import sort_value
from plots.style import PALETTE
from plots.verdict import Verdict, at_least
from tests.plots.committed import committed_results


def claim(value: float, **more: str) -> Claim:
    return Claim("X1", "quote", "p. 1", "10", "a number", at_least(10), lambda view: exact(value), **more)


def test_a_number_that_moves_with_the_hardware_is_counted_apart(gpu: View) -> None:
    failing, holding, plain = claim(9, moves_with="an old GPU"), claim(11, moves_with="an old GPU"), claim(9)
    moved, holds, fails = (judge(one, gpu) for one in (failing, holding, plain))
    assert [one.kind for one in (moved, holds, fails)] == ["moved", "holds", "does-not-hold"]
    assert moved.short_text == "outdated by hardware"
    assert moved.details == "an old GPU"
    assert holds.details == "newer hardware alone may decide it: an old GPU"
    assert fails.details == ""
    text = summary([moved, holds, fails])
    assert text == (
        "of 3 testable claims, 1 holds, 1 does not hold, and 1 fails on a number that depends on the hardware of its time"
    )


def test_the_papers_own_numbers_never_move(gpu: View) -> None:
    paper = replace(gpu, device=Device("published-x", "X (paper)", published=True))
    assert judge(claim(9, moves_with="an old GPU"), paper).kind == "does-not-hold"


def test_a_claim_by_construction_is_a_kind_of_its_own_unless_it_fails(gpu: View) -> None:
    built = claim(11, by_construction="the format")
    untested = replace(built, measure=not_testable("no rows"))
    failing = claim(9, by_construction="the format")
    kinds = [judge(one, gpu).kind for one in (built, untested, failing)]
    assert kinds == ["by-construction", "by-construction", "does-not-hold"]


@pytest.mark.parametrize(
    ("values", "expected"), [([], "none"), ([11], "agrees"), ([11, 9], "contradicted"), ([9], "contradicted")]
)
def test_the_papers_own_numbers_have_a_verdict(values: list[float], expected: str, gpu: View) -> None:
    assert own_verdict([Judged(judge(claim(value), gpu), "") for value in values]) == expected


def test_a_claim_that_fails_only_as_it_is_read_is_no_contradiction(gpu: View) -> None:
    def own(value: float) -> str:
        return own_verdict([Judged(judge(claim(value, reading="“often” is more than half"), gpu), "")])

    assert own(9) == "reading" and own(11) == "agrees"


def untestable(view: View, why: str) -> str:
    return reason(judge(replace(claim(0), measure=not_testable(why)), view), frozenset({"list"}))


def test_reasons_are_words(gpu: View, cpu: View) -> None:
    row = no_row({"variant": "word", "grid": "32x1"})
    assert untestable(cpu, row) == "needs a GPU"
    assert untestable(cpu, row.replace("word", "list")) == f"not measured here: {row.replace('word', 'list')}"
    assert (
        untestable(cpu, no_row({"variant": ("word", "list")})) == "not measured here: no timed row of `word` or `list`"
    )
    assert untestable(gpu, row) == "not measured here: no timed row of `word` with grid 32x1"
    assert untestable(gpu, "it concerns the published runs") == "it concerns the published runs"


def test_speeds_compare_equal_work_only(gpu: View, grids: Experiment) -> None:
    found = speeds(gpu)
    assert found and found[0].whose.startswith("the paper's method")
    assert found[0].losing.startswith(("slower in ", "never slower"))
    ours = [case for case in gpu.select(role="ours") if case.rate and case.machine == "cuda"]
    assert 0 < len(found[0].ratios) <= len(ours)
    halved = [replace(case, time=case.time * 2) if case.role == "ours" and case.time else case for case in gpu.cases]
    slower = speeds(replace(gpu, cases=halved))
    for before, after in zip(found[0].ratios, slower[0].ratios):
        assert after == pytest.approx(before / 2)
    assert speeds(replace(gpu, cases=[case for case in gpu.cases if case.role != "ours"])) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("28.5 [28.3, 28.6] G sets/s", 28.5e9),
        ("830 ms", 0.83),
        ("8.39 million", 8.39e6),
        ("1,234", 1234.0),
        ("0.302 ± 0.018", 0.302),
        ("-3.5", -3.5),
        ("17", 17.0),
        ("62.9 MB", 62.9e6),
        ("32x32", None),
        ("2x2x2", None),
        ("–", None),
        ("dense", None),
    ],
)
def test_cells_sort_by_their_number(text: str, value: float | None) -> None:
    found = sort_value(text)
    assert found == (None if value is None else pytest.approx(value))


def test_provenance_has_units() -> None:
    assert with_unit(1.98e9, "Hz") == "1.98 GHz"
    found = attributes({"name": "X", "slug": "x", "clock_khz": 1980000, "memory_bytes": 150109880320, "driver": "13.0"})
    assert found == "clock 1.98 GHz, memory 150 GB, driver 13.0"


def test_texts_in_series_colours_can_be_read() -> None:
    for light, _ in PALETTE:
        shown = readable(light)
        assert contrast([int(shown[index : index + 2], 16) for index in (1, 3, 5)], 1.0) >= 4.5
    assert readable("#00428f") == "#00428f"


def test_pages_about_one_device_show_the_one_that_decides_most_claims() -> None:
    results = committed_results()
    turned = replace(results, devices=results.devices[::-1])
    decided = {}
    for device in results.devices:
        judged = [
            judge(one, results.view(experiment.name, device, experiment.facts))
            for experiment in load_all(results)
            for one in experiment.claims
        ]
        decided[device.slug] = sum(one.verdict is not Verdict.NOT_TESTABLE for one in judged)
    for some in (results, turned):
        first = most_decided_first(some).devices[0]
        assert decided[first.slug] == max(decided.values()) > min(decided.values())


def test_methods_say_what_a_ratio_compares() -> None:
    assert AT_THEIR_BEST in dict(METHODS)["Equal work"]
