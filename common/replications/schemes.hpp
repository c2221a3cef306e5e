#pragma once
// The schemes that map replications to hardware, as functions from a job to a case, for each machine that has kernels.

#include <memory>

#include "common/replications/workload.hpp"
#include "harness/bench/variant.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::replications {

// How many lanes work on one replication.
struct Team {
    unsigned lanes = 0;  // a power of two; above a block's threads, several blocks; 0: chosen
    unsigned block = 0;  // threads a block, a power of two from 32; 0: chosen
};

}  // namespace lockstep::replications

namespace lockstep::replications::emulator {

// A thread a replication; `block` threads a block. A grid whose x is 0 is chosen.
std::unique_ptr<bench::Case> make_threads(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});

// One lane of each warp runs a replication: the paper's WLP. And the first `lanes` lanes, a replication each.
std::unique_ptr<bench::Case> make_warps(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_lanes(Job const& job, unsigned lanes, unsigned block, simt::Dim3 grid = {0, 1, 1});

// The paper's macros, and what `lockstep weave` makes of its annotations.
std::unique_ptr<bench::Case> make_warps_macros(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_woven(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});

// `team.lanes` lanes work on each replication together.
std::unique_ptr<bench::Case> make_cooperative(Job const& job, Team const& team);

// Whichever of the above this machine should finish first.
std::unique_ptr<bench::Case> make_auto(Job const& job);

}  // namespace lockstep::replications::emulator

namespace lockstep::replications::cuda {

std::unique_ptr<bench::Case> make_threads(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_lanes(Job const& job, unsigned lanes, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_macros(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_woven(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_cooperative(Job const& job, Team const& team);
std::unique_ptr<bench::Case> make_auto(Job const& job);

}  // namespace lockstep::replications::cuda
