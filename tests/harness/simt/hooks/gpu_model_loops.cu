// Kernels for what a GPU makes of loops, optimised as kernels are whose counters are compared with a GPU's. The lines
// are marked COUNT.

#include "harness/simt/hooks/counted_kernels.hpp"

#include "tests/harness/simt/hooks/counted.hpp"
#include "tests/harness/simt/hooks/launching.hpp"

namespace lockstep::hook_tests::LOCKSTEP_MACHINE {
namespace gpu_model {

// Whether a round stores the word twice depends on another word.
__global__ void stored_on_some_ways(unsigned* words, unsigned const* limits, unsigned rounds) {
    for (unsigned round = 0; round < rounds; ++round) {
        unsigned const value = words[threadIdx.x] + 1;  // COUNT stored on some ways
        words[threadIdx.x] = value;
        if (value >= limits[threadIdx.x]) {
            words[threadIdx.x] = 0;
        }
    }
}

}  // namespace gpu_model

namespace {

Buffer<unsigned> words_of(unsigned value) {
    Buffer<unsigned> words(32);
    words.upload(std::vector<unsigned>(32, value));
    return words;
}

}  // namespace

void count_stored_on_some_ways(unsigned rounds) {
    auto words = words_of(0);
    auto const limits = words_of(2);
    launch("stored_on_some_ways", gpu_model::stored_on_some_ways, {{1}, {32}}, {}, words.data(), limits.data(), rounds);
}

}  // namespace lockstep::hook_tests::LOCKSTEP_MACHINE
