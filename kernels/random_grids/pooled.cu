// Variant `pooled`: grids of any k by a dense pass and a repair that 32 lanes share.

#include "kernels/random_grids/pooled.hpp"

#include <vector>

#include "common/random_grids/grid_case.hpp"
#include "common/random_grids/pooled_plan.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

namespace {

using PooledKernel = void (*)(PooledParameters, unsigned*);

struct PooledBuild {
    unsigned words;
    unsigned site_bits;
    bool coloured;
    unsigned width;    // of the rows, 0 if any
    unsigned threads;  // per block
    std::size_t shared_bytes;
    PooledKernel (*pick)(Workload const&);
    PooledKernel (*pick_packed)(Workload const&);  // null if the build has none
};

template <unsigned words, unsigned site_bits, bool coloured, unsigned full_words, unsigned width = 0>
constexpr PooledBuild pooled_build() {
    using Build = PooledBuildOf<words, site_bits, coloured, full_words, width>;
    auto const pick = [](Workload const& workload) {
        return with_engine_and_output(
            workload, [&]<class Engine, bool stored>() -> PooledKernel { return pooled<Build, Engine, stored>; });
    };
    PooledKernel (*pick_packed)(Workload const&) = nullptr;
    if constexpr (Build::whole) {
        pick_packed = [](Workload const& workload) {
            return with_engine(workload.engine,
                               [&]<class Engine>() -> PooledKernel { return pooled<Build, Engine, true, true>; });
        };
    }
    return {words, site_bits, coloured, width, Build::threads, sizeof(PooledTile<Build>), pick, pick_packed};
}

// Few, because each is compiled for every engine and output. pooled_form() names their numbers of words; a board takes
// the smallest, so it fills the words of the next smaller one. The first build for a board is taken.
constexpr PooledBuild pooled_builds[] = {
    pooled_build<32, 10, false, 32>(),    pooled_build<8, 0, false, 0, 15>(),   pooled_build<20, 0, false, 8, 24>(),
    pooled_build<36, 0, false, 20, 33>(), pooled_build<72, 0, false, 36, 48>(), pooled_build<8, 0, true, 0, 15>(),
    pooled_build<8, 0, false, 0>(),       pooled_build<20, 0, false, 8>(),      pooled_build<36, 0, false, 20>(),
    pooled_build<72, 0, false, 36>(),     pooled_build<8, 0, true, 0>(),        pooled_build<36, 0, true, 8>()};

PooledBuild const& pooled_build_for(Workload const& workload, PooledForm const& form) {
    bool const coloured = workload.planes() > 1;
    for (PooledBuild const& made : pooled_builds) {
        bool const whole = workload.shape.width % 32 == 0 && form.sites == 1u << made.site_bits;
        bool const fits = made.width == 0 || made.width == workload.shape.width;
        if (made.words == form.words && made.coloured == coloured && fits && (made.site_bits == 0 || whole))
            return made;
    }
    throw bench::Error("no kernel for this board", "plan and kernels name different numbers of words");
}

GridLaunch<PooledParameters> prepare_pooled(bench::Problem const& problem, Workload const& workload) {
    PooledForm const form = *pooled_form(workload);
    PooledBuild const& made = pooled_build_for(workload, form);
    std::vector<PooledPlan> const plans = pooled_plans(workload, form);
    GridLaunch<PooledParameters> launch;
    launch.kernel = made.pick(workload);
    if (made.pick_packed != nullptr)
        launch.packing_kernel = made.pick_packed(workload);
    launch.parameters.grid = grid_parameters(problem, workload);
    launch.parameters.rejected = static_cast<unsigned>(form.rejected());
    launch.parameters.quorum = form.quorum;
    for (unsigned site = 0; site < form.sites; ++site)
        launch.parameters.sites[site / 32] |= 1u << site % 32;
    for (std::size_t plane = 0; plane < plans.size(); ++plane) {
        launch.parameters.digits[plane] = plans[plane].digits;
        launch.parameters.numerators[plane] = plans[plane].numerators[0];
    }
    auto const numerators = std::make_shared<Buffer<unsigned>>(upload_table(plans[0].numerators));
    launch.tables = numerators;
    launch.parameters.mixed_numerators = numerators->data();
    launch.mapping = {1, 1, made.threads, made.shared_bytes, Method::pooled, true};
    launch.mapping.streams_before = static_cast<unsigned>(problem.first_unit % pooled_lanes);
    return launch;
}

}  // namespace

void add_pooled(bench::Experiment& experiment) {
    experiment.variants.push_back(
        launched_variant("pooled", bench::Role::ours, "pooled",
                         "a dense pass per board, and an exact repair of 32 boards shared by the lanes of a warp",
                         prepare_pooled, why_not_pooled));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
