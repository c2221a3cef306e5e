#pragma once
// A recording of the actions of lanes, from which a schematic figure of a paper is drawn.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/simt/emulator/tracing.hpp"

namespace lockstep::cli {

// One recording and the figure that shows it.
struct Schematic {
    std::string figure;  // "figure1"
    std::string panel;   // distinguishes the recordings of one figure; may be empty
    std::string shows;   // one line
    std::map<std::string, long long> parameters;
    std::vector<simt::emulator::TraceEvent> events;
};

// The schematics of an experiment: `record` runs the kernels in the emulator.
struct SchematicSource {
    std::string experiment;
    std::function<std::vector<Schematic>()> record;
};

}  // namespace lockstep::cli
