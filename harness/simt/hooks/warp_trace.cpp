#include "harness/simt/hooks/warp_trace.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "harness/simt/hooks/joined_accesses.hpp"
#include "harness/simt/hooks/wavefronts.hpp"

namespace lockstep::simt::hooks {
namespace {

constexpr unsigned bytes_per_sector = 32;

bool is_shared(EventKind kind) { return kind >= EventKind::shared_load && kind <= EventKind::shared_loop; }
bool is_global_atomic(EventKind kind) {
    return kind == EventKind::global_atomic || kind == EventKind::global_swap || kind == EventKind::global_update;
}
bool is_atomic(EventKind kind) {
    return is_global_atomic(kind) || (kind >= EventKind::shared_atomic && kind <= EventKind::shared_loop);
}

std::uint64_t count_sectors(unsigned bytes, Addresses const& addresses) {
    std::vector<std::uint64_t> sectors;
    for (auto const& [lane, address] : addresses) {
        for (std::uint64_t at = address / bytes_per_sector; at <= (address + bytes - 1) / bytes_per_sector; ++at) {
            sectors.push_back(at);
        }
    }
    std::sort(sectors.begin(), sectors.end());
    return static_cast<std::uint64_t>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
}

// Lanes that update the same word follow each other, and each of them makes a sector, as an H200 counts it. An update
// of one word by all lanes is made by one of them, if nvcc has an instruction that combines their values.
std::uint64_t count_sectors_of_updates(EventKind kind, Addresses const& addresses) {
    std::map<std::uint64_t, std::uint64_t> lanes;  // by word
    for (auto const& [lane, address] : addresses) {
        ++lanes[address];
    }
    if (kind == EventKind::global_atomic && lanes.size() == 1) {
        return 1;
    }
    std::map<std::uint64_t, std::uint64_t> of_sector;
    for (auto const& [address, count] : lanes) {
        std::uint64_t& most = of_sector[address / bytes_per_sector];
        most = std::max(most, count);
    }
    std::uint64_t sum = 0;
    for (auto const& [sector, most] : of_sector) {
        sum += most;
    }
    return sum;
}

}  // namespace

Requests cost_of(EventKind kind, unsigned bytes, Addresses const& addresses) {
    Requests cost;
    cost.requests = 1;
    cost.lanes = addresses.size();
    if (is_shared(kind)) {
        Wavefronts const wavefronts = wavefronts_of(kind, bytes, addresses);
        cost.wavefronts = wavefronts.needed;
        cost.fewest_wavefronts = wavefronts.fewest;
    } else {
        bool const is_update = kind == EventKind::global_atomic || kind == EventKind::global_update;
        cost.sectors = is_update ? count_sectors_of_updates(kind, addresses) : count_sectors(bytes, addresses);
        std::vector<std::uint64_t> distinct;
        for (auto const& [lane, address] : addresses) {
            distinct.push_back(address);
        }
        std::sort(distinct.begin(), distinct.end());
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        cost.used_bytes = distinct.size() * bytes;
        cost.fewest_sectors = (cost.used_bytes + bytes_per_sector - 1) / bytes_per_sector;
    }
    if (is_atomic(kind)) {
        std::map<std::uint64_t, std::uint64_t> lanes_of;
        for (auto const& [lane, address] : addresses) {
            cost.contention = std::max(cost.contention, ++lanes_of[address]);
        }
    }
    return cost;
}

WarpTrace::WarpTrace()
    : joined_(std::make_unique<JoinedAccesses>(16)),
      global_(std::make_unique<JoinedAccesses>(16)),
      global_to_8_(std::make_unique<JoinedAccesses>(8)) {}
WarpTrace::WarpTrace(WarpTrace&&) noexcept = default;
WarpTrace& WarpTrace::operator=(WarpTrace&&) noexcept = default;
WarpTrace::~WarpTrace() = default;

void WarpTrace::drop_load(unsigned lane, std::uint64_t address) {
    std::deque<Event>& events = lanes_[lane];
    std::size_t looked_at = 0;
    for (auto event = events.rbegin(); event != events.rend() && looked_at < 6; ++event, ++looked_at) {
        EventKind const kind = event->kind;
        if (kind == EventKind::block) {
            continue;
        }
        if ((kind == EventKind::global_load || kind == EventKind::shared_load) && event->address == address) {
            event->kind = EventKind::none;
        }
        return;
    }
}

void WarpTrace::merge(unsigned running, CallSites const& sites, BlockOrder& order, Tallies& tallies) {
    for (;;) {
        unsigned present = 0;
        unsigned meeting = 0;
        CallSites::Site chosen = 0;
        for (unsigned i = 0; i < 32; ++i) {
            std::deque<Event>& events = lanes_[i];
            while (!events.empty() && events.front().kind == EventKind::none) {
                events.pop_front();
            }
            if (events.empty()) {
                continue;
            }
            present |= 1u << i;
            if (events.front().kind == EventKind::collective) {
                meeting |= 1u << i;
            } else if (chosen == 0 || order.is_before(events.front().site, chosen, sites)) {
                chosen = events.front().site;
            }
        }
        if (present == 0) {
            joined_->end(tallies);
            end_global(tallies);
            if (running == 0) {
                rounds_.end([&](CallSites::Site site, auto const& rounds) { add_loop(site, rounds, tallies); });
            }
            return;
        }
        if ((running & ~present) != 0) {
            return;
        }
        if (chosen == 0) {  // all are at collectives, whose lanes were there together
            joined_->end(tallies);
            end_global(tallies);
            auto const first = static_cast<unsigned>(std::countr_zero(meeting));
            auto const mask = static_cast<unsigned>(lanes_[first].front().address);
            for (unsigned rest = mask & meeting; rest != 0; rest &= rest - 1) {
                lanes_[static_cast<unsigned>(std::countr_zero(rest))].pop_front();
            }
            continue;
        }
        unsigned together = 0;
        for (unsigned rest = present & ~meeting; rest != 0; rest &= rest - 1) {
            auto const lane = static_cast<unsigned>(std::countr_zero(rest));
            together |= lanes_[lane].front().site == chosen ? 1u << lane : 0;
        }
        issue(together, tallies);
    }
}

void WarpTrace::issue(unsigned mask, Tallies& tallies) {
    Event const first = lanes_[static_cast<unsigned>(std::countr_zero(mask))].front();
    Tally& tally = tallies[first.site];
    tally.kind = first.kind;
    tally.address = tally.warps == 0 ? first.address : tally.address;
    ++tally.warps;
    tally.lanes += static_cast<unsigned>(std::popcount(mask));
    Addresses addresses;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        auto const lane = static_cast<unsigned>(std::countr_zero(rest));
        addresses.emplace_back(lane, lanes_[lane].front().address);
        tally.moves = tally.moves || lanes_[lane].front().address != tally.address;
        lanes_[lane].pop_front();
    }
    if (first.kind == EventKind::block) {
        follow(mask, first.site, tallies);
    } else if (first.kind == EventKind::shared_loop) {
        tally.loop.add(update_loop(first.bytes, addresses));
    } else {
        tally.requests.add(cost_of(first.kind, first.bytes, addresses));
    }
    if (first.kind == EventKind::shared_load || first.kind == EventKind::shared_store) {
        joined_->add(first, mask, addresses, tallies);
    } else if (is_shared(first.kind)) {
        joined_->end(tallies);
    } else if (first.kind == EventKind::global_load || first.kind == EventKind::global_store) {
        global_->add(first, mask, addresses, tallies);
        global_to_8_->add(first, mask, addresses, tallies);
    } else if (is_global_atomic(first.kind)) {
        end_global(tallies);
    }
}

void WarpTrace::end_global(Tallies& tallies) {
    global_->end(tallies);
    global_to_8_->end(tallies);
}

void WarpTrace::count_rounds(unsigned mask, CallSites::Site site, Tallies& tallies) {
    std::array<CallSites::Site, 32> before{};
    for (unsigned lane = 0; lane < 32; ++lane) {
        before[lane] = last_[lane].site;
    }
    rounds_.follow(mask, site, before,
                   [&](CallSites::Site loop, auto const& rounds) { add_loop(loop, rounds, tallies); });
}

void WarpTrace::add_loop(CallSites::Site site, std::vector<unsigned> const& rounds, Tallies& tallies) {
    Tally& tally = tallies[site];
    for (unsigned const factor : {2u, 4u}) {
        UnrolledBranches& sum = tally.unrolled[factor / 4];
        UnrolledBranches const more = unrolled(rounds, factor);
        sum.loops.add(more.loops);
        sum.to_groups.add(more.to_groups);
    }
}

// A branch is divergent if the lanes that executed a block together do not execute the next one together.
void WarpTrace::follow(unsigned mask, CallSites::Site site, Tallies& tallies) {
    count_rounds(mask, site, tallies);
    ++steps_;
    unsigned const mask_before = last_[static_cast<unsigned>(std::countr_zero(mask))].mask;
    for (unsigned rest = mask; rest != 0;) {
        auto const lane = static_cast<unsigned>(std::countr_zero(rest));
        Last const last = last_[lane];
        unsigned same = 0;  // the lanes that come from the same step
        for (unsigned others = rest; others != 0; others &= others - 1) {
            auto const other = static_cast<unsigned>(std::countr_zero(others));
            if (last_[other].step == last.step) {
                same |= 1u << other;
                last_[other] = {steps_, site, mask, mask_before};
            }
        }
        rest &= ~same;
        if (last.step == 0) {
            continue;
        }
        Tally& from = tallies[last.site];
        auto to = std::find_if(from.successors.begin(), from.successors.end(),
                               [&](Successor const& successor) { return successor.site == site; });
        if (to == from.successors.end()) {
            to = from.successors.insert(to, Successor{site});
        }
        ++to->executions;
        to->of_all += same == last.mask_before ? 1 : 0;
        bool const counts_it = (same & last.mask & (~last.mask + 1)) != 0;  // the part with the lowest lane
        if (same != last.mask && counts_it) {
            ++from.divergent;
        }
    }
}

}  // namespace lockstep::simt::hooks
