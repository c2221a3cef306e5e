// Ours, for long evaluations: one list of the enabled values of all states, filled by every warp with one atomic for
// 128 values, then evaluated by a second launch in which no lane is idle and blocks are small enough to end together.
// And `auto`, which takes the list, the warp queue or the state in shared memory, whichever the job calls for.

#include "kernels/rule_interpreter/team.hpp"

#include "kernels/rule_interpreter/ours.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned list_block = 128;
inline constexpr unsigned list_look = 4;  // values a lane

// The list of one launch, and the counter of the next, which this launch sets to 0.
struct ValueList {
    unsigned* values;  // state * range + i
    unsigned* length;
    unsigned* next_length;
};

template <class Layout, class Rule>
__global__ void __launch_bounds__(list_block)
    fill_list(__grid_constant__ Parameters const p, __grid_constant__ ValueList const list) {
    if (block_rank() == 0 && thread_rank() == 0)
        *list.next_length = 0;
    unsigned const range = Rule::range(p);
    unsigned const looks = (range + list_look * warp_size - 1) / (list_look * warp_size);
    unsigned const warp = block_rank() * warps_in_block() + warp_id();
    unsigned const number = warp / looks;
    if (number >= p.states)
        return;
    State<Layout> const state(p, number);
    unsigned const first = warp % looks * list_look * warp_size + lane_id();
    unsigned lanes[list_look];
    unsigned total = 0;
#pragma unroll
    for (unsigned k = 0; k < list_look; ++k) {
        unsigned const i = first + k * warp_size;
        lanes[k] = __ballot_sync(full_warp, i < range && Rule::condition(state, i));
        total += static_cast<unsigned>(__popc(lanes[k]));
    }
    unsigned place = 0;
    if (lane_id() == 0 && total != 0)
        place = atomicAdd(list.length, total);
    place = __shfl_sync(full_warp, place, 0);
#pragma unroll
    for (unsigned k = 0; k < list_look; ++k) {
        if ((lanes[k] >> lane_id() & 1) != 0)
            list.values[place + __popc(lanes[k] & ((1u << lane_id()) - 1))] = number * range + first + k * warp_size;
        place += static_cast<unsigned>(__popc(lanes[k]));
    }
}

template <class Layout, class Rule>
__global__ void __launch_bounds__(list_block)
    evaluate_list(__grid_constant__ Parameters const p, __grid_constant__ ValueList const list) {
    unsigned const length = *list.length;
    unsigned const range = Rule::range(p);
    unsigned const stride = blocks_in_grid() * threads_in_block();
    unsigned at = block_rank() * threads_in_block() + thread_rank();
    for (; at - lane_id() < length; at += stride) {
        bool const enabled = at < length;
        unsigned const value = enabled ? list.values[at] : 0;
        State<Layout> state(p, value / range);
        evaluate_enabled<Rule>(p, enabled, state, value % range);
    }
}

namespace {

using ListKernel = void (*)(Parameters, ValueList);

struct ListKernels {
    ListKernel fill = nullptr;
    ListKernel evaluate = nullptr;
};

template <class Layout, bool fixed_point, class... Rules>
ListKernels list_kernels_of(Program<fixed_point, Rules...>) {
    if constexpr (fixed_point || sizeof...(Rules) != 1)
        return {};
    else
        return {fill_list<Layout, Rules>..., evaluate_list<Layout, Rules>...};
}

class ListCase : public JobCase {
public:
    ListCase(Job const& job, LayoutName layout, unsigned states_a_group)
        : JobCase(job, layout, settings(states_a_group)),
          kernels_(with_program(job.workload, layout, [&]<class L, class P>() { return list_kernels_of<L>(P()); })),
          values_(static_cast<std::size_t>(job.states) * job.workload.range),
          lengths_(2) {
        lengths_.fill_bytes(0);
        std::uint64_t const looks = (job.workload.range + list_look * 32 - 1) / (list_look * 32);
        fill_.block.x = list_block;
        fill_.grid.x = blocks_for(job.states * looks, list_block / 32);
        // Enough for half of the values; more take another turn.
        evaluate_.block.x = list_block;
        evaluate_.grid.x = blocks_for((values_.size() + 1) / 2, list_block);
    }

    std::vector<simt::KernelAttributes> kernels() const override {
        return {simt::LOCKSTEP_MACHINE::attributes("fill_list", kernels_.fill, fill_),
                simt::LOCKSTEP_MACHINE::attributes("evaluate_list", kernels_.evaluate, evaluate_)};
    }

protected:
    void launch_all(Parameters const& p, simt::Stream stream) override {
        for (unsigned pass = 0; pass < p.passes; ++pass) {
            ValueList const list = {values_.data(), lengths_.data() + turn_, lengths_.data() + (turn_ ^ 1)};
            turn_ ^= 1;
            simt::LOCKSTEP_MACHINE::launch("fill_list", kernels_.fill, fill_, stream, p, list);
            simt::LOCKSTEP_MACHINE::launch("evaluate_list", kernels_.evaluate, evaluate_, stream, p, list);
        }
    }

private:
    static Launching settings(unsigned states_a_group) {
        Launching launching;
        launching.settings.states_a_group = states_a_group;
        return launching;
    }

    ListKernels kernels_;
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> values_;
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> lengths_;
    simt::LaunchShape fill_;
    simt::LaunchShape evaluate_;
    unsigned turn_ = 0;
};

std::unique_ptr<bench::Case> make_list(bench::Problem const& problem) {
    return std::make_unique<ListCase>(job_of(problem), layout_from_string(problem.axes.text("layout")),
                                      axis_or(problem.axes, "states_a_group", 32));
}

}  // namespace

void add_list(bench::Experiment& experiment);

void add_list(bench::Experiment& experiment) {
    bench::Variant list =
        job_variant("list", bench::Role::ours, "one list of all enabled values, evaluated by a second launch",
                    launch_queue, [](bench::Axes const& axes) {
                        std::string const rules = axes.text("rules");
                        return rules == "sudoku" || rules == "several" ? "a list is of one rule" : "";
                    });
    list.make = make_list;
    experiment.variants.push_back(std::move(list));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
