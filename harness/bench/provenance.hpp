#pragma once
// Provenance of a result: source, compiler, device, command. Collected when the program runs, not when it is built.

#include <filesystem>
#include <optional>
#include <string>

#include "harness/simt/devices.hpp"

namespace lockstep::bench {

struct SourceState {
    std::string commit;  // empty if unknown
    bool dirty = false;  // files outside results/ differ from the commit
};

struct Provenance {
    SourceState source;
    bool publishable = false;
    std::string unpublishable_because;  // empty if publishable
    std::string device_slug;            // the name of the folder under results/
    std::optional<simt::DeviceInfo> gpu;
    std::string no_gpu_because;
    std::string cpu_name;
    unsigned cpu_threads = 0;
    std::string compiler;
    std::string nvcc;  // empty in a build without CUDA
    std::string command;
    std::string date;  // ISO 8601 with the offset from UTC
};

// From git in `source_directory`, else from the environment variable LOCKSTEP_COMMIT (a trailing "-dirty" sets
// `dirty`), else unknown.
SourceState source_state(std::filesystem::path const& source_directory);

Provenance collect_provenance(std::filesystem::path const& source_directory, int argc, char const* const* argv);

std::string cpu_name();
std::string present_date();

// "NVIDIA H200" becomes "nvidia-h200"; "(R)" and "(TM)" are removed.
std::string slug(std::string const& name);

}  // namespace lockstep::bench
