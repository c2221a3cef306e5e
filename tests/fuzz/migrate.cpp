// Results files of schema 1, as `migrate` reads them, with the table of an experiment that is made here. After a line
// --- the input can have a table of its own.

#include "harness/bench/axes.hpp"
#include "harness/bench/results_migration.hpp"
#include "tests/fuzz/scratch_file.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

namespace {

constexpr char const* own_table = R"({
  "renamed": {"axes": {"units_a_run": "count"}, "values": {"style": {"fanci": "fancy"}}, "variants": {"correct": "right"},
              "kernels": {"toy_old": "toy"}, "metrics": {"most_words": "max_words"}},
  "variants": ["right"], "metrics": ["max_words", "share_[0-9]+"], "measurements": ["counter_.*", "seconds"]
})";

bench::Experiment const& toy() {
    static bench::Experiment const made = [] {
        bench::Experiment experiment;
        experiment.name = "toy";
        experiment.axes = {{"count", bench::Axis::Kind::integer, "64", "units", 1, 1e6, {}},
                           {"scale", bench::Axis::Kind::real, "0.5", "a factor", 0, 1, {}},
                           {"style", bench::Axis::Kind::text, "plain", "a look", 0, 0, {"plain", "fancy"}}};
        return experiment;
    }();
    return made;
}

}  // namespace

void migrate(std::string const& input) {
    auto const [file, table] = two_parts(input);
    std::filesystem::path const path = scratch_file("old.json", file);
    std::filesystem::path const table_path = scratch_file("schema1.json", table.empty() ? own_table : table);
    std::optional<bench::Migrated> migrated;
    std::vector<bench::MigratedExperiment> const experiments = {{&toy(), table_path}};
    if (!accepts([&] { migrated = bench::migrate_results(path, experiments); }) || !migrated)
        return;
    std::filesystem::path const written = scratch_file("new.json", migrated->text);
    require(!bench::migrate_results(written, experiments), "a migrated file has the current schema");
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(migrate)
