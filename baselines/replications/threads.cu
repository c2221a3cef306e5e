// Thread-level parallelism (section 3). Blocks of one warp, so that few replications spread over as many
// multiprocessors as they can.

#include "baselines/replications/threads.hpp"

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

std::unique_ptr<bench::Case> make_threads(Job const& job, unsigned block, simt::Dim3 grid) {
    LaneKernel const kernel =
        with_model_and_engine(job.model, job.engine, [&]<class M, class E>() -> LaneKernel { return threads<M, E>; });
    return make_lane_case("threads", kernel, LaneMapping{32, block, grid}, job);
}

void add_threads(bench::Experiment& experiment) {
    experiment.variants.push_back(
        job_variant("threads", bench::Role::baseline, "a thread a replication (TLP, section 3)",
                    [](Job const& job, bench::Axes const& axes) { return make_threads(job, block_of(axes, 32)); }));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
