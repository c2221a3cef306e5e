#pragma once
// Kernels that exist to be looked at: the papers' schematic figures are drawn from what the emulator saw their lanes
// do.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/simt/emulator/tracing.hpp"

namespace lockstep::schematics {

// One trace, and which figure it is drawn as.
struct Schematic {
    std::string experiment;  // "rule_interpreter"
    std::string figure;      // "figure1"
    std::string panel;       // "" or what tells several traces of one figure apart
    std::string shows;       // one line
    std::map<std::string, long long> parameters;
    std::vector<simt::emulator::TraceEvent> events;
};

// Those of every experiments/<e>/schematics.cu, which defines `std::vector<Schematic> emulator::<e>()`. Generated.
std::vector<Schematic> all_schematics();

// `lockstep trace [--out DIR]`: writes DIR/<experiment>.json; `default_folder` where none is named.
int trace_command(std::filesystem::path const& default_folder, int argc, char const* const* argv);

}  // namespace lockstep::schematics
