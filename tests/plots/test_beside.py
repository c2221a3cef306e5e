"""Foreign programs and whole runs on the pages: who is faster, what is missing, and that nothing else sees their rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plots import beside, whole_runs
from plots.catalog import Experiment
from plots.errors import NotTestable
from plots.findings_page import page
from plots.interval import Interval, exact
from plots.results import Case, Results, View


def peer(word: Case, seconds: float, **more: object) -> Case:
    time = Interval(seconds, seconds * 0.99, seconds * 1.01)
    fields = {"variant": "rival", "role": "peer", "version": "Rival 2", "time": time, "verified": "own check: equal"}
    return replace(word, **(fields | more))


def with_peers(gpu: View, *peers: Case) -> View:
    return replace(gpu, peers=peers)


@pytest.mark.parametrize(
    ("seconds", "winner", "text"),
    [
        (4e-5, "ours", "ours, 4.00x"),
        (2e-6, "theirs", "rival, 5.00x"),
        (1.005e-5, "neither", "neither ("),
    ],
)
def test_the_faster_program_is_named(gpu: View, word: Case, seconds: float, winner: str, text: str) -> None:
    view = with_peers(gpu, peer(replace(word, role="ours"), seconds))
    ours = replace(word, role="ours")
    view = replace(view, cases=[ours])
    (meeting,) = beside.meetings(view)
    assert meeting.ours is ours and meeting.winner == winner
    assert beside.table(view).rows[0][-1].startswith(text)


def test_a_peer_whose_interval_overlaps_ours_has_not_won(gpu: View, word: Case) -> None:
    ours = replace(word, role="ours")
    (meeting,) = beside.meetings(replace(with_peers(gpu, peer(ours, 0.995e-5)), cases=[ours]))
    assert meeting.winner == "neither"


def test_other_axes_machines_and_cold_caches_are_not_compared(gpu: View, word: Case) -> None:
    ours = replace(word, role="ours")
    others = [
        replace(ours, axes={**word.axes, "streams": "7"}),
        replace(ours, machine="cpu"),
        replace(ours, cache="cold"),
    ]
    view = replace(with_peers(gpu, peer(word, 1e-5)), cases=others)
    assert beside.meetings(view)[0].rival is None
    assert "In 1, no row of ours can be compared." in beside.summary(view)
    assert beside.table(view).columns == ("case", "program", "its speed")


def test_an_extrapolated_row_is_compared_and_marked(gpu: View, word: Case) -> None:
    ours = replace(word, role="ours", extrapolated=True)
    view = replace(with_peers(gpu, peer(word, 4e-5)), cases=[ours])
    assert beside.meetings(view)[0].winner == "ours"
    assert beside.table(view).rows[0][3].endswith("(extrapolated)")


def test_without_a_variant_of_ours_the_fastest_baseline_is_compared(gpu: View, word: Case) -> None:
    slow = replace(word, role="paper", variant="slow", time=exact(2e-5))
    fast = replace(word, role="baseline", variant="fast")
    view = replace(with_peers(gpu, peer(word, 4e-5)), cases=[slow, fast])
    (meeting,) = beside.meetings(view)
    assert meeting.ours is None and meeting.here is fast
    assert beside.table(view).rows[0][-1] == "fast, 4.00x"


def test_wins_losses_and_skipped_programs_stand_on_the_page(grids: Experiment, gpu: View, word: Case) -> None:
    refused = peer(word, 1.0, time=None, status="refused", reason="needs CUDA 12", variant="old")
    view = with_peers(gpu, peer(word, 4e-5), peer(word, 2e-6, variant="quick", note="stores bytes"), refused)
    text = page(grids, view)
    assert "## Beside other programs" in text
    assert "Of 2 cases, this repository is faster in 1 and the other program in 1." in " ".join(text.split())
    assert "quick, 5.00x" in text and "What differs: stores bytes." in text
    assert "- `old` (refused): needs CUDA 12." in text


def test_a_page_without_such_rows_stays_as_it_was(grids: Experiment, gpu: View) -> None:
    text = page(grids, gpu)
    assert beside.TITLE not in text and whole_runs.TITLE not in text
    with pytest.raises(NotTestable, match="no other program"):
        beside.table(gpu)
    with pytest.raises(NotTestable, match="from start to end"):
        whole_runs.table(gpu)


def test_whole_runs_stand_beside_the_kernel(grids: Experiment, gpu: View, word: Case) -> None:
    run = replace(word, scope="end_to_end", start="cold", time=exact(0.5), repetitions=10)
    broken = replace(run, start="resident", time=None, status="failed", reason="no luck")
    view = replace(gpu, end_to_end=[run, replace(run, start="warm", time=exact(0.25)), broken])
    table = whole_runs.table(view)
    assert table.columns[-4:] == ("engine", "cold start", "warm start", "on the device")
    assert table.rows[0][-4:] == ("word", "500 ms", "250 ms", "10.0 us")
    assert "- `word`, one more request (failed): no luck." in page(grids, view)


def test_a_whole_run_stands_beside_the_fastest_launch(gpu: View, word: Case) -> None:
    launches = [replace(word, time=exact(seconds)) for seconds in (4e-5, 1e-5, 2e-5)]
    run = replace(word, scope="end_to_end", start="cold", time=exact(0.5))
    table = whole_runs.table(replace(gpu, cases=launches, end_to_end=[run]))
    assert table.rows[0][-1] == "10.0 us"


def test_only_their_own_fields_have_these_rows(results: Results, word: Case) -> None:
    both = replace(results, peers=(peer(word, 1e-6),), end_to_end=(replace(word, scope="end_to_end"),))
    view = both.view("random_grids", word.device)
    assert len(view.peers) == len(view.end_to_end) == 1
    assert list(view.cases) == list(results.view("random_grids", word.device).cases)
    assert not [case for case in view.select() if case.role == "peer" or case.scope != "device"]


@pytest.mark.parametrize("note", ["one core; strict data", "compiled, 1 thread; includes a checksum"])
def test_a_program_on_one_core_is_judged_against_one_core(gpu: View, word: Case, note: str) -> None:
    rival = peer(replace(word, machine="cpu"), 1.5e-5, note=note)
    all_cores = replace(word, machine="cpu", variant="all_cores", role="contender", provenance={"cpu": {"threads": 16}})
    one_core = replace(all_cores, variant="one_core", time=exact(3e-5))
    both = replace(gpu, peers=[rival], cases=[all_cores, one_core])
    assert beside.meetings(both)[0].winner == "theirs" and beside.table(both).rows[0][-1] == "rival, 2.00x"
    assert "In 1, a program on one core is judged against our row on one core." in beside.summary(both)
    alone = replace(both, cases=[all_cores])
    assert beside.meetings(alone)[0].winner == "ours"
    assert "In 1, a program on one core stands beside a row that can use all 16 cores." in beside.summary(alone)
    several = replace(both, peers=[replace(rival, note="all cores")])
    assert beside.meetings(several)[0].winner == "ours" and "on one core" not in beside.summary(several)
