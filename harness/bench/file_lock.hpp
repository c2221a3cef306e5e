#pragma once
// Writers of one file take turns: each holds the lock while it reads the file, merges its rows and replaces the file.

#include <filesystem>
#include <optional>

#include "harness/bench/scratch_registry.hpp"

namespace lockstep::bench {

// Holds flock on `.<name>.lock` beside the file; plots/atomic.py uses the same lock. The destructor removes the lock
// file. The system releases the lock of a killed process, and the next writer takes over its lock file.
class FileLock {
public:
    // Creates the parent folders. Throws bench::Error if the lock file cannot be created, or if another process holds
    // the lock for a minute. File systems without locks are used without one.
    explicit FileLock(std::filesystem::path const& path);
    ~FileLock();
    FileLock(FileLock const&) = delete;
    FileLock& operator=(FileLock const&) = delete;

private:
    std::filesystem::path lock_;
    int descriptor_ = -1;
    std::optional<RegisteredScratch> registered_;
};

}  // namespace lockstep::bench
