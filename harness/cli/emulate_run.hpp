#pragma once
// Runs a foreign program, which is a shared object, in a process of its own, and collects what the checks find.

#include <string>
#include <vector>

#include "harness/simt/emulator/options.hpp"

namespace lockstep::cli {

struct Finding {
    std::string rule;  // such as "race"
    std::string text;  // one line, with kernel, block, lane and place
    std::string file;  // empty if no line is known
    unsigned line = 0;
};

struct EmulatedRun {
    std::string order;
    std::uint64_t seed = 0;
    std::vector<Finding> findings;
    std::string end;  // why the run failed apart from findings, such as "exit code 3"; empty if it ended well
    double seconds = 0;

    bool passed() const { return findings.empty() && end.empty(); }
};

struct RunRequest {
    std::string object;
    std::vector<std::string> arguments;  // argv, with the program's name
    simt::emulator::Options options;
    unsigned timeout_seconds = 0;  // 0: none
    bool checks = true;
    bool counters = false;  // prints the annotated source to standard error when the program ends
};

// Findings are printed to standard error at once. Throws bench::Error if no process can be started.
EmulatedRun run_emulated(RunRequest const& request);

std::string order_name(simt::emulator::LaneOrder order);

}  // namespace lockstep::cli
