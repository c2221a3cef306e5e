#include "harness/simt/hooks/joined_accesses.hpp"

#include <algorithm>
#include <set>

namespace lockstep::simt::hooks {
namespace {

constexpr unsigned narrowest = 4;  // of what is joined

}  // namespace

void JoinedAccesses::add(Event const& event, unsigned mask, Addresses const& addresses, Tallies& tallies) {
    auto const is_again = [&](Request const& request) { return request.site == event.site; };  // in a loop
    leave_out_updated_word(event, mask, tallies);
    if (event.kind != kind_ || mask != mask_ || event.is_volatile || std::any_of(row_.begin(), row_.end(), is_again)) {
        end(tallies);
    }
    kind_ = event.kind;
    mask_ = mask;
    if (event.is_volatile) {
        return;
    }
    row_.push_back({event.site, event.bytes, addresses});
}

void JoinedAccesses::leave_out_updated_word(Event const& store, unsigned mask, Tallies& tallies) {
    bool const is_of_one_lane = (mask & (mask - 1)) == 0;
    if (kind_ == EventKind::shared_load && store.kind == EventKind::shared_store && is_of_one_lane && mask == mask_) {
        leave_out_repeated_loads(tallies);
        std::erase_if(row_, [&](Request const& load) { return load.addresses.front().second == store.address; });
    }
}

void JoinedAccesses::leave_out_repeated_loads(Tallies& tallies) {
    std::vector<Request> first;
    for (Request& request : row_) {
        auto const is_same = [&](Request const& other) {
            return other.bytes == request.bytes && other.addresses == request.addresses;
        };
        auto const same = std::find_if(first.begin(), first.end(), is_same);
        if (same == first.end()) {
            first.push_back(std::move(request));
        } else {
            ++tallies[request.site].same_as[same->site];
        }
    }
    row_ = std::move(first);
}

void JoinedAccesses::end(Tallies& tallies) {
    if (kind_ == EventKind::shared_load) {
        leave_out_repeated_loads(tallies);
    }
    std::stable_sort(row_.begin(), row_.end(), [](Request const& a, Request const& b) {
        return a.addresses.front().second < b.addresses.front().second;
    });
    for (std::size_t first = 0; first < row_.size();) {
        std::size_t joined = 0;
        unsigned const own = row_[first].bytes;
        for (unsigned bytes = widest_; joined == 0 && bytes > own && own >= narrowest; bytes /= 2) {
            joined = join(first, bytes, tallies);
        }
        first += std::max<std::size_t>(joined, 1);
    }
    row_.clear();
}

bool JoinedAccesses::is_at(Request const& request, Request const& other, std::uint64_t distance) {
    for (std::size_t lane = 0; lane < other.addresses.size(); ++lane) {
        if (request.addresses[lane].second != other.addresses[lane].second + distance) {
            return false;
        }
    }
    return true;
}

// Joins requests from `first` on to one of `bytes`. Returns their number, or 0 if they do not fill it. A load of 16
// bytes is made for 3 words, too.
std::size_t JoinedAccesses::join(std::size_t first, unsigned bytes, Tallies& tallies) const {
    Request const& begin = row_[first];
    std::uint64_t const offset = begin.addresses.front().second % bytes;
    auto const is_like_first = [&](auto const& address) { return address.second % bytes == offset; };
    if (!std::all_of(begin.addresses.begin(), begin.addresses.end(), is_like_first)) {
        return 0;
    }
    std::vector<CallSites::Site> sites;
    while (first + sites.size() < row_.size()) {
        Request const& request = row_[first + sites.size()];
        std::uint64_t const distance = request.addresses.front().second - begin.addresses.front().second;
        if (request.bytes != begin.bytes || offset + distance + request.bytes > bytes ||
            !is_at(request, begin, distance)) {
            break;
        }
        sites.push_back(request.site);
    }
    std::size_t const full = bytes / begin.bytes;
    bool const is_wide_load = kind_ == EventKind::shared_load && full == 4;
    if (sites.size() != full && !(is_wide_load && sites.size() == 3)) {
        return 0;
    }
    Addresses addresses = begin.addresses;
    for (auto& [lane, address] : addresses) {
        address -= offset;
    }
    Tally& tally = tallies[begin.site];
    Joined& joined = (widest_ == 16 ? tally.joined : tally.joined_to_8)[sites];
    joined.bytes = bytes;
    ++joined.executions;
    joined.requests.add(cost_of(kind_, bytes, addresses));
    return sites.size();
}

void replace_joined(Tallies& tallies, std::function<CallSites::Site(CallSites::Site)> const& row_of,
                    MayJoin const& may_join) {
    for (auto& [site, tally] : tallies) {
        for (auto const& [first, times] : tally.same_as) {
            if (times == tally.warps && tallies.at(first).warps == times && row_of(first) == row_of(site)) {
                tally.requests = {};
                tally.is_joined = true;
            }
        }
    }
    std::set<CallSites::Site> done;
    for (auto const part : {&Tally::joined, &Tally::joined_to_8}) {
        for (auto& [site, tally] : tallies) {
            bool const is_global = tally.kind == EventKind::global_load || tally.kind == EventKind::global_store;
            for (auto const& [sites, joined] : tally.*part) {
                auto const is_always = [&, row = row_of(site), count = joined.executions, bytes = joined.bytes,
                                        first = sites.front()](CallSites::Site one) {
                    return tallies.at(one).warps == count && row_of(one) == row && !done.contains(one) &&
                           (!is_global || may_join(one, first, bytes));
                };
                if (!std::all_of(sites.begin(), sites.end(), is_always)) {
                    continue;
                }
                for (CallSites::Site const one : sites) {
                    tallies.at(one).requests = {};
                    tallies.at(one).is_joined = one != site;
                    done.insert(one);
                }
                tally.requests = joined.requests;
            }
        }
    }
}

}  // namespace lockstep::simt::hooks
