// Variant `flat_queue` (ours): the values of all states as one array, of which a warp has up to 2048 neighbouring
// values, whatever states they belong to (queue_plan.hpp has how many). It fits any size of a state: only a warp's last
// round can leave lanes idle, and small states share it.
//
// A lane loads 16 neighbouring values of a tile of 512, and appends the enabled ones to the warp's queue one after
// another: a scan over the lanes' counts gives each lane its first slot. So the queue is in the order of the array, and
// the results of a round of 32 entries go to neighbouring sectors of memory. A sector that two rounds share is written
// twice, in parts, and the device reads the rest of it each time. An entry is the place of a value in the array; its
// index in its state, which the evaluation starts from, is a remainder, by multiplication with a number that the host
// computes.
//
// What diverges: nothing but the loads past the end of the array. The last round is filled with entries that evaluate
// a 0 and store nothing, so that the loop of products is in the kernel once. Bytes per value: its load, and the store
// of a result. Operations per value: a test, and four to append it; per evaluation: those of the products, of the hash
// that they start from, and of the remainder.
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
inline constexpr unsigned flat_values = 16;  // of a lane in a tile
inline constexpr unsigned flat_tile = flat_values * warp_size;
inline constexpr unsigned flat_unrolled = 10;                       // products per iteration, for loads of any size
inline constexpr unsigned flat_queue_size = flat_tile + warp_size;  // fewer than 32 remain, up to 512 are added

struct FlatQueues {
    SharedArray<QueueEntry, flat_block / warp_size * flat_queue_size> entries;
};

// The array, a warp's part of it, and how to find the index of a value in its state.
struct FlatValues {
    unsigned size;      // a multiple of four
    unsigned per_warp;  // a multiple of four
    Divisor range;
    unsigned iterations;  // of the unrolled loop of flat_unrolled products per evaluation
    unsigned remainder;   // products after them
};

// What a kernel is compiled for: any number of products per evaluation; the same, with evaluations counted; whole
// iterations of the unrolled loop only, which needs no loop for a remainder and no test for it.
enum class FlatLoad { any, counted, whole };

template <class Rule, FlatLoad load_kind>
__device__ inline unsigned flat_checksum(unsigned value, unsigned i, unsigned load, FlatValues const& values) {
    if constexpr (std::is_same_v<Rule, Product<1>>)
        return product_checksum<1, 1, 1>(value, i, load);
    else if constexpr (load_kind == FlatLoad::whole)
        return pinned_whole_checksum<Pinned::flat_whole, unrolled_products<8>>(value, i, load);
    else
        return pinned_divided_checksum<Pinned::flat_any, flat_unrolled>(value, i, values.iterations, values.remainder);
}

// One instruction on CUDA, where a comparison and a selection take two.
__device__ inline unsigned at_most_one(unsigned value) {
#if defined(__CUDACC__)
    return min(value, 1u);
#else
    return value != 0 ? 1 : 0;
#endif
}

// The values of a lane in a tile, of which the first has place `at` in the array.
class FlatTile {
public:
    __device__ void load(unsigned const* words, unsigned at, unsigned end, bool whole) {
        auto const* const from = reinterpret_cast<FourWords const*>(words + at);
        if (whole) {
#pragma unroll
            for (unsigned v = 0; v < vectors; ++v)
                vector_[v] = from[v];
            return;
        }
#pragma unroll
        for (unsigned v = 0; v < vectors; ++v)
            vector_[v] = at + v * selected_values < end ? from[v] : FourWords{};
    }

    __device__ unsigned value(unsigned k) const { return vector_[k / selected_values].word[k % selected_values]; }

    __device__ unsigned enabled() const {
        unsigned number = 0;
#pragma unroll
        for (unsigned k = 0; k < flat_values; ++k)
            number += at_most_one(value(k));
        return number;
    }

    // Appends the lane's enabled values to the warp's queue of `count` entries. Returns the new number of entries.
    __device__ unsigned append(SharedWords<QueueEntry> const& queue, unsigned count, unsigned at) const {
        unsigned const own = enabled();
        unsigned const up_to_own = inclusive_word_sum(own);
        SharedCursor<QueueEntry> next(queue, count + up_to_own - own);
#pragma unroll
        for (unsigned k = 0; k < flat_values; ++k) {
            if (value(k) != 0) {
                next[0] = QueueEntry{at + k, value(k)};
                next.advance();
            }
        }
        return count + __shfl_sync(full_warp, up_to_own, warp_size - 1);
    }

private:
    static constexpr unsigned vectors = flat_values / selected_values;
    FourWords vector_[vectors];
};

// Fills the last round with entries that evaluate a 0 and store nothing. Returns the new number of entries.
__device__ inline unsigned fill_last_round(SharedWords<QueueEntry> const& queue, unsigned count) {
    unsigned const whole = round_up(count, warp_size);
    if (count + lane_id() < whole)
        queue[count + lane_id()] = QueueEntry{0, 0};
    return whole;
}

template <class Rule, FlatLoad load_kind>
__global__ void __launch_bounds__(flat_block, 8)
    flat_queue(__grid_constant__ Parameters const p, __grid_constant__ FlatValues const values) {
    unsigned first = (block_rank() * (flat_block / warp_size) + warp_id()) * values.per_warp;
    if (first >= values.size)
        return;
    unsigned const left = values.size - first;
    unsigned const end = in_register(left < values.per_warp ? values.size : first + values.per_warp);
    SharedWords<QueueEntry> const queue =
        shared_words_in_register<QueueEntry>(warp_id() * flat_queue_size * sizeof(QueueEntry));
    unsigned const* const words = p.columns[value_column];
    unsigned* const results = p.columns[result_column];
    SharedCursor<QueueEntry> const own_entry(queue, lane_id());
    unsigned at = first + lane_id() * flat_values;
    FlatTile tile;
    tile.load(words, at, end, first + flat_tile <= end);
    unsigned count = 0;
#pragma unroll 1
    do {
        count = tile.append(queue, count, at);
        // Loads the next tile while it evaluates.
        at += flat_tile;
        first += flat_tile;
        tile.load(words, at, end, first + flat_tile <= end);
        if (first >= end)
            count = fill_last_round(queue, count);
        __syncwarp();
#pragma unroll 1
        for (; count >= warp_size; count -= warp_size) {
            QueueEntry const entry = own_entry[count - warp_size];
            unsigned const i = values.range.remainder(entry.instance);
            if constexpr (load_kind == FlatLoad::counted)
                count_evaluation(p, entry.operand != 0, State<LayoutA>(p, entry.instance / p.range[0]), i);
            unsigned const word = flat_checksum<Rule, load_kind>(entry.operand, i, p.load, values);
            if (entry.operand != 0)
                results[entry.instance] = word;
        }
        __syncwarp();
    } while (first < end);
}

namespace {

using FlatKernel = void (*)(Parameters, FlatValues);

struct FlatKernels {
    FlatKernel timed;
    FlatKernel counting;
};

FlatKernels kernels_of(Workload const& workload) {
    if (workload.shape == Shape(1))
        return {flat_queue<Product<1>, FlatLoad::any>, flat_queue<Product<1>, FlatLoad::counted>};
    bool const whole = workload.load != 0 && workload.load % unrolled_products<8> == 0;
    return {whole ? flat_queue<Product<2>, FlatLoad::whole> : flat_queue<Product<2>, FlatLoad::any>,
            flat_queue<Product<2>, FlatLoad::counted>};
}

class FlatQueueCase : public JobCase {
public:
    explicit FlatQueueCase(Job const& job)
        : JobCase(job, LayoutName::a, {}),
          kernels_(kernels_of(job.workload)),
          values_{static_cast<unsigned>(job.states * job.workload.range),
                  values_per_flat_warp(job, queue_constants(machine)), Divisor(job.workload.range),
                  job.workload.load / flat_unrolled, job.workload.load % flat_unrolled} {
        shape_.block.x = flat_block;
        shape_.grid.x = blocks_for(values_.size, flat_block / warp_size * values_.per_warp);
        shape_.shared_bytes = sizeof(FlatQueues);
    }

    std::vector<simt::KernelAttributes> kernels() const override {
        return {attributes("flat_queue", kernels_.timed, shape_)};
    }

protected:
    // A pass reads no result of an earlier one.
    void launch_all(Parameters const& p, simt::Stream stream) override {
        for (unsigned pass = 0; pass < p.passes; ++pass)
            launch("flat_queue", p.counting != 0 ? kernels_.counting : kernels_.timed, shape_, stream, p, values_);
    }

private:
    FlatKernels kernels_;
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
