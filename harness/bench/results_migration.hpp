#pragma once
// Migrates files of schema 1 to the current schema. Numbers do not change. Axes, variants and metrics get their current
// names, metrics are separated from measurements, and axes that a row lacks get their default.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/pattern.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// The vocabulary of an experiment in schema 1: the current names, and the former names that differ. It is read from the
// experiment's schema1.json; a migration rejects everything that is not listed there.
struct Schema1 {
    using Names = std::map<std::string, std::string>;  // former name to current name
    struct {
        Names axes;
        std::map<std::string, Names> values;  // by the current name of the axis
        Names variants;
        Names kernels;
        Names metrics;
    } renamed;
    std::vector<Pattern> variants;
    std::vector<Pattern> metrics;       // deterministic
    std::vector<Pattern> measurements;  // depend on a clock or differ between runs
};

// Throws bench::Error if the file does not parse or lacks a list.
Schema1 read_schema1(std::filesystem::path const& path);

// An experiment and the path of its schema1.json.
struct MigratedExperiment {
    Experiment const* experiment = nullptr;
    std::filesystem::path table;
};

struct Migrated {
    std::string text;
    std::string what;  // "678 cases" or "traces"
};

// Returns a file of results or traces in the current schema, or nothing if it already has that schema. Throws
// bench::Error for any other schema and for an unknown experiment, axis, axis value, variant or metric.
std::optional<Migrated> migrate_results(std::filesystem::path const& path,
                                        std::vector<MigratedExperiment> const& experiments);

}  // namespace lockstep::bench
