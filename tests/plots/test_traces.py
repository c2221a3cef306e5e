"""Schematic figures: boxes from what lanes did, with small traces that are checked by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plots.catalog import load_experiment
from plots.draw import draw
from plots.drawing import Drawing
from plots.errors import NotTestable, UserError
from plots.figures import Scope
from plots.results import Device, View
from plots.style import Looks
from plots.traces import load_traces

COLUMNS = ["block", "warp", "lane", "step", "label", "index"]


def scope(folder: Path, experiment: str, *schematics: dict[str, Any], schema: int = 2) -> Scope:
    """A results folder with these traces and nothing else."""
    path = folder / "schematics" / f"{experiment}.json"
    path.parent.mkdir(exist_ok=True)
    content = {"experiment": experiment, "lockstep_schema": schema, "schematics": list(schematics)}
    path.write_text(json.dumps(content), encoding="utf-8")
    return Scope(View(experiment, Device("none", "none"), []), folder=folder)


def trace(figure: str, panel: str, parameters: dict[str, int], *events: list[object]) -> dict[str, Any]:
    return {
        "figure": figure,
        "panel": panel,
        "shows": "something",
        "parameters": parameters,
        "columns": COLUMNS,
        "events": list(events),
    }


def drawn(experiment: str, name: str, where: Scope) -> Drawing:
    return next(spec for spec in load_experiment(experiment).figures if spec.name == name).draw(where)


def boxes(figure: Drawing, label: str) -> set[tuple[str, float]]:
    series = next(series for series in figure.series if series.label == label)
    return {(figure.order[int(point.y.value)], float(point.x)) for point in series.points}


def test_a_lane_that_evaluates_is_not_one_that_waits(tmp_path: Path) -> None:
    events = [[0, 0, 3, 0, "condition", 3], [0, 0, 3, 0, "evaluate", 3], [0, 0, 4, 0, "condition", 4]]
    figure = drawn(
        "rule_interpreter", "figure1_lanes", scope(tmp_path, "rule_interpreter", trace("figure1", "", {}, *events))
    )
    assert boxes(figure, "evaluates") == {("iteration 1, warp 0", 3)}
    assert boxes(figure, "checks the condition, then waits") == {("iteration 1, warp 0", 4)}
    assert len(boxes(figure, "none")) == 30


def test_compaction_keeps_the_colour_and_shows_the_warp_that_is_free(tmp_path: Path) -> None:
    events = [
        [0, 0, 5, 0, "enabled", 5],
        [0, 1, 9, 0, "enabled", 41],
        [0, 0, 0, 0, "evaluate", 5],
        [0, 0, 1, 0, "evaluate", 41],
    ]
    parameters = {"states": 2, "range": 32}
    figure = drawn(
        "rule_interpreter", "figure2", scope(tmp_path, "rule_interpreter", trace("figure2", "", parameters, *events))
    )
    assert figure.order == ("before, warp 0", "before, warp 1", "after, warp 0", "after, warp 1")
    assert boxes(figure, "value of warp 0") == {("before, warp 0", 5), ("after, warp 0", 0)}
    assert boxes(figure, "value of warp 1") == {("before, warp 1", 9), ("after, warp 0", 1)}


def test_jobs_are_dealt_to_warps_of_one_class(tmp_path: Path) -> None:
    """Two cars around a pedestrian: lanes 0 and 1 are of one warp, and lane 4 is of the next."""
    events: list[list[object]] = []
    for lane, job, kind in ((0, 0, 0), (1, 2, 0), (4, 1, 1)):
        events += [[0, 0, lane, 0, "job", job], [0, 0, lane, 0, "class", kind]]
    figure = drawn(
        "object_layout", "figure4", scope(tmp_path, "object_layout", trace("figure4", "", {"warp": 4}, *events))
    )
    assert boxes(figure, "car") == {("base array", 0), ("base array", 2), ("warp 0", 0), ("warp 0", 1)}
    assert boxes(figure, "pedestrian") == {("base array", 1), ("warp 1", 0)}
    assert boxes(figure, "none") == {("warp 0", 2), ("warp 0", 3), ("warp 1", 1), ("warp 1", 2), ("warp 1", 3)}


def test_an_access_is_drawn_in_the_row_of_its_field(tmp_path: Path) -> None:
    """Two objects of four fields: one access to a field by both, and a second one by the first."""
    events = [
        [0, 0, 0, 1, "access", 1],
        [0, 0, 1, 1, "access", 5],
        [0, 0, 0, 0, "access", 0],
        [0, 0, 0, 1, "access", 1],
    ]
    where = scope(tmp_path, "object_layout", trace("figure5", "array of structures", {}, *events))
    figure = drawn("object_layout", "figure5_aos", where)
    assert figure.order == ("progress", "street")
    assert boxes(figure, "progress") == {("progress", 0)}
    assert boxes(figure, "street") == {("street", 1), ("street", 5)}


def test_a_row_is_a_turn_of_one_warp(tmp_path: Path) -> None:
    events = [[0, 0, 0, 0, "step", 0], [0, 0, 0, 1, "step", 2], [0, 1, 0, 0, "step", 1]]
    where = scope(tmp_path, "replications", trace("figure1", "turns of the warps", {}, *events))
    figure = drawn("replications", "figure1_turns", where)
    assert figure.order == ("turn 0", "turn 1", "turn 2")
    assert boxes(figure, "warp 0") == {("turn 0", 0), ("turn 2", 0)}
    assert boxes(figure, "warp 1") == {("turn 1", 0)}
    assert len(boxes(figure, "none")) == 3 * 31


def test_disabled_lanes_stay_empty(tmp_path: Path) -> None:
    where = scope(
        tmp_path,
        "replications",
        trace("figure2", "a warp per replication", {}, [0, 0, 0, 0, "east", None], [0, 1, 0, 0, "north", None]),
    )
    figure = drawn("replications", "figure2_warp", where)
    assert boxes(figure, "steps east") == {("warp 0, step 0", 0)}
    assert len(boxes(figure, "none")) == 62
    assert b"<svg" in draw(figure, Looks(), "svg")["svg"]


def test_without_a_trace_the_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotTestable, match="lockstep trace"):
        drawn("replications", "figure2_warp", scope(tmp_path, "replications"))


def test_traces_of_another_schema_are_refused(tmp_path: Path) -> None:
    scope(tmp_path, "replications", schema=1)
    with pytest.raises(UserError, match="another schema"):
        load_traces(tmp_path, "replications")


def test_an_event_with_a_wrong_column_is_refused(tmp_path: Path) -> None:
    broken = trace("figure2", "", {}, [0, 0, 0, 0, "east", None]) | {"columns": ["block", "wrap"]}
    scope(tmp_path, "replications", broken)
    with pytest.raises(UserError, match=r"\[0\].columns: has 2 entries"):
        load_traces(tmp_path, "replications")
