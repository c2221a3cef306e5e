// Thread-level parallelism (section 3): a thread a replication. What diverges: whatever the model does (pi.hpp,
// mm1.hpp, walk.hpp). Blocks of one warp, so that few replications spread over as many multiprocessors as they can.

#include "common/replications/parameters.hpp"

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    threads(__grid_constant__ JobParameters const p, unsigned /*lanes*/, unsigned* const results) {
    unsigned long long const threads_in_grid =
        static_cast<unsigned long long>(simt::LOCKSTEP_MACHINE::blocks_in_grid()) *
        simt::LOCKSTEP_MACHINE::threads_in_block();
    unsigned long long const thread = static_cast<unsigned long long>(simt::LOCKSTEP_MACHINE::block_rank()) *
                                          simt::LOCKSTEP_MACHINE::threads_in_block() +
                                      simt::LOCKSTEP_MACHINE::thread_rank();
    for (unsigned long long index = thread; index < p.size; index += threads_in_grid) {
        run_replication<Model, Engine>(p, index, results);
    }
}

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
