#pragma once
// The sample of engine_words.hpp, computed by a kernel.

#include <vector>

namespace lockstep::random {

namespace emulator {
std::vector<unsigned> engine_words(unsigned long long seed, unsigned blocks, unsigned threads);
}

namespace cuda {
std::vector<unsigned> engine_words(unsigned long long seed, unsigned blocks, unsigned threads);
}

}  // namespace lockstep::random
