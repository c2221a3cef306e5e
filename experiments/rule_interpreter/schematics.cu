// Schematics of Köster, Groß, Krüger 2020, Figures 1 to 6: which lane checks which value of which state, which lane
// evaluates it, and where the value is in memory. The kernels are the measured ones; only the rule differs, because it
// records its calls. Groups have three warps as in the figures, and warps have 32 lanes as on a GPU.

#include "baselines/rule_interpreter/algorithm1.hpp"
#include "common/rule_interpreter/job_case.hpp"
#include "experiments/rule_interpreter/experiment.hpp"
#include "kernels/rule_interpreter/algorithm3.hpp"

namespace lockstep::rule_interpreter {
namespace LOCKSTEP_MACHINE {
namespace {

constexpr unsigned warps_per_group = 3;
constexpr unsigned group_size = warps_per_group * warp_size;

// The measured rule, with a record of each value that is checked, found enabled, and evaluated.
struct TracedProduct : Product<1> {
    template <class Layout>
    __device__ static bool condition(State<Layout> const& state, unsigned i) {
        record(state, "condition", i);
        bool const enabled = Product<1>::condition(state, i);
        if (enabled)
            record(state, "enabled", i);
        return enabled;
    }
    template <class Layout>
    __device__ static bool evaluate(State<Layout>& state, unsigned i) {
        record(state, "evaluate", i);
        return Product<1>::evaluate(state, i);
    }

private:
    // The step is the iteration of the team's loop: in each, every thread of a state takes one of its values.
    template <class Layout>
    __device__ static void record(State<Layout> const& state, char const* label, unsigned i) {
        Parameters const& p = state.parameters();
        unsigned const threads_per_state = threads_in_block() / p.states_per_group;
        trace(i / threads_per_state, label, Layout::index(p, p.range[value_column], state.number(), i));
    }
};

LaunchPlan algorithm1_plan(unsigned states, unsigned threads) {
    LaunchPlan plan;
    plan.name = "algorithm1";
    plan.kernels = {algorithm1<LayoutA, TracedProduct, false>};
    plan.shape = {.grid = {states}, .block = {threads}, .shared_bytes = sizeof(BlockSums)};
    plan.settings.states_per_group = 1;
    return plan;
}

// One group.
template <class Layout>
LaunchPlan algorithm3_plan() {
    LaunchPlan plan;
    plan.name = "algorithm3";
    plan.kernels = {algorithm3<Layout, Program<false, TracedProduct>>};
    plan.shape = {.grid = {1}, .block = {group_size}, .shared_bytes = sizeof(Algorithm3Memory)};
    plan.settings.states_per_group = warps_per_group;
    return plan;
}

// Records a job with `states` states of `range` values each, about half of them enabled.
cli::Schematic schematic(char const* figure, char const* panel, char const* shows, unsigned states, unsigned range,
                         char const* layout, LaunchPlan const& plan) {
    Job job;
    job.workload.range = range;
    job.workload.shape = 1;
    job.workload.load = 1;
    job.states = states;
    JobCase job_case(job, layout_from_string(layout), plan);
    job_case.reset();
    simt::emulator::TraceRecording const recording;
    job_case.run({});
    synchronize({});
    return {figure, panel, shows, {{"states", states}, {"range", range}}, recording.events()};
}

}  // namespace
}  // namespace LOCKSTEP_MACHINE

std::vector<cli::Schematic> schematics() {
    using namespace LOCKSTEP_MACHINE;
    return {
        schematic("figure1", "",
                  "Algorithm 1 on one state: lanes wait where others evaluate; two iterations of the loop", 1,
                  2 * group_size, "A", algorithm1_plan(1, group_size)),
        schematic("figure2", "", "Algorithm 3: enabled values move to the front of the group, its last warps are free",
                  3, warp_size, "A", algorithm3_plan<LayoutA>()),
        schematic("figure3", "a large group per state", "Algorithm 1 in groups of three warps", 3, group_size, "A",
                  algorithm1_plan(3, group_size)),
        schematic("figure3", "one warp per state", "Algorithm 1 in groups of one warp", 3, warp_size, "A",
                  algorithm1_plan(3, warp_size)),
        schematic("figure3", "a large group for several states", "Algorithm 3, one warp per state", 3, warp_size, "A",
                  algorithm3_plan<LayoutA>()),
        schematic("figure4", "", "Algorithm 1 on two states, layout A: each group reads its own contiguous memory", 2,
                  2 * group_size, "A", algorithm1_plan(2, group_size)),
        schematic("figure5", "layout A", "Algorithm 3, layout A: contiguous within a warp, but not within the group", 3,
                  2 * warp_size, "A", algorithm3_plan<LayoutA>()),
        schematic("figure5", "layout B", "Algorithm 3, layout B (not in the figure): a stride of the number of states",
                  3, 2 * warp_size, "B", algorithm3_plan<LayoutB>()),
        schematic("figure6", "layout C", "Algorithm 3, layout C: contiguous in the whole group", 3, 2 * warp_size, "C",
                  algorithm3_plan<LayoutC>()),
    };
}

}  // namespace lockstep::rule_interpreter
