#include "harness/bench/free_space.hpp"

#include <string>
#include <system_error>

#include "harness/bench/error.hpp"
#include "harness/bench/output_target.hpp"

namespace lockstep::bench {

namespace {

// The folder of the path, or the first one above it that exists.
std::filesystem::path existing_folder_of(std::filesystem::path const& path) {
    std::error_code code;
    std::filesystem::path folder = std::filesystem::absolute(path, code).parent_path();
    while (folder.has_relative_path() && !std::filesystem::exists(folder, code))
        folder = folder.parent_path();
    return folder;
}

}  // namespace

void require_space(std::filesystem::path const& path, std::uint64_t const bytes) {
    if (output_target(path) != OutputTarget::file)
        return;
    std::error_code code;
    std::filesystem::space_info const space = std::filesystem::space(existing_folder_of(path), code);
    // Where the system does not know, the write finds out.
    if (code || space.available >= bytes)
        return;
    throw Error("cannot write " + path.string(),
                "it needs " + std::to_string(bytes) + " bytes, and " + std::to_string(space.available) +
                    " bytes are free there",
                "free space there, or choose another folder for it");
}

}  // namespace lockstep::bench
