"""The data behind figures and tables, not their pixels."""

from __future__ import annotations

import csv
import io
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from plots.catalog import ROOT, Experiment
from plots.draw import draw
from plots.draw_many import draw_many
from plots.drawing import Axis, Drawing
from plots.errors import NotTestable
from plots.figures import Lines, Ranking, Scope
from plots.interval import exact
from plots.quantity import Variable, number_of, rate
from plots.results import View
from plots.style import Looks
from plots.tables import FactTable, PivotTable
from plots.traces import Schematic


def drawn(grids: Experiment, scope: Scope, name: str) -> Drawing:
    return next(spec for spec in grids.figures if spec.name == name).draw(scope)


def test_slides_figure_has_measured_and_printed_numbers(grids: Experiment, scope: Scope) -> None:
    figure = drawn(grids, scope, "slides")
    by_label = {series.label: series for series in figure.series}
    assert figure.device == "Imaginary GPU X"
    assert [point.y.value for point in by_label["Imaginary GPU X"].points] == pytest.approx([100e9, 200e9, 2e9, 1e9])
    paper = by_label["RTX 3060 Ti (paper)"]
    assert paper.kind == "published"
    assert [point.y.value for point in paper.points] == pytest.approx([28.5e9, 58.5e9, 1.05e9, 0.65e9])


def test_lines_are_the_requested_variants(grids: Experiment, scope: Scope) -> None:
    figure = drawn(grids, scope, "speed_occupied")
    series = {one.label: one for one in figure.series if one.kind == "measured"}
    assert {"threadwise", "warpwise", "bernoulli", "all_cores, CPU"} == set(series)
    assert [point.x for point in series["threadwise"].points] == [100, 323, 512]
    assert [point.y.value for point in series["bernoulli"].points] == pytest.approx([5e9, 4.75e9, 4.5e9])
    assert all(point.y.low < point.y.value < point.y.high for point in series["threadwise"].points)


def test_counted_metrics_are_drawn_with_theory(grids: Experiment, scope: Scope) -> None:
    figure = drawn(grids, scope, "steps")
    measured = next(series for series in figure.series if series.kind == "measured")
    theory = next(series for series in figure.series if series.kind == "theory")
    assert [(point.x, point.y.value) for point in measured.points] == [(8, 2.9), (32, 4.87), (1024, 9.82)]
    assert {point.x: point.y.value for point in theory.points}[1024] == 10


def test_histogram_reads_the_shares(grids: Experiment, scope: Scope) -> None:
    figure = drawn(grids, scope, "steps_shares")
    assert [series.panel for series in figure.series] == ["8x1", "32x1", "32x32"]
    assert [(point.x, point.y.value) for point in figure.series[1].points] == [(3, 0.1), (4, 0.3), (5, 0.4), (6, 0.2)]


def test_ranking_is_best_first_and_leaves_out_what_has_no_time(scope: Scope) -> None:
    figure = Ranking("r", "all", rate("grids"), dict(grid="32x32", output="folded")).draw(scope)
    rows = sorted(((point.y.value, point.x) for series in figure.series for point in series.points), reverse=True)
    assert rows[0][1] == "threadwise, GPU"
    assert not any("emulator" in str(name) for _, name in rows)


def test_every_axis_has_a_unit_and_every_figure_its_device(grids: Experiment, scope: Scope) -> None:
    for spec in grids.figures:
        if isinstance(spec, Schematic):
            continue
        try:
            figure = spec.draw(scope)
        except NotTestable:
            continue
        assert figure.x.unit and figure.y.unit, spec.name
        assert "Imaginary GPU X" in figure.device
        assert ("results/*/" if spec.across else "results/imaginary-gpu-x/") in figure.source
        assert "0123456789" in figure.source
        assert figure.command == "./lockstep run random_grids --sweep quick"


def test_csv_has_a_row_per_point(grids: Experiment, scope: Scope) -> None:
    figure = drawn(grids, scope, "speed_occupied")
    rows = list(csv.DictReader(io.StringIO(figure.csv())))
    assert len(rows) == sum(len(series.points) for series in figure.series)
    assert float(rows[0]["speed (grids/s)"]) > 0


def test_no_rows_gives_the_reason(cpu: View) -> None:
    spec = Lines("x", "x", Variable(Axis("k", "sites"), number_of("occupied")), rate("grids"), dict(machine="cuda"))
    with pytest.raises(NotTestable, match="needs a GPU"):
        spec.draw(Scope(cpu))


def test_a_device_never_seen_before_is_in_the_figures_across(grids: Experiment, scope: Scope) -> None:
    assert "Imaginary GPU X" in {series.label for series in drawn(grids, scope, "slides").series}


def test_fact_table_is_in_the_slides_shape(grids: Experiment, scope: Scope) -> None:
    spec = next(table for table in grids.tables if table.name == "slides")
    assert isinstance(spec, FactTable)
    table = spec.fill(scope)
    assert table.columns == ("", "RTX 3060 Ti (paper)", "Imaginary GPU X", "ours against paper")
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["registers per thread, threadwise 32 x 32"] == ("120", "124", "1.03x")
    assert rows["32 x 32 grids, threadwise"][0] == "1.05 G grids/s"
    assert rows["32 x 32 grids, threadwise"][2] == "1.90x as fast"
    assert table.markdown().splitlines()[2].count("|") == 5


def test_pivot_table_has_a_row_per_variant_and_a_column_per_k(grids: Experiment, scope: Scope) -> None:
    spec = next(table for table in grids.tables if table.name == "speed_occupied")
    assert isinstance(spec, PivotTable)
    table = spec.fill(scope)
    assert table.title.endswith("G grids/s")
    assert table.columns == ("variant", "machine", "k 100", "k 323", "k 512", "k mixed")
    rows = {row[0]: row for row in table.rows}
    assert rows["bernoulli"][2].startswith("5.00 [4.95, 5.05]")
    assert rows["all_cores"][2] == "–"


def test_share_of_limits(grids: Experiment, scope: Scope) -> None:
    table = next(table for table in grids.tables if table.name == "limits").fill(scope)
    rows = {row[0]: row for row in table.rows}
    assert rows["bernoulli"][2] == "64% of 1 TB/s"
    assert rows["bernoulli"][3] == "80% of 2 T words/s"


def test_if_lines_outnumber_colours_the_best_and_the_kept_are_named(gpu: View) -> None:
    model = next(case for case in gpu.cases if case.time is not None and case.axes["output"] == "stored")
    assert model.time is not None
    cases = [
        replace(model, variant=f"v{speed:02d}", time=exact(1 / speed), axes={**model.axes, "occupied": k})
        for speed in range(1, 21)
        for k in ("100", "200")
    ]
    cases.append(replace(model, variant="once", time=exact(1 / 30), axes={**model.axes, "occupied": "200"}))
    lines = Lines("l", "l", Variable(Axis("k", "sites"), number_of("occupied")), rate("grids"), keep=("v03",))
    figure = lines.draw(Scope(View("random_grids", gpu.device, cases, {})))
    named = {one.label for one in figure.series if not one.grey}
    assert named == {"once", "v20", "v03", "v19", "v18", "v17"}
    assert len(figure.series) == 21 and all(one.grey for one in figure.series[:15])
    assert figure.csv().count("v01,") == 2
    assert not any(one.grey for one in lines.draw(Scope(View("random_grids", gpu.device, cases[:12], {}))).series)


@pytest.mark.parametrize("cores", [1, 3])
def test_drawing_on_all_cores_equals_drawing_on_one(
    grids: Experiment, scope: Scope, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    jobs = [(drawn(grids, scope, name), Looks()) for name in ("slides", "steps", "slides", "speed_occupied")]
    one_by_one = [draw(drawing, looks, "svg", "png") for drawing, looks in jobs]
    monkeypatch.setattr("plots.draw_many.os.sched_getaffinity", lambda process: range(cores))
    assert list(draw_many(jobs, "svg", "png")) == one_by_one
    assert one_by_one[0] != one_by_one[1], "or the order would not show"


#: Draws with two processes, each of which says that it has begun and never ends.
ENDLESS = """
import os, time
from plots import draw_many
os.sched_getaffinity = lambda process: range(2)
def draw(*arguments):
    os.write(1, b"drawing\\n")  # in one piece, unlike print, whose line and end two processes can interleave
    time.sleep(600)
draw_many.draw = draw
list(draw_many.draw_many([(None, None)] * 2, "svg"))
"""


def test_a_killed_process_leaves_no_process_that_draws() -> None:
    with subprocess.Popen([sys.executable, "-c", ENDLESS], cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        try:
            begun = [parent.stdout.readline() for _ in range(2)]
        finally:
            parent.kill()
        parent.communicate(timeout=30)  # its pipe closes when the last of its processes has ended
    assert begun == ["drawing\n"] * 2


#: Draws with two processes. The signal arrives while the pool waits for its thread to start.
INTERRUPTED = """
import os, signal, sys, threading, time
from plots import draw_many, process
os.sched_getaffinity = lambda process: range(2)
wait = threading.Event.wait
def interrupted(event, timeout=None):
    threading.Event.wait = wait
    os.kill(os.getpid(), signal.SIGTERM)
    return wait(event, timeout)
def draw(*arguments):
    time.sleep(0.2)
    return {}
draw_many.draw = draw
threading.Event.wait = interrupted
sys.exit(process.run(lambda: len(list(draw_many.draw_many([(None, None)] * 600, "svg")))))
"""


def test_a_signal_during_the_start_of_the_pool_stops_it() -> None:
    ended = subprocess.run([sys.executable, "-c", INTERRUPTED], cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert (ended.returncode, ended.stderr) == (128 + signal.SIGTERM, "")
