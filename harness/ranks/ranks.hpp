#pragma once
// One job on several GPUs: the processes that mpirun started, a rank each, share its units. Results of units depend on
// (seed, unit) alone, so a job's output is the same for any number of ranks. Without MPI, and where the program was
// started by itself, there is rank 0 of 1 and nothing below costs anything.
//
// Functions called collective are called by all ranks, in the same order.

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::ranks {

// Starts MPI where mpirun (or srun) started this process, and ends it once all ranks are there. One lives while
// commands run. Rank r of a host takes its device r modulo the number of devices; ranks other than 0 write to no
// standard output. Throws bench::Error where the program was built without MPI and started by it, as every process
// would then do the whole job.
class Session {
public:
    Session();
    ~Session();
    Session(Session const&) = delete;
    Session& operator=(Session const&) = delete;
};

unsigned rank();
unsigned count();
// Rank 0 prints and writes files.
inline bool is_root() { return rank() == 0; }

// Of units [first, first + units) of a job, those that a rank computes: as even as can be, in the order of ranks.
struct Part {
    std::uint64_t first = 0;
    std::uint64_t units = 0;
};
Part part_of(std::uint64_t first, std::uint64_t units, unsigned of_rank = rank());

// Runs `work`, and where it threw in any rank throws in all of them: what the first of those ranks threw, a
// bench::Error, else a std::runtime_error. May be nested. Collective.
void together(std::function<void()> const& work);

// Results of all ranks in their order at rank 0, nothing at the others. Words travel in messages of `max_words`.
// Collective.
std::vector<bench::UnitResult> gathered(std::vector<bench::UnitResult> mine, std::uint64_t max_words = 1u << 28);

// The sum modulo 2^64, as digests add up; and the largest, as a job takes as long as its slowest rank. At every rank.
// Collective.
std::uint64_t sum(std::uint64_t mine);
double largest(double mine);

}  // namespace lockstep::ranks
