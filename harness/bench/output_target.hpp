#pragma once
// What a path that a user gives for output means.

#include <filesystem>

namespace lockstep::bench {

enum class OutputTarget {
    file,             // absent, or a regular file: written beside it and then renamed
    standard_output,  // the path names what standard output is, as /dev/stdout does
    nothing,          // /dev/null
};

// Throws bench::Error for a folder, a FIFO, a device or a socket: to open a FIFO waits for a reader, perhaps for ever,
// and to rename a file onto a device would replace the device. The same for what standard error is, because a file
// would replace the link /dev/stderr, and for "-", which means standard output only where a command says so.
OutputTarget output_target(std::filesystem::path const& path);

}  // namespace lockstep::bench
