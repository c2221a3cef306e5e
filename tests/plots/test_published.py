"""The papers' numbers as rows: the shape of Köster et al.'s tables, and a claim that their own tables contradict."""

from __future__ import annotations

import pytest

from plots.catalog import ROOT
from plots.errors import UserError
from plots.figures import Scope
from plots.interval import largest
from plots.printed_table import PrintedTable
from plots.published import Published, paper_case, paper_device
from plots.quantity import time
from plots.results import Case, View
from plots.tables import PivotTable
from plots.verdict import Verdict, about

NUMBERS = Published(ROOT / "results" / "published", "rule_interpreter")
GPU = paper_device("GTX 1080 Ti")
KEYS = ("load", "states", "range", "divergence", "layout")


def rows() -> list[Case]:
    """Tables 1 and 3: median of 100 and sigma, ms."""
    found = []
    for variant, name in (("alg1", "rule_interpreter_table1"), ("alg3", "rule_interpreter_table3")):
        for row in NUMBERS.table(name).to_dict("records"):
            axes = {key: str(row[key]) for key in KEYS}
            found.append(
                paper_case(
                    GPU,
                    "rule_interpreter",
                    variant,
                    axes,
                    item="values",
                    runs=100,
                    milliseconds=float(row["gtx1080ti_ms"]),
                    sigma_milliseconds=float(row["gtx1080ti_sigma"]),
                )
            )
    return found


def view() -> View:
    return View("rule_interpreter", GPU, rows(), NUMBERS.facts())


def test_table_has_the_papers_rows_and_columns() -> None:
    spec = PivotTable("table1", "Algorithm 1", KEYS[:4], "layout", time(), dict(variant="alg1"))
    table = spec.fill(Scope(view()))
    assert table.columns == ("states", "range", "divergence", "A", "B", "C")
    assert table.title == "Algorithm 1, ms"
    assert len(table.rows) == 8
    assert table.rows[0][:4] == ("2048", "1024", "2", "0.36")
    assert "Load 20" in table.caption


def test_sigma_of_100_runs_becomes_the_interval_of_the_median() -> None:
    case = rows()[0]
    assert case.time is not None
    assert case.time.value == pytest.approx(0.36e-3)
    assert case.time.high - case.time.value == pytest.approx(1.96 * 1.2533 * 0.03e-3 / 10)


def test_up_to_four_times_is_less_in_the_papers_own_tables() -> None:
    paper = view()
    ratios = []
    for case in paper.select(variant="alg1"):
        if case.axes["layout"] != "B" and case.time is not None:
            ratios.append(case.time / paper.time(variant="alg3", **case.axes))
    best = largest(ratios)
    assert best.value == pytest.approx(8.63 / 2.45, abs=0.01)
    assert about(4).judge(best) is Verdict.DOES_NOT_HOLD


def test_facts_are_found_by_name_and_stay_as_printed() -> None:
    assert view().fact("conclusion_ms") == 0.21
    assert NUMBERS.facts()["flop"] == "2MNO-MO"


def test_a_missing_table_is_named() -> None:
    with pytest.raises(UserError, match="rule_interpreter_table9"):
        NUMBERS.table("rule_interpreter_table9")


def test_a_printed_table_is_the_file_on_any_device() -> None:
    spec = PrintedTable(
        "t", "Table 2", "replications_table2", {"access": "", "wlp": "a warp each", "tlp": "a thread each"}
    )
    table = spec.fill(Scope(View("replications", GPU, [])))
    assert table.columns == ("", "a warp each", "a thread each")
    assert table.rows == (("reads", "18", "225"), ("writes", "104", "302"))
    assert "results/published/replications_table2.csv" in table.markdown()
    with pytest.raises(KeyError):
        PrintedTable("t", "Table 2", "replications_table2", {"nothing": ""}).fill(Scope(View("replications", GPU, [])))
