#pragma once
// Whole-file writes that are never seen half done: the text goes to a file beside the target, which is then renamed.

#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep::bench {

// Makes the parent folders. Throws bench::Error and leaves an existing file as it was where writing fails.
void write_file_atomically(std::filesystem::path const& path, std::string_view text);

// Throws bench::Error where the file cannot be read.
std::string read_file(std::filesystem::path const& path);

}  // namespace lockstep::bench
