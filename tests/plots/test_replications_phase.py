"""The phase diagram of replications and its sentences, from rows whose answer is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from experiments.replications import findings, measures, phase
from experiments.replications.claims import CLAIMS
from experiments.replications.figures import FIGURES
from plots.catalog import load_experiment
from plots.claims import Judgement, judge
from plots.errors import NotTestable
from plots.figures import Scope
from plots.interval import exact
from plots.results import Case, Device, View
from plots.verdict import Verdict

DEVICE = Device("d", "D", attributes={"multiprocessors": 1})


def row(variant: str, count: int, seconds: float, **axes: str) -> Case:
    shared = {"replications": str(count), "lanes": "0", "block": "0", "engine": "taus88"}
    return Case(DEVICE, "replications", variant, "paper", "cuda", {**shared, **axes}, time=exact(seconds))


def branching(variant: str, ways: int, count: int, seconds: float, rounds: str = "64", loads: str = "0") -> Case:
    return row(variant, count, seconds, model="branches", ways=str(ways), rounds=rounds, loads=loads)


def view_of(*rows: Case) -> View:
    return View("replications", DEVICE, list(rows), load_experiment("replications").papers()[0].facts)


VIEW = view_of(
    *(branching("warps", ways, count, 1.0) for ways in (1, 32) for count in (32, 2048)),
    branching("threads", 1, 32, 1.0),
    branching("threads", 32, 32, 12.0),
    branching("threads", 1, 2048, 0.25),
    branching("threads", 32, 2048, 3.0),
)


def test_a_cell_is_the_time_of_threads_over_that_of_warps() -> None:
    found = {(cell.ways, cell.count): cell.ratio.value for cell in phase.cells(VIEW)}
    assert found == {(1, 32): 1, (32, 32): 12, (1, 2048): 0.25, (32, 2048): 3}


def test_a_row_without_its_counterpart_is_no_cell() -> None:
    assert len(phase.cells(view_of(*VIEW.cases, branching("warps", 64, 32, 1.0)))) == 4
    with pytest.raises(NotTestable):
        phase.cells(view_of(branching("warps", 64, 32, 1.0)))


def test_boxes_have_the_colour_of_their_class() -> None:
    (spec,) = [one for one in FIGURES if one.name == "phase_long"]
    drawing = spec.draw(Scope(VIEW, []))
    boxes = {series.key: [(point.x, point.y.value, point.text) for point in series.points] for series in drawing.series}
    assert drawing.order == ("2048 replications", "32 replications", "branches per step")
    assert boxes["warp_6"] == [(1, 1, "12")]
    assert boxes["warp_2"] == [(1, 0, "3")]
    assert boxes["equal"] == [(0, 1, "1")]
    assert boxes["thread_1"] == [(0, 0, "0.25")]
    assert [text for _, _, text in boxes["branches_axis"]] == ["1", "32"]
    assert drawing.width == 2
    assert "12x" in drawing.title


@pytest.mark.parametrize(
    ("ratio", "key"), [(6.0, "warp_6"), (5.9, "warp_2"), (1.1, "warp_1"), (0.95, "equal"), (0.5, "thread_1")]
)
def test_classes_meet_at_their_bounds(ratio: float, key: str) -> None:
    assert phase.CLASSES[phase.class_of(ratio)][2] == key


def test_the_sentences_count_wins_and_find_the_papers_factor() -> None:
    text = phase.where_warps_win(VIEW)
    assert "Of 4 measured combinations" in text
    assert (
        "faster" not in text
        and "slower" not in text
        and "1.1x as fast as a thread in 2" in text
        and "a thread is more than 1.1x as fast as a warp in 1." in text
    )
    assert "12x (long branches, 32 branches per step, 32 replications)" in text
    assert (
        "comes back in 1 of them: from 32 branches per step on, with 32 to 32 replications" in text
        and "1 branch per step" in text
    )
    slow = view_of(branching("warps", 8, 32, 1.0), branching("threads", 8, 32, 2.0))
    assert "is not reached anywhere" in phase.paper_factor(slow)
    assert "| long branches | none | 2048 |" in phase.phase_table(VIEW).replace("  ", " ")


def test_each_reading_of_the_paper_s_walk_is_judged() -> None:
    """A walk of this project alone confirms nothing: the paper does not say what its step does in a chunk."""

    def timed(model: Mapping[str, object], count: int, warps: float, threads: float, core: float = 99.0) -> list[Case]:
        axes = {key: str(value) for key, value in model.items() if key != "engine"}
        gpu = [row(variant, count, seconds, **axes) for variant, seconds in (("warps", warps), ("threads", threads))]
        return [*gpu, replace(row("sequential", count, core, **axes), machine="cpu")]

    plain = [*timed(measures.WALK, 64, 1.0, 2.0), *timed(measures.WALK, 1000, 1.0, 1.4)]
    by_chunk = [*timed(measures.CHUNK_WALK, 64, 1.0, 7.0, core=0.5), *timed(measures.CHUNK_WALK, 1000, 1.0, 1.6)]
    by_chunk += timed(measures.CHUNK_WALK, 2048, 1.0, 1.2)
    assert judged("W17", plain).verdict is Verdict.DOES_NOT_HOLD
    assert judged("W17", [*plain, *by_chunk]).counts_text == "holds in 1 of 2"
    assert judged("W11", plain).verdict is Verdict.HOLDS
    assert judged("W11", [*plain, *by_chunk]).verdict is Verdict.MIXED
    assert judged("W12", plain).verdict is Verdict.HOLDS
    assert judged("W12", [*plain, *by_chunk]).verdict is Verdict.MIXED
    assert judged("W11", by_chunk).verdict is judged("W17", by_chunk).verdict is Verdict.NOT_TESTABLE
    title = "Chunk walk of 1000 steps, 64 replications: a warp is up to 7x as fast as a thread"
    assert phase.chunk_walk_headline(view_of(*by_chunk)) == title
    assert "at most 2x as fast as one thread per replication" in findings.warp_gain(view_of(*plain))
    assert "and at most 7x on a walk" in findings.warp_gain(view_of(*plain, *by_chunk))


def judged(claim: str, rows: Sequence[Case]) -> Judgement:
    return judge(next(one for one in CLAIMS if one.id == claim), view_of(*rows))
