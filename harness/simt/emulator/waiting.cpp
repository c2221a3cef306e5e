// Synchronisation of a block's lanes: barriers and warp collectives, and the checks of their arguments and call sites.

#include <array>
#include <bit>

#include "harness/simt/emulator/block.hpp"
#include "harness/simt/emulator/sanitizers.hpp"

namespace lockstep::simt::emulator {
namespace {

// Whether both are pointers to one record. No memcmp: ThreadSanitizer intercepts the call and sees a lane's read.
bool same_record(std::source_location const& a, std::source_location const& b) {
    using Words = std::array<std::uintptr_t, sizeof a / sizeof(std::uintptr_t)>;
    auto const words_a = std::bit_cast<Words>(a);
    auto const words_b = std::bit_cast<Words>(b);
    bool same = true;
    for (std::size_t i = 0; i < words_a.size(); ++i) {
        same &= words_a[i] == words_b[i];
    }
    return same;
}

bool same_site(std::source_location const& a, std::source_location const& b) {
    if (same_record(a, b)) {
        return true;
    }
    // Within a translation unit, and usually across them, equal file names have equal pointers: compare those first.
    return a.line() == b.line() && a.column() == b.column() &&
           (a.file_name() == b.file_name() || std::string_view(a.file_name()) == b.file_name());
}

std::string text_of(std::source_location const& site) {
    return std::string(site.file_name()) + ":" + std::to_string(site.line());
}

bool is_shuffle(Collective kind) { return kind >= Collective::shuffle && kind <= Collective::shuffle_xor; }

// Returns the lane that a shuffle reads, or the caller itself if that lane is outside the caller's segment (CUDA C++
// Programming Guide, B.22).
unsigned source_lane(Lane const& lane, unsigned width) {
    unsigned const self = lane.number % 32;
    unsigned const first = self & ~(width - 1);
    switch (lane.collective) {
        case Collective::shuffle:
            return first | (lane.argument & (width - 1));
        case Collective::shuffle_up:
            return self < first + lane.argument ? self : self - lane.argument;
        case Collective::shuffle_down: {
            std::uint64_t const source = std::uint64_t{self} + lane.argument;
            return source >= first + width ? self : static_cast<unsigned>(source);
        }
        default: {
            unsigned const source = self ^ lane.argument;
            return source >= first + width ? self : source;
        }
    }
}

std::uint64_t reduce(Collective kind, std::uint64_t a, std::uint64_t b) {
    auto const signed_a = static_cast<std::int64_t>(a);
    auto const signed_b = static_cast<std::int64_t>(b);
    switch (kind) {
        case Collective::reduce_add:
            return a + b;
        case Collective::reduce_min:
            return signed_a < signed_b ? a : b;
        case Collective::reduce_max:
            return signed_a > signed_b ? a : b;
        case Collective::reduce_and:
            return a & b;
        case Collective::reduce_or:
            return a | b;
        default:
            return a ^ b;
    }
}

template <class Holds>
unsigned lanes_where(unsigned mask, Lane const* lanes, Holds const& holds) {
    unsigned found = 0;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        auto const i = static_cast<unsigned>(std::countr_zero(rest));
        found |= holds(lanes[i]) ? 1u << i : 0;
    }
    return found;
}

// Computes the result that all lanes in the mask get, from their operands.
std::uint64_t common_result(Lane const& lane, Lane const* lanes) {
    auto const is_true = [](Lane const& other) { return other.value != 0; };
    auto const is_equal = [&](Lane const& other) { return other.value == lane.value; };
    switch (lane.collective) {
        case Collective::ballot:
            return lanes_where(lane.mask, lanes, is_true);
        case Collective::any:
            return lanes_where(lane.mask, lanes, is_true) != 0;
        case Collective::all:
            return lanes_where(lane.mask, lanes, is_true) == lane.mask;
        case Collective::match_all:
            return lanes_where(lane.mask, lanes, is_equal) == lane.mask ? lane.mask : 0;
        default:
            break;
    }
    std::uint64_t total = lanes[std::countr_zero(lane.mask)].value;
    for (unsigned rest = lane.mask & (lane.mask - 1); rest != 0; rest &= rest - 1) {
        total = reduce(lane.collective, total, lanes[std::countr_zero(rest)].value);
    }
    return total;
}

void set_values(unsigned mask, Lane* lanes, std::uint64_t value) {
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        lanes[std::countr_zero(rest)].value = value;
    }
}

// What a shuffle reads from a lane that has exited. CUDA leaves it undefined, and correct programs do not use it. It is
// the same in every order, and unlikely, so that a program that uses it probably fails.
constexpr unsigned exited_source = 32;
constexpr std::uint64_t value_of_exited_lane = 0xcdcdcdcdcdcdcdcd;

// Replaces the operands of the lanes in the mask by their results.
void compute_results(Lane const& last, Lane* lanes) {
    if (is_shuffle(last.collective)) {
        std::uint64_t operands[33];
        operands[exited_source] = value_of_exited_lane;
        for (unsigned rest = last.mask; rest != 0; rest &= rest - 1) {
            auto const i = static_cast<unsigned>(std::countr_zero(rest));
            operands[i] = lanes[i].value;
        }
        for (unsigned rest = last.mask; rest != 0; rest &= rest - 1) {
            Lane& lane = lanes[std::countr_zero(rest)];
            lane.value = operands[lane.argument];
        }
    } else if (last.collective == Collective::match_any) {
        unsigned equal = 0;
        for (unsigned rest = last.mask; rest != 0; rest &= ~equal) {
            std::uint64_t const value = lanes[std::countr_zero(rest)].value;
            equal = lanes_where(rest, lanes, [&](Lane const& other) { return other.value == value; });
            set_values(equal, lanes, equal);
        }
    } else {
        set_values(last.mask, lanes, common_result(last, lanes));
    }
}

std::string hexadecimal(unsigned mask) {
    char text[11];
    std::snprintf(text, sizeof text, "0x%08x", mask);
    return text;
}

}  // namespace

void Block::check_mask(Lane const& lane, unsigned given) {
    unsigned const self = lane.number % 32;
    if ((lane.mask >> self & 1) == 0) {
        refuse(lane, "a mask does not name its caller (the mask is " + hexadecimal(given) + ")", lane.site);
    }
    Warp const& warp = *lane.warp;
    if (unsigned const absent = lane.mask & ~warp.present; absent != 0) {
        refuse(lane,
               "a mask names an absent lane (lane " + std::to_string(std::countr_zero(absent)) +
                   " does not exist in the block's last, partial warp)",
               lane.site);
    }
    if (unsigned const exited = lane.mask & warp.exited; exited != 0) {
        refuse(lane, "a mask names an exited lane (lane " + std::to_string(std::countr_zero(exited)) + " has exited)",
               lane.site);
    }
}

unsigned Block::lane_to_read(Lane const& lane, unsigned width) {
    if (width == 0 || (width & (width - 1)) != 0 || width > 32) {
        refuse(lane, "invalid shuffle width=" + std::to_string(width) + " (must be a power of two up to 32)",
               lane.site);
    }
    unsigned const source = source_lane(lane, width);
    if (options_.masks_may_name_exited_lanes && (lane.warp->exited >> source & 1) != 0) {
        return exited_source;
    }
    if ((lane.mask >> source & 1) == 0) {
        refuse(lane, "a shuffle from a lane outside the mask (lane " + std::to_string(source) + ")", lane.site);
    }
    return source;
}

// An exited lane takes no part in the collectives at which others wait, which may complete them.
void Block::leave_masks(Lane const& ended) {
    Warp& warp = *ended.warp;
    for (unsigned rest = warp.at_collective; rest != 0; rest &= rest - 1) {
        Lane& waiting = warp.lanes[std::countr_zero(rest)];
        waiting.mask &= ~ended.bit();
        if (is_shuffle(waiting.collective) && waiting.argument == ended.number % 32) {
            waiting.argument = exited_source;
        }
    }
    for (unsigned rest = warp.at_collective; rest != 0; rest &= rest - 1) {
        Lane& waiting = warp.lanes[std::countr_zero(rest)];
        if ((warp.at_collective & waiting.bit()) != 0) {
            complete_collective(waiting);
        }
    }
}

// Lanes that wait with the same mask must wait at the same call site.
void Block::check_same_call(Lane const& lane) {
    for (unsigned rest = lane.mask; rest != 0; rest &= rest - 1) {
        Lane const& other = lane.warp->lanes[std::countr_zero(rest)];
        if (other.collective != lane.collective || !same_site(other.site, lane.site)) {
            refuse(lane,
                   "divergent warp collective (lane " + std::to_string(other.number % 32) +
                       " with the same mask waits at " + text_of(other.site) + ")",
                   lane.site);
        }
    }
}

// Completes the collective if every lane in the mask waits with the same mask. Otherwise returns false.
bool Block::complete_collective(Lane& last) {
    Warp& warp = *last.warp;
    if ((warp.at_collective & last.mask) != last.mask) {
        return false;
    }
    bool same_records = true;
    for (unsigned rest = last.mask; rest != 0; rest &= rest - 1) {
        Lane const& lane = warp.lanes[std::countr_zero(rest)];
        if (lane.mask != last.mask) {
            return false;
        }
        same_records &= lane.collective == last.collective && same_record(lane.site, last.site);
    }
    if (!same_records) {
        check_same_call(last);
    }
    if (observer != nullptr) {
        observer->collective_completes(last);
    }
    if (last.collective == Collective::sync_warp) {
        order_by_syncwarp(last);
    } else {
        compute_results(last, warp.lanes);
    }
    warp.at_collective &= ~last.mask;
    warp.ready |= last.mask;
    first_rank_ = 0;
    return true;
}

// Orders what the lanes of the mask did before their __syncwarp before what they do after it. Only __syncwarp orders
// memory; votes and shuffles do not (CUDA C++ Programming Guide, B.6 and B.19 to B.22). Each lane has addresses of its
// own, so that lanes with other masks, and lanes that are already at their next __syncwarp, are not ordered by it.
void Block::order_by_syncwarp(Lane const& last) {
    if constexpr (sanitizers::threads) {
        Warp& warp = *last.warp;
        for (unsigned rest = last.mask; rest != 0; rest &= rest - 1) {
            sanitizers::acquire(&warp.lanes[std::countr_zero(rest)].own_order);
        }
        for (unsigned rest = last.mask; rest != 0; rest &= rest - 1) {
            sanitizers::release(&warp.lanes[std::countr_zero(rest)].others_order);
        }
    }
}

std::uint64_t Block::collective(Lane& lane, unsigned width) {
    unsigned const given = lane.mask;
    if (options_.masks_may_name_exited_lanes) {
        lane.mask &= ~lane.warp->exited;
    }
    check_mask(lane, given);
    if (is_shuffle(lane.collective)) {
        lane.argument = lane_to_read(lane, width);
    }
    lane.warp->at_collective |= lane.bit();
    bool const orders = lane.collective == Collective::sync_warp;
    if (orders) {
        sanitizers::release(&lane.own_order);
    }
    if (!complete_collective(lane)) {
        lane.warp->ready &= ~lane.bit();
        wait(lane);
    }
    if (orders) {
        sanitizers::acquire(&lane.others_order);
    }
    lane.site = {};
    return lane.value;
}

// All waiting lanes wait at the call site of the first one: a lane at another site is an error.
void Block::check_barrier(Lane const& lane) {
    Lane const& other = *first_at_barrier_;
    if (!same_site(other.site, lane.site)) {
        refuse(lane,
               "divergent barrier (warp " + std::to_string(other.number / 32) + ", lane " +
                   std::to_string(other.number % 32) + " waits at " + text_of(other.site) + ")",
               lane.site);
    }
}

void Block::complete_barrier() {
    if (observer != nullptr) {
        observer->barrier_completes(*this);
    }
    completed_[barriers_completed_++ & 1] = waiting_;
    waiting_ = {};
    for (unsigned i = 0; i < warp_count_; ++i) {
        warps_[i].ready |= warps_[i].at_barrier;
        warps_[i].at_barrier = 0;
    }
    first_rank_ = 0;
}

int Block::barrier(Lane& lane, Barrier kind) {
    if (waiting_.lanes == 0) {
        first_at_barrier_ = &lane;
    } else {
        check_barrier(lane);
    }
    // A lane leaves barrier n before it is at barrier n + 1, so no more than two are in use.
    unsigned const parity = barriers_completed_ & 1;
    if constexpr (sanitizers::threads) {
        sanitizers::release(&orders_->barrier[parity]);
    }
    waiting_.true_lanes += lane.value != 0 ? 1 : 0;
    lane.warp->at_barrier |= lane.bit();
    if (++waiting_.lanes == live_lanes_) {
        complete_barrier();
    } else {
        lane.warp->ready &= ~lane.bit();
        wait(lane);
    }
    if constexpr (sanitizers::threads) {
        sanitizers::acquire(&orders_->barrier[parity]);
    }
    lane.site = {};
    BarrierCounts const& counts = completed_[parity];
    switch (kind) {
        case Barrier::count:
            return static_cast<int>(counts.true_lanes);
        case Barrier::all:
            return counts.true_lanes == counts.lanes;
        case Barrier::any:
            return counts.true_lanes != 0;
        default:
            return 0;
    }
}

}  // namespace lockstep::simt::emulator
