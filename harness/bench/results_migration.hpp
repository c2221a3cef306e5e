#pragma once
// Files of schema 1 to the present schema. The numbers stay as they are; names of axes, variants and metrics become
// those of today, metrics are separated from measurements, and axes that a row lacks get their default.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/pattern.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// What an experiment had in schema 1, in today's names, and what it called them then. Its file schema1.json says so:
// a migration refuses whatever is not listed there.
struct Schema1 {
    using Names = std::map<std::string, std::string>;  // then to today
    struct {
        Names axes;
        std::map<std::string, Names> values;  // by axis, in today's name
        Names variants;
        Names kernels;
        Names metrics;
    } renamed;
    std::vector<Pattern> variants;
    std::vector<Pattern> metrics;       // the same in every run
    std::vector<Pattern> measurements;  // a clock touches them, or they differ from run to run
};

// Throws bench::Error for a file that does not parse or lacks a list.
Schema1 read_schema1(std::filesystem::path const& path);

// An experiment, and where its schema1.json is.
struct MigratedExperiment {
    Experiment const* experiment = nullptr;
    std::filesystem::path table;
};

struct Migrated {
    std::string text;
    std::string what;  // "678 cases" or "traces"
};

// A file of results or of traces in the present schema; nothing if it has that already. Throws bench::Error for any
// other schema and for what is not known: an experiment, an axis or a value of it, a variant, a metric.
std::optional<Migrated> migrate_results(std::filesystem::path const& path,
                                        std::vector<MigratedExperiment> const& experiments);

}  // namespace lockstep::bench
