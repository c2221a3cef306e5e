#pragma once
// Progress of `replicate` on a terminal: a bar of the replications that are done, with the remaining time.

#include <chrono>
#include <cstdint>
#include <string>

namespace lockstep::replications {

class ReplicateProgress {
public:
    // Draws only if standard error is a terminal and this is the root of the ranks. `total` replications per point are
    // at most made; `by_precision` tells that fewer may be enough.
    ReplicateProgress(std::uint64_t total, bool by_precision);
    // Removes the bar.
    ~ReplicateProgress();
    ReplicateProgress(ReplicateProgress const&) = delete;
    ReplicateProgress& operator=(ReplicateProgress const&) = delete;

    void show(std::uint64_t done);

    // The number of replications per point after which a long job draws the bar again: all of them if the job is short
    // (`items` in all) or nobody watches. Parts are even, and large enough for a GPU.
    std::uint64_t part_of(std::uint64_t replications, double items) const;

private:
    bool draws_;
    bool by_precision_;
    std::uint64_t total_;
    std::chrono::steady_clock::time_point start_;
};

// "[#####.....] 1024 of 4096 replications, 0:12 left"; without the time if fewer may be enough, or nothing is done yet.
std::string progress_text(std::uint64_t done, std::uint64_t total, double seconds, bool by_precision);

}  // namespace lockstep::replications
