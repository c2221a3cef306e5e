#pragma once
// Where a result comes from: source, compiler, device, command. Read when the program runs, not when it was built.

#include <filesystem>
#include <optional>
#include <string>

#include "harness/simt/devices.hpp"

namespace lockstep::bench {

struct SourceState {
    std::string commit;  // empty where it is not known
    bool dirty = false;  // files other than results differ from the commit
};

struct Provenance {
    SourceState source;
    bool publishable = false;
    std::string unpublishable_because;  // empty where publishable
    std::string device_slug;            // the folder under results/
    std::optional<simt::DeviceInfo> gpu;
    std::string no_gpu_because;
    std::string cpu_name;
    unsigned cpu_threads = 0;
    std::string compiler;
    std::string nvcc;  // empty in a build without CUDA
    std::string command;
    std::string date;  // ISO 8601 with the offset from UTC
};

// From git in `source_directory`, else from the variable LOCKSTEP_COMMIT (a trailing "-dirty" says so), else unknown.
SourceState source_state(std::filesystem::path const& source_directory);

Provenance collect_provenance(std::filesystem::path const& source_directory, int argc, char const* const* argv);

std::string cpu_name();
std::string present_date();

// "NVIDIA H200" becomes "nvidia-h200"; "(R)" and "(TM)" go.
std::string slug(std::string const& name);

}  // namespace lockstep::bench
