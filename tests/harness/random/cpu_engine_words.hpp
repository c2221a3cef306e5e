#pragma once
// The sample of engine_words.hpp, computed by a loop on the CPU.

#include <vector>

#include "tests/harness/random/engine_words.hpp"

namespace lockstep::random::cpu {

inline std::vector<unsigned> engine_words(unsigned long long seed) {
    std::vector<unsigned> words(names * words_per_name);
    for (unsigned number = 0; number < names; ++number) {
        write_name_words(seed, number, words.data() + number * words_per_name);
    }
    return words;
}

}  // namespace lockstep::random::cpu
