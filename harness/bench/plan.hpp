#pragma once
// From sweeps and the flags of the command line to the list of cases that a run will make.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/sweep.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Part `index` of `count` of a case's units: units * index / count up to units * (index + 1) / count.
struct Shard {
    std::uint64_t index = 0;
    std::uint64_t count = 1;
};

// "2/8". Throws bench::Error for anything else.
Shard parse_shard(std::string const& text);

// "2of8", as names of cases and files have it.
std::string label_of(Shard const& shard);

// What follows case_name(): "/cache:cold" and "/shard:1of4" where they apply, so often nothing.
std::string name_suffix(std::string const& cache, Shard const& shard);

// The shard's units of `units`.
struct Range {
    std::uint64_t first = 0;
    std::uint64_t units = 0;
};
Range units_of(Shard const& shard, std::uint64_t units);

// What the user asks for; unset members leave the sweep's own values.
struct Selection {
    std::vector<std::string> sweeps;  // by name; empty: those of the preset
    std::string preset = "quick";
    std::string variant;                 // regular expression on the whole name; empty: all
    std::vector<Machine> machines;       // those that may run here
    bool machines_are_explicit = false;  // then they replace the sweep's own list
    AxisLists axes;                      // replace the sweep's values; names that the experiment lacks are left out
    std::optional<int> repetitions;
    std::optional<std::string> cache;
    std::uint64_t seed = 1;
    Shard shard;
};

struct PlannedCase {
    Experiment const* experiment = nullptr;
    Variant const* variant = nullptr;
    Problem problem;                  // the shard's units
    std::string name;                 // case_name() and name_suffix()
    std::vector<std::string> sweeps;  // every sweep that asks for this case
    int repetitions = 11;
    double max_seconds = 1;  // of its repetitions, unless the user asked for a number of them
    std::string cache = "hot";
    Shard shard;
};

// Cases of equal axes stand together, so that the reference of one serves the next. Throws bench::Error for an unknown
// sweep or axis, a value out of range, a regular expression that matches no variant. An empty list means that nothing
// of it can run here.
std::vector<PlannedCase> plan_cases(Experiment const& experiment, std::vector<Sweep> const& sweeps,
                                    Selection const& selection);

}  // namespace lockstep::bench
