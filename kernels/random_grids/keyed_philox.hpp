#pragma once
// Philox4x32 for kernels that are short of registers: a launch's parameters hold the keys of all rounds, so that a
// round takes them from constant memory. random::Philox4x32 makes them from the seed, which takes two additions per
// round, or twenty registers if the compiler moves the additions out of a loop. Produces the words of
// random::Philox4x32.

#include <type_traits>

#include "harness/random/philox.hpp"

namespace lockstep::random_grids {

struct PhiloxKeys {
    unsigned of_round[2 * 10] = {};  // two per round
};

inline PhiloxKeys philox_keys(unsigned long long seed) {
    PhiloxKeys keys;
    auto low = static_cast<unsigned>(seed);
    auto high = static_cast<unsigned>(seed >> 32);
    for (unsigned round = 0; round < 10; ++round) {
        keys.of_round[2 * round] = low;
        keys.of_round[2 * round + 1] = high;
        low += 0x9e3779b9u;
        high += 0xbb67ae85u;
    }
    return keys;
}

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <int rounds>
class KeyedPhilox {
public:
    using result_type = unsigned;

    __host__ __device__ static constexpr result_type min() { return 0; }
    __host__ __device__ static constexpr result_type max() { return 0xffffffffu; }

    // Words of the stream (seed of the keys, unit, 0).
    __device__ KeyedPhilox(PhiloxKeys const& keys, unsigned long long unit)
        : keys_(keys.of_round), low_(static_cast<unsigned>(unit)), high_(static_cast<unsigned>(unit >> 32)) {}

    __device__ unsigned operator()() {
        if (remaining_ == 0) {
            words_ = block(block_++);
            remaining_ = 4;
        }
        unsigned const word = words_.x;
        words_ = {words_.y, words_.z, words_.w, 0};
        --remaining_;
        return word;
    }

    // The next block of four words; the rest of a block that operator() has started is dropped.
    __device__ random::Words4 next4() {
        remaining_ = 0;
        words_ = {0, 0, 0, 0};  // else four registers would keep them
        return block(block_++);
    }

    // Continues where a copy has stopped. Unlike an assignment, it leaves the address of the keys alone, which the
    // compiler knows to be in constant memory.
    __device__ void resume(KeyedPhilox const& copy) {
        block_ = copy.block_;
        words_ = copy.words_;
        remaining_ = copy.remaining_;
    }

private:
    __device__ random::Words4 block(unsigned number) const {
        random::Words4 c{number, 0, low_, high_};
#pragma unroll
        for (int round = 0; round < rounds; ++round) {
            unsigned const first = __umulhi(0xd2511f53u, c.x);
            unsigned const second = __umulhi(0xcd9e8d57u, c.z);
            c = {second ^ c.y ^ keys_[2 * round], 0xcd9e8d57u * c.z, first ^ c.w ^ keys_[2 * round + 1],
                 0xd2511f53u * c.x};
        }
        return c;
    }

    unsigned const* keys_;
    unsigned low_;
    unsigned high_;
    unsigned block_ = 0;
    random::Words4 words_ = {0, 0, 0, 0};
    unsigned remaining_ = 0;
};

template <class Engine>
struct KeyedEngine {
    using Type = Engine;
};
template <int rounds>
struct KeyedEngine<random::LOCKSTEP_MACHINE::Philox4x32<rounds>> {
    using Type = KeyedPhilox<rounds>;
};

// The engine that draws the words of Engine::stream(seed, unit, 0).
template <class Engine>
__device__ inline auto keyed_stream(PhiloxKeys const& keys, unsigned long long seed, unsigned long long unit) {
    using Type = typename KeyedEngine<Engine>::Type;
    if constexpr (std::is_same_v<Type, Engine>)
        return Engine::stream(seed, unit, 0);
    else
        return Type(keys, unit);
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
