#include "kernels/rule_interpreter/queue_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "common/rule_interpreter/initial_values.hpp"

namespace lockstep::rule_interpreter {

namespace {

constexpr double queue_slots = 25;              // cost of passing 32 values through a queue
constexpr double other_slots = 17;              // cost of an evaluation apart from its products
constexpr double waiting_slots = 40;            // the same if all warps are resident at once and nothing hides a wait
constexpr double short_slots = 64;              // up to here loads and stores take longer than evaluations
constexpr double long_slots = 400;              // from here on the queue's cost is a few percent
constexpr unsigned few_words = 16;              // per instance, below which a rule of loads and stores waits for them
constexpr std::uint64_t few_scalars = 1 << 21;  // instances, below which a queue of scalar products costs too much
constexpr std::uint64_t few_states_side_by_side = 256;
constexpr double cost_of_a_queue_per_rule = 1.66;  // over that of one queue for all rules on a full GPU
constexpr double cost_of_few_states = 1.45;   // of one queue for all rules, whose last rounds are then a large part
constexpr unsigned never_bypass = 33;         // more lanes than a warp has
constexpr unsigned min_entries = 16;          // enabled values per warp, below which its only round is mostly empty
constexpr double dense_share = 0.9;           // of the values enabled, from which idle lanes cost less than a queue
constexpr double nearly_all = 0.98;           // the same for long evaluations of many values
constexpr double sparse_share = 0.3;          // below which hardly a tile of a short evaluation bypasses a queue
constexpr double sparse_scalar_share = 0.45;  // below which few scalar products gain from a queue, read cold too
constexpr unsigned few_per_lane = 4;  // values per resident lane, of which the last round of a queue is a large part

// Fewer values per warp leave more lanes idle in its last round. More values leave multiprocessors idle, and
// neighbouring warps access distant memory. Thresholds measured on an H200.
unsigned values_per_warp(double slots, bool fills_gpu) {
    if (slots <= 64)
        return 256;
    return slots <= 400 && !fills_gpu ? 512 : slots <= 400 ? 2048 : 65536;
}

// Share of the values of a synthetic job that are enabled, from a sample: a caller may not know it.
double sampled_share_enabled(Job const& job) {
    constexpr unsigned samples = 512;
    std::uint64_t const values = job.states * job.workload.range;
    unsigned enabled = 0;
    for (std::uint64_t n = 0; n < samples && values != 0; ++n) {
        std::uint64_t const at = values / samples * n + n % std::max<std::uint64_t>(1, values / samples);
        enabled += cpu::initial_value(job.draw(), job.first_state + at % values / job.workload.range,
                                      static_cast<unsigned>(at % job.workload.range)) != 0;
    }
    return enabled / static_cast<double>(samples);
}

}  // namespace

double slots_per_evaluation(Workload const& workload) {
    if (workload.base != RuleBase::synthetic && workload.base != RuleBase::several)
        return 0;
    Shape const shape = workload.base == RuleBase::several ? Shape(1) : workload.shape;
    return static_cast<double>(workload.load) * slots_per_product(shape);
}

QueuePlan plan_queue(Job const& job, unsigned warps_per_state, unsigned states_per_warp, unsigned block,
                     QueueConstants const& constants) {
    std::uint64_t const enough_warps = static_cast<std::uint64_t>(constants.enough_warps);
    Workload const& w = job.workload;
    double const slots = slots_per_evaluation(w);
    QueuePlan plan;
    plan.block = block != 0 ? block : slots <= 64 ? 256 : 128;
    // Several rules need a barrier between them, so a state's warps are then in one block. A state that runs to a fixed
    // point has one warp.
    bool const one_rule = w.base == RuleBase::synthetic || w.base == RuleBase::accesses;
    unsigned const max_warps = w.base == RuleBase::sudoku ? 1 : one_rule ? 1024 : std::bit_floor(plan.block / 32);
    unsigned const useful = std::bit_ceil(std::max(1u, w.range / 256));
    if (warps_per_state != 0) {
        plan.warps_per_state = std::min(warps_per_state, max_warps);
    } else {
        unsigned const wanted =
            std::bit_floor(std::max(1u, w.range / values_per_warp(slots, job.states >= enough_warps)));
        plan.warps_per_state = std::min({wanted, max_warps, 8u});
        // Few enabled values: fewer warps with more values each, as long as these fill the GPU.
        double const enabled = one_rule ? sampled_share_enabled(job) * w.range : w.range;
        while (enabled < min_entries * plan.warps_per_state && plan.warps_per_state > 1 &&
               job.states * plan.warps_per_state / 2 >= enough_warps)
            plan.warps_per_state /= 2;
        // Regardless of that choice: multiprocessors without a warp cost more.
        while (job.states * plan.warps_per_state < enough_warps / 4 &&
               plan.warps_per_state * 2 <= std::min(max_warps, useful))
            plan.warps_per_state *= 2;
    }
    // The remainders of several small states together fill a warp.
    bool const whole = plan.warps_per_state == 1 && one_rule;
    if (states_per_warp != 0) {
        plan.states_per_warp = whole || w.base == RuleBase::several ? states_per_warp : 1;
    } else {
        while (whole && w.range * plan.states_per_warp < 512 && job.states / (2 * plan.states_per_warp) >= enough_warps)
            plan.states_per_warp *= 2;
    }
    bool const waits = job.states * plan.warps_per_state <= enough_warps;
    double const worth = 1 - queue_slots / (slots + (waits ? waiting_slots : other_slots));
    // For long evaluations the queue costs next to nothing, and no tile bypasses it: the loop of products is compiled
    // once for entries of the queue and once in place, and the first is the faster one.
    plan.bypass_threshold =
        slots >= long_slots ? never_bypass : static_cast<unsigned>(std::clamp(32 * worth, 8.0, 32.0));
    return plan;
}

unsigned warps_per_32_states(Job const& job, QueueConstants const& constants) {
    // Per lane: with fewer, the last round of the queue costs as much as the others.
    constexpr unsigned min_values = 16;
    unsigned const most = std::bit_floor(std::max(1u, job.workload.range / min_values));
    std::uint64_t const enough_warps = static_cast<std::uint64_t>(constants.enough_warps);
    std::uint64_t const groups = std::max<std::uint64_t>(1, job.states / 32);
    return static_cast<unsigned>(std::min<std::uint64_t>(most, std::bit_ceil(2 * enough_warps / groups + 1)));
}

// The time of the fullest quarter of a multiprocessor, in rounds of its warps. A warp's last round counts half, since
// it is half full on average. Quarters with one or two warps do not hide that these load and append values. Warps with
// fewer values than a tile leave lanes idle while they load; that is not counted.
//
// An array that no L2 cache holds: the fewer values a warp has, the nearer to one another are the rows of memory that
// all warps use at a time. One tile per warp is the fastest as long as the evaluations take no longer than the loads.
unsigned values_per_flat_warp(Job const& job, QueueConstants const& constants) {
    constexpr double warps_per_quarter = 16;  // resident
    constexpr double alone = 0.2;             // time that one warp adds if no other one hides it
    constexpr unsigned fewest = 256;
    constexpr unsigned tile = 512;
    constexpr double values_in_memory = 1 << 25;  // 128 MiB
    double const quarters = std::max(1.0, constants.enough_warps / warps_per_quarter);
    double const values = static_cast<double>(job.states) * job.workload.range;
    double const share = sampled_share_enabled(job);
    double const evaluation = slots_per_evaluation(job.workload) + other_slots;
    double const slots = queue_slots + (tile * share / 32 + 0.5) * evaluation / (tile / 32);
    if (values >= values_in_memory && slots <= constants.loading_slots)
        return tile;
    unsigned best = values >= values_in_memory ? 1536 : 2048;
    double least = std::numeric_limits<double>::infinity();
    for (unsigned per_warp = best; per_warp >= fewest; per_warp /= 2) {
        double const warps = std::ceil(std::ceil(values / per_warp) / quarters);
        double const rounds = per_warp * share / 32 + 0.5;
        double const time = warps * rounds * (1 + alone / (warps * warps));
        if (time < least) {
            best = per_warp;
            least = time;
        }
    }
    return best;
}

unsigned refill_warps_per_state(Job const& job, QueueConstants const& constants) {
    constexpr unsigned tile = 128;
    std::uint64_t const enough_warps = static_cast<std::uint64_t>(constants.enough_warps);
    unsigned warps = 1;
    while (job.states * warps < enough_warps / 2 && job.workload.range >= 2 * warps * tile)
        warps *= 2;
    return warps;
}

namespace {

// A block per state without a queue: where the loads and stores of a value take longer than all else, and threads that
// wait for them cost nothing.
bool bound_by_loads(Job const& job, LayoutName layout, double slots, double share) {
    Workload const& w = job.workload;
    if (slots > short_slots)
        return false;
    if (share >= dense_share)
        return true;
    return layout != LayoutName::b && w.shape == Shape(1) && job.states * w.range <= few_scalars;
}

// What `flat_queue` supports, and where it beats `queue` and Algorithm 1: it has no bypass, which short evaluations
// need unless few values are enabled.
bool flat_pays(Job const& job, LayoutName layout, double slots, double share) {
    Workload const& w = job.workload;
    bool const scalar = w.shape == Shape(1);
    if (layout != LayoutName::a || (!scalar && w.shape != Shape(2)) || w.range % 4 != 0)
        return false;
    if (slots > short_slots)
        return slots >= long_slots || share < dense_share;
    return scalar ? share < sparse_scalar_share && job.states * w.range <= few_scalars : share < sparse_share;
}

// A list costs a second launch. Before evaluations are long enough to hide that of any job, it pays where the warps do
// not fill the GPU, but every lane gets an enabled value.
bool list_pays(Job const& job, double slots, double share, QueueConstants const& constants) {
    if (slots >= constants.always_list_slots)
        return true;
    if (slots >= constants.scalar_list_slots && job.workload.shape == Shape(1))
        return true;
    double const enabled = share * static_cast<double>(job.states * job.workload.range);
    return slots >= constants.list_slots && static_cast<double>(job.states) < constants.enough_warps &&
           enabled > constants.few_instances;
}

// Fused rules evaluate all instances, and a queue the enabled ones. The constant is that of half enabled by the first
// rule; bits of the outcomes enable the others, and half of these.
Choice choose_for_several(Job const& job, QueueConstants const& constants) {
    // If a state's rows are not aligned to 16 bytes, the queue is one that costs more.
    bool const refilled = job.workload.range % 4 == 0;
    bool const full = static_cast<double>(job.states) >= constants.enough_warps;
    double const cost = !refilled ? cost_of_a_queue_per_rule : full ? 1.0 : cost_of_few_states;
    double const slots = slots_per_evaluation(job.workload);
    if (slots <= constants.fused_slots * cost * (0.6 + 0.8 * sampled_share_enabled(job)))
        return Choice::fused;
    if (refilled)
        return Choice::refill_queue;
    return static_cast<double>(job.states) >= 2 * constants.enough_warps ? Choice::block_queue : Choice::queue;
}

}  // namespace

Choice choose(Job const& job, LayoutName layout, QueueConstants const& constants) {
    std::uint64_t const enough_warps = static_cast<std::uint64_t>(constants.enough_warps);
    Workload const& w = job.workload;
    double const slots = slots_per_evaluation(w);
    std::uint64_t const instances = job.states * w.range;
    if (w.base == RuleBase::sudoku)
        return Choice::bit_board;
    if (w.base == RuleBase::search)
        return Choice::search;
    // Memory is the bound, and compaction does not help it.
    if (w.base == RuleBase::accesses)
        return w.accesses < few_words ? Choice::algorithm1 : Choice::fused;
    if (w.base == RuleBase::several)
        return choose_for_several(job, constants);
    // Few states side by side leave a warp's queue too few values, and `fused` does not support this layout.
    if (layout == LayoutName::b && slots < long_slots && job.states <= few_states_side_by_side)
        return Choice::algorithm1;
    // Too few values to give every lane of the GPU one.
    if (static_cast<double>(instances) <= constants.few_instances)
        return Choice::fused;
    // Several passes over scalar products: one touch of memory instead of one per pass.
    if (w.shape == Shape(1) && w.steps > 1 && slots <= short_slots)
        return Choice::fused;
    double const share = sampled_share_enabled(job);
    bool const flat = flat_pays(job, layout, slots, share);
    if (!flat && bound_by_loads(job, layout, slots, share))
        return Choice::algorithm1;
    if (list_pays(job, slots, share, constants))
        return Choice::list;
    bool const dense = share >= dense_share && instances <= few_per_lane * 32 * enough_warps;
    if ((dense && layout != LayoutName::b) || (flat && share >= nearly_all))
        return Choice::fused;
    return flat ? Choice::flat_queue : Choice::queue;
}

std::vector<Choice> choices(Job const& job, LayoutName layout, QueueConstants const& constants) {
    std::vector<Choice> all = {choose(job, layout, constants)};
    auto const add = [&](std::initializer_list<Choice> others) {
        for (Choice const other : others) {
            if (other != all.front())
                all.push_back(other);
        }
    };
    double const slots = slots_per_evaluation(job.workload);
    switch (job.workload.base) {
        case RuleBase::accesses:
            add({Choice::algorithm1, Choice::fused});
            break;
        case RuleBase::several:
            add({Choice::fused, Choice::refill_queue, Choice::queue});
            if (job.workload.range % 4 != 0)
                add({Choice::block_queue});
            break;
        case RuleBase::synthetic:
            add({Choice::queue, Choice::flat_queue, Choice::fused});
            // A second launch pays for long evaluations, and Algorithm 1 where loads are the bound.
            add({slots >= long_slots ? Choice::list : Choice::algorithm1});
            break;
        default:  // Sudoku has one
            break;
    }
    return all;
}

std::vector<Choice> supported_choices(std::vector<Choice> const& wanted,
                                      std::function<bool(Choice)> const& is_supported) {
    std::vector<Choice> supported;
    for (Choice const choice : wanted) {
        bool const fits = is_supported(choice);
        if (!fits && !supported.empty())
            continue;
        Choice const made = fits ? choice : Choice::queue;
        if (std::find(supported.begin(), supported.end(), made) == supported.end())
            supported.push_back(made);
    }
    return supported;
}

}  // namespace lockstep::rule_interpreter
