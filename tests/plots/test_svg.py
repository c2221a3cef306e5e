"""The SVG of a page: named, marked, small, and unique among others."""

from __future__ import annotations

import json
import re

from plots.draw import draw
from plots.drawing import Axis, Drawing, Point, Series
from plots.figure_data import data_of, figure_data, other_scale
from plots.interval import Interval, exact
from plots.style import Looks
from plots.svg import page_svg


def drawing(*values: float, scale: str = "linear", label: str = "first") -> Drawing:
    points = tuple(Point(float(x), Interval(y, y * 0.9, y * 1.1)) for x, y in enumerate(values, start=1))
    flat = tuple(Point(float(x), exact(1.0)) for x in (1, 2))
    series = (Series(label, points, label), Series("second", flat, "second"))
    return Drawing("name", "A & B", "device", Axis("x", "1"), Axis("time", "s", scale), series, "lines", "source")


def written(one: Drawing, identity: str = "figure") -> str:
    return page_svg(draw(one, Looks(), "svg")["svg"].decode(), identity, one)


def ids(svg: str) -> set[str]:
    return set(re.findall(r'\bid="([^"]+)"', svg))


def test_the_same_data_gives_the_same_text_in_half_the_size() -> None:
    one = drawing(1, 2, 4)
    raw = draw(one, Looks(), "svg")["svg"].decode()
    assert written(one) == written(one)
    assert len(written(one)) < 0.6 * len(raw)


def test_ids_differ_between_figures_and_references_lead_to_them() -> None:
    first, second = written(drawing(1, 2, 4), "a"), written(drawing(1, 2, 4), "b")
    assert ids(first) and not ids(first) & ids(second)
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', first)) <= ids(first)


def test_a_drawing_has_a_name_and_words() -> None:
    svg = written(drawing(1, 2, 4))
    assert 'role="img" aria-label="A &amp; B" aria-describedby="figure-desc"' in svg
    assert "<title" not in svg, "a browser would show it as a second tooltip"
    assert "Time in s against x. Series: first, second.</desc>" in svg


def test_series_are_marked_with_a_marker_per_point() -> None:
    svg = written(drawing(1, 2, 4))
    group = svg[svg.index('data-series="0"') : svg.index('data-interval="0"')]
    assert group.count("<use") == 3
    assert 'data-label="0"' in svg and 'data-label="1"' in svg
    assert svg.count('data-interval="0"') == 1


def test_values_beside_dots_and_bars_are_marked() -> None:
    points = tuple(Point(name, Interval(y, y * 0.9, y * 1.1)) for name, y in (("a", 1.0), ("b", 2.0)))
    series = (Series("first", points, "first"), Series("second", points[:1], "second"))
    for shape in ("dots", "bars"):
        one = Drawing("name", "title", "device", Axis("x", "1"), Axis("time", "s"), series, shape, "source")
        svg = written(one)
        for part in ("interval", "number"):
            assert (svg.count(f'data-{part}="0"'), svg.count(f'data-{part}="1"')) == (2, 1), (shape, part)


def test_the_label_of_equal_lines_and_its_leader_belong_to_both() -> None:
    points = tuple(Point(float(x), exact(1.0)) for x in (1, 2))
    far = tuple(Point(float(x), exact(1.0)) for x in (1, 2, 8))
    series = (Series("a", points, "a"), Series("far", far, "far"), Series("b", points, "b"))
    svg = written(Drawing("name", "title", "device", Axis("x", "1"), Axis("y", "1"), series, "lines", "source"))
    assert 'data-label="0 2"' in svg and 'data-leader="0 2"' in svg


def test_colours_follow_the_theme() -> None:
    assert not re.search(r"#[0-9a-f]{6}\b", written(drawing(1, 2, 4)))


def test_data_has_values_and_words_and_cannot_end_its_element() -> None:
    found = data_of(drawing(0.002, 0.004))
    point = json.loads(json.dumps(found))["series"][0]["points"][0]
    assert point["y"] == 0.002 and point["text"] == "2.00 [1.80, 2.20] ms" and point["case"] == "first, x 1"
    assert "</script>" not in figure_data(drawing(1, 2, label="</script>"))[: -len("</script>")]


def test_the_other_scale_exists_where_it_shows_every_point() -> None:
    other = other_scale(drawing(1, 100))
    assert other is not None and other.y.scale == "log10"
    back = other_scale(drawing(0, 100, scale="log10"))
    assert back is not None and back.y.scale == "linear"
    assert other_scale(drawing(0, 100)) is None
    assert other_scale(drawing(1, 1.1)) is None


def test_a_tooltip_names_only_the_axes_that_vary() -> None:
    cases = ("list on cpu (load 5, states 8)", "list on cpu (load 7, states 8)")
    points = tuple(Point(float(x), exact(1.0), case=case) for x, case in enumerate(cases))
    one = Drawing("n", "t", "d", Axis("x", "1"), Axis("y", "1"), (Series("list", points, "list"),), "lines", "")
    found = json.loads(json.dumps(data_of(one)))["series"][0]["points"]
    assert [point["case"] for point in found] == ["list on cpu (load 5)", "list on cpu (load 7)"]
