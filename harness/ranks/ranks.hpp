#pragma once
// Runs one job on several GPUs: the processes that mpirun started, one per rank, share the job's units. The result of a
// unit depends only on (seed, unit), so a job's output is the same for any number of ranks. Without MPI or mpirun there
// is only rank 0 of 1, and the functions below do no communication.
//
// All ranks must call the functions marked collective, in the same order.

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::ranks {

// Initialises MPI if mpirun (or srun) started this process, and finalises it when all ranks have reached the
// destructor. One session exists while commands run. Rank r of a host uses device r modulo the number of devices. Ranks
// other than 0 discard their standard output. Throws bench::Error if mpirun started a program that was built without
// MPI, because every process would then run the entire job.
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

// The units in [first, first + units) that a rank computes. Parts are consecutive in the order of ranks and differ in
// size by at most one.
struct Part {
    std::uint64_t first = 0;
    std::uint64_t units = 0;
};
Part part_of(std::uint64_t first, std::uint64_t units, unsigned of_rank = rank());

// Runs `work`. If it throws in any rank, throws in all ranks the error of the lowest rank that threw: a bench::Error,
// or a std::runtime_error for any other exception. May be nested. Collective.
void together(std::function<void()> const& work);

// Returns the results of all ranks, in rank order, on rank 0; returns an empty vector on the others. Messages have at
// most `max_words` words. Collective.
std::vector<bench::UnitResult> gathered(std::vector<bench::UnitResult> mine, std::uint64_t max_words = 1u << 28);

// The sum over all ranks modulo 2^64 (for digests) and the maximum over all ranks (a job takes as long as its slowest
// rank). Every rank gets the result. Collective.
std::uint64_t sum(std::uint64_t mine);
double largest(double mine);

}  // namespace lockstep::ranks
