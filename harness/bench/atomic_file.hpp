#pragma once
// Atomic file writes: the text goes to a scratch file in the target's folder, which is then renamed to the target.

#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep::bench {

// Creates the parent folders. If writing fails, throws bench::Error and leaves an existing file unchanged.
void write_file_atomically(std::filesystem::path const& path, std::string_view text);

// Throws bench::Error if the file cannot be read.
std::string read_file(std::filesystem::path const& path);

}  // namespace lockstep::bench
