#pragma once
// The schemes that map replications to hardware: for each machine with kernels, functions from a job to a case.

#include <memory>

#include "common/replications/workload.hpp"
#include "harness/bench/variant.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::replications {

// The lanes that work on one replication.
struct Team {
    unsigned lanes = 0;  // a power of two; more than `block` take several blocks; 0: chosen automatically
    unsigned block = 0;  // threads per block, a power of two from 32 on; 0: chosen automatically
};

}  // namespace lockstep::replications

namespace lockstep::replications::emulator {

// A thread per replication, `block` threads per block. If grid.x is 0, the function chooses the grid.
std::unique_ptr<bench::Case> make_threads(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});

// make_warps: one lane of each warp runs replications (the paper's WLP). make_lanes: the first `lanes` lanes of each
// warp do.
std::unique_ptr<bench::Case> make_warps(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_lanes(Job const& job, unsigned lanes, unsigned block, simt::Dim3 grid = {0, 1, 1});

// WLP written with the paper's macros, with its annotations as translated by `lockstep weave`, with advice as AspectC++
// has it, and with a policy template.
std::unique_ptr<bench::Case> make_warps_macros(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_woven(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_advised(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_policy(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});

// `team.lanes` lanes cooperate on each replication.
std::unique_ptr<bench::Case> make_cooperative(Job const& job, Team const& team);

}  // namespace lockstep::replications::emulator

namespace lockstep::replications::cuda {

std::unique_ptr<bench::Case> make_threads(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_lanes(Job const& job, unsigned lanes, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_macros(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_woven(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_advised(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_warps_policy(Job const& job, unsigned block, simt::Dim3 grid = {0, 1, 1});
std::unique_ptr<bench::Case> make_cooperative(Job const& job, Team const& team);

}  // namespace lockstep::replications::cuda
