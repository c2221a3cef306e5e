"""The claims of term_rewriting on the paper's own numbers and on made-up rows, where the right answers are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from experiments.term_rewriting import bandwidths, measures, over_time, workloads
from experiments.term_rewriting.claims import CLAIMS
from experiments.term_rewriting.engine_topics import peers_table
from experiments.term_rewriting.figures import FIGURES, TABLES, published
from experiments.term_rewriting.findings import FINDINGS, PICTURES, TOPICS, range_of_fast
from experiments.term_rewriting.passes import Pass
from experiments.term_rewriting.wording import count_text
from plots.catalog import ROOT, load_sweeps
from plots.claims import Judgement, judge
from plots.errors import NotTestable
from plots.figures import Scope
from plots.gather import load_results
from plots.interval import Interval, exact
from plots.published import Published
from plots.results import Case, Device, View
from plots.verdict import Verdict

NUMBERS = Published(ROOT / "results" / "published", "term_rewriting")
LIMITS = {
    "copy": 4e12,
    "random_load.8GB": 40e9,
    "random_atomic.8GB": 16e9,
    "cpu.copy": 1e11,
    "cpu.random_load.1GB": 1e9,
}
DEVICE = Device("made-up", "Made up", "cuda", limits={name: {"value": value} for name, value in LIMITS.items()})


def row(
    variant: str,
    system: str,
    seconds: float | None = None,
    depth: str = "10",
    elements: str = "5",
    machine: str = "cuda",
    items: float = 1e9,
    metrics: Mapping[str, float] | None = None,
) -> Case:
    axes = {"system": system, "depth": depth, "elements": elements, "sharing": "none"}
    return Case(
        DEVICE,
        "term_rewriting",
        variant,
        "paper",
        machine,
        axes,
        items=items,
        time=exact(seconds) if seconds else None,
        metrics={"rewrites": items, **(metrics or {})},
    )


def passes(columns: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {
        f"pass_{name}_{place:05}": value for name, values in columns.items() for place, value in enumerate(values, 1)
    }


def judged(claim: str, cases: Sequence[Case], peers: Sequence[Case] = ()) -> Judgement:
    view = View("term_rewriting", DEVICE, cases, NUMBERS.facts(), peers=peers)
    return judge(next(one for one in CLAIMS if one.id == claim), view)


def paper() -> View:
    cases = list(published(NUMBERS))
    return View("term_rewriting", cases[0].device, cases, NUMBERS.facts())


def value_of(judgement: Judgement) -> float:
    assert judgement.measured is not None, judgement.note
    return judgement.measured.value


def parts_of(judgement: Judgement) -> dict[str, float]:
    return {judged.part.label: judged.part.interval.value for judged in judgement.parts}


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
    assert judged("R02", sorts).verdict is Verdict.NOT_TESTABLE


def traced_sort() -> list[Case]:
    """Four passes: 100, 400, 4 and 0 redexes in 1, 2, 1 and 1 ms."""
    columns = {
        "redexes": (100.0, 400.0, 4.0, 0.0),
        "seconds": (1e-3, 2e-3, 1e-3, 1e-3),
        "derive_seconds": (0.5e-3, 1e-3, 0.5e-3, 0.5e-3),
        "slots": (1000.0, 1000.0, 2000.0, 4000.0),
    }
    traffic = {
        "redexes": columns["redexes"],
        "own_bytes": (1e9, 2e9, 1e9, 1e9),
        "random_bytes": (1e8, 1e8, 5e7, 5e7),
        "atomics": (1e6, 1e6, 0.0, 0.0),
    }
    return [
        row("as_printed_traced", "tree_merge_sort", 5e-3, depth="23", metrics=passes(columns)),
        row("as_printed_counted", "tree_merge_sort", depth="23", metrics=passes(traffic)),
        row("as_printed_traced", "transformation_tree", 5e-3, depth="22", metrics=passes(columns)),
    ]


def test_bandwidths_and_shares_of_the_limits() -> None:
    cases = traced_sort()
    useful, atomics = 3e8 / 2.5e-3, 4 * 2e6 / 2.5e-3
    assert parts_of(judged("R07", cases)) == pytest.approx(
        {"useful bytes": useful, "useful bytes and atomics": useful + atomics}
    )
    shares = {"useful bytes": useful / 1.6e11, "useful bytes and atomics": (useful + atomics) / 1.6e11}
    assert parts_of(judged("R01", cases)) == pytest.approx(shares)
    assert judged("R01", cases).verdict is Verdict.HOLDS
    against = {f"random in {way}": 0.5 / share for way, share in shares.items()}
    assert parts_of(judged("R08", cases)) == pytest.approx(against)
    assert parts_of(judged("R23", cases)) == pytest.approx(shares)
    assert value_of(judged("R06", cases)) == pytest.approx(200e3)
    idle = (0.9 + 0.6 + 0.998 + 1) / 4
    assert parts_of(judged("R21", cases)) == pytest.approx(
        {"tree_merge_sort 23 5": idle, "transformation_tree 22": idle}
    )
    # Half of the time, 2.5 ms: the second pass, and half of the first.
    assert value_of(judged("R05", cases)) == pytest.approx(450 / 2.5e-3)


def test_a_machine_without_a_gpu_has_the_bandwidths_of_its_cpu_alone() -> None:
    """Its limits have plain names: its `copy` is not a GPU's."""
    limits = {"copy": {"value": 3e10}, "random_load.1GB": {"value": 2e8}}
    view = View("term_rewriting", Device("host", "Host", "cpu", limits=limits), [], NUMBERS.facts())
    assert bandwidths.cpu_aligned(view).value == 3e10 and bandwidths.cpu_random(view).value == 8e8
    for measure in (bandwidths.gpu_aligned, bandwidths.gpu_random):
        with pytest.raises(NotTestable, match="needs a GPU"):
            measure(view)
    with_gpu = View("term_rewriting", DEVICE, [], NUMBERS.facts())
    assert bandwidths.gpu_aligned(with_gpu).value == 4e12 and bandwidths.cpu_aligned(with_gpu).value == 1e11


def test_random_accesses_are_also_counted_as_sectors() -> None:
    plain, counted, *rest = traced_sort()
    accesses = passes({"random_accesses": (4e7, 4e7, 1e7, 1e7)})
    cases = [plain, replace(counted, metrics={**counted.metrics, **accesses}), *rest]
    per_second = (1e8 + 2e6) / 2.5e-3
    # One sector for each access and atomic, against one for each load at the limit of 40 G loads/s.
    assert parts_of(judged("R01", cases))["sectors"] == pytest.approx(per_second / 40e9)
    assert "sectors" not in parts_of(judged("R07", cases))


def test_the_counters_of_dram_decide_a_share_too() -> None:
    counters = {"nanoseconds": 1e6, "memory_bytes_read": 2e8, "memory_bytes_written": 1.2e8}
    metrics = {f"counter_{name}": value for name, value in counters.items()}
    cases = [*traced_sort(), row("as_printed", "tree_merge_sort", 1.0, depth="20", metrics=metrics)]
    found = judged("R23", cases)
    assert parts_of(found)["DRAM's counters"] == pytest.approx(3.2e11 / (32 * 40e9))
    assert found.verdict is Verdict.MIXED


def test_a_pass_has_the_noise_of_whole_runs() -> None:
    noisy = replace(traced_sort()[0], time=Interval(4e-3, 2e-3, 5e-3))
    measured = judged("R06", [noisy]).measured
    assert measured is not None
    assert [measured.low, measured.high] == pytest.approx([100e3, 250e3])


def test_an_instrumented_run_of_other_passes_is_no_evidence() -> None:
    cases = traced_sort()
    other = dict(cases[1].metrics) | {"pass_redexes_00003": 5.0}
    found = judged("R01", [cases[0], replace(cases[1], metrics=other)])
    assert found.verdict is Verdict.NOT_TESTABLE and "instrumented program differ" in found.note


def test_tails_are_shares_of_time() -> None:
    columns = {
        "redexes": (1.0, 1.0, 50.0, 4.0),
        "seconds": (3.0, 3.0, 1.0, 3.0),
        "derive_seconds": (1.0,) * 4,
        "slots": (9.0,) * 4,
    }
    cases = [row("as_printed_traced", "merge_sort", 1.0, elements="50", metrics=passes(columns))]
    found = judged("R12", cases)
    assert value_of(found) == pytest.approx(0.9)
    assert "60% of the time before, 30% after" in found.note
    # Without times each pass counts alike.
    counted = [
        row("iterations", "merge_sort", machine="cpu", elements="50", metrics=passes({"redexes": columns["redexes"]}))
    ]
    assert value_of(judged("R12", counted)) == pytest.approx(0.75)
    assert judged("R13", counted).verdict is Verdict.NOT_TESTABLE


def test_the_zoomed_figure_keeps_the_peak_and_its_times() -> None:
    found = [Pass(float(height), 1.0) for height in (1, 2, 9, 3, 1)]
    drawn = over_time.boxes(found, over_time.PARALLELISM)
    assert [box.height for box in over_time.around_the_peak(found, drawn, 1)] == [2, 9, 3]
    assert over_time.around_the_peak(found, drawn, 1)[0].begin == 1
    fewer = over_time.fewer(drawn, 2)
    assert [box.height for box in fewer] == [9, 3] and fewer[-1].end == pytest.approx(5)


def wide(system: str, parallelism: float, gpu: float, cpu: float) -> list[Case]:
    return [
        row("iterations", system, machine="cpu", metrics={"average_parallelism": parallelism}),
        row("as_printed", system, gpu),
        row("cpu_as_printed", system, cpu, machine="cpu"),
    ]


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


def test_every_sweep_names_existing_systems() -> None:
    sweeps = load_sweeps("term_rewriting")
    for sweep in sweeps:
        axes = sweep["axes"]
        assert isinstance(axes, dict)
        assert set(axes["system"]) <= set(workloads.SIZES), sweep["name"]
    assert {"table2_merge_sort", "table2_tree_merge_sort", "table2_transformation_tree", "figure2", "figure3"} <= {
        sweep["name"] for sweep in sweeps
    }


WRITTEN = [*FINDINGS, *(paragraph for topic in TOPICS for paragraph in topic.paragraphs)]


def h200() -> View:
    results = load_results(ROOT / "results")
    device = next(device for device in results.devices if device.slug == "nvidia-h200")
    return results.view("term_rewriting", device, NUMBERS.facts())


def test_every_finding_is_a_sentence_of_the_committed_rows() -> None:
    view = h200()
    for finding in FINDINGS:
        text = finding(view)
        assert text.endswith(".") and "\n" not in text and any(letter.isdigit() for letter in text)
    assert "as fast as the paper's GPU rewriter" in FINDINGS[0](view)


#: Paragraphs whose rows the last measurement did not reach. A row that arrives takes its paragraph off this list.
WITHOUT_ROWS = ["counters_read", "busiest_slice", "peers_table"]


def test_every_paragraph_of_the_page_comes_from_the_committed_rows() -> None:
    view = h200()
    absent = []
    for topic in TOPICS:
        for paragraph in topic.paragraphs:
            try:
                text = paragraph(view)
            except NotTestable:
                absent.append(getattr(paragraph, "__name__", topic.title))
                continue
            assert text.endswith(".") or text.startswith("|"), topic.title
    assert absent == WITHOUT_ROWS
    assert set(PICTURES) <= {figure.name for figure in FIGURES}


def test_findings_need_rows() -> None:
    empty = View("term_rewriting", Device("none", "None"), [], {})
    for finding in WRITTEN:
        with pytest.raises(NotTestable):
            finding(empty)


def test_the_headline_divides_rates_of_one_workload() -> None:
    cases = [
        row("fast", "tree_merge_sort", 0.1, depth="23"),
        row("as_printed", "tree_merge_sort", 1.0, depth="23"),
        row("all_cores", "tree_merge_sort", 0.5, depth="23", machine="cpu"),
        row("iterations", "tree_merge_sort", depth="23", machine="cpu", metrics={"lists": 2.0**23}),
    ]
    text = FINDINGS[0](View("term_rewriting", DEVICE, cases, {}))
    assert "8.39 million lists" in text
    assert "10x as fast as the paper's GPU rewriter and 5x as fast as generated C++ on all CPU cores" in text


def test_the_gain_of_fast_is_given_with_its_loss() -> None:
    cases = [*wide("count", 1, 100.0, 1.0), row("fast", "count", 1.0), row("one_core", "count", 0.5, machine="cpu")]
    text = range_of_fast(View("term_rewriting", DEVICE, cases, {}))
    assert "100x (count 5)" in text and "one CPU core is 2x as fast as `fast`" in text
    assert "one CPU core" not in range_of_fast(View("term_rewriting", DEVICE, cases[:-1], {}))


def test_counts_are_written_for_people() -> None:
    assert [count_text(value) for value in (1, 2.53, 9999, 26876, 1e6)] == ["1", "2.53", "9999", "26,900", "1 million"]
