// The sample of engine_words.hpp, computed with one thread per name.

#include "tests/harness/random/engines_kernel.hpp"

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "tests/harness/random/engine_words.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

__global__ void engine_words_kernel(unsigned long long seed, unsigned* out) {
    unsigned const number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number < names) {
        write_name_words(seed, number, out + number * words_per_name);
    }
}

std::vector<unsigned> engine_words(unsigned long long seed, unsigned blocks, unsigned threads) {
    namespace machine = simt::LOCKSTEP_MACHINE;
    machine::Buffer<unsigned> out(names * words_per_name);
    out.fill_bytes(0xa5);
    simt::LaunchShape shape;
    shape.grid.x = blocks;
    shape.block.x = threads;
    machine::launch("engine_words_kernel", engine_words_kernel, shape, {}, seed, out.data());
    machine::synchronize({});
    return out.to_vector();
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
