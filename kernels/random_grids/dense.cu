// Variant `dense`: grids of any k by one dense pass and an exact repair.

#include "kernels/random_grids/dense.hpp"

#include <algorithm>
#include <vector>

#include "common/random_grids/dense_plan.hpp"
#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

namespace {

using DenseKernel = void (*)(DenseParameters, unsigned*);

struct DenseBuild {
    DenseTeam team;
    bool whole;
    bool throws;
    unsigned threads;  // per block
    std::size_t shared_bytes;
    DenseKernel (*pick)(Workload const&);
};

template <unsigned lanes, unsigned words, unsigned column_bits, unsigned boards, unsigned threads, bool whole,
          bool throws = false>
constexpr DenseBuild build() {
    using Team = DenseTeamOf<lanes, words, column_bits, boards, threads, whole, throws>;
    auto const pick = [](Workload const& workload) {
        if constexpr (Team::whole && Team::lanes == 1 && Team::boards == 2 && !Team::throws) {
            return with_engine_output_and_work(workload, [&]<class Engine, bool stored, class Work>() -> DenseKernel {
                return dense<Team, Engine, stored, Work>;
            });
        } else {
            return with_engine_and_output(
                workload, [&]<class Engine, bool stored>() -> DenseKernel { return dense<Team, Engine, stored>; });
        }
    };
    return {{lanes, words, column_bits, boards}, whole, throws, threads, sizeof(DenseTile<Team>), pick};
}

// Builds for full words come first: they omit the code for bits past the width and for further colours.
constexpr DenseBuild builds[] = {build<1, 32, 5, 2, 128, true>(),       build<1, 128, 5, 1, 32, true>(),
                                 build<32, 16, 5, 1, 128, true>(),      build<1, 32, 5, 1, 64, true, true>(),
                                 build<1, 128, 5, 1, 32, true, true>(), build<32, 16, 5, 1, 128, true, true>(),
                                 build<1, 16, 4, 2, 128, false>(),      build<1, 16, 5, 1, 128, false>(),
                                 build<1, 32, 4, 1, 128, false>(),      build<1, 32, 5, 1, 128, false>(),
                                 build<8, 16, 5, 1, 128, false>(),      build<32, 1, 5, 1, 128, true>(),
                                 build<32, 1, 5, 1, 128, true, true>(), build<32, 4, 5, 1, 128, true>(),
                                 build<32, 4, 5, 1, 128, true, true>(), build<32, 1, 4, 1, 128, false>(),
                                 build<32, 1, 5, 1, 128, false>(),      build<32, 4, 5, 1, 128, false>(),
                                 build<32, 16, 5, 1, 128, false>()};

DenseBuild const& build_for(Workload const& workload, DenseTeam const& team) {
    bool const whole = workload.shape.sites() == 32 * team.lanes * team.words && workload.planes() == 1;
    std::vector<DensePlan> const plans = workload_plans(workload, team);
    bool const throws = std::any_of(plans.begin(), plans.end(), [](DensePlan const& plan) { return plan.throws; });
    bool const no_pass =
        std::all_of(plans.begin(), plans.end(), [](DensePlan const& plan) { return plan.digits == 0; });
    for (DenseBuild const& made : builds) {
        bool const fits = made.throws ? throws || no_pass : !throws;
        if (made.team == team && (whole || !made.whole) && fits)
            return made;
    }
    throw bench::Error("no kernel for this team", "reference and kernels name different teams");
}

std::string why_not_dense_here(Workload const& workload) {
    std::string const reason = why_not_dense(workload);
    if (!reason.empty() || workload.after == After::none)
        return reason;
    if (&build_for(workload, *dense_team(workload)) != &builds[0])
        return "its work after a draw is compiled for 32x32 grids that a dense pass draws";
    return work_needs_xorwow(workload);
}

using Plans = Buffer<unsigned>;

GridLaunch<DenseParameters> prepare_team(DenseTeam const& team, Method method, bench::Problem const& problem,
                                         Workload const& workload) {
    DenseBuild const& made = build_for(workload, team);
    std::vector<unsigned> packed;
    for (DensePlan const& plan : workload_plans(workload, made.team))
        packed.push_back(plan.packed());
    GridLaunch<DenseParameters> launch;
    launch.kernel = made.pick(workload);
    launch.parameters.grid = grid_parameters(problem, workload);
    auto const plans = std::make_shared<Plans>(upload_table(packed));
    launch.tables = plans;
    launch.parameters.mixed_plans = plans->data();
    for (std::size_t i = 0; !workload.mixed() && i < packed.size(); ++i)
        launch.parameters.plans[i] = packed[i];
    launch.mapping = {
        made.team.lanes, made.team.lanes, made.threads, made.shared_bytes, method, true, workload.after == After::none};
    return launch;
}

GridLaunch<DenseParameters> prepare_dense(bench::Problem const& problem, Workload const& workload) {
    return prepare_team(*dense_team(workload), Method::dense, problem, workload);
}

GridLaunch<DenseParameters> prepare_dense_warp(bench::Problem const& problem, Workload const& workload) {
    return prepare_team(*dense_warp_team(workload), Method::dense_warp, problem, workload);
}

}  // namespace

void add_dense(bench::Experiment& experiment) {
    experiment.variants.push_back(
        launched_variant("dense", bench::Role::ours, "dense",
                         "one dense pass of density near k/N and an exact repair; boards in shared memory",
                         prepare_dense, why_not_dense_here));
    experiment.variants.push_back(launched_variant("dense_warp", bench::Role::ours, "dense_warp",
                                                   "the same with a warp per stream, for few streams",
                                                   prepare_dense_warp, why_not_dense_warp));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
