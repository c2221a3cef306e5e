// Variant `list` (ours), for long evaluations: one list of the enabled values of all states. Blocks fill it with one
// atomic per 4096 values. A second launch evaluates it. Only the last warp of the list has idle lanes, and blocks are
// small enough to finish at about the same time.
//
// What diverges: in the first launch, the lanes past the end of a state's range; in the second one, the last warp of
// the list. Bytes per enabled value: an entry of 8, stored and loaded, besides those of the rule. Operations: a ballot
// per 32 values, and a division by the range per entry.
//
// Preconditions: one rule, no fixed point, and fewer than 2^32 values in all states (JobCase admits fewer than 2^31).
// The list has room for every value. All launches are on one stream.

#include "common/rule_interpreter/team.hpp"

#include "harness/simt/warp.hpp"
#include "kernels/rule_interpreter/ours.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned fill_block = 256;
inline constexpr unsigned fill_values_per_lane = 16;
inline constexpr unsigned evaluate_block = 128;

// An enabled value and the operand that its condition loaded.
struct Entry {
    unsigned instance;  // state * range + i
    unsigned operand;
};

// The list of one launch, and the counter of the next launch, which this launch resets to 0.
struct ValueList {
    Entry* entries;
    unsigned* length;
    unsigned* next_length;
};

struct FillMemory {
    SharedArray<unsigned, fill_block / warp_size> first;  // per warp: the number of entries, then the first index
};

// Replaces each warp's number of entries with the index of its first entry in the list.
__device__ inline void reserve(FillMemory& shared, unsigned* length) {
    __syncthreads();
    if (thread_rank() == 0) {
        unsigned total = 0;
        for (unsigned warp = 0; warp < warps_in_block(); ++warp)
            total += shared.first[warp];
        unsigned index = total != 0 ? atomicAdd(length, total) : 0;
        for (unsigned warp = 0; warp < warps_in_block(); ++warp) {
            unsigned const number = shared.first[warp];
            shared.first[warp] = index;
            index += number;
        }
    }
    __syncthreads();
}

template <class Layout, class Rule>
__global__ void __launch_bounds__(fill_block)
    fill_list(__grid_constant__ Parameters const p, __grid_constant__ ValueList const list) {
    auto& shared = shared_memory<FillMemory>();
    if (block_rank() == 0 && thread_rank() == 0)
        *list.next_length = 0;
    unsigned const range = Rule::range(p);
    unsigned const rows = ceil_div(range, warp_size);  // warps of values per state
    unsigned const first_row = (block_rank() * warps_in_block() + warp_id()) * fill_values_per_lane;
    unsigned number = first_row / rows;
    unsigned row = first_row % rows;
    unsigned operand[fill_values_per_lane];
    unsigned lanes[fill_values_per_lane];
    unsigned instances[fill_values_per_lane];
    unsigned total = 0;
#pragma unroll
    for (unsigned k = 0; k < fill_values_per_lane; ++k) {
        unsigned const i = row * warp_size + lane_id();
        bool const is = number < p.states && i < range;
        State<Layout> const state(p, number);
        operand[k] = is ? load_operand<Rule>(state, i) : 0;
        instances[k] = number * range + i;
        if (++row == rows) {
            row = 0;
            ++number;
        }
    }
#pragma unroll
    for (unsigned k = 0; k < fill_values_per_lane; ++k) {
        lanes[k] = __ballot_sync(full_warp, operand[k] != 0);
        total += static_cast<unsigned>(__popc(lanes[k]));
    }
    if (lane_id() == 0)
        shared.first[warp_id()] = total;
    reserve(shared, list.length);
    unsigned index = shared.first[warp_id()];
#pragma unroll
    for (unsigned k = 0; k < fill_values_per_lane; ++k) {
        if ((lanes[k] >> lane_id() & 1) != 0)
            list.entries[index + rank_in(lanes[k])] = {instances[k], operand[k]};
        index += static_cast<unsigned>(__popc(lanes[k]));
    }
}

template <class Layout, class Rule>
__global__ void __launch_bounds__(evaluate_block)
    evaluate_list(__grid_constant__ Parameters const p, __grid_constant__ ValueList const list) {
    unsigned const range = Rule::range(p);
    unsigned const stride = blocks_in_grid() * threads_in_block();
    unsigned const whole = round_up(*list.length, warp_size);
    for (unsigned n = block_rank() * threads_in_block() + thread_rank(); n < whole; n += stride) {
        bool const enabled = n < *list.length;
        Entry const entry = enabled ? list.entries[n] : Entry{0, 0};
        State<Layout> state(p, entry.instance / range);
        evaluate_enabled<Rule>(p, enabled, state, entry.instance % range, entry.operand);
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
    ListCase(Job const& job, LayoutName layout, unsigned states_per_group)
        : JobCase(job, layout, settings(states_per_group)),
          kernels_(with_program(job.workload, layout, [&]<class L, class P>() { return list_kernels_of<L>(P()); })),
          entries_(static_cast<std::size_t>(job.states) * job.workload.range),
          lengths_(2) {
        lengths_.fill_bytes(0);
        fill_.block.x = fill_block;
        fill_.grid.x =
            blocks_for(job.states * ceil_div(job.workload.range, 32u), fill_block / 32 * fill_values_per_lane);
        fill_.shared_bytes = sizeof(FillMemory);
        // Enough threads for half of the values; if more are enabled, the grid iterates.
        evaluate_.block.x = evaluate_block;
        evaluate_.grid.x = blocks_for(ceil_div(entries_.size(), 2u), evaluate_block);
    }

    std::vector<simt::KernelAttributes> kernels() const override {
        return {attributes("fill_list", kernels_.fill, fill_),
                attributes("evaluate_list", kernels_.evaluate, evaluate_)};
    }

protected:
    void launch_all(Parameters const& p, simt::Stream stream) override {
        for (unsigned pass = 0; pass < p.passes; ++pass) {
            ValueList const list = {entries_.data(), lengths_.data() + turn_, lengths_.data() + (turn_ ^ 1)};
            turn_ ^= 1;
            launch("fill_list", kernels_.fill, fill_, stream, p, list);
            launch("evaluate_list", kernels_.evaluate, evaluate_, stream, p, list);
        }
    }

private:
    static LaunchPlan settings(unsigned states_per_group) {
        LaunchPlan plan;
        plan.settings.states_per_group = states_per_group;
        return plan;
    }

    ListKernels kernels_;
    Buffer<Entry> entries_;
    Buffer<unsigned> lengths_;
    simt::LaunchShape fill_;
    simt::LaunchShape evaluate_;
    unsigned turn_ = 0;
};

}  // namespace

std::unique_ptr<bench::Case> make_list(bench::Problem const& problem) {
    return std::make_unique<ListCase>(job_of(problem), layout_from_string(problem.axes.text("layout")),
                                      axis_or(problem.axes, "states_per_group", 32));
}

void add_list(bench::Experiment& experiment) {
    bench::Variant list = job_variant(
        "list", bench::Role::ours, "one list of all enabled values, evaluated by a second launch", launch_queue,
        [](bench::Axes const& axes) {
            std::string const rules = axes.text("rules");
            return rules == "sudoku" || rules == "several" ? "a list holds the values of one rule only" : "";
        });
    list.make = make_list;
    experiment.variants.push_back(std::move(list));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
