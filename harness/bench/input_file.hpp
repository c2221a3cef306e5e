#pragma once
// The one door for files that a user names: every read is bounded, and only regular files and standard input are read.
// A FIFO, a device or a socket may never end, or may wait for ever.

#include <cstdint>
#include <filesystem>
#include <string>

namespace lockstep::bench {

// What a file holds. Each kind has a limit of bytes; the table is in input_file.cpp.
enum class Input {
    term_system,
    annotated_source,
    design,
    network,
    puzzles,
    rules,
    model,
    command_lines,
    mask,
    site_counts,
    results,
    cuda_source,
    own_file,  // written by this program, or part of the source tree: --max-input does not change its limit
};

// The name of standard input, for the kinds that can be read from it.
inline constexpr char const* standard_input = "-";

// Begins a command. `max_input` is its --max-input: the limit of every kind but own_file, or 0 for the limits of the
// table. The limit is state of the process, because references and kernels read files that an axis names.
void begin_inputs(std::uint64_t max_input);

// Returns the text of a file. "-" is standard input, which is read once per command: later calls return the same text.
// `read_before` bytes count towards the limit, for files that include others.
// Throws bench::Error if the file cannot be read, is not a regular file, or is larger than the limit. A file that grows
// while it is read is read up to the limit.
std::string read_input(std::filesystem::path const& path, Input kind, std::uint64_t read_before = 0);

}  // namespace lockstep::bench
