// Warp-level parallelism with the function for_each_replication: one lane a warp (the paper's WLP, as the product), and
// 1 to 32 lanes a warp (ours: what lies between WLP and a thread a replication).

#include "common/replications/parameters.hpp"
#include "kernels/replications/for_each_replication.hpp"

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    warps(__grid_constant__ JobParameters const p, unsigned /*lanes*/, unsigned* const results) {
    for_each_replication(p.size, [&](unsigned long long index) { run_replication<Model, Engine>(p, index, results); });
}

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    some_lanes(__grid_constant__ JobParameters const p, unsigned const lanes, unsigned* const results) {
    for_each_replication(p.size, lanes,
                         [&](unsigned long long index) { run_replication<Model, Engine>(p, index, results); });
}

std::unique_ptr<bench::Case> make_lanes(Job const& job, unsigned lanes, unsigned block, simt::Dim3 grid) {
    LaneKernel const kernel = with_model_and_engine(job.model, job.engine, [&]<class M, class E>() -> LaneKernel {
        return lanes == 1 ? LaneKernel(warps<M, E>) : LaneKernel(some_lanes<M, E>);
    });
    return make_lane_case(lanes == 1 ? "warps" : "lanes", kernel, LaneMapping{lanes, block, grid}, job);
}

namespace {

// 0 where the axis leaves it open.
unsigned lanes_of(bench::Axes const& axes) { return static_cast<unsigned>(axes.integer("lanes")); }

std::string at_most_a_warp(bench::Axes const& axes) { return lanes_of(axes) > 32 ? "a warp has 32 lanes" : ""; }

}  // namespace

void add_warps(bench::Experiment& experiment);

void add_warps(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "warps", bench::Role::paper, "a warp a replication, one lane at work (WLP, section 3), as a function",
        [](Job const& job, bench::Axes const& axes) { return make_lanes(job, 1, block_of(axes, 128)); }));
    experiment.variants.push_back(job_variant(
        "lanes", bench::Role::ours, "1 to 32 lanes of a warp at work, a replication each",
        [](Job const& job, bench::Axes const& axes) {
            return make_lanes(job, lanes_of(axes) == 0 ? 8 : lanes_of(axes), block_of(axes, 128));
        },
        at_most_a_warp));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
