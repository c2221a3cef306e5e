"""The sentences about object_layout, from the committed rows and from no rows."""

from __future__ import annotations

import pytest

from experiments.object_layout import counted, findings, measures, row_topics, wording
from plots.catalog import ROOT, load_experiment
from plots.errors import NotTestable
from plots.findings import Finding
from plots.gather import load_results
from plots.results import Case, Device, View

EMPTY = View("object_layout", Device("none", "None"), [], {})
PARAGRAPHS = [paragraph for topic in findings.TOPICS for paragraph in topic.paragraphs]


@pytest.fixture(scope="module")
def committed() -> View:
    return load_experiment("object_layout").view(load_results(ROOT / "results"), "nvidia-h200")


@pytest.mark.parametrize("write", [*findings.FINDINGS, *PARAGRAPHS])
def test_the_committed_rows_give_every_sentence(committed: View, write: Finding) -> None:
    text = write(committed)
    assert any(character.isdigit() for character in text)
    assert text.startswith("| ") or text.endswith(".")


@pytest.mark.parametrize("write", [*findings.FINDINGS, *PARAGRAPHS])
def test_missing_rows_give_no_sentence(write: Finding) -> None:
    with pytest.raises(NotTestable):
        write(EMPTY)


def test_the_headline_names_the_ratio(committed: View) -> None:
    headline = findings.FINDINGS[0](committed)
    ratios = measures.gains(committed, "switch", measures.PAPER_LAYOUTS)
    assert f"is {wording.span(ratios.values())} as fast as the paper's kernel" in headline


def test_all_bars_of_figure_8_are_of_one_sweep(committed: View) -> None:
    """A run of all million ticks exists for two of the bars only, and is a little faster."""
    where = dict(variant="switch", machine="cuda", layout="soa", order="sorted", mode="faithful")
    part, whole = (committed.rate(case=measures.in_sweep(name), **where) for name in ("figure8", "figure8_whole"))
    assert part != whole
    assert measures.scenario(committed, "soa", "sorted") == part


@pytest.mark.parametrize(
    ("count", "text"), [(1 << 20, "2^20"), (1 << 11, "2048"), (20480, "20 480"), (1, "1"), (0, "0")]
)
def test_counts_of_agents(count: int, text: str) -> None:
    assert wording.number(count) == text


def test_a_table_needs_a_row_with_a_number() -> None:
    assert wording.table_of(("a", "b"), [("x", "1"), ("y", wording.MISSING)]).splitlines()[-1] == "| x | 1 |"
    with pytest.raises(NotTestable):
        wording.table_of(("a", "b"), [("y", wording.MISSING)])


def test_sectors_come_from_the_hardware_counters(committed: View) -> None:
    """The addresses of one field give 4 and 8 times the sectors; all loads of the kernel, fewer."""
    found = {part.label: part.interval.value for part in counted.sectors(committed).parts}
    addresses = measures.lane_figure("sectors_progress", layout="aos", order="sorted")(committed).value / 4
    assert 1 < found["loads, aos, the scenario"] < addresses


def test_lanes_come_from_the_hardware_counters(committed: View) -> None:
    found = {part.label: part.interval.value for part in counted.active_lanes(committed).parts}
    arithmetic = measures.lane_figure("lanes_active", order="jobs", layout="soa")(committed).value / 16
    assert 1 < found["soa, the scenario"] < arithmetic


def test_claims_of_counters_need_counters() -> None:
    for measure in (counted.sectors, counted.active_lanes, counted.hits):
        with pytest.raises(NotTestable, match="counters"):
            measure(EMPTY)


def test_the_rows_say_how_they_were_compared() -> None:
    def case(verified: str, units: int, total: int) -> Case:
        where = {"verified_units": units, "units_total": total}
        return Case(Device("d", "D"), "e", "v", "ours", "cpu", {}, provenance=where, verified=verified)

    cases = [
        case("every unit", 2, 2),
        case("", 5, 5),
        case("", 1, 5),
        case("whole digest against columns on cpu", 1, 5),
    ]
    assert row_topics.comparisons(cases) == (
        "2 equal their reference in every unit, 1 in a digest of the whole output that another variant computed too, "
        "1 in a sample of the units"
    )
