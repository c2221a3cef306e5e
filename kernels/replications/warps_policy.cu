// Warp-level parallelism by policy templates, one of the ways that section 5 weighs: a class receives, as a template
// argument, the class that says which threads run and what their number is. A kernel can't be a member function, so
// each signature needs a kernel that calls the class. The paper rejects this way for that reason.

#include "common/replications/parameters.hpp"
#include "kernels/replications/warp_macros.hpp"

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

// The policy of a warp per replication.
struct WarpScope {
    __device__ static bool is_active() { return lane_id() == 0; }
    __device__ static unsigned long long index() {
        return static_cast<unsigned long long>(block_rank()) * warps_in_block() + warp_id();
    }
    __device__ static unsigned long long count() { return warps_in_grid(); }
};

// The simulation, which does not know what runs a replication.
template <class Model, class Engine, class Scope>
class Replications : private Scope {
public:
    __device__ void operator()(JobParameters const& p, unsigned* const results) const {
        if (!Scope::is_active())
            return;
        for (unsigned long long index = Scope::index(); index < p.size; index += Scope::count())
            run_replication<Model, Engine>(p, index, results);
    }
};

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    warps_policy(__grid_constant__ JobParameters const p, unsigned /*lanes*/, unsigned* const results) {
    Replications<Model, Engine, WarpScope>()(p, results);
}

std::unique_ptr<bench::Case> make_warps_policy(Job const& job, unsigned block, simt::Dim3 grid) {
    LaneKernel const kernel = with_model_and_engine(
        job.model, job.engine, [&]<class M, class E>() -> LaneKernel { return warps_policy<M, E>; });
    return make_lane_case("warps_policy", kernel, LaneMapping{1, block, grid}, job);
}

void add_warps_policy(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "warps_policy", bench::Role::paper, "a warp per replication, by a policy template (section 5)",
        [](Job const& job, bench::Axes const& axes) { return make_warps_policy(job, block_of(axes, 128)); }));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
