#pragma once
// Sweeps are data: experiments/<name>/sweeps.json defines which variants run at which axis values. Python reads the
// same file.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::bench {

// A list of values per axis; a sweep is their cross product.
using AxisLists = std::map<std::string, std::vector<std::string>>;

struct Sweep {
    std::string name;
    std::string title;
    std::vector<std::string> presets;
    std::string variants = ".*";     // regular expression, matched against the entire name: see Pattern
    std::string except;              // of these variants, those that match this do not run; empty: all run
    std::vector<std::string> roles;  // of these variants, those with one of these roles; empty: any
    std::vector<std::string> machines = {"cpu", "emulator", "cuda"};
    AxisLists axes;                                // absent axes have their default
    std::map<std::string, AxisLists> per_machine;  // replaces `axes` on one machine
    int repetitions = 10;                          // at least, where they take little time: see SampleRule
    std::vector<std::string> cache = {"hot"};      // "hot", "cold" or both
    bool verify_every_unit = false;                // whatever the reference takes
};

// Throws bench::Error: "<file>:<line>:<column> does not parse (...)" for invalid JSON. For JSON that is not a valid
// sweep, the message names the sweep and the key.
std::vector<Sweep> parse_sweeps(std::string_view text, std::string const& file);
std::vector<Sweep> read_sweeps(std::filesystem::path const& path);

}  // namespace lockstep::bench
