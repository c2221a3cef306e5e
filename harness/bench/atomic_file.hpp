#pragma once
// Atomic file writes: the text goes to a scratch file in the target's folder, which is then renamed to the target.
// Files that a user names are read by read_input() in input_file.hpp.

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/bench/error.hpp"

namespace lockstep::bench {

// Whether a write returns only when the text is on the disk, so that it survives a loss of power. Either kind survives
// the end of the process.
enum class Durable { yes, no };

// Creates the parent folders. If writing fails, throws bench::Error and leaves an existing file unchanged. Removes the
// scratch files that killed processes left beside this file. /dev/null and standard output are written to as they are;
// see output_target().
void write_file_atomically(std::filesystem::path const& path, std::string_view text, Durable durable = Durable::yes);

// A new name beside the path for text that is written in pieces. Removes the scratch files that killed processes left
// beside this file.
std::string scratch_name(std::filesystem::path const& path);

// Waits until a renamed file has its name on the disk, too.
void sync_folder_of(std::filesystem::path const& path);

// Throws bench::Error if they cannot be created.
void create_parent_folders(std::filesystem::path const& path);

// "cannot write <path>", with what to do about this error number.
Error cannot_write(std::filesystem::path const& path, int error_number);

// Returns the text of a file that this program wrote or ships: read_input(path, Input::own_file).
std::string read_file(std::filesystem::path const& path);

}  // namespace lockstep::bench
