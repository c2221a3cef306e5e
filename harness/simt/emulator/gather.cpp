// __activemask and coalesced groups: which lanes of a warp are at a call together. A device says which lanes its
// hardware runs together; here lanes run one by one, so the caller lets the others come.

#include <bit>
#include <string_view>

#include "harness/simt/emulator/block.hpp"

namespace lockstep::simt::emulator {
namespace {

// Another lane of the warp may spin for what this one will do, so it does not wait for ever.
constexpr int max_turns = 64;

bool is_at(Lane const& lane, std::source_location const& site) {
    return lane.site.line() == site.line() && lane.site.column() == site.column() &&
           std::string_view(lane.site.file_name()) == site.file_name();
}

// Ends the gathering of all lanes that are at the site, and tells each of them.
void complete(Warp& warp, std::source_location const& site) {
    unsigned together = 0;
    for (unsigned rest = warp.gathering; rest != 0; rest &= rest - 1) {
        int const i = std::countr_zero(rest);
        together |= is_at(warp.lanes[i], site) ? 1u << i : 0;
    }
    for (unsigned rest = together; rest != 0; rest &= rest - 1) {
        warp.lanes[std::countr_zero(rest)].value = together;
    }
    warp.gathering &= ~together;
}

// A lane that is unwound leaves, too.
struct Gathering {
    Warp& warp;
    unsigned bit;

    Gathering(Warp& its_warp, unsigned its_bit) : warp(its_warp), bit(its_bit) { warp.gathering |= bit; }
    ~Gathering() { warp.gathering &= ~bit; }
    Gathering(Gathering const&) = delete;
    Gathering& operator=(Gathering const&) = delete;
    bool goes_on() const { return (warp.gathering & bit) != 0; }
};

}  // namespace

unsigned Block::gather(Lane& lane, std::source_location site) {
    Warp& warp = *lane.warp;
    lane.site = site;
    Gathering const gathering(warp, 1u << (lane.number % 32));
    for (int turn = 0; gathering.goes_on(); ++turn) {
        if ((warp.ready & ~warp.gathering) == 0 || turn == max_turns) {
            complete(warp, site);
        } else {
            yield(lane, Activity::idles);
        }
    }
    lane.site = {};
    return static_cast<unsigned>(lane.value);
}

}  // namespace lockstep::simt::emulator
