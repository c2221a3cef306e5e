"""The claims of term_rewriting on the paper's own numbers and on made-up rows, where the right answers are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from experiments.term_rewriting import measures
from experiments.term_rewriting.claims import CLAIMS
from experiments.term_rewriting.figures import FIGURES, TABLES
from plots.claims import judge
from plots.errors import NotTestable
from plots.figures import Scope
from plots.interval import Interval
from plots.results import Case, Device, View
from plots.verdict import Verdict
from tests.plots.term_rewriting_rows import DEVICE, NUMBERS, judged, paper, parts_of, row, value_of, wide


def test_claims_are_those_of_the_paper_in_order() -> None:
    assert [claim.id for claim in CLAIMS] == [f"R{number:02}" for number in range(1, 33)]


@pytest.mark.parametrize(
    ("claim", "value", "verdict"),
    [
        ("R01", 18.1 / 22.8, Verdict.HOLDS),
        ("R04", 3.12e9, Verdict.HOLDS),
        ("R05", 6e9, Verdict.HOLDS),
        ("R06", 1e9, Verdict.HOLDS),
        ("R07", 18.1 * 2**30, Verdict.HOLDS),
        ("R08", (95.7 / 555) / (18.1 / 22.8), Verdict.HOLDS),
        ("R09", 555 * 2**30, Verdict.HOLDS),
        ("R10", 22.8 / 25.7, Verdict.HOLDS),
        ("R15", 8e6, Verdict.HOLDS),
        ("R16", 26, Verdict.HOLDS),
    ],
)
def test_the_papers_own_numbers(claim: str, value: float, verdict: Verdict) -> None:
    found = judge(next(one for one in CLAIMS if one.id == claim), paper())
    assert value_of(found) == pytest.approx(value)
    assert found.verdict is verdict


def test_unmeasured_claims_give_the_reason() -> None:
    empty = View("term_rewriting", Device("none", "None"), [], {})
    for claim in CLAIMS:
        found = judge(claim, empty)
        assert found.verdict is Verdict.NOT_TESTABLE and found.note
    for figure in FIGURES:
        with pytest.raises(NotTestable):
            figure.draw(Scope(empty))
    for table in TABLES:
        with pytest.raises(NotTestable):
            table.fill(Scope(empty))


def test_the_note_of_a_speed_up_has_the_ratios_to_better_engines() -> None:
    cases = [
        row("as_printed", "transformation_tree", 0.1, depth="22"),
        row("cpu_as_printed", "transformation_tree", 2.0, depth="22", machine="cpu"),
        row("one_core", "transformation_tree", 0.5, depth="22", machine="cpu"),
        row("all_cores", "transformation_tree", 0.05, depth="22", machine="cpu"),
    ]
    found = judged("R02", cases, [row("ocaml", "transformation_tree", 0.4, depth="22", machine="cpu")])
    assert value_of(found) == pytest.approx(20) and found.verdict is Verdict.HOLDS
    assert "over one_core 5" in found.note and "over all_cores 0.5" in found.note and "over ocaml 4" in found.note
    # A depth that the GPU did not run is not compared, but the rate for fewer lists is.
    sorts = [
        row("as_printed", "tree_merge_sort", 1.0, depth="23", items=8e9),
        row("cpu_as_printed", "tree_merge_sort", 0.5, depth="20", machine="cpu"),
        row("cpu_as_printed", "tree_merge_sort", 0.1, depth="5", machine="cpu"),
    ]
    assert value_of(judged("R03", sorts)) == pytest.approx(4)
    assert "the GPU at tree_merge_sort 23 5" in judged("R03", sorts).note
    # Both at the CPU's size, where the GPU ran it.
    equal = judged("R03", [*sorts, row("as_printed", "tree_merge_sort", 0.1, depth="20")])
    assert value_of(equal) == pytest.approx(5)
    assert "4 with the GPU at tree_merge_sort 23 5" in equal.note
    assert judged("R02", sorts).verdict is Verdict.NOT_TESTABLE


def test_the_crossing_is_where_the_gpu_stays_ahead() -> None:
    cases = [*wide("count", 1, 100.0, 1.0), *wide("queens", 50, 1.0, 2.0), *wide("tree_fold", 10, 3.0, 2.0)]
    cases += wide("transformation_tree", 1e6, 0.01, 2.0)
    found = judged("R29", cases)
    assert parts_of(found) == pytest.approx({"count 5": 100, "tree_fold 10": 1.5})
    assert found.verdict is Verdict.HOLDS and "cpu_as_printed 50" in found.note
    assert value_of(judged("R19", cases)) == pytest.approx(1e4)
    # If the GPU is ahead at a workload of the less parallel half, the claim does not hold there.
    ahead = [*wide("count", 1, 1.0, 2.0), *cases[3:]]
    assert judged("R29", ahead).verdict is Verdict.MIXED
    # If it is not ahead at the most parallel workload, there is no crossing.
    assert "cpu_as_printed never" in judged("R29", cases[:3] + wide("queens", 50, 3.0, 2.0)).note
    # Nor is it ahead where the intervals overlap.
    noisy = [replace(one, time=Interval(1.0, 0.9, 2.5)) if one.axes["system"] == "queens" else one for one in cases]
    assert "cpu_as_printed 1" in judged("R29", noisy).note and "cpu_as_printed 50" not in judged("R29", noisy).note


def test_one_lane_is_compared_as_well_as_the_launches() -> None:
    cases = [*wide("count", 1, 100.0, 1.0), row("fast", "count", 9.0)]
    found = judged("R20", cases)
    assert parts_of(found) == pytest.approx({"launches of the paper's GPU rewriter": 100, "one lane of fast": 9})
    assert found.verdict is Verdict.MIXED


def test_each_data_driven_engine_is_judged() -> None:
    cases = [
        row(variant, "tree_merge_sort", seconds, depth="20")
        for variant, seconds in (("as_printed", 2.0), ("as_printed_worklist", 3.0), ("fast", 0.5))
    ]
    found = judged("R22", cases)
    assert parts_of(found) == pytest.approx({"as_printed_worklist": 1.5, "fast": 0.25})
    assert found.verdict is Verdict.MIXED


def test_each_appropriate_system_is_judged_at_its_largest_size() -> None:
    def both(system: str, depth: str, parallelism: float, gpu: float, cpu: float) -> list[Case]:
        return [
            row("iterations", system, depth=depth, machine="cpu", metrics={"average_parallelism": parallelism}),
            row("fast", system, gpu, depth=depth),
            row("all_cores", system, cpu, depth=depth, machine="cpu"),
        ]

    cases = [*both("count", "10", 1.0, 1.0, 50.0), *both("symbolic", "12", 1e4, 1.0, 20.0)]
    cases += [*both("symbolic", "23", 2e5, 1.0, 6.0), *both("payload_tree", "22", 2e6, 1.0, 27.0)]
    folded = "payload_tree 22, chains of rules in one step"
    assert parts_of(judged("R30", cases)) == pytest.approx({"symbolic 23": 6, folded: 27})
    assert judged("R30", cases).verdict is Verdict.MIXED
    # With a row of one step per rule, both numbers are shown.
    found = judged("R30", [*cases, row("fast_each_rule", "payload_tree", 3.0, depth="22")])
    assert parts_of(found) == pytest.approx({"symbolic 23": 6, "payload_tree 22, a step per rule": 9, folded: 27})


def test_counts_that_differ_are_found() -> None:
    same = [row("as_printed", "queens", 1.0), row("oracle", "queens", 1.0, machine="cpu")]
    assert judged("R17", same).verdict is Verdict.HOLDS
    other = row("fast", "queens", 1.0, items=1e9 + 1)
    assert judged("R17", [*same, other]).verdict is Verdict.DOES_NOT_HOLD
    disagrees = replace(other, items=1e9, metrics={}, status="disagrees")
    assert judged("R17", [*same, disagrees]).verdict is Verdict.DOES_NOT_HOLD
    assert judged("R17", same[:1]).verdict is Verdict.NOT_TESTABLE


def test_the_race_is_measured_against_the_better_engine() -> None:
    def three(system: str, on_cpu: float, on_gpu: float | None, both: float) -> list[Case]:
        cases = [row("all_cores", system, on_cpu, machine="cpu"), row("auto", system, both)]
        return cases + ([row("fast", system, on_gpu)] if on_gpu else [])

    def most(cases: Sequence[Case]) -> float:
        return measures.auto_over_better(View("term_rewriting", DEVICE, list(cases), NUMBERS.facts())).value

    assert most(three("queens", 0.1, 1.0, 0.11)) == pytest.approx(1.1)
    assert most(three("queens", 1.0, 0.1, 0.15)) == pytest.approx(1.5)
    assert most(three("count", 0.1, None, 0.2)) == pytest.approx(2.0)
    one_core = row("one_core", "count", 0.05, machine="cpu")
    assert most([*three("count", 0.1, None, 0.2), one_core]) == pytest.approx(4.0)
    # Workloads that the better engine finishes within 20 ms do not count; the worst ratio of the others does.
    cases = three("queens", 1.0, 0.01, 0.05) + three("count", 0.1, 9.0, 0.11) + three("tree_fold", 0.1, 0.2, 0.105)
    assert most(cases) == pytest.approx(1.1)
    with pytest.raises(NotTestable):
        most(three("queens", 1.0, 0.01, 0.05))


def test_parallelism_doubles_a_level() -> None:
    cases = [
        row(
            "iterations",
            "tree_merge_sort",
            depth=str(depth),
            machine="cpu",
            metrics={"max_redexes": 4.0 * 2**depth, "average_parallelism": 2.0**depth},
        )
        for depth in (1, 5, 9)
    ]
    assert judged("R14", cases).verdict is Verdict.HOLDS
    assert judged("R14", cases[:1]).verdict is Verdict.NOT_TESTABLE


def test_lists_of_lists_are_compared_at_one_depth() -> None:
    def counted(system: str, depth: str, average: float) -> Case:
        metrics = {"average_parallelism": average, "iterations_marked": 100.0}
        return row("iterations", system, depth=depth, machine="cpu", metrics=metrics)

    cases = [counted("merge_sort", "0", 2.0), counted("mapped_list_of_lists", "12", 500.0)]
    cases += [counted("list_of_lists", "10", 1600.0), counted("tree_merge_sort", "10", 1600.0)]
    assert judged("R25", cases).verdict is Verdict.NOT_TESTABLE
    found = judged("R25", [*cases, counted("mapped_list_of_lists", "10", 120.0)])
    assert parts_of(found) == pytest.approx({"a rule walks along the list": 60, "a list of sorts is given": 800})
    assert found.verdict is Verdict.DOES_NOT_HOLD
