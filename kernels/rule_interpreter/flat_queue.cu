// Variant `flat_queue` (ours): the values of all states as one array, of which a warp has up to 2048 neighbouring
// values, whatever states they belong to (queue_plan.hpp has how many). It fits any size of a state: a warp's last
// round, the only one that can leave lanes idle, comes once per 2048 values, and small states share it.
//
// A lane loads eight values of a tile of 256 as two vectors, and appends the enabled ones to the warp's queue one after
// another: the ranks of all lanes come from ballots of the bits of their numbers, four for eight values, instead of one
// ballot per value. An entry is the place of a value in the array; its index in its state, which the evaluation starts
// from, is a remainder, by multiplication with a number that the host computes.
//
// What diverges: nothing but the loads past the end of the array. The last round is filled with entries that evaluate
// a 0 and store nothing, so that the loop of products is in the kernel once. Bytes per value: its load, and the store
// of a result.
//
// Preconditions: one rule of products 1x1x1 or 2x2x2, layout A, and a range that is a multiple of four.

#include "common/rule_interpreter/job_case.hpp"
#include "harness/simt/shared_words.hpp"
#include "harness/simt/warp.hpp"
#include "kernels/rule_interpreter/divisor.hpp"
#include "kernels/rule_interpreter/ours.hpp"
#include "kernels/rule_interpreter/pinned_product.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"
#include "kernels/rule_interpreter/selected.hpp"
#include "kernels/rule_interpreter/warp_queue.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned flat_block = 128;
inline constexpr unsigned flat_vectors = 2;  // of a lane in a tile
inline constexpr unsigned flat_vector_values = selected_values * warp_size;
inline constexpr unsigned flat_tile = flat_vectors * flat_vector_values;
inline constexpr unsigned flat_queue_size = flat_tile + warp_size;  // fewer than 32 remain, up to 256 are added

struct FlatQueues {
    SharedArray<QueueEntry, flat_block / warp_size * flat_queue_size> entries;
};

// The array, a warp's part of it, and how to find the index of a value in its state.
struct FlatValues {
    unsigned size;      // a multiple of four
    unsigned per_warp;  // a multiple of flat_tile
    Divisor range;
};

template <class Rule>
__device__ inline unsigned flat_checksum(unsigned value, unsigned i, unsigned load) {
    if constexpr (std::is_same_v<Rule, Product<2>>)
        return pinned_checksum<Pinned::all_words, 10>(value, i, load);
    else
        return product_checksum<1, 1, 1>(value, i, load);
}

// The values of a lane in a tile: two vectors, `flat_vector_values` apart.
class FlatTile {
public:
    __device__ void load(unsigned const* values, unsigned at, unsigned end) {
#pragma unroll
        for (unsigned v = 0; v < flat_vectors; ++v) {
            unsigned const from = at + v * flat_vector_values;
            vector_[v] = from < end ? *reinterpret_cast<FourWords const*>(values + from) : FourWords{};
        }
    }
    __device__ unsigned value(unsigned k) const { return vector_[k / selected_values].word[k % selected_values]; }
    // Of value k, from the lane's first.
    __device__ static constexpr unsigned offset(unsigned k) {
        return k / selected_values * flat_vector_values + k % selected_values;
    }

private:
    FourWords vector_[flat_vectors];
};

// Appends the lane's enabled values, of which the first has place `at`. Returns the new number of entries.
__device__ inline unsigned append_flat(SharedWords<QueueEntry> const& queue, unsigned count, unsigned below,
                                       unsigned at, FlatTile const& tile) {
    constexpr unsigned values = flat_vectors * selected_values;
    unsigned number = 0;
#pragma unroll
    for (unsigned k = 0; k < values; ++k)
        number += tile.value(k) != 0 ? 1 : 0;
    unsigned slot = count;
#pragma unroll
    for (unsigned bit = 1; bit <= values; bit *= 2)
        slot += static_cast<unsigned>(__popc(__ballot_sync(full_warp, (number & bit) != 0) & below)) * bit;
    unsigned const all = __shfl_sync(full_warp, slot + number, warp_size - 1);
#pragma unroll
    for (unsigned k = 0; k < values; ++k) {
        if (tile.value(k) != 0)
            queue[slot++] = QueueEntry{at + FlatTile::offset(k), tile.value(k)};
    }
    return all;
}

template <class Rule>
__global__ void __launch_bounds__(flat_block, 8)
    flat_queue(__grid_constant__ Parameters const p, __grid_constant__ FlatValues const values) {
    unsigned const from = (block_rank() * (flat_block / warp_size) + warp_id()) * values.per_warp;
    if (from >= values.size)
        return;
    unsigned const left = values.size - from;
    unsigned const end = in_register(left < values.per_warp ? values.size : from + values.per_warp);
    SharedWords<QueueEntry> const queue =
        shared_words_in_register<QueueEntry>(warp_id() * flat_queue_size * sizeof(QueueEntry));
    unsigned const below = in_register(lanes_below(lane_id()));
    unsigned const* const words = p.columns[value_column];
    unsigned* const results = p.columns[result_column];
    unsigned at = from + lane_id() * selected_values;
    FlatTile next;
    next.load(words, at, end);
    unsigned count = 0;
#pragma unroll 1
    for (unsigned first = from; first < end;) {
        FlatTile const tile = next;
        unsigned const here = at;
        first += flat_tile;
        at += flat_tile;
        next.load(words, at, end);
        count = append_flat(queue, count, below, here, tile);
        if (first >= end) {
            unsigned const whole = round_up(count, warp_size);
            if (count + lane_id() < whole)
                queue[count + lane_id()] = QueueEntry{0, 0};
            count = whole;
        }
        __syncwarp();
        for (; count >= warp_size; count -= warp_size) {
            QueueEntry const entry = queue[count - warp_size + lane_id()];
            unsigned const i = values.range.remainder(entry.instance);
            if (p.counting != 0)
                count_evaluation(p, entry.operand != 0, State<LayoutA>(p, entry.instance / p.range[0]), i);
            unsigned const word = flat_checksum<Rule>(entry.operand, i, p.load);
            if (entry.operand != 0)
                results[entry.instance] = word;
        }
        __syncwarp();
    }
}

namespace {

using FlatKernel = void (*)(Parameters, FlatValues);

class FlatQueueCase : public JobCase {
public:
    explicit FlatQueueCase(Job const& job)
        : JobCase(job, LayoutName::a, {}),
          kernel_(job.workload.shape == Shape(1) ? flat_queue<Product<1>> : flat_queue<Product<2>>),
          values_{static_cast<unsigned>(job.states * job.workload.range),
                  values_per_flat_warp(job, queue_constants(machine)), Divisor(job.workload.range)} {
        shape_.block.x = flat_block;
        shape_.grid.x = blocks_for(values_.size, flat_block / warp_size * values_.per_warp);
        shape_.shared_bytes = sizeof(FlatQueues);
    }

    std::vector<simt::KernelAttributes> kernels() const override { return {attributes("flat_queue", kernel_, shape_)}; }

protected:
    // A pass reads no result of an earlier one.
    void launch_all(Parameters const& p, simt::Stream stream) override {
        for (unsigned pass = 0; pass < p.passes; ++pass)
            launch("flat_queue", kernel_, shape_, stream, p, values_);
    }

private:
    FlatKernel kernel_;
    FlatValues values_;
    simt::LaunchShape shape_;
};

}  // namespace

std::unique_ptr<bench::Case> make_flat_queue(bench::Problem const& problem) {
    return std::make_unique<FlatQueueCase>(job_of(problem));
}

std::string flat_queue_unsupported_reason(bench::Axes const& axes) {
    if (axes.text("rules") != "synthetic")
        return "its array has the values of one rule";
    if (axes.text("layout") != "A")
        return "only in layout A are the values of all states one array";
    if (axes.text("shape") != "1x1x1" && axes.text("shape") != "2x2x2")
        return "it is compiled for products 1x1x1 and 2x2x2";
    return axes.integer("range") % selected_values != 0 ? "it loads four values at a time, so 4 must divide the range"
                                                        : std::string();
}

void add_flat_queue(bench::Experiment& experiment) {
    bench::Variant variant =
        job_variant("flat_queue", bench::Role::ours, "queues of warps, over the values of all states as one array",
                    launch_queue, flat_queue_unsupported_reason);
    variant.make = make_flat_queue;
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
