// Variant `fused` (ours), for rules that keep to their own instance: a thread applies all rules of all passes to one
// instance, and keeps its words in registers between rules. No compaction, no barrier, one touch of memory.
//
// It is exact: a rule that loads and stores only words of its own instance commutes with every evaluation of another
// instance, so any order that keeps the order of rules and passes within each instance gives the same words.
//
// What diverges: lanes whose instance is disabled wait for the evaluation of the others, in each rule. So it pays where
// the rules are short, where memory is the bound, or where there are too few values to fill the GPU. Bytes per value:
// one load of each word that a rule loads, one store of each word that a rule stores, however many rules and passes.
// Operations per value, rule and pass: those of the rule, with all 32 lanes counted if one is enabled.
//
// Preconditions: every rule declares `own_instance`; layout A or C.

#include "kernels/rule_interpreter/fused.hpp"

#include "common/rule_interpreter/job_case.hpp"
#include "harness/simt/ceil_div.hpp"
#include "kernels/rule_interpreter/ours.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <class Layout, unsigned values, class... Rules>
__global__ void __launch_bounds__(fused_block) fused(__grid_constant__ Parameters const p) {
    unsigned const range = longest_range<Rules...>(p);
    unsigned const number = blockIdx.z * gridDim.y + blockIdx.y;
    unsigned const first = blockIdx.x * (threads_in_block() * values) + thread_rank();
    State<Layout> state(p, number);
#pragma unroll 1
    for (unsigned k = 0; k < values; ++k) {
        unsigned const i = first + k * threads_in_block();
        apply_all<State<Layout>, Rules...>(p, state, i, number < p.states && i < range);
    }
}

namespace {

constexpr std::uint64_t max_blocks_in_y = 65535;

struct FusedKernels {
    Kernel small = nullptr;  // one instance per thread
    Kernel large = nullptr;
};

template <class Layout, bool fixed_point, class... Rules>
FusedKernels fused_kernels_of(Program<fixed_point, Rules...>) {
    if constexpr (fixed_point || !(own_instance<Rules> && ...) || std::is_same_v<Layout, LayoutB>)
        return {};
    else
        return {fused<Layout, 1, Rules...>, fused<Layout, fused_values, Rules...>};
}

// Returns the largest block whose threads, with `values` instances each, leave the fewest without an instance.
unsigned fitting_block(unsigned range, unsigned values) {
    unsigned best = warp_size;
    auto const padded = [&](unsigned block) { return simt::round_up(range, block * values); };
    for (unsigned block = warp_size; block <= fused_block; block += warp_size) {
        if (padded(block) <= padded(best))
            best = block;
    }
    return best;
}

}  // namespace

LaunchPlan launch_fused(Job const& job, bench::Axes const& axes) {
    FusedKernels const kernels =
        with_program<false>(job.workload, layout_from_string(axes.text("layout")),
                            [&]<class L, class P>() -> FusedKernels { return fused_kernels_of<L>(P()); });
    std::uint64_t const instances = job.states * job.workload.range;
    bool const small = instances < small_job;
    unsigned const values = small ? 1 : fused_values;
    LaunchPlan plan;
    plan.name = "fused";
    plan.kernels = {small ? kernels.small : kernels.large};
    plan.shape.block.x = std::min(axis_or(axes, "block", fitting_block(job.workload.range, values)), fused_block);
    // A row of blocks per state, so that no thread divides by the number of blocks.
    plan.shape.grid.x = blocks_for(job.workload.range, plan.shape.block.x * values);
    plan.shape.grid.z = blocks_for(job.states, max_blocks_in_y);
    plan.shape.grid.y = blocks_for(job.states, plan.shape.grid.z);
    return plan;
}

std::string fused_unsupported_reason(bench::Axes const& axes) {
    if (axes.text("rules") == "sudoku")
        return "the rules of sudoku load words of other instances";
    if (axes.text("layout") != "A" && axes.text("layout") != "C")
        return "it is compiled for layouts A and C only";
    return axes.integer("block") > fused_block ? "its blocks have at most " + std::to_string(fused_block) + " threads"
                                               : std::string();
}

void add_fused(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant("fused", bench::Role::ours,
                                              "all rules of all passes on one instance per thread, in registers",
                                              launch_fused, fused_unsupported_reason));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
