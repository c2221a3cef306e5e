// `lockstep trace`: records every schematic in the emulator and writes one file a paper.

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/results_file.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/schematic.hpp"

namespace lockstep::schematics {
namespace {

nlohmann::json to_json(Schematic const& schematic) {
    nlohmann::json events = nlohmann::json::array();
    for (auto const& event : schematic.events) {
        nlohmann::json const index = event.index < 0 ? nlohmann::json(nullptr) : nlohmann::json(event.index);
        events.push_back({event.block, event.warp, event.lane, event.step, event.label, index});
    }
    return {{"figure", schematic.figure},
            {"panel", schematic.panel},
            {"shows", schematic.shows},
            {"parameters", schematic.parameters},
            {"columns", {"block", "warp", "lane", "step", "label", "index"}},
            {"events", events}};
}

}  // namespace

std::vector<Schematic> all_schematics() {
    std::vector<Schematic> all = emulator::rule_interpreter();
    for (auto const& more : {emulator::object_layout(), emulator::replications()}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

int trace_command(std::filesystem::path const& default_folder, int argc, char const* const* argv) {
    cli::CommandLine app("trace", "Records the papers' schematic kernels in the emulator, lane by lane.");
    std::string out = default_folder.string();
    app.add_option("--out", out, "directory to write to");
    app.parse(argc, argv);
    std::map<std::string, nlohmann::json> files;
    for (Schematic const& schematic : all_schematics()) {
        files[schematic.experiment]["experiment"] = schematic.experiment;
        files[schematic.experiment]["lockstep_schema"] = bench::results_schema;
        files[schematic.experiment]["schematics"].push_back(to_json(schematic));
    }
    for (auto const& [experiment, content] : files) {
        std::filesystem::path const path = std::filesystem::path(out) / (experiment + ".json");
        bench::write_file_atomically(path, content.dump() + "\n");
        fmt::print("{}\n", path.string());
    }
    return 0;
}

}  // namespace lockstep::schematics
