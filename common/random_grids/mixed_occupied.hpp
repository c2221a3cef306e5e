#pragma once
// Number of occupied sites per board for `occupied` = mixed: k is uniform on 0..N and comes from a hash of (seed, unit,
// board), not from the engine that draws the sites. So it consumes no word of that engine, and every algorithm gets the
// same k. The multiplication high * (N + 1) leaves a bias of at most (N + 1) / 2^32 between values, 4e-6 for N = 16384.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Part of the hash that all boards of one unit share.
__host__ __device__ inline unsigned mixed_base(unsigned long long seed, unsigned long long unit) {
    unsigned long long value = seed + 0x6A09E667F3BCC909ull;
    value = (value ^ (value >> 32)) * 0xD6E8FEB86659FD93ull;
    value = ((value ^ (value >> 29)) + unit) * 0x9FB21C651E98DF25ull;
    value = (value ^ (value >> 32)) * 0xD1B54A32D192ED03ull;
    return static_cast<unsigned>(value >> 32);
}

// Number of occupied sites of one board, in 0..sites.
__host__ __device__ inline unsigned mixed_occupied(unsigned base, unsigned board, unsigned sites) {
    unsigned value = base + board * 0x9E3779B9u;
    value = (value ^ (value >> 16)) * 0x85EBCA6Bu;
    value = (value ^ (value >> 13)) * 0xC2B2AE35u;
    value ^= value >> 16;
    return static_cast<unsigned>(static_cast<unsigned long long>(value) * (sites + 1) >> 32);
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
