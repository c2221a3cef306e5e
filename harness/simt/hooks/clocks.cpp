#include "harness/simt/hooks/clocks.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace lockstep::simt::hooks {

void Knowledge::add(std::uint64_t party, Time before) {
    auto const found = std::lower_bound(entries_.begin(), entries_.end(), party,
                                        [](Entry const& entry, std::uint64_t wanted) { return entry.party < wanted; });
    if (found != entries_.end() && found->party == party) {
        found->before = std::max(found->before, before);
    } else {
        entries_.insert(found, {party, before});
    }
}

void Knowledge::add(Knowledge const& other) {
    if (other.entries_.size() < 8) {
        for (Entry const& entry : other.entries_) {
            add(entry.party, entry.before);
        }
        return;
    }
    std::vector<Entry> merged;
    merged.reserve(entries_.size() + other.entries_.size());
    auto mine = entries_.begin();
    for (Entry const& entry : other.entries_) {
        while (mine != entries_.end() && mine->party < entry.party) {
            merged.push_back(*mine++);
        }
        merged.push_back(entry);
        if (mine != entries_.end() && mine->party == entry.party) {
            merged.back().before = std::max(entry.before, (mine++)->before);
        }
    }
    merged.insert(merged.end(), mine, entries_.end());
    entries_ = std::move(merged);
}

Time Knowledge::before(std::uint64_t party) const {
    auto const found = std::lower_bound(entries_.begin(), entries_.end(), party,
                                        [](Entry const& entry, std::uint64_t wanted) { return entry.party < wanted; });
    return found != entries_.end() && found->party == party ? found->before : 0;
}

bool Knowledge::covers(std::uint32_t block, unsigned number, Time time) const {
    return time < before(whole(block)) || time < before(lane(block, number));
}

Known joined(Known const& a, Known const& b) {
    if (a == b || b == nullptr || b->empty()) {
        return a;
    }
    if (a == nullptr || a->empty()) {
        return b;
    }
    auto both = std::make_shared<Knowledge>(*a);
    both->add(*b);
    return both;
}

BlockClock::BlockClock(std::uint32_t number, unsigned lane_count, Time now)
    : rank(number), last_barrier(now), lanes(lane_count) {
    for (LaneClock& lane : lanes) {
        lane.time = now;
    }
}

Time BlockClock::latest() const {
    Time latest = last_barrier;
    for (LaneClock const& lane : lanes) {
        latest = std::max(latest, lane.time);
    }
    return latest;
}

// A barrier also completes the acquire pattern of a lane's relaxed atomics, as the Programming Guide's example of
// __threadfence uses it: one thread counts the blocks that are done, and after __syncthreads all read their results.
void BlockClock::barrier() {
    Known all;
    for (LaneClock const& lane : lanes) {
        all = joined(joined(all, lane.known), lane.pending);
    }
    last_barrier = latest() + 1;
    for (LaneClock& lane : lanes) {
        lane.time = last_barrier;
        lane.known = all;
        lane.pending = nullptr;
    }
}

void BlockClock::sync_warp(unsigned warp, unsigned mask) {
    LaneClock* const first = &lanes[std::size_t{32} * warp];
    Time latest = 0;
    Known all;
    std::array<Time, 32> seen{};
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        LaneClock const& lane = first[std::countr_zero(rest)];
        latest = std::max(latest, lane.time);
        all = joined(joined(all, lane.known), lane.pending);
        for (unsigned i = 0; i < 32; ++i) {
            seen[i] = std::max(seen[i], lane.warp[i]);
        }
    }
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        seen[static_cast<unsigned>(std::countr_zero(rest))] = latest + 1;
    }
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        LaneClock& lane = first[std::countr_zero(rest)];
        lane.time = latest + 1;
        lane.warp = seen;
        lane.known = all;
        lane.pending = nullptr;
    }
}

void BlockClock::fence(unsigned number, bool device) {
    LaneClock& lane = lanes[number];
    ++lane.time;
    lane.fenced_in_block = lane.time;
    if (device) {
        lane.fenced = lane.time;
    }
    lane.known = joined(lane.known, lane.pending);
    lane.pending = nullptr;
}

Knowledge BlockClock::released(unsigned number, Time before) const {
    LaneClock const& lane = lanes[number];
    Knowledge result;
    if (lane.known != nullptr) {
        result = *lane.known;
    }
    result.add(Knowledge::whole(rank), last_barrier);
    result.add(Knowledge::lane(rank, number), before);
    for (unsigned i = 0; i < 32; ++i) {
        if (lane.warp[i] > last_barrier && i != number % 32) {
            result.add(Knowledge::lane(rank, number / 32 * 32 + i), lane.warp[i]);
        }
    }
    return result;
}

}  // namespace lockstep::simt::hooks
