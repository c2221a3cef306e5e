// `lockstep migrate`: converts files of an older schema to the current one. Writes nothing unless every file can be
// migrated.

#include <map>
#include <ostream>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/bench/results_migration.hpp"
#include "harness/cli/builtin.hpp"
#include "harness/cli/distinct_files.hpp"

namespace lockstep::cli {

int migrate_command(Program const& program, MigrateOptions const& options, std::ostream& out) {
    // The limits of a device are stored in the same format but are not an experiment of the program.
    bench::Experiment limits;
    limits.name = "limits";
    std::vector<bench::MigratedExperiment> experiments = {
        {&limits, program.source_directory / "harness/bench/limits/schema1.json"}};
    for (bench::Experiment const& experiment : program.experiments)
        experiments.push_back(
            {&experiment, program.source_directory / "experiments" / experiment.name / "schema1.json"});

    std::map<std::filesystem::path, std::string> texts;
    std::string lines;
    for (std::filesystem::path const file : options.files) {
        std::filesystem::path const to = options.out.empty() ? file : options.out / file.filename();
        if (!options.out.empty())
            require_distinct_files({file.string()}, {to.string()});
        std::optional<bench::Migrated> migrated = bench::migrate_results(file, experiments);
        if (!migrated) {
            lines += bench::one_line(file.string()) + ": unchanged, it has the current schema\n";
            continue;
        }
        lines += bench::one_line(file.string() + ": " + migrated->what + " migrated" +
                                 (to == file ? "" : " to " + to.string())) +
                 "\n";
        if (!texts.emplace(to, std::move(migrated->text)).second)
            throw bench::Error("cannot write " + to.string() + " twice", "two files have this name",
                               "migrate one folder at a time");
    }
    for (auto const& [to, text] : texts)
        bench::write_file_atomically(to, text);
    out << lines;
    return 0;
}

}  // namespace lockstep::cli
