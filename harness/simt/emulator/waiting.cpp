// Synchronisation of a block's lanes: barriers and warp collectives, and the checks of their arguments and call sites.

#include <bit>

#include "harness/simt/emulator/block.hpp"
#include "harness/simt/emulator/sanitizers.hpp"

namespace lockstep::simt::emulator {
namespace {

bool same_site(std::source_location const& a, std::source_location const& b) {
    static_assert(sizeof a == sizeof(void*));
    if (std::bit_cast<void const*>(a) == std::bit_cast<void const*>(b)) {  // pointers to one record
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
unsigned source_lane(Lane const& lane) {
    unsigned const self = lane.number % 32;
    unsigned const first = self & ~(lane.width - 1);
    switch (lane.collective) {
        case Collective::shuffle:
            return first | (lane.argument & (lane.width - 1));
        case Collective::shuffle_up:
            return self < first + lane.argument ? self : self - lane.argument;
        case Collective::shuffle_down: {
            std::uint64_t const source = std::uint64_t{self} + lane.argument;
            return source >= first + lane.width ? self : static_cast<unsigned>(source);
        }
        default: {
            unsigned const source = self ^ lane.argument;
            return source >= first + lane.width ? self : source;
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

// Computes the result of one lane from the operands of all lanes in the mask.
std::uint64_t result_of(Lane const& lane, Lane const* warp) {
    auto const lanes_where = [&](auto const& holds) {
        std::uint64_t lanes = 0;
        for (unsigned rest = lane.mask; rest != 0; rest &= rest - 1) {
            auto const i = static_cast<unsigned>(std::countr_zero(rest));
            if (holds(warp[i])) {
                lanes |= std::uint64_t{1} << i;
            }
        }
        return lanes;
    };
    auto const is_true = [](Lane const& other) { return other.value != 0; };
    auto const is_equal = [&](Lane const& other) { return other.value == lane.value; };
    switch (lane.collective) {
        case Collective::sync_warp:
            return 0;
        case Collective::ballot:
            return lanes_where(is_true);
        case Collective::any:
            return lanes_where(is_true) != 0;
        case Collective::all:
            return lanes_where(is_true) == lane.mask;
        case Collective::match_any:
            return lanes_where(is_equal);
        case Collective::match_all:
            return lanes_where(is_equal) == lane.mask ? lane.mask : 0;
        default:
            break;
    }
    if (is_shuffle(lane.collective)) {
        return warp[source_lane(lane)].value;
    }
    auto const first = static_cast<unsigned>(std::countr_zero(lane.mask));
    std::uint64_t total = warp[first].value;
    for (unsigned rest = lane.mask & (lane.mask - 1); rest != 0; rest &= rest - 1) {
        total = reduce(lane.collective, total, warp[static_cast<unsigned>(std::countr_zero(rest))].value);
    }
    return total;
}

}  // namespace

void Block::check_mask(Lane const& lane) {
    unsigned const self = lane.number % 32;
    if ((lane.mask >> self & 1) == 0) {
        refuse(lane, "a mask does not name its caller (the mask is " + std::to_string(lane.mask) + ")", lane.site);
    }
    Warp const& warp = warp_of(lane);
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
    if (!is_shuffle(lane.collective)) {
        return;
    }
    if (!std::has_single_bit(lane.width) || lane.width > 32) {
        refuse(lane, "invalid shuffle width=" + std::to_string(lane.width) + " (must be a power of two up to 32)",
               lane.site);
    }
    if ((lane.mask >> source_lane(lane) & 1) == 0) {
        refuse(lane, "a shuffle from a lane outside the mask (lane " + std::to_string(source_lane(lane)) + ")",
               lane.site);
    }
}

// Returns true if every lane in the mask waits with the same mask.
bool Block::collective_complete(Lane const& lane) {
    Warp const& warp = warp_of(lane);
    if ((warp.at_collective & lane.mask) != lane.mask) {
        return false;
    }
    for (unsigned rest = lane.mask; rest != 0; rest &= rest - 1) {
        if (warp.lanes[std::countr_zero(rest)].mask != lane.mask) {
            return false;
        }
    }
    return true;
}

// Lanes that wait with the same mask must wait at the same call site.
void Block::check_same_call(Lane const& lane) {
    Warp const& warp = warp_of(lane);
    for (unsigned rest = lane.mask; rest != 0; rest &= rest - 1) {
        Lane const& other = warp.lanes[std::countr_zero(rest)];
        if (other.collective != lane.collective || !same_site(other.site, lane.site)) {
            refuse(lane,
                   "divergent warp collective (lane " + std::to_string(other.number % 32) +
                       " with the same mask waits at " + text_of(other.site) + ")",
                   lane.site);
        }
    }
}

void Block::complete_collective(Lane const& last) {
    check_same_call(last);
    Warp& warp = warp_of(last);
    if (last.collective == Collective::sync_warp) {
        order_by_syncwarp(last);
    } else {
        bool const per_lane = is_shuffle(last.collective) || last.collective == Collective::match_any;
        std::uint64_t const common = per_lane ? 0 : result_of(last, warp.lanes);
        for (unsigned rest = last.mask; rest != 0; rest &= rest - 1) {
            Lane& lane = warp.lanes[std::countr_zero(rest)];
            lane.result = per_lane ? result_of(lane, warp.lanes) : common;
        }
    }
    warp.at_collective &= ~last.mask;
    warp.ready |= last.mask;
}

// Orders what the lanes of the mask did before their __syncwarp before what they do after it. Only __syncwarp orders
// memory; votes and shuffles do not (CUDA C++ Programming Guide, B.6 and B.19 to B.22). Each lane has addresses of its
// own, so that lanes with other masks, and lanes that are already at their next __syncwarp, are not ordered by it.
void Block::order_by_syncwarp(Lane const& last) {
    if constexpr (sanitizers::threads) {
        Warp& warp = warp_of(last);
        for (unsigned rest = last.mask; rest != 0; rest &= rest - 1) {
            sanitizers::acquire(&warp.lanes[std::countr_zero(rest)].own_order);
        }
        for (unsigned rest = last.mask; rest != 0; rest &= rest - 1) {
            sanitizers::release(&warp.lanes[std::countr_zero(rest)].others_order);
        }
    }
}

std::uint64_t Block::collective(Lane& lane) {
    check_mask(lane);
    Warp& warp = warp_of(lane);
    unsigned const bit = 1u << (lane.number % 32);
    warp.at_collective |= bit;
    bool const orders = lane.collective == Collective::sync_warp;
    if (orders) {
        sanitizers::release(&lane.own_order);
    }
    if (collective_complete(lane)) {
        complete_collective(lane);
    } else {
        warp.ready &= ~bit;
        wait(lane);
    }
    if (orders) {
        sanitizers::acquire(&lane.others_order);
    }
    lane.site = {};
    return lane.result;
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
    completed_[barriers_completed_++ & 1] = waiting_;
    waiting_ = {};
    for (Warp& warp : warps_) {
        warp.ready |= warp.at_barrier;
        warp.at_barrier = 0;
    }
}

int Block::barrier(Lane& lane) {
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
    unsigned const bit = 1u << (lane.number % 32);
    warp_of(lane).at_barrier |= bit;
    if (++waiting_.lanes == live_lanes_) {
        complete_barrier();
    } else {
        warp_of(lane).ready &= ~bit;
        wait(lane);
    }
    if constexpr (sanitizers::threads) {
        sanitizers::acquire(&orders_->barrier[parity]);
    }
    lane.site = {};
    BarrierCounts const& counts = completed_[parity];
    switch (lane.barrier) {
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
