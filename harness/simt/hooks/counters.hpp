#pragma once
// Counters of kernels, per source line, as hardware counters would give them (Settings::counters): how often warps
// execute a line and with how many lanes, and what their accesses cost. warp_trace.hpp says how lanes become warps.
//
// They are a model of a warp, not of a GPU: no caches, and accesses as the C++ compiler emits them, but for words of
// shared memory that nvcc joins (joined_accesses.hpp). The sums of instructions and branches are estimates for a GPU
// (machine_model.hpp).

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::simt::hooks {

// Warp-level requests of one kind.
struct Requests {
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;
    std::uint64_t sectors = 0;         // global: distinct sectors of 32 bytes
    std::uint64_t fewest_sectors = 0;  // if the lanes' bytes were contiguous and aligned
    std::uint64_t used_bytes = 0;      // global: those of all lanes, each once per request
    std::uint64_t wavefronts = 0;      // shared: passes; more than fewest_wavefronts are bank conflicts
    std::uint64_t fewest_wavefronts = 0;
    std::uint64_t contention = 0;  // atomics: lanes of the most contended address of each request

    void add(Requests const& other);
};

struct LineCounters {
    std::string file;
    unsigned line = 0;
    // Of the line's most executed basic block. Needs -fsanitize-coverage=trace-pc; otherwise of its accesses.
    std::uint64_t warps = 0;
    std::uint64_t lanes = 0;
    std::uint64_t branches = 0;  // executions of its blocks that have more than one successor
    std::uint64_t divergent_branches = 0;
    Requests global_loads, global_stores, global_atomics;
    Requests shared_loads, shared_stores, shared_atomics;
    std::uint64_t barriers = 0;  // of blocks
    std::uint64_t warp_collectives = 0;
};

struct Counters {
    std::vector<LineCounters> lines;  // sorted by file and line
    // Sums over all basic blocks, each counted once per execution by a warp.
    std::uint64_t block_warps = 0;
    std::uint64_t block_lanes = 0;
    // The same in a GPU's instructions: of warps, and of lanes, which includes those that are predicated off.
    std::uint64_t instructions = 0;
    std::uint64_t lane_instructions = 0;
    // Without branches that a GPU does not have: predicated ones and exits.
    std::uint64_t branches = 0;
    std::uint64_t divergent_branches = 0;

    // Sums of the lines' requests and branches.
    LineCounters total() const;
    // The line's counters; zeros if it has none. `file` may be the end of a path.
    LineCounters at(std::string const& file, unsigned line) const;
};

// The source lines of each file that has counters, with the counters of each in columns before it, and their sums.
std::string annotated(Counters const& counters);

}  // namespace lockstep::simt::hooks
