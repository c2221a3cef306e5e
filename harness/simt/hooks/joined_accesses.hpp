#pragma once
// Neighbouring words of shared memory, which nvcc loads or stores at once (LDS.64, LDS.128): the loads of a row in what
// is one basic block on a GPU, without a store between them, whose words of at least 4 bytes fill an aligned 8 or 16
// bytes in all lanes of the warp; 3 words make a load of 16 bytes, too. Stores likewise, without the latter. A load of
// words that are loaded in the row already is none. A word that one lane alone updates is loaded by itself: its index
// is the lane's, as in the last step of a reduction, so that its alignment is not known. What holds in every execution
// is taken for what the compiler knows. Accesses of global memory are joined in the same way (LDG.64, LDG.128) if one
// line copies them from or to a struct whose type is aligned to as much; of other pointers the compiler knows no more
// than how their words are aligned. Found by compiling kernels for sm_90 (CUDA 13).

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/simt/hooks/warp_trace.hpp"

namespace lockstep::simt::hooks {

class JoinedAccesses {
public:
    // `widest`: 16, or 8 bytes.
    explicit JoinedAccesses(unsigned widest) : widest_(widest) {}

    // `mask` has the lanes of the request, and `event` is that of one of them. Ends the row if its lanes are others, or
    // if it is of another kind.
    void add(Event const& event, unsigned mask, Addresses const& addresses, Tallies& tallies);
    // Ends the row, and notes in the tallies of its first instructions what can be joined.
    void end(Tallies& tallies);

private:
    struct Request {
        CallSites::Site site;
        unsigned bytes;
        Addresses addresses;
    };
    // Whether the request is the same distance behind the other one in all lanes.
    static bool is_at(Request const& request, Request const& other, std::uint64_t distance);
    // The store is of a word that its lane alone has loaded.
    void leave_out_updated_word(Event const& store, unsigned mask, Tallies& tallies);
    void leave_out_repeated_loads(Tallies& tallies);
    std::size_t join(std::size_t first, unsigned bytes, Tallies& tallies) const;

    std::vector<Request> row_;
    EventKind kind_ = EventKind::none;
    unsigned mask_ = 0;
    unsigned widest_;
};

// Whether an access of global memory may be a part of one of `bytes` that begins with `first`.
using MayJoin = std::function<bool(CallSites::Site access, CallSites::Site first, unsigned bytes)>;

// Replaces requests that are always joined: those of the first instruction become the joined ones, and the others have
// none. `row_of` gives the basic block on a GPU that an instruction is in.
void replace_joined(Tallies& tallies, std::function<CallSites::Site(CallSites::Site)> const& row_of,
                    MayJoin const& may_join);

}  // namespace lockstep::simt::hooks
