// Results files and provenance.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/google_timing.hpp"
#include "harness/bench/results_file.hpp"
#include "harness/bench/results_merge.hpp"
#include "tests/harness/bench/temporary_folder.hpp"

namespace lockstep::bench {
namespace {

Provenance provenance() {
    Provenance made;
    made.source = {"0123abc", false};
    made.publishable = true;
    made.device_slug = "toy-device";
    made.cpu_name = "Toy CPU";
    made.command = "lockstep run toy";
    return made;
}

CaseRecord named(std::string const& name) {
    CaseRecord record;
    record.name = name;
    record.experiment = "toy";
    record.variant = "right";
    record.role = "ours";
    record.machine = "cpu";
    return record;
}

CaseRecord timed(std::string const& name, double const seconds) {
    CaseRecord record = named(name);
    record.status = Status::ok;
    record.digest = 0x12;
    record.work.items = 8;
    Repetitions const repetitions = time_repetitions(name, 3, record.work, [&] { return seconds; });
    record.time = summarise_times(repetitions.seconds);
    record.repetitions = 3;
    record.launches_per_sample = 17;
    record.metrics = {{"words", 3}, {"seconds", Metric::varying(0.5)}};
    record.timing_document = repetitions.document;
    return record;
}

TEST(BenchResults, IsGoogleBenchmarksFormatAndOurs) {
    tests::TemporaryFolder const folder;
    ResultsFile file(folder.path() / "device" / "toy.json", provenance());
    file.set_limits({{"copy", {4e12, "B/s"}}});
    file.put(timed("toy/a/cpu", 2));
    auto const json = nlohmann::json::parse(read_file(file.path()));
    for (char const* const key :
         {"date", "num_cpus", "mhz_per_cpu", "library_build_type", "lockstep_schema", "device"}) {
        EXPECT_TRUE(json.at("context").contains(key)) << key;
    }
    EXPECT_EQ(json["context"]["device"]["slug"], "toy-device");
    EXPECT_EQ(json["context"]["limits"]["copy"]["value"], 4e12);
    // One row per case; compare.py reads its name, its times and their unit.
    ASSERT_EQ(json.at("benchmarks").size(), 1u);
    auto const& row = json["benchmarks"][0];
    EXPECT_EQ(row.at("name"), "toy/a/cpu_median");
    EXPECT_EQ(row.at("run_type"), "aggregate");
    EXPECT_EQ(row.at("aggregate_name"), "median");
    EXPECT_DOUBLE_EQ(row.at("real_time"), 2e9);
    EXPECT_GE(row.at("cpu_time"), 0);
    EXPECT_EQ(row.at("time_unit"), "ns");
    auto const& entry = json.at("cases").at(0);
    EXPECT_EQ(entry.at("digest"), "0x0000000000000012");
    EXPECT_EQ(entry.at("launches_per_sample"), 17);
    EXPECT_EQ(entry.at("metrics"), nlohmann::json::parse(R"({"words": 3.0})"));
    EXPECT_EQ(entry.at("measurements"), nlohmann::json::parse(R"({"seconds": 0.5})"));
    EXPECT_TRUE(entry.at("phase_seconds").contains("timing"));
    EXPECT_EQ(entry.at("commit"), "0123abc");
    EXPECT_EQ(entry.at("time").at("median"), 2.0);
}

TEST(BenchResults, ExtrapolatedRowsAreScaledToAllUnits) {
    tests::TemporaryFolder const folder;
    ResultsFile file(folder.path() / "toy.json", provenance());
    CaseRecord record = timed("toy/a", 2);
    record.units = 50;
    record.measured_units = 5;
    record.extrapolated = true;
    file.put(record);
    auto const json = nlohmann::json::parse(read_file(file.path()));
    EXPECT_DOUBLE_EQ(json.at("benchmarks").at(0).at("real_time"), 20e9);
}

TEST(BenchResults, ARerunReplacesItsCasesAndKeepsTheOthers) {
    tests::TemporaryFolder const folder;
    auto const path = folder.path() / "toy.json";
    {
        ResultsFile first(path, provenance());
        first.set_limits({{"copy", {1, "B/s"}}});
        first.put(timed("toy/a", 1));
        first.put(timed("toy/b", 1));
    }
    ResultsFile second(path, provenance());
    CaseRecord failed = named("toy/a");
    failed.status = Status::failed;
    failed.reason = "planted";
    second.put(failed);
    auto const cases = read_cases(path);
    ASSERT_EQ(cases.size(), 2u);
    EXPECT_EQ(cases[0].name, "toy/a");
    EXPECT_EQ(cases[0].status, "failed");
    EXPECT_FALSE(cases[0].has_time);
    EXPECT_EQ(cases[1].name, "toy/b");
    EXPECT_TRUE(cases[1].has_time);
    // The failed case's former row is gone: a failure must not keep an old time.
    auto const json = nlohmann::json::parse(read_file(path));
    ASSERT_EQ(json.at("benchmarks").size(), 1u);
    EXPECT_EQ(json["benchmarks"][0].at("name"), "toy/b_median");
    EXPECT_EQ(read_limits(path).at("copy").unit, "B/s");
}

// Older files have a row for each of Google's aggregates. Reading and rewriting such a file keeps only the median.
TEST(BenchResults, FilesWithAllOfGooglesAggregatesAreRead) {
    tests::TemporaryFolder const folder;
    auto const path = folder.path() / "toy.json";
    { ResultsFile(path, provenance()).put(timed("toy/a", 1)); }
    auto json = nlohmann::json::parse(read_file(path));
    auto const median = json["benchmarks"][0];
    json["benchmarks"] = nlohmann::json::array();
    for (std::string const aggregate : {"mean", "median", "stddev", "cv"}) {
        auto row = median;
        row.update({{"name", "toy/a_" + aggregate}, {"run_name", "toy/a"}, {"aggregate_name", aggregate}});
        if (aggregate != "median")
            row["real_time"] = 5;
        json["benchmarks"].push_back(row);
    }
    write_file_atomically(path, json.dump());
    ResultsFile(path, provenance()).put(timed("toy/b", 1));
    auto const again = nlohmann::json::parse(read_file(path));
    ASSERT_EQ(again.at("benchmarks").size(), 2u);
    EXPECT_EQ(again["benchmarks"][0], median);
    EXPECT_EQ(again["cases"][0], json["cases"][0]);
}

TEST(BenchResults, MergeKeepsTheNewerOfTwoRowsWithTheSameName) {
    tests::TemporaryFolder const folder;
    auto const write = [&](char const* const name, std::vector<std::pair<std::string, std::string>> const& rows) {
        auto const path = folder.path() / name;
        ResultsFile file(path, provenance());
        file.set_limits({{name, {1, "B/s"}}});
        for (auto const& [row, date] : rows)
            file.put(timed(row, 1));
        file.flush();
        auto json = nlohmann::json::parse(read_file(path));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            json["cases"][i]["date"] = rows[i].second;
            json["cases"][i]["command"] = name;
        }
        write_file_atomically(path, json.dump());
        return path;
    };
    auto const one = write("one", {{"toy/a", "2026-01-02T00:00:00+00:00"}, {"toy/b", "2026-01-02T12:00:00+00:00"}});
    // The offset makes the second an hour older than its clock time.
    auto const two = write("two", {{"toy/a", "2026-01-03T00:00:00+00:00"},
                                   {"toy/b", "2026-01-02T12:30:00+01:00"},
                                   {"toy/c", "2026-01-01T00:00:00+00:00"}});
    for (auto const& [from, into] : {std::pair(one, two), std::pair(two, one)}) {
        auto const merged = folder.path() / ("into_" + into.filename().string());
        std::filesystem::copy(into, merged);
        MergedRows const rows = merge_results(from, merged);
        EXPECT_EQ(rows.added + rows.replaced + rows.kept, into == two ? 2u : 3u);
        EXPECT_EQ(rows.replaced, 1u);
        std::map<std::string, std::string> commands;
        auto const json = nlohmann::json::parse(read_file(merged));
        for (auto const& row : json.at("cases"))
            commands[row.at("name")] = row.at("command");
        EXPECT_EQ(commands, (std::map<std::string, std::string>{{"toy/a", "two"}, {"toy/b", "one"}, {"toy/c", "two"}}));
        EXPECT_EQ(json.at("benchmarks").size(), 3u);
        EXPECT_EQ(read_limits(merged).size(), 2u);
    }
    EXPECT_EQ(merge_results(one, folder.path() / "new").added, 2u);

    // Measurements that were added to a row later, for example hardware counters.
    auto counted = nlohmann::json::parse(read_file(one));
    counted["cases"][0]["measurements"]["counter_inst"] = 7;
    write_file_atomically(folder.path() / "counted", counted.dump());
    MergedRows const joined = merge_results(folder.path() / "counted", one);
    EXPECT_EQ(joined.replaced, 1u);
    EXPECT_EQ(joined.kept, 1u);
    EXPECT_EQ(nlohmann::json::parse(read_file(one))["cases"][0]["measurements"]["counter_inst"], 7);
}

TEST(BenchResults, RowsOfAnotherExperimentAreNotMerged) {
    tests::TemporaryFolder const folder;
    auto const one = folder.path() / "one";
    auto const two = folder.path() / "two";
    { ResultsFile(one, provenance()).put(timed("toy/a", 1)); }
    auto json = nlohmann::json::parse(read_file(one));
    json["cases"][0]["experiment"] = "another";
    write_file_atomically(two, json.dump());
    std::string const before = read_file(one);
    EXPECT_THROW(merge_results(two, one), Error);
    EXPECT_EQ(read_file(one), before);
}

TEST(BenchResults, RowsOfAnotherDeviceOrWithoutADateAreNotMerged) {
    tests::TemporaryFolder const folder;
    auto const one = folder.path() / "one";
    auto const two = folder.path() / "two";
    { ResultsFile(one, provenance()).put(timed("toy/a", 1)); }
    Provenance other = provenance();
    other.device_slug = "another";
    { ResultsFile(two, other).put(timed("toy/a", 1)); }
    std::string const before = read_file(one);
    EXPECT_THROW(merge_results(two, one), Error);
    auto json = nlohmann::json::parse(before);
    for (nlohmann::json const& date : {nlohmann::json("yesterday"), nlohmann::json()}) {
        json["cases"][0]["date"] = date;
        write_file_atomically(two, json.dump());
        EXPECT_THROW(merge_results(two, one), Error) << date;
    }
    EXPECT_THROW(merge_results(folder.path() / "absent", one), Error);
    EXPECT_EQ(read_file(one), before);
}

TEST(BenchResults, AFileOfAnotherSchemaIsRejectedAndUnchanged) {
    tests::TemporaryFolder const folder;
    auto const path = folder.path() / "toy.json";
    for (std::string const text : {R"({"context": {"lockstep_schema": 99}, "benchmarks": [], "cases": []})",
                                   R"({"context": {}, "benchmarks": []})", "[]", "{", ""}) {
        std::ofstream(path) << text;
        EXPECT_THROW(ResultsFile(path, provenance()), Error) << text;
        EXPECT_EQ(read_file(path), text);
    }
    EXPECT_TRUE(read_limits(folder.path() / "absent.json").empty());
}

// The next run reads what a run wrote, so nothing that a row takes from outside may be refused there.
TEST(BenchResults, WhatIsWrittenCanBeRead) {
    tests::TemporaryFolder const folder;
    auto const path = folder.path() / "toy.json";
    Provenance hostile = provenance();
    hostile.cpu_name = "CPU\n\x1b[2J\xff" + std::string(2000, 'c');
    hostile.command = "lockstep run '\xfe\n'" + std::string(100000, 'x');
    CaseRecord record = named("toy/a");
    record.reason = "error:\n\t\x1b[31m\xc3" + std::string(100000, 'y') + std::string(100000, ' ') + "end";
    record.metrics = {{"infinite", std::numeric_limits<double>::infinity()}, {"none", std::nan("")}};
    ResultsFile(path, hostile).put(record);
    auto const cases = read_cases(path);
    ASSERT_EQ(cases.size(), 1u);
    EXPECT_TRUE(cases[0].reason.starts_with("error:\\n\\t\\x1b[31m\\xc3yyy")) << cases[0].reason.substr(0, 50);
    EXPECT_TRUE(cases[0].reason.ends_with(" end"));
    ResultsFile(path, hostile).put(timed("toy/b", 1));
    EXPECT_EQ(read_cases(path).size(), 2u);
}

TEST(BenchAtomicFile, ReplacesCompletelyOrNotAtAll) {
    tests::TemporaryFolder const folder;
    auto const path = folder.path() / "deep" / "file";
    write_file_atomically(path, "one");
    write_file_atomically(path, "two");
    EXPECT_EQ(read_file(path), "two");
    std::size_t entries = 0;
    for ([[maybe_unused]] auto const& entry : std::filesystem::directory_iterator(path.parent_path()))
        ++entries;
    EXPECT_EQ(entries, 1u);  // no scratch file remains
    EXPECT_THROW(write_file_atomically(path / "below_a_file", "x"), Error);
    std::filesystem::create_directory(folder.path() / "folder");
    EXPECT_THROW(write_file_atomically(folder.path() / "folder", "x"), Error);
    EXPECT_EQ(read_file(path), "two");
    EXPECT_THROW(read_file(folder.path() / "absent"), Error);
}

TEST(BenchProvenance, CommitComesFromGitElseFromTheVariable) {
    tests::TemporaryFolder const folder;
    ::unsetenv("LOCKSTEP_COMMIT");
    EXPECT_EQ(source_state(folder.path()).commit, "");
    EXPECT_FALSE(collect_provenance(folder.path(), 0, nullptr).publishable);
    ::setenv("LOCKSTEP_COMMIT", "abc123", 1);
    EXPECT_EQ(source_state(folder.path()).commit, "abc123");
    EXPECT_FALSE(source_state(folder.path()).dirty);
    ::setenv("LOCKSTEP_COMMIT", "abc123-dirty", 1);
    EXPECT_EQ(source_state(folder.path()).commit, "abc123");
    EXPECT_TRUE(source_state(folder.path()).dirty);

    std::string const git = "cd '" + folder.path().string() +
                            "' && git init -q . && git -c user.name=n -c user.email=e commit -q --allow-empty -m x";
    if (std::system((git + " 2>/dev/null").c_str()) != 0)
        GTEST_SKIP() << "git is not available";
    SourceState const clean = source_state(folder.path());
    EXPECT_EQ(clean.commit.size(), 40u);
    EXPECT_FALSE(clean.dirty);
    write_file_atomically(folder.path() / "results" / "device" / "toy.json", "{}");
    EXPECT_FALSE(source_state(folder.path()).dirty);  // results do not make the source dirty
    write_file_atomically(folder.path() / "kernel.cu", "x");
    EXPECT_TRUE(source_state(folder.path()).dirty);
    ::unsetenv("LOCKSTEP_COMMIT");
}

TEST(BenchProvenance, SlugsAndCommands) {
    EXPECT_EQ(slug("NVIDIA H200"), "nvidia-h200");
    EXPECT_EQ(slug("Intel(R) Xeon(R) Processor @ 2.70GHz"), "intel-xeon-processor-2-70ghz");
    EXPECT_EQ(slug("///"), "unknown");
    char const* const argv[] = {"/build/lockstep", "run", "toy", "--variant", "r.*|it's"};
    EXPECT_EQ(collect_provenance("/nowhere", 5, argv).command, "lockstep run toy --variant 'r.*|it'\\''s'");
    // The output folder is specific to one computer and does not affect the results.
    char const* const with_folder[] = {"lockstep", "run", "toy", "--out", "/a/folder", "--seed", "2", "--out=/b"};
    EXPECT_EQ(collect_provenance("/nowhere", 8, with_folder).command, "lockstep run toy --seed 2");
    EXPECT_EQ(collect_provenance("/nowhere", 4, with_folder).command, "lockstep run toy");
}

}  // namespace
}  // namespace lockstep::bench
