#pragma once
// What every kernel of replications gets: a job (common/replications/workload.hpp) whose points lie in device
// memory.

#include "common/replications/point.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::replications {

struct JobParameters {
    unsigned long long seed = 0;
    unsigned long long first_replication = 0;
    unsigned long long replications = 0;  // of each point
    unsigned long long size = 0;          // replications of all points
    Point const* points = nullptr;
};

}  // namespace lockstep::replications

namespace lockstep::replications::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// One replication of a job: its parameters, its stream and where its result goes.
struct Replication {
    unsigned long long index;   // in the job, over all points
    unsigned long long number;  // of its point: the stream's unit
    unsigned point_number;      // the point's number: the stream's lane
    Point point;
};

__device__ inline Replication replication_of(JobParameters const& p, unsigned long long index) {
    unsigned long long const point_number = p.replications == p.size ? 0 : index / p.replications;
    return {index, p.first_replication + (index - point_number * p.replications), static_cast<unsigned>(point_number),
            p.points[point_number]};
}

template <class Engine>
__device__ inline Engine stream_of(JobParameters const& p, Replication const& replication) {
    return Engine::stream(p.seed, replication.number, replication.point_number);
}

// One lane runs a replication from first to last.
template <class Model, class Engine>
__device__ inline void run_replication(JobParameters const& p, unsigned long long index, unsigned* results) {
    Replication const replication = replication_of(p, index);
    Engine stream = stream_of<Engine>(p, replication);
    typename Model::State state = Model::begin(replication.point, stream);
    typename Model::Sums sums = {};
    Model::run(replication.point, stream, state, sums, replication.point.items);
    Model::write(replication.point, state, sums, results + index * Model::words_per_result);
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
