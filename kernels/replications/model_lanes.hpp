#pragma once
// Replications of a model file, each in one lane: a thread per replication (32 active lanes per warp), or warp-level
// parallelism (1; section 3 of the paper), or between them.
//
// What diverges: the branches of the model, unless one lane of a warp is active. Words: as the model draws, a Philox
// block per four. Bytes: 16 + 8 per mean and result, stored once per replication; `record` also stores 8 per mean and
// step. Precondition: with more than one lane, a block consists of whole warps.

#include "common/replications/model_file/run.hpp"
#include "kernels/replications/for_each_replication.hpp"

namespace lockstep::replications::model_file::LOCKSTEP_MACHINE {

template <class Model>
struct LanePrograms {
    __device__ static void run(Arguments const& a) { each<false>(a); }
    __device__ static void record(Arguments const& a) { each<true>(a); }

private:
    template <bool recording>
    __device__ static void each(Arguments const& a) {
        replications::LOCKSTEP_MACHINE::for_each_replication(
            a.size, a.lanes, [&](unsigned long long index) { run_replication<Model, recording>(a, index); });
    }
};

}  // namespace lockstep::replications::model_file::LOCKSTEP_MACHINE
