#pragma once
// Creates the case for a job from the name of a scheme and the name of a machine.

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

// Throws bench::Error if `text` is not a scheme.
Scheme parse_scheme(std::string const& text);

// Returns the machine that `wanted` (auto, cpu, emulator or cuda) selects for a job of so many
// items. `auto` takes the GPU if there is
// one and the job is large enough to amortise its start. Throws bench::Error if the machine is not available.
bench::Machine choose_machine(std::string const& wanted, Scheme const& scheme, double items);

// Throws bench::Error if the machine does not have the scheme.
void check_scheme(Scheme const& scheme, bench::Machine machine);

// If `block` is 0, the scheme chooses it. Throws bench::Error if the machine does not have the scheme.
std::unique_ptr<bench::Case> make_case(Scheme const& scheme, bench::Machine machine, Job const& job, unsigned block);

}  // namespace lockstep::replications
