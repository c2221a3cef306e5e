// Algorithm 1 in its form for a single state (section 3): all threads of the grid work on one state at a time; one
// launch per rule.
//
// What diverges: lanes whose value is disabled wait for those of their warp that evaluate (team.hpp). Bytes and
// operations: those of the rule, per state. The grid has at least a thread per value, so a thread takes at most one
// value of each state.
//
// Preconditions: no deferred stores, because no launch commits them, and no fixed point, because it needs a barrier for
// all threads of the state.

#include "common/rule_interpreter/team.hpp"

#include "common/rule_interpreter/rule_by_rule.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// All threads of the grid.
struct GridWidth {
    __device__ static unsigned rank() { return block_rank() * threads_in_block() + thread_rank(); }
    __device__ static unsigned size() { return blocks_in_grid() * threads_in_block(); }
};

template <class Layout, class Rule>
__global__ void grid_stride(__grid_constant__ Parameters const p) {
    for (unsigned state = 0; state < p.states; ++state) {
        Team<GridWidth, State<Layout>> team(p, State<Layout>(p, state));
        Activity activity;
        team.template apply<Rule, false>(p.rule, activity);
    }
}

namespace {

template <bool fixed_point, class... Rules>
std::vector<Kernel> grid_kernels_of(Program<fixed_point, Rules...>) {
    return {grid_stride<LayoutA, Rules>...};
}

LaunchPlan whole_grid(Job const& job, bench::Axes const& axes) {
    LaunchPlan plan;
    plan.name = "grid_stride";
    plan.shape.block.x = axis_or(axes, "block", 256);
    plan.shape.grid.x = blocks_for(job.workload.range, plan.shape.block.x);
    plan.kernels = job.workload.base == RuleBase::several ? grid_kernels_of(SeveralProgram())
                   : job.workload.shape == Shape(1)       ? grid_kernels_of(ProductProgram<1>())
                                                          : grid_kernels_of(ProductProgram<2>());
    return plan;
}

std::string not_on_a_grid(bench::Axes const& axes) {
    if (axes.text("rules") == "sudoku")
        return "a fixed point needs a barrier for the state's threads";
    if (axes.text("rules") == "accesses")
        return "it is not compiled for rules accesses";
    bool const compiled = axes.text("layout") == "A" && in_every_layout(shape_from_string(axes.text("shape")));
    return compiled ? "" : "it is compiled only for products up to 2x2x2 in layout A";
}

}  // namespace

void add_grid_stride(bench::Experiment& experiment) {
    experiment.variants.push_back(rule_by_rule_variant(
        "grid_stride", "all threads of the grid on one state at a time (section 3)", whole_grid, not_on_a_grid));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
