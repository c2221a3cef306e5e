#pragma once
// Turns sweeps and command-line flags into the list of cases to run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/sweep.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Part `index` of `count` parts of a case's units: from units * index / count up to units * (index + 1) / count.
struct Shard {
    std::uint64_t index = 0;
    std::uint64_t count = 1;
};

// "2/8". Throws bench::Error for anything else.
Shard parse_shard(std::string const& text);

// "2of8", as in the names of cases and files.
std::string label_of(Shard const& shard);

// The suffix after case_name(): "/cache:cold" and "/shard:1of4" if they apply, often empty.
std::string name_suffix(std::string const& cache, Shard const& shard);

// The part of `units` units that belongs to the shard.
struct Range {
    std::uint64_t first = 0;
    std::uint64_t units = 0;
};
Range units_of(Shard const& shard, std::uint64_t units);

// The user's choices; unset members keep the sweep's values.
struct Selection {
    std::vector<std::string> sweeps;  // by name; empty: those of the preset
    std::string preset = "quick";
    std::string variant;                 // regular expression that matches the entire name; empty: all
    std::string except;                  // the same for variants that do not run; empty: none
    std::vector<Machine> machines;       // those that may run here
    bool machines_are_explicit = false;  // if true, they replace the sweep's own list
    AxisLists axes;                      // replace the sweep's values; axes that the experiment lacks are ignored
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
    std::vector<std::string> sweeps;  // every sweep that contains this case
    int repetitions = 10;             // at least, if they take at most max_seconds
    double max_seconds = 1;
    bool exact_repetitions = false;  // the user set their number
    bool verify_every_unit = false;
    std::string cache = "hot";
    Shard shard;
};

// A setting of a sweep that the user's axis values made meaningless, such as 71 occupied sites of a grid of 64.
struct RefusedSetting {
    Experiment const* experiment = nullptr;
    Axes axes;
    std::string reason;  // *problem (why) suggestion*
};

// Cases with equal axes are adjacent, so that they share reference results. Throws bench::Error for an unknown sweep or
// axis, a value out of range, or a regular expression that matches no variant. An empty list means that no selected
// case can run on this computer.
//
// Settings that do not fit the values of `selection.axes` are added to `refused`, once each, and the others are
// planned. Where the user gave no axis, `refused` is null, or a file cannot be read, they are errors.
std::vector<PlannedCase> plan_cases(Experiment const& experiment, std::vector<Sweep> const& sweeps,
                                    Selection const& selection, std::vector<RefusedSetting>* refused = nullptr);

// The number of cases of a sweep on a machine, without the user's choices.
std::size_t count_cases(Experiment const& experiment, Sweep const& sweep, Machine machine);

}  // namespace lockstep::bench
