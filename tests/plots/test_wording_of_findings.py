"""What generated sentences and titles name: the engines compared, workloads, launches, and how many there are of each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from experiments.object_layout import preparation_topics, row_topics, speed_topics
from experiments.random_grids import auto_cells, comparison_topics, legality, slides_topics, titles
from experiments.random_grids import findings as grid_findings
from experiments.replications import counted, emulated, headlines, measures, phase, wording
from experiments.replications import findings as replication_findings
from experiments.replications import topics as replication_topics
from experiments.rule_interpreter import auto_cells as rule_cells
from experiments.rule_interpreter import findings as rule_findings
from experiments.rule_interpreter import more_topics, topics
from experiments.term_rewriting import engine_topics, paper_topics
from experiments.term_rewriting import findings as term_findings
from experiments.term_rewriting import titles as term_titles
from experiments.term_rewriting.claims import CLAIMS
from plots.catalog import load_experiment
from plots.claims import judge
from plots.errors import NotTestable
from plots.interval import Interval, exact
from plots.results import View
from plots.shards import whole_of
from tests.plots.committed import committed_results, committed_view


def other_device(experiment: str) -> View:
    return load_experiment(experiment).view(committed_results(), "nvidia-h100-80gb-hbm3")


def test_only_measured_cpu_engines_are_named() -> None:
    """The H100's host ran one core alone."""
    view = other_device("term_rewriting")
    alone = replace(view, cases=[case for case in view.cases if case.variant not in ("all_cores", "cpu_as_printed")])
    assert "is faster than one CPU core on " in term_titles.systems_won(alone)
    assert "faster than any CPU engine on " in term_titles.systems_won(committed_view("term_rewriting"))


def test_the_rate_of_fast_is_given_without_merged_chains() -> None:
    view = committed_view("term_rewriting")
    text = paper_topics.merged_chains(view)
    assert "(`fast_each_rule`)" in text and " on transformation tree 22" in text and "tree merge sort" not in text
    assert " with a step per rule); as printed: " in term_titles.transformation_rates(view)
    folded = [case for case in view.cases if case.variant != "fast_each_rule"]
    assert "step per rule" not in term_titles.transformation_rates(replace(view, cases=folded))
    with pytest.raises(NotTestable):
        paper_topics.merged_chains(replace(view, cases=folded))


def test_terms_of_term_rewriting_are_explained_where_they_are_first_used() -> None:
    view = committed_view("term_rewriting")
    assert paper_topics.one_redex_at_once(view).startswith("A redex is a subterm that a rule can rewrite.")
    assert engine_topics.turns_per_rewrite(view).startswith("In a turn, a lane executes one step")
    workload = paper_topics.changes_workload(view)
    assert (
        workload.startswith("The workload is tree merge sort 20 5.")
        and "*apart*" in workload
        and "*shared*" in workload
    )
    assert "where the CPU engine collects less garbage)" in term_findings.fast_on_many_lists(view)
    claim = next(one for one in CLAIMS if one.id == "R24")
    assert "redexes" not in judge(claim, view).measured_text


def test_the_workloads_of_the_span_of_teams_are_named() -> None:
    text = replication_findings.team_beats_warp(committed_view("replications"))
    models = "Pi, 10,000,000 draws; M/M/1, 10,000 clients; random walk, 1000 steps"
    assert text.startswith(f"On the paper's three models ({models}) at 64 replications, teams ")
    assert replication_findings.answer(committed_view("replications")).endswith("as fast as one lane per warp")


def test_ratios_near_1_are_written_as_differences() -> None:
    assert replication_findings.at_most(exact(1.029)) == "at most 2.9% longer than"
    assert replication_findings.at_most(Interval(0.99, 0.98, 1.0)) == "at most 0% longer than"
    assert replication_findings.at_most(exact(1.5)) == "at most 1.50x the time of"
    for write in (auto_cells.summary, auto_cells.unseen):
        assert "% slower than the fastest other variant, over " in write(committed_view("random_grids"))
    for write in (rule_cells.summary, rule_cells.untuned):
        assert "% slower than the fastest other variant, over " in write(committed_view("rule_interpreter"))


def test_one_is_singular() -> None:
    assert wording.counted(1, "replication") == "1 replication"
    assert wording.counted(16384, "replication") == "16,384 replications"
    view = committed_view("replications")
    assert "| a warp is faster up to (replications) | 1 branch | 2 branches |" in phase.phase_table(view)
    assert "1 replications" not in replication_findings.auto_is_near_the_best(view)


def test_titles_of_replications_name_model_size_and_replications() -> None:
    view = committed_view("replications")
    assert headlines.gains(view).startswith("64 walks, 1000 steps: a warp is ")
    assert headlines.few(view).startswith("Walk of 1000 steps, 64 replications: one warp is ")
    assert headlines.many(view).startswith("Walk of 1000 steps, 1000 replications: one warp is ")
    assert headlines.long_walk(view).startswith("Walk of 100,000 steps, 64 replications: one warp is ")
    assert headlines.threads_take_over(view).startswith("Walk of 1000 steps: from ")
    assert headlines.utilisation(view).startswith("M/M/1, 64 replications: ")
    assert headlines.team_gain("pi")(view).startswith("Pi, 100,000 draws: a team is up to ")
    assert headlines.crossing("pi", "fig5_crossover")(view).startswith("Pi, 10,000,000 draws: warps overtake ")
    assert phase.panel_headline("long branches")(view).startswith("200 steps of ")


def test_missing_counters_are_those_of_the_experiment() -> None:
    view = replace(committed_view("replications"), cases=[])
    with pytest.raises(NotTestable, match="the rows of this experiment have no hardware counters on this device"):
        counted.counters(view, "threads")
    assert "the rows of this experiment" in emulated.EMULATED


def test_no_ratio_has_a_base_that_a_newer_row_contradicts() -> None:
    view = committed_view("replications")
    text = replication_topics.several_gpus_table(view)
    for case in view.shard_sets:
        whole = whole_of(case, view.cases)
        if whole is not None and replication_topics.with_more_work(view, whole):
            name = measures.TITLES[case.axes["model"]]
            assert f"| {name} | {case.variant} | {int(case.axes['replications']):,} |" not in text


def test_both_leads_of_random_grids_name_their_launch() -> None:
    view = committed_view("random_grids")
    assert titles.leader("32x32", "32 x 32 grids")(view).startswith("At 135,168 streams of 64, our pooled draws ")
    assert grid_findings.fastest_grid(view).endswith("(both with XORWOW, at 304,128 streams of 96 grids).")


def test_the_answer_of_random_grids_compares_a_thread_with_a_warp() -> None:
    text = grid_findings.answer(committed_view("random_grids"))
    assert text.startswith("At 32 x 32, one thread per set is ") and text.endswith("x as fast as one warp")


def test_what_the_slides_table_counts_is_said() -> None:
    text = slides_topics.slides_launches(committed_view("random_grids"))
    assert "folds its sets into a checksum, unless a row says *stored*" in text
    assert "135,168 streams of 64 sets for `threadwise`, `warpwise`, " in text


def test_two_colors_are_explained_once() -> None:
    view = committed_view("random_grids")
    said = "k = 71,70 means 71 sites of one color and 70 sites of another."
    assert comparison_topics.ours_summary("xorwow", "With XORWOW")(view).endswith(said)
    assert said not in comparison_topics.ours_summary("philox7", "With Philox4x32-7")(view)


def test_the_slides_board_was_not_checked() -> None:
    text = legality.sentence(committed_view("random_grids"))
    assert "indeed" not in text and "That board was not checked" in text


def test_the_gain_of_compaction_names_its_workload() -> None:
    text = rule_findings.gain_where_few_are_enabled(committed_view("rule_interpreter"))
    assert text.startswith(
        "With 16384 states of 1024 values stored one after the other (layout A), 2x2x2 products, load 200,"
    )
    terms = topics.terms(committed_view("rule_interpreter"))
    assert all(f"*{term}*" in terms for term in ("load", "phi", "layout A", "layout B", "layout C"))
    assert rule_findings.TOPICS[0].paragraphs == (topics.terms,)


def test_each_count_of_the_comparison_says_what_it_counts() -> None:
    view = committed_view("rule_interpreter")
    assert "48 comparisons (each cell of Tables 1 to 4 at 1x1x1 and 2x2x2, in layouts A and C)" in (
        rule_findings.algorithm3_against_algorithm1(view)
    )
    assert "of 24 cells (those of Tables 1 to 4 at 1x1x1 and 2x2x2)." in topics.algorithm3_in_best_layouts(view)
    assert rule_findings.answer(view).startswith("Compaction, best layout: ")


def test_extrapolated_times_are_marked() -> None:
    view = committed_view("rule_interpreter")
    text = more_topics.cpu(view)
    assert "† marks an extrapolated time" in text
    sudoku = [line for line in text.splitlines() if line.startswith("| sudoku |")]
    assert len(sudoku) == 2 and all(line.count("†") == 1 for line in sudoku)
    timed = replace(view, cases=[replace(case, extrapolated=False) for case in view.cases])
    assert "†" not in more_topics.cpu(timed)


def test_rows_of_four_rules_that_differ_in_the_shape_alone_are_one() -> None:
    lines = more_topics.counters(committed_view("rule_interpreter")).splitlines()
    assert sum(line.startswith("| four |") and "`fused`" in line for line in lines) == 1


def test_sentences_of_object_layout_name_what_their_numbers_are_of() -> None:
    view = committed_view("object_layout")
    assert speed_topics.speedup(view).endswith(" agent-ticks/s, with 2^26 agents).")
    traced = preparation_topics.tracing(view)
    assert (
        "our `tracer` traces 1,342,720 objects in " in traced
        and "Algorithm 2 (`algorithm2`), which omits both, " in traced
    )
    frozen = row_topics.frozen_workload(view)
    assert "in a CPU run of 512 agents on 500 streets: in the last tenth of 10,000 ticks" in frozen
    assert "for good" not in frozen
