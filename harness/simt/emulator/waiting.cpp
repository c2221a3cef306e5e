// Synchronisation of a block's lanes: barriers and warp collectives, and the checks of their arguments and call sites.

#include <bit>

#include "harness/simt/emulator/block.hpp"
#include "harness/simt/emulator/sanitizers.hpp"

namespace lockstep::simt::emulator {
namespace {

bool same_site(std::source_location const& a, std::source_location const& b) {
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
    for (unsigned rest = last.mask; rest != 0; rest &= rest - 1) {
        Lane& lane = warp.lanes[std::countr_zero(rest)];
        lane.result = result_of(lane, warp.lanes);
        lane.status = LaneStatus::runnable;
    }
    warp.at_collective &= ~last.mask;
}

std::uint64_t Block::collective(Lane& lane) {
    check_mask(lane);
    lane.status = LaneStatus::at_collective;
    Warp& warp = warp_of(lane);
    warp.at_collective |= 1u << (lane.number % 32);
    // Only __syncwarp orders memory; votes and shuffles do not (CUDA C++ Programming Guide, B.6 and B.19 to B.22).
    bool const orders = lane.collective == Collective::sync_warp;
    if (orders) {
        sanitizers::release(&warp.order);
    }
    if (collective_complete(lane)) {
        complete_collective(lane);
    } else {
        wait(lane);
    }
    if (orders) {
        sanitizers::acquire(&warp.order);
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
    int true_lanes = 0;
    for (Lane const& lane : lanes_) {
        if (lane.status == LaneStatus::at_barrier && lane.value != 0) {
            ++true_lanes;
        }
    }
    for (Lane& lane : lanes_) {
        if (lane.status != LaneStatus::at_barrier) {
            continue;
        }
        switch (lane.barrier) {
            case Barrier::plain:
                lane.result = 0;
                break;
            case Barrier::count:
                lane.result = static_cast<std::uint64_t>(true_lanes);
                break;
            case Barrier::all:
                lane.result = true_lanes == static_cast<int>(lanes_at_barrier_);
                break;
            case Barrier::any:
                lane.result = true_lanes != 0;
                break;
        }
        lane.status = LaneStatus::runnable;
    }
    lanes_at_barrier_ = 0;
}

int Block::barrier(Lane& lane) {
    if (lanes_at_barrier_ == 0) {
        first_at_barrier_ = &lane;
    } else {
        check_barrier(lane);
    }
    lane.status = LaneStatus::at_barrier;
    sanitizers::release(&barrier_order_);
    if (++lanes_at_barrier_ == live_lanes_) {
        complete_barrier();
    } else {
        wait(lane);
    }
    sanitizers::acquire(&barrier_order_);
    lane.site = {};
    return static_cast<int>(lane.result);
}

// Functions that the kernel-side headers call.

std::uint64_t warp_collective(Collective kind, unsigned mask, std::uint64_t value, unsigned argument, unsigned width,
                              std::source_location site) {
    Lane& lane = running_lane();
    lane.collective = kind;
    lane.mask = mask;
    lane.value = value;
    lane.argument = argument;
    lane.width = width;
    lane.site = site;
    return lane.block->collective(lane);
}

int block_barrier(Barrier kind, int predicate, std::source_location site) {
    Lane& lane = running_lane();
    lane.barrier = kind;
    lane.value = predicate != 0;
    lane.site = site;
    return lane.block->barrier(lane);
}

void yield_lane(bool asleep) {
    Lane& lane = running_lane();
    lane.block->yield(lane, asleep);
}

void refuse(char const* what, std::source_location site) {
    Lane& lane = running_lane();
    lane.block->refuse(lane, what, site);
}

SharedArena const& shared_arena() { return running_lane().block->arena(); }

}  // namespace lockstep::simt::emulator
