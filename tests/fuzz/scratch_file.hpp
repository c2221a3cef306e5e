#pragma once
// Files for parsers that read a path. $TMPDIR should be in memory: run.sh sees to it.

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/harness/bench/temporary_folder.hpp"

namespace lockstep::fuzz {

// A file of this process, in one folder; a second text of the same name replaces the first.
inline std::filesystem::path scratch_file(std::string const& name, std::string_view const text) {
    static tests::TemporaryFolder const folder;
    std::filesystem::path const path = folder.path() / name;
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
    return path;
}

}  // namespace lockstep::fuzz
