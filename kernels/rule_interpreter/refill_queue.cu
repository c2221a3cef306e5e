// Variant `refill_queue` (ours), for the rules `several`: a warp has one queue for all rules, of instances with an
// enabled rule. A lane takes an instance and evaluates the first rule that is enabled, then the next one that the
// outcome enables. When no other rule is, it stores the word and takes another instance. Lanes idle only when the queue
// is empty at the end of a pass, not at the end of each rule.
//
// It is exact for the reason that fused.cu gives: rules keep to their own instance, and the order of rules within an
// instance stays. All lanes of a round have the same number of products, whatever rules they evaluate.
//
// What diverges: only which lanes take a new instance. Bytes per value: its value and its result once, and the store
// of a result, per pass.
//
// Preconditions: rules `several`, and a range that is a multiple of four.

#include "common/rule_interpreter/job_case.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/registers.hpp"
#include "harness/simt/shared_words.hpp"
#include "harness/simt/warp.hpp"
#include "kernels/rule_interpreter/ours.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"
#include "kernels/rule_interpreter/selected.hpp"
#include "kernels/rule_interpreter/warp_queue.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned refill_block = 128;
inline constexpr unsigned refill_queue_size = tile_size + warp_size;  // fewer than 32 remain, up to 128 are added

struct RefillQueues {
    SharedArray<QueueEntry, refill_block / warp_size * refill_queue_size> entries;
};

// A rule is a bit: rule n > 0 is enabled by bit n + 3 of the result, and rule 0, which a value enables, is bit 3.
inline constexpr unsigned first_rule_bit = 8;
inline constexpr unsigned later_rule_bits =
    Chained<1>::enabling_bits | Chained<2>::enabling_bits | Chained<3>::enabling_bits;
static_assert(later_rule_bits == 0x70 && first_rule_bit == Chained<1>::enabling_bits / 2);

__device__ inline unsigned lowest_bit(unsigned bits) { return bits & (0u - bits); }
__device__ inline unsigned bits_above(unsigned bit) { return 0u - 2 * bit; }

// An instance in work: what is left to evaluate of it.
struct Refill {
    unsigned instance;
    unsigned later;  // rules that its range allows after this one
    unsigned rule;   // 0: none
    unsigned word;   // from which the rule starts

    __device__ QueueEntry packed() const { return {instance << 16 | later << 8 | rule, word}; }
    __device__ static Refill unpacked(QueueEntry const& entry) {
        return {entry.instance >> 16, entry.instance >> 8 & 0xFF, entry.instance & 0xFF, entry.operand};
    }
};

__device__ inline unsigned allowed_later(Parameters const& p, unsigned i) {
    return (i < Chained<1>::range(p) ? Chained<1>::enabling_bits : 0) |
           (i < Chained<2>::range(p) ? Chained<2>::enabling_bits : 0) |
           (i < Chained<3>::range(p) ? Chained<3>::enabling_bits : 0);
}

// Appends the enabled ones of a lane's four instances from `first` on. inner: they are in the range of every rule.
// Returns the new number of entries.
template <bool inner>
__device__ inline unsigned append_instances(Parameters const& p, SharedWords<QueueEntry> const& queue, unsigned count,
                                            unsigned below, unsigned first, FourWords const& values,
                                            FourWords const& results) {
#pragma unroll
    for (unsigned k = 0; k < selected_values; ++k) {
        unsigned const value = values.word[k];
        unsigned const allowed = inner ? later_rule_bits : allowed_later(p, first + k);
        unsigned const bits = value != 0 ? first_rule_bit : results.word[k] & allowed;
        unsigned const rule = lowest_bit(bits);
        unsigned const lanes = __ballot_sync(full_warp, bits != 0);
        unsigned const slot = count + static_cast<unsigned>(__popc(lanes & below));
        unsigned const word = value != 0 ? value : results.word[k];
        Refill const refill = {first + k, allowed & bits_above(rule), rule, word};
        // Computed by all lanes, so that only the store is conditional.
        QueueEntry const entry = {in_register(refill.packed().instance), in_register(word)};
        if (bits != 0)
            queue[slot] = entry;
        count += static_cast<unsigned>(__popc(lanes));
    }
    return count;
}

// The word of a rule, number 0 to 3, on all lanes.
__device__ inline unsigned refill_checksum(unsigned word, unsigned number, unsigned i, unsigned load) {
    Matrices<1, 1, 1> matrices(start_of(word + number, i));
    unsigned left = load;
    multiply_whole<40>(matrices, left);
    multiply_whole<10>(matrices, left);
    multiply_whole<1>(matrices, left);
    return matrices.checksum();
}

// A warp's part of one state: every `parts`-th tile, from tile `part` on.
class RefillTeam {
public:
    __device__ RefillTeam(Parameters const& p, unsigned number, unsigned part)
        : p_(p),
          queue_(shared_words_in_register<QueueEntry>(warp_id() * refill_queue_size * sizeof(QueueEntry))),
          values_(p.columns[value_column] + number * p.range[value_column]),
          results_(p.columns[result_column] + number * p.range[value_column]),
          first_(part * tile_size),
          below_(in_register(lanes_below(lane_id()))) {}

    __device__ void pass() {
        unsigned const range = p_.range[value_column];
        next_ = first_;
        load(range);
        unsigned count = 0;
        Refill mine = {};
        for (;;) {
            unsigned const idle = __ballot_sync(full_warp, mine.rule == 0);
            unsigned const wanted = static_cast<unsigned>(__popc(idle));
            while (count < wanted && next_ < range)
                count = append(count, range);
            unsigned const rank = static_cast<unsigned>(__popc(idle & below_));
            if (mine.rule == 0 && rank < count)
                mine = Refill::unpacked(queue_[count - 1 - rank]);
            if (count == 0 && wanted == warp_size)
                break;
            count -= wanted < count ? wanted : count;
            evaluate(mine);
            __syncwarp();
        }
    }

private:
    // Loads the warp's next tile; the words of others are 0, which enables no rule.
    __device__ void load(unsigned range) {
        unsigned const first = next_ + lane_id() * selected_values;
        bool const present = first < range;
        tile_values_ = present ? *reinterpret_cast<FourWords const*>(values_ + first) : FourWords{};
        tile_results_ = present ? *reinterpret_cast<FourWords const*>(results_ + first) : FourWords{};
    }

    // Appends the tile that is loaded, while the next one is on its way.
    __device__ unsigned append(unsigned count, unsigned range) {
        FourWords const values = tile_values_, results = tile_results_;
        unsigned const first = next_ + lane_id() * selected_values;
        bool const inner = next_ + tile_size <= Chained<several_rules - 1>::range(p_);
        next_ += p_.warps_per_state * tile_size;
        if (next_ < range)
            load(range);
        count = inner ? append_instances<true>(p_, queue_, count, below_, first, values, results)
                      : append_instances<false>(p_, queue_, count, below_, first, values, results);
        __syncwarp();
        return count;
    }

    // Evaluates a rule on every lane; those without an instance drop the outcome.
    __device__ void evaluate(Refill& mine) {
        unsigned const third = mine.rule >> 4;
        unsigned const number = third - (third >> 2);  // bits 8, 16, 32 and 64 are rules 0, 1, 2 and 3
        mine.word = refill_checksum(mine.word, number, mine.instance, p_.load);
        bool const evaluated = mine.rule != 0;
        unsigned const enabled = evaluated ? mine.word & mine.later : 0;
        mine.rule = lowest_bit(enabled);
        mine.later &= bits_above(mine.rule);
        if (evaluated && enabled == 0)
            results_[mine.instance] = mine.word;
    }

    Parameters const& p_;
    SharedWords<QueueEntry> queue_;
    unsigned const* values_;
    unsigned* results_;
    unsigned first_;
    unsigned below_;
    unsigned next_ = 0;  // of the tile that is loaded
    FourWords tile_values_;
    FourWords tile_results_;
};

__global__ void __launch_bounds__(refill_block, 8) refill_queue(__grid_constant__ Parameters const p) {
    unsigned const warp = block_rank() * (refill_block / warp_size) + warp_id();
    unsigned const number = warp / p.warps_per_state;
    if (number >= p.states)
        return;
    RefillTeam team(p, number, warp % p.warps_per_state);
    for (unsigned pass = 0; pass < p.passes; ++pass)
        team.pass();
}

LaunchPlan launch_refill_queue(Job const& job, bench::Axes const& axes) {
    LaunchPlan plan;
    plan.name = "refill_queue";
    plan.kernels = {refill_queue};
    plan.settings.warps_per_state =
        axis_or(axes, "warps_per_state", refill_warps_per_state(job, queue_constants(machine)));
    plan.shape.block.x = refill_block;
    plan.shape.grid.x = blocks_of_warps(job.states * plan.settings.warps_per_state, refill_block / warp_size);
    plan.shape.shared_bytes = sizeof(RefillQueues);
    return plan;
}

std::string refill_queue_unsupported_reason(bench::Axes const& axes) {
    if (axes.text("rules") != "several")
        return "its queue is for rules that follow one another in each instance";
    return axes.integer("range") % selected_values != 0 ? "it loads four values at a time, so 4 must divide the range"
                                                        : std::string();
}

void add_refill_queue(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "refill_queue", bench::Role::ours, "one queue per warp for all rules, from which lanes that are done take more",
        launch_refill_queue, refill_queue_unsupported_reason));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
