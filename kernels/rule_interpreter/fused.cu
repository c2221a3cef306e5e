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
// Rules that may be evaluated for any instance, enabled or not, have no branch at all: a thread evaluates each rule on
// four neighbouring instances side by side, and selects their words. A warp of 32 instances hardly ever skips a rule,
// so that the branch saves nothing, and four instances share the loops. Operations per value, rule and pass: those of
// the rule, and about two for the selection.
//
// Where every state is aligned to 16 bytes (4 divides the range), a thread has the same four instances of two states
// side by side, and goes from one pair of states to the next (selected_states.hpp). What depends on the instance only
// is computed once, and the predicate of the last product is the selection. Only lanes that pad a row to whole blocks
// are idle. With s slots per rule, a value takes s + 6 operations per rule and pass, and moves 12 bytes.
//
// Preconditions: every rule declares `own_instance`; layout A or C.

#include "kernels/rule_interpreter/fused.hpp"

#include "common/rule_interpreter/job_case.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/devices.hpp"
#include "kernels/rule_interpreter/ours.hpp"
#include "kernels/rule_interpreter/selected.hpp"
#include "kernels/rule_interpreter/selected_states.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// Applies the rules to `values` instances of a state, a block apart.
template <class Layout, unsigned values, class... Rules>
__device__ inline void apply_to_values(Parameters const& p, unsigned number, unsigned block_of_state, unsigned range) {
    unsigned const first = block_of_state * (threads_in_block() * values) + thread_rank();
    State<Layout> state(p, number);
#pragma unroll 1
    for (unsigned k = 0; k < values; ++k) {
        unsigned const i = first + k * threads_in_block();
        apply_all<State<Layout>, Rules...>(p, state, i, number < p.states && i < range);
    }
}

// A row of blocks per state, so that no thread divides by the number of blocks.
template <class Layout, unsigned values, class... Rules>
__global__ void __launch_bounds__(fused_block) fused(__grid_constant__ Parameters const p) {
    apply_to_values<Layout, values, Rules...>(p, blockIdx.z * gridDim.y + blockIdx.y, blockIdx.x,
                                              longest_range<Rules...>(p));
}

// All blocks in one row. The division is nothing beside products of matrices, whose loop gets better registers here
// (METHOD.md, "Registers").
template <class Layout, unsigned values, class... Rules>
__global__ void __launch_bounds__(fused_block) fused_in_one_row(__grid_constant__ Parameters const p) {
    unsigned const range = longest_range<Rules...>(p);
    unsigned const blocks = ceil_div(range, threads_in_block() * values);
    apply_to_values<Layout, values, Rules...>(p, block_rank() / blocks, block_rank() % blocks, range);
}

// Four neighbouring instances per thread, evaluated on all lanes (selected.hpp). Blocks per multiprocessor: the
// registers that four instances take.
template <class... Rules>
__global__ void __launch_bounds__(fused_block, 4) fused_selected(__grid_constant__ Parameters const p) {
    unsigned const number = blockIdx.z * gridDim.y + blockIdx.y;
    if (number >= p.states)
        return;
    FourInstances<Rules...> four(p, number, blockIdx.x * blockDim.x + threadIdx.x, longest_range<Rules...>(p));
    for (unsigned pass = 0; pass < p.passes; ++pass)
        (four.template apply<Rules>(), ...);
    four.store();
}

// The same where every state is aligned to 16 bytes: a thread goes from two states to two others, a row of blocks
// apart.
template <bool one_pass, class... Rules>
__global__ void __launch_bounds__(over_states_block, 7) fused_over_states(__grid_constant__ Parameters const p) {
    unsigned const first = (blockIdx.x * blockDim.x + threadIdx.x) * selected_values;
    if (first < p.range[value_column])
        SelectedStates<Rules...>(p, first).template run<one_pass>(blockIdx.y, gridDim.y);
}

namespace {

constexpr std::uint64_t max_blocks_in_y = 65535;

struct FusedKernels {
    Kernel small = nullptr;  // one instance per thread
    Kernel large = nullptr;
    bool large_in_one_row = false;
    bool large_selected = false;
    Kernel over_states = nullptr;       // in place of `large` where it fits
    Kernel over_states_once = nullptr;  // the same for one pass
};

template <class... Rules>
constexpr bool matrix_products = false;
template <unsigned m, unsigned n, unsigned o>
constexpr bool matrix_products<Product<m, n, o>> = m* n* o > 1;

template <class Layout, bool fixed_point, class... Rules>
FusedKernels fused_kernels_of(Program<fixed_point, Rules...>) {
    if constexpr (fixed_point || !(own_instance<Rules> && ...) || std::is_same_v<Layout, LayoutB>)
        return {};
    else if constexpr ((selectable<Rules> && ...) && std::is_same_v<Layout, LayoutA>)
        return {fused<Layout, 1, Rules...>,         fused_selected<Rules...>,         false, true,
                fused_over_states<false, Rules...>, fused_over_states<true, Rules...>};
    else if constexpr (matrix_products<Rules...>)
        return {fused<Layout, 1, Rules...>, fused_in_one_row<Layout, fused_values, Rules...>, true, false};
    else
        return {fused<Layout, 1, Rules...>, fused<Layout, fused_values, Rules...>};
}

// Blocks that are resident at a time. The emulator has few, so that a block goes through several states.
std::uint64_t resident_blocks(Kernel kernel, simt::LaunchShape const& shape) {
    if constexpr (machine == simt::Machine::emulator) {
        return 64;
    } else {
        simt::KernelAttributes const of = attributes("fused", kernel, shape);
        return static_cast<std::uint64_t>(of.resident_blocks_per_multiprocessor) *
               static_cast<std::uint64_t>(simt::current_device_info().multiprocessors);
    }
}

// Returns the largest block, of at most `max_block` threads, whose threads, with `values` instances each, leave the
// fewest without an instance.
unsigned fitting_block(unsigned range, unsigned values, unsigned max_block) {
    unsigned best = warp_size;
    auto const padded = [&](unsigned block) { return simt::round_up(range, block * values); };
    for (unsigned block = warp_size; block <= max_block; block += warp_size) {
        if (padded(block) <= padded(best))
            best = block;
    }
    return best;
}

// As many rows of blocks as are resident: each thread goes on from two states to the next two.
LaunchPlan plan_over_states(Kernel kernel, Job const& job, bench::Axes const& axes) {
    LaunchPlan plan;
    plan.name = "fused";
    plan.kernels = {kernel};
    unsigned const range = job.workload.range;
    plan.shape.block.x = axis_or(axes, "block", fitting_block(range, selected_values, over_states_block));
    plan.shape.grid.x = blocks_for(range, plan.shape.block.x * selected_values);
    std::uint64_t const rows = std::max<std::uint64_t>(1, resident_blocks(kernel, plan.shape) / plan.shape.grid.x);
    std::uint64_t const pairs = simt::ceil_div(job.states, std::uint64_t{states_side_by_side});
    plan.shape.grid.y = static_cast<unsigned>(std::min({pairs, rows, max_blocks_in_y}));
    return plan;
}

bool fits_over_states(Job const& job, bench::Axes const& axes) {
    return job.workload.range % selected_values == 0 && job.workload.load != 0 &&
           axes.integer("block") <= over_states_block;
}

}  // namespace

LaunchPlan launch_fused(Job const& job, bench::Axes const& axes) {
    FusedKernels const kernels =
        with_program<false>(job.workload, layout_from_string(axes.text("layout")),
                            [&]<class L, class P>() -> FusedKernels { return fused_kernels_of<L>(P()); });
    std::uint64_t const instances = job.states * job.workload.range;
    bool const small = instances < small_job;
    if (!small && kernels.over_states != nullptr && fits_over_states(job, axes))
        return plan_over_states(job.workload.steps == 1 ? kernels.over_states_once : kernels.over_states, job, axes);
    unsigned const values = small ? 1 : fused_values;
    // Rows that do not start at a multiple of four instances have up to three fewer in their first four.
    bool const shifted = !small && kernels.large_selected && job.workload.range % selected_values != 0;
    unsigned const range = job.workload.range + (shifted ? selected_values - 1 : 0);
    LaunchPlan plan;
    plan.name = "fused";
    plan.kernels = {small ? kernels.small : kernels.large};
    plan.shape.block.x = std::min(axis_or(axes, "block", fitting_block(range, values, fused_block)), fused_block);
    plan.shape.grid.x = blocks_for(range, plan.shape.block.x * values);
    if (!small && kernels.large_in_one_row) {
        plan.shape.grid.x *= static_cast<unsigned>(job.states);
    } else {
        plan.shape.grid.z = blocks_for(job.states, max_blocks_in_y);
        plan.shape.grid.y = blocks_for(job.states, plan.shape.grid.z);
    }
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
