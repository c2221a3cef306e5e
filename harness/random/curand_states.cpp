// The generators of cuRAND's interface for foreign programs, by those of this folder.

#include "harness/simt/cuda_api/curand_states.hpp"

#include <bit>

#include "harness/random/mrg32k3a.hpp"
#include "harness/random/philox.hpp"
#include "harness/random/xorwow.hpp"

namespace lockstep::simt::cuda {
namespace {

using random::cpu::Mrg32k3a;
using random::cpu::Xorwow;

// Both are the five words of the xorshift register and the Weyl word.
Xorwow xorwow_of(XorwowWords const& words) { return std::bit_cast<Xorwow>(words); }
XorwowWords words_of(Xorwow const& engine) { return std::bit_cast<XorwowWords>(engine); }

// The maps of XORWOW's xorshift register after 2^i subsequences: linear, so given by the images of the 160 bits. Each
// is the one before applied twice. Kernels call curand_init in every lane, with the lane's number as the subsequence,
// so this is faster than Xorwow::discard_subsequences, which gives the first map.
class SubsequenceMaps {
public:
    SubsequenceMaps() {
        for (int bit = 0; bit < 160; ++bit) {
            XorwowWords unit{};
            unit.xorshift[bit / 32] = 1u << (bit % 32);
            Xorwow engine = xorwow_of(unit);
            engine.discard_subsequences(1);
            maps_[0][bit] = words_of(engine);
        }
        for (int i = 1; i < 64; ++i) {
            for (int bit = 0; bit < 160; ++bit) {
                maps_[i][bit] = image(i - 1, maps_[i - 1][bit]);
            }
        }
    }

    // Of words after 2^i subsequences; the Weyl word stays.
    XorwowWords image(int i, XorwowWords const& words) const {
        XorwowWords sum{{}, words.weyl};
        for (int bit = 0; bit < 160; ++bit) {
            unsigned const mask = 0u - (words.xorshift[bit / 32] >> (bit % 32) & 1u);
            for (int w = 0; w < 5; ++w) {
                sum.xorshift[w] ^= maps_[i][bit].xorshift[w] & mask;
            }
        }
        return sum;
    }

private:
    XorwowWords maps_[64][160];
};

Mrg32k3a mrg_of(MrgWords const& words) {
    return Mrg32k3a(
        {{words.first[0], words.first[1], words.first[2]}, {words.second[0], words.second[1], words.second[2]}});
}
MrgWords words_of(Mrg32k3a const& engine) {
    auto const& state = engine.state();
    return {{state.first[0], state.first[1], state.first[2]}, {state.second[0], state.second[1], state.second[2]}};
}

}  // namespace

XorwowWords xorwow_skip(XorwowWords words, unsigned long long subsequences, unsigned long long numbers) {
    static SubsequenceMaps const maps;
    for (int i = 0; subsequences != 0; subsequences >>= 1, ++i) {
        if ((subsequences & 1) != 0) {
            words = maps.image(i, words);
        }
    }
    Xorwow engine = xorwow_of(words);
    if (numbers != 0) {
        engine.discard(numbers);
    }
    return words_of(engine);
}

XorwowWords xorwow_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset) {
    return xorwow_skip(words_of(Xorwow::from_curand_seed(seed)), subsequence, offset);
}

unsigned xorwow_next(XorwowWords& words) {
    Xorwow engine = xorwow_of(words);
    unsigned const word = engine();
    words = words_of(engine);
    return word;
}

MrgWords mrg_skip(MrgWords words, unsigned long long subsequences, unsigned long long numbers) {
    Mrg32k3a engine = mrg_of(words);
    engine.discard_subsequences(subsequences);
    engine.discard(numbers);
    return words_of(engine);
}

MrgWords mrg_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset) {
    return mrg_skip(words_of(Mrg32k3a::from_curand_seed(seed)), subsequence, offset);
}

unsigned mrg_next(MrgWords& words) {
    Mrg32k3a engine = mrg_of(words);
    unsigned const number = engine();
    words = words_of(engine);
    return number;
}

PhiloxWords philox_words(unsigned long long seed, unsigned long long subsequence, unsigned long long block) {
    auto const low = [](unsigned long long value) { return static_cast<unsigned>(value & 0xffffffffu); };
    auto const high = [](unsigned long long value) { return static_cast<unsigned>(value >> 32); };
    random::Words4 const counter{low(block), high(block), low(subsequence), high(subsequence)};
    auto const words = random::cpu::Philox4x32<10>::at(counter, low(seed), high(seed));
    return {{words.x, words.y, words.z, words.w}};
}

}  // namespace lockstep::simt::cuda
