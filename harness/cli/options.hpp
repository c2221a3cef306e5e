#pragma once
// Parsers for the command lines of list, devices, merge, migrate and run.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"
#include "harness/cli/commands.hpp"

namespace lockstep::cli {

struct ListOptions {
    std::vector<std::string> experiments;  // empty: all
    bool json = false;
};

struct DevicesOptions {
    bool json = false;
};

struct RunArguments {
    std::vector<std::string> experiments;
    std::vector<std::string> sweeps;
    std::string preset = "quick";
    std::string variant;
    std::string except;
    std::string machine = "auto";
    std::map<std::string, std::vector<std::string>> axes;  // only those given
    std::string repetitions;                               // empty: the sweep's
    std::string seed = "1";
    std::string shard;   // empty: all units
    std::string cache;   // empty: the sweep's
    std::string output;  // empty: results/ in the source tree
    bool dry_run = false;
    bool missing = false;
    bool json = false;
};

struct MigrateOptions {
    std::vector<std::string> files;
    std::string out;  // empty: replace each file
};

struct MergeOptions {
    std::vector<std::string> files;
    std::string into;
};

// argv[0] is the sub-command. All throw HelpRequested, or bench::Error with a one-line message.
ListOptions parse_list(int argc, char const* const* argv);
DevicesOptions parse_devices(int argc, char const* const* argv);
MergeOptions parse_merge(int argc, char const* const* argv);
MigrateOptions parse_migrate(int argc, char const* const* argv);

// Every axis of every experiment is an option of `run`. --help shows those of the experiments that the command line
// names, with their variants and sweeps.
RunArguments parse_run(Program const& program, int argc, char const* const* argv);

// "a,b" becomes a and b, "a\,b" is one value with a comma. Throws bench::Error for an empty part.
std::vector<std::string> split_list(std::string const& option, std::string const& text);

// Returns an option's integer. Throws bench::Error if it is not in minimum .. maximum.
std::uint64_t parse_number(std::string const& option, std::string const& text, std::uint64_t minimum,
                           std::uint64_t maximum);

}  // namespace lockstep::cli
