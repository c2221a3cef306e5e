// Algorithm 1 (section 3): a block per state, whose threads take the values of a rule in turn; one launch per rule.
//
// Correction to the pseudocode: the loop starts at the thread's index in its group, not at the group's index (line 1).

#include "baselines/rule_interpreter/algorithm1.hpp"

#include "baselines/rule_interpreter/block_per_state.hpp"
#include "common/rule_interpreter/algorithm1_case.hpp"
#include "common/rule_interpreter/rule_by_rule.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

namespace {

// Returns one kernel per rule, and one more for the deferred stores of a rule.
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

LaunchPlan rule_by_rule(Job const& job, bench::Axes const& axes) {
    LaunchPlan plan = block_per_state(job, axes);
    plan.name = "algorithm1";
    plan.kernels = with_program<false, true>(job.workload, layout_from_string(axes.text("layout")),
                                             [&]<class L, class P>() { return kernels_of<L>(P()); });
    return plan;
}

std::string no_large_spills(bench::Axes const& axes) {
    if (axes.text("shape") == "8x8x8" && axes.integer("block") > 256)
        return "8x8x8 needs up to 255 registers per thread, so a block has at most 256 threads";
    return no_groups(axes);
}

}  // namespace

std::unique_ptr<bench::Case> make_algorithm1(bench::Problem const& problem) {
    Job const job = job_of(problem);
    return std::make_unique<RuleByRuleCase>(job, layout_from_string(problem.axes.text("layout")),
                                            rule_by_rule(job, problem.axes));
}

std::string algorithm1_unsupported_reason(bench::Axes const& axes) {
    return axes.text("rules") == "sudoku" && axes.text("until") != "change"
               ? "no launch covers the activity or the state of a full pass"
               : no_large_spills(axes);
}

void add_algorithm1(bench::Experiment& experiment) {
    experiment.variants.push_back(rule_by_rule_variant("algorithm1",
                                                       "one block per state, one launch per rule (Algorithm 1)",
                                                       rule_by_rule, algorithm1_unsupported_reason, true));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
