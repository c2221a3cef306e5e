#pragma once
// How many lanes should work on one replication, in blocks of how many threads: a model of the cost, fitted to
// measurements.

#include "common/replications/schemes.hpp"
#include "common/replications/workload.hpp"

namespace lockstep::replications {

// The team that a device with so many multiprocessors should finish the job soonest with. Where `wanted` gives the
// lanes or the block, only the other is chosen. Throws bench::Error for lanes or blocks that are no powers of two or do
// not fit.
Team best_team(Job const& job, Team const& wanted, unsigned multiprocessors);

// Estimated cycles of the job; comparable for one job only.
double estimated_cycles(Job const& job, Team const& team, unsigned multiprocessors);

// The blocks of a team wait for one another where an item depends on those before it, so all of them must be resident.
bool fits(Job const& job, Team const& team, unsigned multiprocessors);

}  // namespace lockstep::replications
