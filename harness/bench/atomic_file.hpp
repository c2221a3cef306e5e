#pragma once
// Atomic file writes: the text goes to a scratch file in the target's folder, which is then renamed to the target.
// Files that a user names are read by read_input() in input_file.hpp.

#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep::bench {

// Creates the parent folders. If writing fails, throws bench::Error and leaves an existing file unchanged. /dev/null
// and standard output are written to as they are; see output_target().
void write_file_atomically(std::filesystem::path const& path, std::string_view text);

// Returns the text of a file that this program wrote or ships: read_input(path, Input::own_file).
std::string read_file(std::filesystem::path const& path);

}  // namespace lockstep::bench
