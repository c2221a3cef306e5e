// Tests of what `run` prints: the table, the ranking, the JSON document, and texts that fit into a terminal.

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/plan.hpp"
#include "harness/cli/comparison.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/progress.hpp"
#include "harness/cli/run_json.hpp"
#include "harness/cli/run_table.hpp"
#include "harness/cli/terminal.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::cli {
namespace {

using bench::CaseRecord;
using bench::Machine;
using bench::Status;

void expect_text(std::string const& name, std::string const& text) {
    std::filesystem::path const path = std::filesystem::path("tests/harness/cli/golden") / name;
    if (std::getenv("LOCKSTEP_UPDATE_GOLDEN") != nullptr)
        bench::write_file_atomically(path, text);
    EXPECT_EQ(text, bench::read_file(path)) << name;
}

// scalar, right and picky (the baseline) at two counts and two styles.
std::vector<bench::PlannedCase> planned_cases(bench::Experiment const& experiment) {
    bench::Sweep sweep;
    sweep.name = "all";
    sweep.variants = "scalar|right|picky";
    sweep.axes = {{"count", {"33", "64"}}, {"factor", {"7"}}, {"style", {"plain", "fancy"}}};
    bench::Selection selection;
    selection.sweeps = {"all"};
    selection.machines = {Machine::cpu};
    return bench::plan_cases(experiment, {sweep}, selection);
}

CaseRecord record_of(bench::PlannedCase const& planned, double const milliseconds) {
    CaseRecord record;
    record.name = planned.name;
    record.experiment = planned.experiment->name;
    record.variant = planned.variant->name;
    record.machine = simt::to_string(planned.variant->machine);
    record.axes = planned.problem.axes;
    record.cache = planned.cache;
    record.item = planned.experiment->item;
    record.units_total = record.verified_units = planned.problem.units;
    record.work = {1e6, 4e7, 0};
    record.noise = 0.0123;
    std::string const reason = planned.variant->unsupported_reason(planned.problem.axes);
    if (!reason.empty()) {
        record.status = Status::refused;
        record.reason = reason;
        return record;
    }
    record.status = Status::ok;
    record.time.emplace();
    record.time->median = milliseconds * 1e-3;
    record.time->low = milliseconds * 0.99e-3;
    record.time->high = milliseconds * 1.01e-3;
    return record;
}

// The table of the cases, with these times in milliseconds for scalar, right and picky.
std::string table_text(Terminal const& terminal, bench::Experiment const& experiment) {
    std::vector<bench::PlannedCase> cases = planned_cases(experiment);
    Comparison comparison(cases, 4e12, Machine::cpu);
    comparison.order(cases);
    std::ostringstream out;
    RunTable table(cases, comparison, out, terminal);
    table.begun(cases.size());
    double const slower = 12.5;
    for (bench::PlannedCase const& planned : cases) {
        bool const large = planned.problem.axes.text("count") == "64";
        std::string const& name = planned.variant->name;
        CaseRecord record = record_of(planned, (name == "picky"   ? 30
                                                : name == "right" ? slower / 10
                                                                  : slower) *
                                                   (large && name != "right" ? 0.1 : 1));
        record.verified_units -= large && name == "picky" ? 1 : 0;
        record.extrapolated = large && name == "scalar";
        if (large && name == "scalar" && planned.problem.axes.text("style") == "fancy") {
            record.status = Status::failed;
            record.reason = "a launch failed";
            record.time.reset();
        }
        table.finished(record);
    }
    bench::Axes axes = cases.front().problem.axes;
    axes.set("count", "0");
    table.end({{&experiment, axes, "count 0 does not fit (there are no units) give at least 1"}}, 2);
    return out.str();
}

TEST(CliRunTable, RowsAndRankingAreGolden) {
    bench::Experiment const experiment = toy::make_toy();
    expect_text("run_table.txt", table_text({120, false}, experiment));
    expect_text("run_table_narrow.txt", table_text({60, false}, experiment));
}

TEST(CliRunTable, ColoursChangeNoCharacter) {
    bench::Experiment const experiment = toy::make_toy();
    std::string coloured = table_text({120, true}, experiment);
    EXPECT_NE(coloured.find("\033[31mfailed (a launch failed)\033[0m"), std::string::npos) << coloured;
    EXPECT_NE(coloured.find("\033[33mrefused"), std::string::npos);
    for (std::size_t at = 0; (at = coloured.find('\033')) != std::string::npos;)
        coloured.erase(at, coloured.find('m', at) + 1 - at);
    EXPECT_EQ(coloured, table_text({120, false}, experiment));
}

TEST(CliRunTable, LinesFitIntoTheTerminal) {
    bench::Experiment const experiment = toy::make_toy();
    for (std::size_t const width : {60u, 80u, 100u, 120u}) {
        std::istringstream lines(table_text({width, false}, experiment));
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(line.size(), width) << line;
    }
}

TEST(CliComparison, TheBaselineRunsFirstAndGivesTheSpeed) {
    bench::Experiment const experiment = toy::make_toy();
    std::vector<bench::PlannedCase> cases = planned_cases(experiment);
    Comparison comparison(cases, 4e10, Machine::cpu);
    EXPECT_EQ(comparison.baselines("toy"), std::vector<std::string>{"picky on cpu"});
    comparison.order(cases);
    ASSERT_EQ(cases.size(), 12u);
    EXPECT_EQ(cases[0].variant->name, "picky");
    EXPECT_EQ(cases[1].variant->name, "scalar");
    EXPECT_EQ(cases[3].variant->name, "scalar") << "picky refuses the style fancy, so it is no baseline there";

    CaseRecord const& baseline = comparison.add(record_of(cases[0], 30));
    CaseRecord const& slow = comparison.add(record_of(cases[1], 60));
    CaseRecord const& fast = comparison.add(record_of(cases[2], 10));
    CaseRecord const& alone = comparison.add(record_of(cases[3], 10));
    EXPECT_DOUBLE_EQ(comparison.speed(baseline).value(), 1);
    EXPECT_DOUBLE_EQ(comparison.speed(slow).value(), 0.5);
    EXPECT_DOUBLE_EQ(comparison.speed(fast).value(), 3);
    EXPECT_FALSE(comparison.speed(alone).has_value());
    EXPECT_DOUBLE_EQ(comparison.share(fast).value(), 4e7 / 10e-3 / 4e10);
    std::vector<Ranked> const ranking = comparison.ranking();
    ASSERT_EQ(ranking.size(), 2u);
    EXPECT_EQ(ranking[0].best, &fast);
    EXPECT_EQ(ranking[0].next, &baseline);
    EXPECT_EQ(ranking[0].baseline, &baseline);
    EXPECT_EQ(ranking[1].best, &alone);
    EXPECT_EQ(ranking[1].next, nullptr);
    EXPECT_EQ(ranking[1].baseline, nullptr);
    EXPECT_TRUE(is_close(fast, alone));
    EXPECT_FALSE(is_close(fast, slow));
}

TEST(CliComparison, OtherMachinesHaveNoShare) {
    bench::Experiment const experiment = toy::make_toy();
    std::vector<bench::PlannedCase> const cases = planned_cases(experiment);
    Comparison of_gpu(cases, 4e12, Machine::cuda);
    EXPECT_FALSE(of_gpu.share(record_of(cases[0], 1)).has_value());
    Comparison unknown(cases, 0, Machine::cpu);
    EXPECT_FALSE(unknown.has_limit());
    EXPECT_FALSE(unknown.share(record_of(cases[0], 1)).has_value());
}

TEST(CliRunJson, IsOneDocument) {
    bench::Experiment const experiment = toy::make_toy();
    std::vector<bench::PlannedCase> const cases = planned_cases(experiment);
    Comparison comparison(cases, 4e12, Machine::cpu);
    for (bench::PlannedCase const& planned : cases)
        comparison.add(record_of(planned, planned.variant->name == "picky" ? 30 : 10));
    bench::RunSummary summary;
    summary.finished = cases.size();
    summary.files = {"out/\xff\"\n.json"};
    nlohmann::json const document = nlohmann::json::parse(
        run_document(comparison, summary, {{&experiment, cases[0].problem.axes, "it does not fit"}}, {}));
    EXPECT_EQ(document["cases"].size(), cases.size());
    EXPECT_EQ(document["finished"], cases.size());
    EXPECT_EQ(document["refused_settings"][0]["reason"], "it does not fit");
    EXPECT_EQ(document["refused_settings"][0]["axes"]["count"], "33");
    EXPECT_EQ(document["fastest"][0]["case"], "toy/scalar/cpu/factor:7");
    EXPECT_EQ(document["fastest"][0]["baseline"], "toy/picky/cpu/factor:7");
    EXPECT_EQ(document["files"][0], "out/\xef\xbf\xbd\"\n.json");
    EXPECT_DOUBLE_EQ(document["cases"][0]["seconds"].get<double>(), 0.01);
    EXPECT_DOUBLE_EQ(document["cases"][0]["times_as_fast_as_baseline"].get<double>(), 3);
    EXPECT_EQ(nlohmann::json::parse(plan_document(cases, {}))["cases"][0]["sweeps"][0], "all");
}

TEST(CliJsonOutput, TextsAreEscaped) {
    EXPECT_EQ(json_text("a\"b\\c\n\x01\x7f"), R"("a\"b\\c\n\u0001\u007f")");
    EXPECT_EQ(json_text("\xc3\xa9 \xf0\x9f\x98\x80 \xff"), R"("\u00e9 \ud83d\ude00 \ufffd")");
    EXPECT_EQ(json_number(0.1), "0.1");
    EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "null");
    EXPECT_EQ(json_number(std::nan("")), "null");
    EXPECT_EQ(json_texts({"a", "b"}), R"(["a", "b"])");
    EXPECT_EQ(json_object({{"a", "1"}, {"b", "[]"}}), R"({"a": 1, "b": []})");
    EXPECT_EQ(nlohmann::json::parse(json_document({{"a", json_lines({"1", "2"})}, {"b", json_lines({})}})).dump(),
              R"({"a":[1,2],"b":[]})");
}

TEST(CliTerminal, APipeHas120ColumnsAndNoColour) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    Terminal const terminal = terminal_of(ends[1]);
    EXPECT_EQ(terminal.width, 120u);
    EXPECT_FALSE(terminal.colour);
    EXPECT_EQ(terminal.coloured("x", Colour::red), "x");
    EXPECT_EQ((Terminal{120, true}).coloured("x", Colour::red), "\033[31mx\033[0m");
    EXPECT_EQ((Terminal{120, true}).coloured("", Colour::red), "");
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(CliTerminal, TextsAreWrappedAtBlanks) {
    EXPECT_EQ(wrapped("one two  three", 7), (std::vector<std::string>{"one two", "three"}));
    EXPECT_EQ(wrapped("\xc3\xa9\xc3\xa9\xc3\xa9 two", 7), (std::vector<std::string>{"\xc3\xa9\xc3\xa9\xc3\xa9 two"}));
    EXPECT_EQ(wrapped("undividable", 3), (std::vector<std::string>{"undividable"}));
    EXPECT_EQ(wrapped("", 3), (std::vector<std::string>{""}));
    EXPECT_EQ(wrapped_lines("  --option TEXT     a help text that is too long\nnext\n", 44),
              "  --option TEXT     a help text that is too\n                    long\nnext\n");
    EXPECT_EQ(wrapped_lines("short\n\nlines", 40), "short\n\nlines");
    EXPECT_EQ(cut("abcdef", 6), "abcdef");
    EXPECT_EQ(cut("abcdefg", 6), "abc...");
    EXPECT_EQ(padded("ab", 4), "ab  ");
    EXPECT_EQ(padded("ab", 4, true), "  ab");
    EXPECT_EQ(padded("\xc3\xa9", 2), "\xc3\xa9 ");
}

TEST(CliComparison, TimesHaveThreeDigits) {
    EXPECT_EQ(times_text(0.005), "0.005x");
    EXPECT_EQ(times_text(0.5), "0.50x");
    EXPECT_EQ(times_text(1.799), "1.80x");
    EXPECT_EQ(times_text(24.06), "24.1x");
    EXPECT_EQ(times_text(365.7), "366x");
}

// A run that compiles for long says so.
TEST(CliRunTable, SaysHowManyProgramsAreCompiled) {
    bench::Experiment const experiment = toy::make_toy();
    std::vector<bench::PlannedCase> const cases = planned_cases(experiment);
    Comparison comparison(cases, 4e12, Machine::cpu);
    std::ostringstream out;
    std::ostringstream terminal;
    RunTable table(cases, comparison, out, Terminal{});
    Progress progress(table, terminal, true);
    progress.begun(cases.size());
    progress.compiling(3);
    EXPECT_EQ(out.str(), "compiling 3 programs, unless the cache has them\n");
    EXPECT_EQ(terminal.str(), "");
}

}  // namespace
}  // namespace lockstep::cli
