// Results files and provenance.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/google_timing.hpp"
#include "harness/bench/results_file.hpp"
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

CaseRecord timed(std::string const& name, double const seconds) {
    CaseRecord record;
    record.name = name;
    record.experiment = "toy";
    record.status = Status::ok;
    record.digest = 0x12;
    record.work.items = 8;
    Repetitions const repetitions = time_repetitions(name, 3, record.work, [&] { return seconds; });
    record.time = summarise_times(repetitions.seconds);
    record.repetitions = 3;
    record.launches_per_sample = 17;
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
    bool median = false;
    for (auto const& row : json.at("benchmarks")) {
        EXPECT_EQ(row.at("run_name"), "toy/a/cpu");
        if (row.at("name") != "toy/a/cpu_median")
            continue;
        median = true;
        EXPECT_EQ(row.at("aggregate_name"), "median");
        EXPECT_DOUBLE_EQ(row.at("real_time"), 2e9);
        EXPECT_EQ(row.at("time_unit"), "ns");
        EXPECT_DOUBLE_EQ(row.at("items_per_second"), 4);
    }
    EXPECT_TRUE(median);
    auto const& entry = json.at("cases").at(0);
    EXPECT_EQ(entry.at("digest"), "0x0000000000000012");
    EXPECT_EQ(entry.at("launches_per_sample"), 17);
    EXPECT_EQ(entry.at("commit"), "0123abc");
    EXPECT_EQ(entry.at("time").at("median"), 2.0);
}

TEST(BenchResults, ExtrapolatedRowsAreOfAllUnits) {
    tests::TemporaryFolder const folder;
    ResultsFile file(folder.path() / "toy.json", provenance());
    CaseRecord record = timed("toy/a", 2);
    record.units = 50;
    record.measured_units = 5;
    record.extrapolated = true;
    file.put(record);
    auto const json = nlohmann::json::parse(read_file(file.path()));
    for (auto const& row : json.at("benchmarks")) {
        if (row.at("aggregate_name") == "median") {
            EXPECT_DOUBLE_EQ(row.at("real_time"), 20e9);
        }
        if (row.at("aggregate_name") == "cv") {
            EXPECT_LT(row.at("real_time"), 1e-6);
        }
    }
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
    CaseRecord failed;
    failed.name = "toy/a";
    failed.status = Status::failed;
    failed.reason = "planted";
    second.put(failed);
    auto const cases = read_cases(path);
    ASSERT_EQ(cases.size(), 2u);
    EXPECT_EQ(cases[0].name, "toy/b");
    EXPECT_TRUE(cases[0].has_time);
    EXPECT_EQ(cases[1].name, "toy/a");
    EXPECT_EQ(cases[1].status, "failed");
    EXPECT_FALSE(cases[1].has_time);
    // The former rows of the case that has failed are gone: a failure must not keep an old time.
    auto const json = nlohmann::json::parse(read_file(path));
    for (auto const& row : json.at("benchmarks"))
        EXPECT_EQ(row.at("run_name"), "toy/b");
    EXPECT_EQ(read_limits(path).at("copy").unit, "B/s");
}

TEST(BenchResults, AnotherSchemaIsRefusedAndLeftAlone) {
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

TEST(BenchAtomicFile, ReplacesWholeOrNotAtAll) {
    tests::TemporaryFolder const folder;
    auto const path = folder.path() / "deep" / "file";
    write_file_atomically(path, "one");
    write_file_atomically(path, "two");
    EXPECT_EQ(read_file(path), "two");
    std::size_t entries = 0;
    for ([[maybe_unused]] auto const& entry : std::filesystem::directory_iterator(path.parent_path()))
        ++entries;
    EXPECT_EQ(entries, 1u);  // nothing is left beside it
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
        GTEST_SKIP() << "no git here";
    SourceState const clean = source_state(folder.path());
    EXPECT_EQ(clean.commit.size(), 40u);
    EXPECT_FALSE(clean.dirty);
    write_file_atomically(folder.path() / "results" / "device" / "toy.json", "{}");
    EXPECT_FALSE(source_state(folder.path()).dirty);  // results do not make their own source dirty
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
}

}  // namespace
}  // namespace lockstep::bench
