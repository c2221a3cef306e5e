// 1 to 32 active lanes per warp (ours: the range between WLP and a thread per replication, both of section 3).
//
// What diverges: the branches of the model, among the active lanes. Words and bytes: those of the model (pi.hpp,
// mm1.hpp, walk.hpp, chunk_walk.hpp, branches.hpp). Precondition: a block consists of whole warps. A single lane is the
// case of warps.cu, which does not need that.

#include "common/replications/parameters.hpp"
#include "kernels/replications/for_each_replication.hpp"

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    some_lanes(__grid_constant__ JobParameters const p, unsigned const lanes, unsigned* const results) {
    for_each_replication(p.size, lanes,
                         [&](unsigned long long index) { run_replication<Model, Engine>(p, index, results); });
}

std::unique_ptr<bench::Case> make_lanes(Job const& job, unsigned lanes, unsigned block, simt::Dim3 grid) {
    if (lanes == 1)
        return make_warps(job, block, grid);
    LaneKernel const kernel = with_model_and_engine(job.model, job.engine,
                                                    [&]<class M, class E>() -> LaneKernel { return some_lanes<M, E>; });
    return make_lane_case("lanes", kernel, LaneMapping{lanes, block, grid}, job);
}

namespace {

// 0: the variant's choice.
unsigned lanes_of(bench::Axes const& axes) { return static_cast<unsigned>(axes.integer("lanes")); }

std::string at_most_a_warp(bench::Axes const& axes) { return lanes_of(axes) > 32 ? "a warp has 32 lanes" : ""; }

}  // namespace

void add_lanes(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "lanes", bench::Role::ours, "1 to 32 active lanes per warp, a replication per active lane",
        [](Job const& job, bench::Axes const& axes) {
            return make_lanes(job, lanes_of(axes) == 0 ? 8 : lanes_of(axes), block_of(axes, 128));
        },
        at_most_a_warp));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
