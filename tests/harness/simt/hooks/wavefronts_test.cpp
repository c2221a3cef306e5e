// Passes of shared memory, beside those that Nsight Compute counted on an H200: each row is an instruction, and each
// column a pattern of the lanes' indices in an array of words of its width.

#include "harness/simt/hooks/wavefronts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "harness/simt/hooks/update_loops.hpp"

namespace lockstep::simt::hooks {
namespace {

constexpr std::size_t patterns = 15;
using Row = std::array<std::uint64_t, patterns>;

// The index that a lane uses, or nothing if it is off.
std::optional<unsigned> index_of(std::size_t pattern, unsigned lane) {
    std::array<std::optional<unsigned>, patterns> const all = {
        0u,
        lane,
        lane / 2,
        lane == 0 ? std::optional(0u) : std::nullopt,
        lane < 16 ? std::optional(lane) : std::nullopt,
        lane % 16 == 0 ? std::optional(lane / 16) : std::nullopt,
        lane % 16 == 0 ? std::optional(0u) : std::nullopt,
        lane % 4,
        lane / 8,
        lane < 2 ? std::optional(32 * lane) : std::nullopt,
        lane / 16,
        lane % 2,
        lane * 32,
        lane < 8 ? std::optional(2 * lane) : std::nullopt,
        lane < 16 ? 0 : lane,
    };
    return all[pattern];
}

Addresses addresses_of(std::size_t pattern, unsigned bytes) {
    Addresses addresses;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (auto const index = index_of(pattern, lane)) {
            addresses.emplace_back(lane, std::uint64_t{*index} * bytes);
        }
    }
    return addresses;
}

TEST(Wavefronts, are_those_of_an_h200) {
    struct Case {
        char const* instruction;
        EventKind kind;
        unsigned bytes;
        Row counted;
    };
    for (Case const& one : {
             Case{"LDS", EventKind::shared_load, 4, {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 32, 1, 1}},
             Case{"LDS.64", EventKind::shared_load, 8, {1, 2, 1, 1, 1, 1, 1, 2, 1, 2, 1, 1, 32, 1, 2}},
             Case{"LDS.128", EventKind::shared_load, 16, {2, 4, 2, 1, 2, 2, 2, 4, 2, 2, 2, 2, 32, 2, 4}},
             Case{"STS.64", EventKind::shared_store, 8, {2, 2, 2, 1, 1, 2, 2, 2, 2, 2, 2, 2, 32, 1, 2}},
             Case{"STS.128", EventKind::shared_store, 16, {4, 4, 4, 1, 2, 2, 2, 4, 4, 2, 4, 4, 32, 2, 4}},
             Case{"ATOMS.OR", EventKind::shared_atomic, 4, {32, 1, 2, 1, 1, 1, 2, 8, 8, 2, 16, 16, 32, 1, 16}},
             Case{"ATOMS.POPC.INC", EventKind::shared_increment, 4, {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 32, 1, 1}},
             Case{"ATOMS.CAS", EventKind::shared_swap, 4, {64, 2, 4, 2, 2, 2, 4, 16, 16, 4, 32, 32, 64, 2, 32}},
             Case{"ATOMS.EXCH.64", EventKind::shared_atomic, 8, {32, 2, 4, 1, 1, 2, 2, 8, 16, 2, 32, 16, 32, 1, 17}},
         }) {
        for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
            EXPECT_EQ(wavefronts_of(one.kind, one.bytes, addresses_of(pattern, one.bytes)).needed, one.counted[pattern])
                << one.instruction << ", pattern " << pattern;
        }
    }
}

TEST(Wavefronts, of_update_loops_are_those_of_an_h200) {
    struct Case {
        unsigned bytes;
        Row rounds, swaps, loads;
    };
    for (Case const& one : {
             Case{4,
                  {32, 1, 2, 1, 1, 1, 2, 8, 8, 2, 16, 16, 32, 1, 16},
                  {64, 2, 4, 2, 2, 2, 4, 16, 16, 4, 32, 32, 64, 2, 32},
                  {32, 1, 2, 1, 1, 1, 2, 8, 8, 3, 16, 16, 528, 1, 16}},
             Case{8,
                  {32, 1, 2, 1, 1, 1, 2, 8, 8, 2, 16, 16, 16, 1, 16},
                  {96, 4, 8, 2, 2, 4, 6, 24, 32, 4, 64, 48, 64, 2, 34},
                  {32, 2, 2, 1, 1, 1, 2, 12, 8, 3, 16, 16, 272, 1, 17}},
         }) {
        for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
            UpdateLoop const loop = update_loop(one.bytes, addresses_of(pattern, one.bytes));
            EXPECT_EQ(loop.swaps.requests, one.rounds[pattern]) << one.bytes << " bytes, pattern " << pattern;
            EXPECT_EQ(loop.swaps.wavefronts, one.swaps[pattern]) << one.bytes << " bytes, pattern " << pattern;
            EXPECT_EQ(loop.loads.wavefronts, one.loads[pattern]) << one.bytes << " bytes, pattern " << pattern;
        }
    }
}

}  // namespace
}  // namespace lockstep::simt::hooks
