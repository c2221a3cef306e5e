// Warp-level parallelism with the function for_each_replication: one lane per warp (the paper's WLP, as the product).

#include "kernels/replications/warps.hpp"

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

std::unique_ptr<bench::Case> make_warps(Job const& job, unsigned block, simt::Dim3 grid) {
    LaneKernel const kernel =
        with_model_and_engine(job.model, job.engine, [&]<class M, class E>() -> LaneKernel { return warps<M, E>; });
    return make_lane_case("warps", kernel, LaneMapping{1, block, grid}, job);
}

void add_warps(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "warps", bench::Role::paper, "a warp a replication, one lane at work (WLP, section 3), as a function",
        [](Job const& job, bench::Axes const& axes) { return make_warps(job, block_of(axes, 128)); }));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
