#pragma once
// How the warps of a launch share the states of a rule file. Results do not depend on it. Host code, equal on all
// machines.

#include <cstdint>
#include <string>
#include <vector>

#include "common/rule_interpreter/rule_file/arguments.hpp"

namespace lockstep::rule_interpreter::rule_file {

inline constexpr unsigned warps_per_block = 8;    // at most, for any number of registers
inline constexpr unsigned values_per_tile = 128;  // that a warp tests at a time

struct Geometry {
    // Over the whole grid (rule_file_grid.hpp): a multiple of warps_per_block. Else (rule_file_queue.hpp): a power of
    // two up to warps_per_block.
    unsigned warps_per_state = 1;
    unsigned states_per_warp = 1;  // more than 1 only with one warp per state, and not on the way to a fixed point
    bool compacts = true;          // false: enabled values are evaluated where they are
    bool whole_grid = false;       // a launch per rule

    bool operator==(Geometry const&) const = default;
};

// Instances of a sample.
struct Counted {
    std::uint64_t tested = 0;
    std::uint64_t enabled = 0;

    double share() const { return tested == 0 ? 0 : static_cast<double>(enabled) / static_cast<double>(tested); }
};

// What a person reads, such as "8 warps per state, compaction".
std::string to_string(Geometry const& geometry);

// Which kernels a geometry may use: either, as the states require, or one of them.
enum class KernelChoice { either, queue, grid };

// Several warps for each of a few large states, in all blocks if those of one block leave most of the device idle;
// several small states for each warp. `resident_warps` keep the device busy.
Geometry planned_geometry(Arguments const& a, std::uint64_t resident_warps,
                          KernelChoice kernels = KernelChoice::either);

// The planned geometry, then those around it that may be faster. All of them are valid for these states.
std::vector<Geometry> candidate_geometries(Arguments const& a, std::uint64_t resident_warps);

// The number of tiles of the largest column.
std::uint64_t tiles_per_state(Arguments const& a);

// Warps for each state in a launch over the whole grid.
unsigned grid_warps_per_state(Arguments const& a, std::uint64_t resident_warps);

}  // namespace lockstep::rule_interpreter::rule_file
