#pragma once
// Loops whose number of rounds is known when they begin, but not to the compiler: nvcc unrolls short ones by 4 or by 2.
// It executes the remaining rounds first, one by one, and then groups of rounds that have one branch. So lanes part
// over the remainder and over the number of groups. Found by compiling kernels for sm_90 (CUDA 13).

#include <array>
#include <cstdint>
#include <vector>

#include "harness/simt/hooks/call_sites.hpp"
#include "harness/simt/hooks/listing.hpp"

namespace lockstep::simt::hooks {

// Executions of branches by warps.
struct Branches {
    std::uint64_t all = 0;
    std::uint64_t divergent = 0;

    void add(Branches const& other);
};

// The branches of an unrolled loop.
struct UnrolledBranches {
    Branches loops;      // around the remaining rounds, and back in both loops
    Branches to_groups;  // around the groups: none if it leads to the end of the kernel
};

// The branches of one execution of the loop by lanes with these numbers of rounds, if it is unrolled by `factor`.
UnrolledBranches unrolled(std::vector<unsigned> const& rounds, unsigned factor);

// Counts the rounds of the loops that consist of one block, for one warp.
class LoopRounds {
public:
    // The lanes of `mask` execute a block; lane i has executed before[i] before. Calls ended(site, rounds) for a loop
    // that all lanes which began it together have left.
    template <class Ended>
    void follow(unsigned mask, CallSites::Site site, std::array<CallSites::Site, 32> const& before,
                Ended const& ended) {
        unsigned begun = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
            if ((mask >> lane & 1u) == 0) {
                continue;
            }
            if (before[lane] == site) {
                ++rounds_[lane];
                continue;
            }
            leave(lane, ended);
            begun |= 1u << lane;
            rounds_[lane] = 1;
        }
        if (begun != 0) {
            loops_.push_back({site, begun, begun, {}});
        }
    }

    // The lanes have exited.
    template <class Ended>
    void end(Ended const& ended) {
        for (unsigned lane = 0; lane < 32; ++lane) {
            leave(lane, ended);
        }
    }

private:
    struct Loop {
        CallSites::Site site;
        unsigned lanes;
        unsigned inside;
        std::vector<unsigned> rounds;
    };

    template <class Ended>
    void leave(unsigned lane, Ended const& ended) {
        for (std::size_t i = 0; i < loops_.size(); ++i) {
            Loop& loop = loops_[i];
            if ((loop.inside >> lane & 1u) == 0) {
                continue;
            }
            loop.inside &= ~(1u << lane);
            loop.rounds.push_back(rounds_[lane]);
            if (loop.inside == 0) {
                Loop const done = std::move(loop);
                loops_.erase(loops_.begin() + static_cast<std::ptrdiff_t>(i));
                ended(done.site, done.rounds);
            }
            return;
        }
    }

    std::array<unsigned, 32> rounds_{};
    std::vector<Loop> loops_;  // a lane is inside at most one
};

// Whether the block ends with a branch whose condition is about a register or a word that the block advances by a
// constant: `i < n` after `++i`, but not after `i += blockDim.x`. Known for x86-64.
bool counts_by_constant(std::vector<Instruction> const& block);

}  // namespace lockstep::simt::hooks
