#include "harness/cli/trace_command.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/bench/results_file.hpp"
#include "harness/cli/command_line.hpp"

namespace lockstep::cli {
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

int trace_command(std::vector<SchematicSource> const& sources, std::filesystem::path const& default_folder, int argc,
                  char const* const* argv) {
    CommandLine app("trace", "Records in the emulator, lane by lane, the data of the papers' schematic figures.");
    std::string out = default_folder.string();
    app.add_option("--out", out, "directory to write to");
    app.parse(argc, argv);
    for (SchematicSource const& source : sources) {
        nlohmann::json content = {{"experiment", source.experiment}, {"lockstep_schema", bench::results_schema}};
        for (Schematic const& schematic : source.record())
            content["schematics"].push_back(to_json(schematic));
        std::filesystem::path const path = std::filesystem::path(out) / (source.experiment + ".json");
        bench::write_file_atomically(path, content.dump() + "\n");
        fmt::print("{}\n", bench::one_line(path.string()));
    }
    return 0;
}

}  // namespace lockstep::cli
