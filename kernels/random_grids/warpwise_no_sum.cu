// Control that measures the cost of the warp sum: warpwise without it, with decisions from a given pattern
// (common/random_grids/warpwise_no_sum.hpp). It does not draw sets of exactly k.

#include "common/random_grids/warpwise_no_sum.hpp"

#include "common/random_grids/grid_case.hpp"
#include "common/random_grids/parameters.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <class Engine, bool stored>
__global__ void __launch_bounds__(256)
    warpwise_no_sum(__grid_constant__ GridParameters const p, unsigned* const results) {
    constexpr unsigned warp = warp_size;
    unsigned long long const stream = global_thread() / warp;
    if (stream >= p.streams)
        return;
    unsigned const lane = threadIdx.x % warp;
    Engine engine = Engine::stream(p.seed, p.first_unit + stream, lane);
    unsigned const row_sites = lane < p.height ? p.last_mask : 0;
    unsigned const steps = no_sum_steps(p.width * p.height);
    Sink<stored> sink(results + stream * (stored ? words_of_stream(p, true) : warp) + lane, p.height);

    for (unsigned set = 0; set < p.length * p.planes; ++set) {
        unsigned subset = 0;
        unsigned candidates = row_sites;
        unsigned included = 0;
#pragma unroll 1
        for (unsigned step = 0; step < steps; ++step) {
            unsigned const selected = engine() & candidates;
            unsigned const count = static_cast<unsigned>(__popc(selected));
            if ((p.no_sum_pattern >> step & 1u) != 0) {
                subset |= selected;
                included += count;
                candidates &= ~selected;
            } else {
                candidates = selected;
            }
        }
        if (!stored || lane < p.height)
            sink.put(subset + included);
    }
    sink.finish();
}

void add_warpwise_no_sum(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "warpwise_no_sum", bench::Role::paper, "warpwise_no_sum",
        "control: warpwise without the sum, decisions from a given pattern; does not draw sets of k",
        [](Workload const& workload) {
            return with_engine_and_output(
                workload, [&]<class Engine, bool stored>() -> GridKernel { return warpwise_no_sum<Engine, stored>; });
        },
        [](Workload const& workload) {
            Mapping mapping = warp_mapping(workload);
            mapping.draws_k = false;
            return mapping;
        },
        needs_32x32));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
