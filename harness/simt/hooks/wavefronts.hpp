#pragma once
// In how many passes a request of shared memory goes through its pipe. Measured on an H200, with kernels of one warp:
//
// - In a pass, the words of each bank are one. Lanes that load or store the same word share it.
// - Lanes pass by halves of the warp if they access 8 bytes each, and by quarters if 16. For loads, two halves, or two
//   quarters each, are together if in all pairs of lanes i and i ^ 1 both load the same, or one is off; likewise if in
//   all pairs i and i ^ 2. Stores and atomics stay apart.
// - Atomics on the same word follow each other, as those on words of the same bank do. Increments whose result
//   nobody reads (ATOMS.POPC.INC) share a word.
// - A compare-and-swap passes twice, for the word and for what replaces it.

#include <cstdint>
#include <utility>
#include <vector>

#include "harness/simt/hooks/warp_trace.hpp"

namespace lockstep::simt::hooks {

struct Wavefronts {
    std::uint64_t needed = 0;
    std::uint64_t fewest = 0;  // without conflicts
};

// `kind`: of a request of shared memory, but no loop. `addresses` by lane, `bytes` each.
Wavefronts wavefronts_of(EventKind kind, unsigned bytes, Addresses const& addresses);

// Of an access of 4 bytes or more: where its first word is.
constexpr unsigned shared_banks = 32;
constexpr unsigned bytes_per_bank = 4;
constexpr unsigned bank_of(std::uint64_t address) { return address / bytes_per_bank % shared_banks; }

// The lanes that pass together at best.
constexpr unsigned lanes_together(unsigned bytes) { return bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8; }

}  // namespace lockstep::simt::hooks
