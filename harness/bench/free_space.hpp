#pragma once
// Whether an output fits the disk, before the work for it begins.

#include <cstdint>
#include <filesystem>

namespace lockstep::bench {

// Throws bench::Error if `path` is a file, or will be one, and its file system has less than `bytes` free. An existing
// file does not count, because it stays until the new one is complete.
void require_space(std::filesystem::path const& path, std::uint64_t bytes);

}  // namespace lockstep::bench
