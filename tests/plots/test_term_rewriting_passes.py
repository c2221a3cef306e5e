"""Bandwidths and shares of time of term_rewriting, from the passes of made-up runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from experiments.term_rewriting import bandwidths
from plots.errors import NotTestable
from plots.interval import Interval
from plots.results import Device, View
from plots.verdict import Verdict
from tests.plots.term_rewriting_rows import DEVICE, NUMBERS, judged, parts_of, passes, row, traced_sort, value_of


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
    # Half of the time is 2.5 ms: the second pass takes 2 ms, so the first one's rate is what half of the time reaches.
    assert value_of(judged("R05", cases)) == pytest.approx(100 / 1e-3)


def test_a_short_peak_sustains_nothing() -> None:
    """30 G rewrites/s in a fifth of the time, whose mean over the fastest half is above 6 G/s."""
    columns = {
        "redexes": (1e6, 30e6, 1e6),
        "seconds": (2e-3, 1e-3, 2e-3),
        "derive_seconds": (1e-3,) * 3,
        "slots": (1e8,) * 3,
    }
    found = judged("R05", [row("as_printed_traced", "transformation_tree", 4e-3, depth="22", metrics=passes(columns))])
    assert value_of(found) == pytest.approx(0.5e9) and found.verdict is Verdict.DOES_NOT_HOLD
    assert not found.has_moved, "the device accesses memory faster than the paper's"
    assert "6 G rewrites/s or more in 20% of the time" in found.note
    assert "the traced run takes 5 ms, the median run 4 ms" in found.note
    sustained = dict(columns, redexes=(12e6, 30e6, 1e6))
    cases = [row("as_printed_traced", "transformation_tree", 5e-3, depth="22", metrics=passes(sustained))]
    assert judged("R05", cases).verdict is Verdict.HOLDS


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
