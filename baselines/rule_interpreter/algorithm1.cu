// Algorithms 1 and 2 (section 3): a block a state, whose threads take the values of a rule in turn. Algorithm 1 applies
// one rule a launch; Algorithm 2 all rules in one kernel, with a barrier between. A block of 32 threads is the middle
// of Figure 3. And Algorithm 1 as it is for a single state: the whole grid on its values.
//
// Put right: the loop starts at the thread's index in its group, not at the group's index (line 1 of both).

#include "baselines/rule_interpreter/algorithm1.hpp"

#include "common/rule_interpreter/rule_by_rule.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <class Layout, class Rules>
__global__ void algorithm2(__grid_constant__ Parameters const p) {
    Team<BlockWidth, State<Layout>> team(p, State<Layout>(p, block_rank()));
    run_program(team, p, Rules());
}

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

// One kernel a rule.
template <class Layout, bool fixed_point, class... Rules>
std::vector<Kernel> kernels_of(Program<fixed_point, Rules...>) {
    std::vector<Kernel> kernels;
    auto const add = [&]<class Rule>() {
        kernels.push_back(algorithm1<Layout, Rule, fixed_point>);
        if constexpr (Rule::deferred)
            kernels.push_back(algorithm1_commit<Layout, Rule>);
    };
    (add.template operator()<Rules>(), ...);
    return kernels;
}

template <bool fixed_point, class... Rules>
std::vector<Kernel> grid_kernels_of(Program<fixed_point, Rules...>) {
    return {grid_stride<LayoutA, Rules>...};
}

LaunchPlan block_per_state(Job const& job, bench::Axes const& axes) {
    LaunchPlan plan;
    plan.shape.block.x = axis_or(axes, "block", 256);
    plan.shape.grid.x = static_cast<unsigned>(job.states);
    plan.shape.shared_bytes = sizeof(BlockSums);
    return plan;
}

LaunchPlan all_rules(Job const& job, bench::Axes const& axes) {
    LaunchPlan plan = block_per_state(job, axes);
    plan.name = "algorithm2";
    if (job.workload.base == RuleBase::several)
        plan.kernels = {algorithm2<LayoutA, SeveralProgram>};
    else if (layout_from_string(axes.text("layout")) == LayoutName::c)
        plan.kernels = {algorithm2<LayoutC, SudokuProgram>};
    else
        plan.kernels = {algorithm2<LayoutA, SudokuProgram>};
    return plan;
}

LaunchPlan rule_by_rule(Job const& job, bench::Axes const& axes) {
    LaunchPlan plan = block_per_state(job, axes);
    plan.name = "algorithm1";
    plan.kernels = with_program<false>(job.workload, layout_from_string(axes.text("layout")),
                                       [&]<class L, class P>() { return kernels_of<L>(P()); });
    return plan;
}

LaunchPlan whole_grid(Job const& job, bench::Axes const& axes) {
    LaunchPlan plan;
    plan.name = "grid_stride";
    plan.shape.block.x = axis_or(axes, "block", 256);
    plan.shape.grid.x = blocks_for(job.workload.range, plan.shape.block.x);
    plan.kernels = job.workload.base == RuleBase::several ? grid_kernels_of(SeveralProgram())
                   : job.workload.shape == 1              ? grid_kernels_of(ProductProgram<1>())
                                                          : grid_kernels_of(ProductProgram<2>());
    return plan;
}

std::string no_large_spills(bench::Axes const& axes) {
    if (axes.text("shape") == "8x8x8" && axes.integer("block") > 256)
        return "8x8x8 takes up to 255 registers a thread, so blocks of 256 threads at most";
    return no_groups(axes);
}

std::string one_rule_alone(bench::Axes const& axes) {
    bool const one = axes.text("rules") == "synthetic" || axes.text("rules") == "accesses";
    return one ? "with one rule it is Algorithm 1" : no_groups(axes);
}

std::string not_on_a_grid(bench::Axes const& axes) {
    if (axes.text("rules") == "sudoku")
        return "a fixed point needs the state's threads to meet";
    bool const compiled =
        axes.text("rules") != "accesses" && axes.text("layout") == "A" && shape_from_string(axes.text("shape")) <= 2;
    return compiled ? "" : "compiled for products up to 2x2x2 in layout A";
}

}  // namespace

void add_algorithm1(bench::Experiment& experiment);

void add_algorithm1(bench::Experiment& experiment) {
    experiment.variants.push_back(rule_by_rule_variant(
        "algorithm1", "a block a state, a launch a rule (Algorithm 1)", rule_by_rule, [](bench::Axes const& axes) {
            return axes.text("rules") == "sudoku" && axes.text("until") == "activity"
                       ? "no launch sees the activity of a whole pass"
                       : no_large_spills(axes);
        }));
    experiment.variants.push_back(job_variant("algorithm2", bench::Role::baseline,
                                              "a block a state, all rules in one kernel (Algorithm 2)", all_rules,
                                              one_rule_alone));
    experiment.variants.push_back(rule_by_rule_variant(
        "grid_stride", "the whole grid on one state after the other (section 3)", whole_grid, not_on_a_grid));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
