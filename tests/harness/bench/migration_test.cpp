// Migration of files of schema 1: numbers stay, names change, and anything that the table does not list is rejected.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/results_file.hpp"
#include "harness/bench/results_migration.hpp"
#include "tests/harness/bench/temporary_folder.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr char const* table = R"({
  "renamed": {
    "axes": {"units_a_run": "count"},
    "values": {"style": {"fanci": "fancy"}},
    "variants": {"correct": "right"},
    "kernels": {"toy_old": "toy"},
    "metrics": {"most_words": "max_words"}
  },
  "variants": ["right", "scal[a-z]+"],
  "metrics": ["max_words", "share_[0-9]+"],
  "measurements": ["counter_.*", "seconds"]
})";

Json old_row(std::string const& name) {
    return Json::parse(R"({"name": ")" + name +
                       R"(", "experiment": "toy", "variant": "correct", "role": "ours", "machine": "cuda",
        "axes": {"units_a_run": "64", "style": "fanci"}, "shard": "1/4", "status": "ok",
        "digest": "0x0123456789abcdef", "items": 64.0, "time": {"median": 0.00012345678901234567, "cv": 1e-9},
        "kernels": [{"name": "toy_old", "registers": 7}],
        "figures": {"most_words": 3.0, "seconds": 0.1, "share_2": 0.25, "counter_hits": 7.0},
        "cache": "cold", "spent": {"timing": 1.5}, "commit": "0123abc", "date": "2026-01-02T03:04:05+00:00",
        "command": "lockstep run toy --units_a_run 64"})");
}

Json old_file(std::vector<Json> const& rows) {
    Json file = {{"context", {{"date", "then"}, {"lockstep_schema", 1}, {"device", {{"slug", "toy-device"}}}}},
                 {"benchmarks", Json::array()},
                 {"cases", rows}};
    for (Json const& row : rows) {
        file["benchmarks"].push_back({{"name", row.at("name").get<std::string>() + "_median"},
                                      {"run_type", "aggregate"},
                                      {"aggregate_name", "median"},
                                      {"real_time", 123.5},
                                      {"cpu_time", 124.5},
                                      {"time_unit", "ns"}});
    }
    return file;
}

class BenchMigration : public testing::Test {
protected:
    std::optional<Migrated> migrated(Json const& file, std::string const& schema1 = table) {
        std::filesystem::path const path = folder_.path() / "toy.json";
        write_file_atomically(path, file.dump());
        write_file_atomically(folder_.path() / "schema1.json", schema1);
        return migrate_results(path, {{&toy_, folder_.path() / "schema1.json"}});
    }

    // The error message without the folder.
    std::string message_of(Json const& file, std::string const& schema1 = table) {
        try {
            migrated(file, schema1);
        } catch (Error const& error) {
            std::string text = error.what();
            std::string const folder = folder_.path().string() + "/";
            for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
                text.erase(at, folder.size());
            return text;
        }
        return "no error";
    }

private:
    tests::TemporaryFolder folder_;
    Experiment toy_ = toy::make_toy();
};

TEST_F(BenchMigration, NamesChangeAndNumbersStay) {
    Json const old = old_row("anything");
    std::optional<Migrated> const made = migrated(old_file({old}));
    ASSERT_TRUE(made);
    EXPECT_EQ(made->what, "1 cases");
    Json const file = Json::parse(made->text);
    EXPECT_EQ(file.at("context"),
              Json::parse(R"({"date": "then", "lockstep_schema": 2, "device": {"slug": "toy-device"}})"));
    Json const& row = file.at("cases").at(0);
    // The axis `factor` is newer than the row. It has its default value, which does not appear in the name.
    EXPECT_EQ(row.at("name"), "toy/right/cuda/count:64/style:fancy/cache:cold/shard:1of4");
    EXPECT_EQ(row.at("variant"), "right");
    EXPECT_EQ(row.at("axes"), Json::parse(R"({"count": "64", "factor": "3", "style": "fancy"})"));
    EXPECT_EQ(row.at("kernels"), Json::parse(R"([{"name": "toy", "registers": 7}])"));
    EXPECT_EQ(row.at("metrics"), Json::parse(R"({"max_words": 3.0, "share_2": 0.25})"));
    EXPECT_EQ(row.at("measurements"), Json::parse(R"({"seconds": 0.1, "counter_hits": 7.0})"));
    EXPECT_EQ(row.at("phase_seconds"), old.at("spent"));
    EXPECT_FALSE(row.contains("figures") || row.contains("spent"));
    for (char const* const key :
         {"digest", "items", "time", "status", "shard", "cache", "commit", "date", "command", "experiment", "machine"})
        EXPECT_EQ(row.at(key), old.at(key)) << key;
    EXPECT_EQ(file.at("benchmarks").at(0),
              Json::parse(R"({"name": "toy/right/cuda/count:64/style:fancy/cache:cold/shard:1of4_median",
                  "run_type": "aggregate", "aggregate_name": "median", "real_time": 123.5, "cpu_time": 124.5,
                  "time_unit": "ns"})"));
}

TEST_F(BenchMigration, AFileOfTheCurrentSchemaIsUnchanged) {
    Json file = old_file({old_row("a")});
    file["context"]["lockstep_schema"] = results_schema;
    EXPECT_FALSE(migrated(file));
    // A migrated file has the current schema.
    EXPECT_FALSE(migrated(Json::parse(migrated(old_file({old_row("a")}))->text)));
    Json traces = {{"experiment", "toy"}, {"lockstep_schema", 1}, {"schematics", {1, 2}}};
    std::optional<Migrated> const made = migrated(traces);
    ASSERT_TRUE(made);
    traces["lockstep_schema"] = results_schema;
    EXPECT_EQ(made->text, traces.dump() + "\n");
    EXPECT_FALSE(migrated(traces));
}

TEST_F(BenchMigration, UnknownNamesAreRejected) {
    auto const with = [&](auto const& change) {
        Json row = old_row("a");
        change(row);
        return message_of(old_file({row}));
    };
    EXPECT_EQ(with([](Json& row) { row["figures"]["most_bits"] = 1; }),
              "toy.json: unknown metric most_bits (schema1.json does not have it)");
    EXPECT_EQ(with([](Json& row) { row["variant"] = "rong"; }),
              "toy.json: unknown variant rong (schema1.json does not have it)");
    EXPECT_EQ(with([](Json& row) { row["axes"]["facto"] = "3"; }),
              "toy.json: unknown axis facto (toy does not have it) did you mean factor?");
    EXPECT_EQ(with([](Json& row) { row["axes"]["style"] = "fancee"; }),
              "toy.json: invalid style=fancee (not a value of this axis) did you mean fancy?");
    EXPECT_EQ(with([](Json& row) { row["experiment"] = "toi"; }),
              "toy.json: unknown experiment toi (not in the list) did you mean toy?");
    EXPECT_NE(
        with([](Json& row) { row.erase("axes"); }).find("toy.json does not parse (a value of schema 1 is missing"),
        std::string::npos);
    Json file = old_file({});
    for (Json const& schema : {Json(), Json(0), Json(3), Json(7), Json(1e300), Json("1"), Json::array({1})}) {
        file["context"]["lockstep_schema"] = schema.is_null() ? Json(0) : schema;
        EXPECT_NE(message_of(file).find("(this program migrates schema 1 to 2)"), std::string::npos) << schema;
    }
    EXPECT_NE(message_of(Json::array()).find("unknown schema none"), std::string::npos);
}

TEST_F(BenchMigration, TwoRowsWithTheSameNameAreRejected) {
    Json younger = old_row("b");
    younger["axes"]["factor"] = "3";  // the default value, which the other row has
    EXPECT_EQ(
        message_of(old_file({old_row("a"), younger})),
        "toy.json: two cases would be named toy/right/cuda/count:64/style:fancy/cache:cold/shard:1of4 (they differ "
        "only in fields that are not part of the name)");
}

TEST_F(BenchMigration, ATableThatDoesNotParseIsNamed) {
    Json const file = old_file({old_row("a")});
    EXPECT_NE(message_of(file, "{").find("schema1.json:1:2 does not parse ("), std::string::npos);
    EXPECT_NE(message_of(file, R"({"renamed": {}, "variants": ["("], "metrics": [], "measurements": []})")
                  .find("schema1.json: ( (character 1: this ( is not closed)"),
              std::string::npos);
    EXPECT_NE(message_of(file, R"({"renamed": {"axis": {}}, "variants": [], "metrics": [], "measurements": []})")
                  .find("unknown key axis in renamed"),
              std::string::npos);
    EXPECT_NE(message_of(file, R"({"renamed": {}, "variants": []})").find("schema1.json does not parse ("),
              std::string::npos);
}

}  // namespace
}  // namespace lockstep::bench
