"""Tables: layouts that fit the page, one format for numbers, and comparisons with the papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import pytest

from plots import limits_words
from plots.errors import NotTestable
from plots.figures import Scope
from plots.interval import Interval, exact, more_than
from plots.metric_table import MetricTable, named
from plots.narrow import PAGE, width
from plots.pivot_table import PivotTable
from plots.quantity import Measure, rate, time
from plots.ratio import ratio_to_paper
from plots.results import Case, Device, View
from plots.table_data import MISSING, TableData, number_in
from plots.tables import FactTable
from plots.units import interval, spread
from tests.plots.committed import committed_results

GPU = Device("gpu", "GPU X")
OTHER = Device("other", "GPU Y")
PAPER = Device("published-k", "GPU K (paper)", published=True)


def case(device: Device, variant: str, seconds: float, noise: float = 0.0, printed: str = "", **axes: str) -> Case:
    value = Interval(seconds, seconds * (1 - noise), seconds * (1 + noise))
    return Case(device, "e", variant, "ours", device.machine, axes, items=1.0, time=value, printed=printed)


def scope(*cases: Case, others: Sequence[Case] = ()) -> Scope:
    """The rows of GPU X, of the paper, and of GPU Y."""
    view = View("e", GPU, [one for one in cases if one.device is GPU])
    paper = View("e", PAPER, [one for one in cases if one.device is PAPER])
    second = [View("e", OTHER, others)] if others else []
    return Scope(view, [paper] if paper.cases else [], [view, *second])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Interval(28.5, 28.3, 28.9), "28.5 [28.3, 28.9]"),
        (Interval(1, 0.999, 1.001), "1.00"),
        (Interval(830, 829.8, 830.2), "830"),
        (Interval(1.23, 0.1, 4.63), "1.23 [0.10, 4.63]"),
        (exact(117440511), "117,440,511"),
        (more_than(3), "more than 3"),
        (Interval(2, -inf, 2), "less than 2"),
    ],
)
def test_an_interval_has_one_format(value: Interval, text: str) -> None:
    assert spread(value) == text


def test_a_narrow_interval_is_not_written_and_a_ratio_has_no_unit() -> None:
    assert spread(Interval(1.23, 1.225, 1.235), least=0.005) == "1.23"
    assert spread(Interval(1.23, 1.225, 1.25), least=0.005) == "1.23 [1.23, 1.25]"
    assert interval(Interval(9.44, 6.36, 9.69), "1") == "9.44 [6.36, 9.69]"


def test_both_ends_of_an_interval_decide_whether_it_is_narrow() -> None:
    assert spread(Interval(1.23, 1.0, 1.231), least=0.005) == "1.23 [1.00, 1.23]"


def test_a_bound_of_the_paper_has_no_ratio() -> None:
    def of(view: View) -> Interval:
        return more_than(3) if view.device.published else exact(9.5)

    rows = (Measure("speed-up", "1", of), Measure("time", "s", lambda view: view.time()))
    table = FactTable("t", "T", rows).fill(scope(case(GPU, "a", 0.002), case(PAPER, "a", 0.09)))
    assert table.columns == ("", "GPU K (paper)", "GPU X", "times as fast")
    assert table.rows == (("speed-up", "more than 3", "9.50", MISSING), ("time", "90 ms", "2 ms", "45.0x"))
    assert table.values[1] == (None, 0.09, 0.002, 0.09 / 0.002)


def test_an_upper_bound_of_the_paper_has_no_ratio() -> None:
    assert ratio_to_paper(exact(4), Interval(2, -inf, 2), "s") is None


def test_a_row_has_the_prefix_of_its_value() -> None:
    rows = (Measure("time", "s", lambda view: Interval(0.9, 0.8, 1.2)),)
    assert FactTable("t", "T", rows).fill(scope(case(GPU, "a", 1.0))).rows[0][1] == "900 [800, 1,200] ms"


def test_a_table_has_the_prefix_of_its_middle_value() -> None:
    rows = [case(GPU, "a", seconds, n=str(number)) for number, seconds in enumerate((0.002, 0.003, 5.0))]
    assert PivotTable("t", "T", ("n",), "variant", time()).fill(scope(*rows)).title == "T, ms"


def test_a_paper_without_numbers_has_no_column() -> None:
    rows = (Measure("time", "s", lambda view: view.time(variant="b")),)
    table = FactTable("t", "T", rows).fill(scope(case(GPU, "b", 0.002), case(PAPER, "a", 0.09)))
    assert table.columns == ("", "GPU X")
    with pytest.raises(NotTestable):
        FactTable("t", "T", rows).fill(scope(case(GPU, "a", 0.002)))


def test_the_papers_number_comes_first_as_printed_then_devices_then_the_ratio() -> None:
    rows = [case(GPU, "a", 0.0001, layout=layout, load="20") for layout in "AB"]
    rows += [case(PAPER, "a", 0.0003, printed="0.30 (σ 0.03)", layout="A", load="20")]
    other = [case(OTHER, "a", 0.0002, layout="A", load="20")]
    table = PivotTable("t", "T", ("load", "layout"), "variant", time(), prefix="m").fill(scope(*rows, others=other))
    assert table.columns == ("layout", "GPU K (paper)", "GPU X", "GPU Y", "times as fast")
    assert table.rows[0] == ("A", "0.30 (σ 0.03)", "0.100", "0.200", "3.00x")
    assert table.rows[1] == ("B", MISSING, "0.100", MISSING, MISSING)
    assert "Load 20" in table.caption and "above 1" in table.caption
    assert table.title == "T, ms" and table.numeric == (False, True, True, True, True)
    assert table.plain_rows[0] == ("GPU K (paper)", "20", "A", "a", 0.0003, 0.0003, 0.0003, "s")


def test_where_the_paper_has_numbers_in_several_columns_devices_are_rows() -> None:
    rows = [
        case(device, "a", seconds, elements=n) for device, seconds in ((GPU, 1.0), (PAPER, 3.0)) for n in ("1", "2")
    ]
    rows += [case(GPU, "b", 2.0, elements=n) for n in ("1", "2")]
    table = PivotTable("t", "T", ("variant",), "elements", time()).fill(scope(*rows))
    assert table.columns == ("variant", "GPU", "1", "2")
    assert [row[1] for row in table.rows] == ["GPU K (paper)", "GPU X", "times as fast", "GPU X"]
    assert table.rows[2][2:] == ("3.00x", "3.00x")


def test_a_wide_table_leaves_out_intervals_before_it_is_wider_than_the_page() -> None:
    rows = [case(GPU, f"variant{v}", 1.1, 0.1, workload=f"workload {w}") for v in range(9) for w in range(3)]
    table = PivotTable("t", "T", ("workload",), "variant", time()).fill(scope(*rows))
    assert width(table.columns, table.rows) <= PAGE
    assert "[" not in table.rows[0][1] and "intervals are in the CSV" in table.caption
    assert table.source.endswith("medians")
    few = PivotTable("t", "T", ("workload",), "variant", time(), dict(variant=("variant1", "variant2")))
    assert few.fill(scope(*rows)).rows[0][1] == "1.10 [0.99, 1.21]"


def test_a_table_of_many_columns_and_few_rows_is_turned() -> None:
    rows = [case(GPU, f"a_long_name_of_variant_{v:02}", 1.1, workload=f"w{w}") for v in range(30) for w in range(2)]
    table = PivotTable("t", "T", ("workload",), "variant", time()).fill(scope(*rows))
    assert table.columns == ("", "w0", "w1") and len(table.rows) == 30


def test_counts_are_exact_and_common_keys_are_in_the_caption() -> None:
    metrics = {"steps": 117440511.0, "share": 0.12345}
    rows = [replace(case(GPU, "a", 1.0, size=size, load="7"), metrics=metrics) for size in ("1", "2")]
    columns = {"steps": named("steps"), "share": named("share")}
    table = MetricTable("t", "T", ("size", "load"), columns, {}, "All.").fill(scope(*rows))
    assert table.columns == ("size", "steps", "share")
    assert table.rows[0] == ("1", "117,440,511", "0.123")
    assert table.caption == "All. Load 7."
    assert table.values[0] == (1.0, 117440511.0, 0.12345)


def test_a_wide_table_has_its_counts_in_millions() -> None:
    names = [f"a_long_name_of_a_metric_{number}" for number in range(8)]
    rows = [replace(case(GPU, "a", 1.0, n=n), metrics=dict.fromkeys(names, 2.5e7)) for n in ("1", "2")]
    table = MetricTable("t", "T", ("n",), {name: named(name) for name in names}, {}).fill(scope(*rows))
    assert table.columns[1] == f"{names[0]}, million" and table.rows[0][1] == "25"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("28.5 G sets/s", 2.85e10),
        ("28.5 [28.3, 28.9] G sets/s", 2.85e10),
        ("3.39x as fast", 3.39),
        ("more than 3", 3),
        ("0.36 (σ 0.03)", 0.36),
        ("831 ms", 0.831),
        ("4.10 TB/s", 4.1e12),
        ("9.44 [6.36, 9.69]", 9.44),
        ("117,440,511", 117440511),
        ("5.25 billion", 5.25e9),
        ("8.39 million", 8.39e6),
        ("44.6x", 44.6),
        ("86.7% of 4.63 TB/s", 86.7),
        ("2x2x2", None),
        ("1d", None),
        ("auto", None),
        (MISSING, None),
    ],
)
def test_numbers_are_read_from_cells(text: str, number: float | None) -> None:
    found = number_in(text)
    assert found == (pytest.approx(number) if number is not None else None)


def test_columns_without_content_leave() -> None:
    table = TableData("t", "T", "GPU X", ("a", "b", "c"), (("1", MISSING, "x"), ("2", "", "y")), (), (), "s")
    assert table.columns == ("a", "c") and table.rows == (("1", "x"), ("2", "y"))
    assert table.values == ((1.0, None), (2.0, None)) and table.numeric == (True, False)


def test_rates_are_compared_the_other_way_round() -> None:
    rows = [case(GPU, "a", 0.5, layout="A"), case(PAPER, "a", 1.0, layout="A")]
    table = PivotTable("t", "T", ("layout",), "variant", rate("items")).fill(scope(*rows))
    assert table.rows[0][-1] == "2.00x"


def test_limits_are_said_in_words_and_beside_what_is_documented() -> None:
    limits = {
        "clock": {"value": 1.98e9, "unit": "Hz"},
        "copy.memcpy": {"value": 4.28e12, "unit": "B/s"},
        "random_load.4MB": {"value": 1.63e11, "unit": "loads/s"},
        "random_words.philox7": {"value": 2e12, "unit": "words/s"},
        "something.new": {"value": 3.0, "unit": "s"},
    }
    device = replace(GPU, limits=limits)
    row = Case(device, "limits", "copy.memcpy", "baseline", "cuda", {}, metrics={"documented": 4.81e12})
    filled = limits_words.table(device, [row])
    cells = {line[0]: line[2:] for line in filled.rows}
    assert cells["multiprocessor clock"][0] == "1.98 GHz"
    assert cells["memory, cudaMemcpy"] == ("4.28 TB/s", "4.81 TB/s", "89%")
    assert cells["random loads from 4 MB"][0] == "163 G loads/s"
    assert "random words, Philox4x32-7" in cells and "something.new" in cells
    assert limits_words.in_words("copy", replace(device, machine="cpu"))[0].startswith("host memory")
    with pytest.raises(NotTestable):
        limits_words.table(GPU)


def test_every_limit_of_the_committed_results_has_words() -> None:
    for device in committed_results().devices:
        assert [name for name in device.limits if limits_words.in_words(name, device)[0] == name] == []
