#pragma once
// A scheme by name, on a machine by name, for a job.

#include <memory>
#include <string>

#include "common/replications/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::replications {

// sequential, threads, warps, lanes:K, cooperative, cooperative:K or auto.
struct Scheme {
    std::string name = "auto";
    unsigned lanes = 0;  // of lanes:K and cooperative:K
};

// Throws bench::Error for a name that is none.
Scheme parse_scheme(std::string const& text);

// The machine that `wanted` (auto, cpu, emulator or cuda) means for a job: auto takes the GPU where there is one and
// the job is worth its start. Throws bench::Error where it cannot be used.
bench::Machine choose_machine(std::string const& wanted, Scheme const& scheme, Job const& job);

// `block` 0: the scheme's choice. Throws bench::Error for a scheme that the machine does not have.
std::unique_ptr<bench::Case> make_case(Scheme const& scheme, bench::Machine machine, Job const& job, unsigned block);

}  // namespace lockstep::replications
