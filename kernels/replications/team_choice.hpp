#pragma once
// A cost model, fitted to measurements, that chooses the number of lanes per replication and the block size.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/replications/schemes.hpp"
#include "common/replications/workload.hpp"

namespace lockstep::replications {

// The multiprocessors of a device: those of an H200 but for the number.
struct Multiprocessors {
    Multiprocessors(unsigned number) : count(number) {}  // NOLINT: a number stands for them

    unsigned count;
    unsigned blocks = 32;                   // resident ones, of each
    std::size_t shared_bytes = 228 * 1024;  // of each
};

// Returns the team with the lowest estimated time for the job on the device. If
// `wanted` specifies the lanes or the block, only the other one is chosen. Throws bench::Error if a size is not a power
// of two or the blocks do not fit.
Team best_team(Job const& job, Team const& wanted, Multiprocessors const& device);

// Returns the best teams by rising estimate, at most `at_most`: best_team() and those that are estimated to take at
// most `within` times as long. Of teams with the same lanes, there are the two best blocks, because block sizes matter
// less than lanes. Throws as best_team().
std::vector<Team> best_teams(Job const& job, Team const& wanted, Multiprocessors const& device, double within,
                             std::size_t at_most);

// Estimated cycles of the job. Compare only values for the same job.
double estimated_cycles(Job const& job, Team const& team, Multiprocessors const& device);

// Returns true if the team runs long_walk(): its lanes have steps enough for the table, which depends on the chunks,
// and its blocks fit the multiprocessors with the table.
bool is_long_walk(Job const& job, Team const& team);

inline constexpr unsigned max_team = 1u << 20;      // lanes
inline constexpr unsigned max_single_jumps = 4096;  // lanes of a team; with more, a block jumps first

// What the cost model knows of the kernels; cooperative_case.hpp compares.
inline constexpr unsigned kept_clients = 256;          // of a lane of M/M/1, whose idle times it keeps
inline constexpr unsigned walk_run_with_table = 24;    // steps of a lane of the random walk
inline constexpr unsigned drawn_steps = 72;            // of a lane of the random walk: the others follow from these
inline constexpr unsigned kept_steps = 492;            // of a lane of long_walk()
inline constexpr unsigned max_squares_of_pairs = 100;  // of a chunk, for the table of long_walk()
inline constexpr std::size_t tile_bytes = 6 * 1024;    // at most, of a block's shared memory
inline constexpr std::size_t tile_bytes_of_long_walk = 14 * 1024;

// Returns true if all blocks of the job can be resident, or need not be: the blocks of a team wait for one another only
// if an item depends on the items before it.
bool fits(Job const& job, Team const& team, Multiprocessors const& device);

}  // namespace lockstep::replications
