"""Which rows a figure draws apart, names and orders, and what it says of their source."""

from __future__ import annotations

from dataclasses import replace

from plots.drawing import Axis, Drawing, Point, Series
from plots.figures import Lines, Ranking, Scope
from plots.interval import Interval, exact
from plots.quantity import Quantity, Variable, metric, number_of, rate, time
from plots.results import Case, Device, View
from plots.spec import source_of, spread_of

DEVICE = Device("x", "X")


def row(variant: str, seconds: float, **axes: str) -> Case:
    return Case(DEVICE, "e", variant, "ours", DEVICE.machine, axes, items=1.0, time=exact(seconds))


def lines(y: Quantity, *rows: Case) -> Drawing:
    return Lines("l", "l", Variable(Axis("n", "1"), number_of("n")), y).draw(Scope(View("e", DEVICE, rows)))


def test_an_extrapolated_time_is_drawn_apart() -> None:
    rows = [replace(row("a", 1.0, n=n), metrics={"steps": 1.0}) for n in ("1", "2", "3")]
    rows[2] = replace(rows[2], extrapolated=True)
    assert [(one.label, one.kind, len(one.points)) for one in lines(rate("items"), *rows).series] == [
        ("a", "measured", 2),
        ("a, extrapolated", "extrapolated", 1),
    ]
    assert len(lines(metric("steps", "steps", "1"), *rows).series) == 1, "a count is exact"


def test_the_named_lines_of_a_time_are_the_shortest() -> None:
    rows = [row(f"v{seconds:02d}", float(seconds), n=n) for seconds in range(1, 21) for n in ("1", "2")]
    named = {one.label for one in lines(time(), *rows).series if not one.grey}
    assert named == {"v01", "v02", "v03", "v04", "v05", "v06"}


def test_a_ranking_of_times_begins_with_the_shortest() -> None:
    rows = [row(name, seconds) for name, seconds in (("slow", 3.0), ("fast", 1.0), ("middle", 2.0))]
    drawn = Ranking("r", "r", time()).draw(Scope(View("e", DEVICE, rows)))
    assert [label.split(",")[0] for label in drawn.order] == ["fast", "middle", "slow"]


def test_one_median_among_counts_is_named() -> None:
    points = (Point(1.0, exact(1.0)), Point(2.0, Interval(1.0, 0.9, 1.1)))
    assert spread_of([Series("a", points, "a")]) == "median, 95% interval"
    assert spread_of([Series("a", points[:1], "a")]) == "counted"


def test_a_source_with_more_than_two_commits_says_so(gpu: View) -> None:
    rows = [replace(gpu.cases[0], provenance={"commit": commit}) for commit in ("aa", "bb", "cc")]
    assert ", commit aa, bb and others;" in source_of(gpu, rows)
    assert ", commit aa, bb;" in source_of(gpu, rows[:2])
