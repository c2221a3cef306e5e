#pragma once
// Sweeps are data: experiments/<name>/sweeps.json says which variants run at which axis values, and Python reads the
// same file.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::bench {

// Values of axes, each a list; a sweep is their cross product.
using AxisLists = std::map<std::string, std::vector<std::string>>;

struct Sweep {
    std::string name;
    std::string title;
    std::vector<std::string> presets;
    std::string variants = ".*";     // regular expression, matched against the whole name
    std::vector<std::string> roles;  // of these variants, those with one of these roles; empty: any
    std::vector<std::string> machines = {"cpu", "emulator", "cuda"};
    AxisLists axes;                                // absent axes take their default
    std::map<std::string, AxisLists> per_machine;  // replace `axes` on one machine
    int repetitions = 11;
    std::vector<std::string> cache = {"hot"};  // "hot", "cold" or both
};

// Throws bench::Error: "<file>:<line>:<column> does not parse (...)" for text that is no JSON; the sweep and the key
// for JSON that is no sweep.
std::vector<Sweep> parse_sweeps(std::string_view text, std::string const& file);
std::vector<Sweep> read_sweeps(std::filesystem::path const& path);

}  // namespace lockstep::bench
