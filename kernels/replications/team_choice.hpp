#pragma once
// How many lanes should work on one replication: a model of the cost in instructions, from the models' loops.

#include "kernels/replications/schemes.hpp"
#include "reference_cpu/replications/workload.hpp"

namespace lockstep::replications {

// Lanes of a team that a device with so many multiprocessors should finish the job soonest with: a power of two.
unsigned best_lanes(Job const& job, unsigned multiprocessors);

// Estimated cycles of the job with teams of `lanes` lanes.
double estimated_cycles(Job const& job, unsigned lanes, unsigned multiprocessors);

// The blocks of a team wait for one another where an item depends on those before it, so all of them must be resident.
bool fits(Job const& job, Team const& team, unsigned multiprocessors);

// What `team` leaves open, filled in. Throws bench::Error for lanes or blocks that are no powers of two or do not fit.
Team completed(Team team, Job const& job, unsigned multiprocessors);

}  // namespace lockstep::replications
