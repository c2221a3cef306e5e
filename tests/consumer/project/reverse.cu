// A user's kernel: the same source for the emulator and for CUDA.

#include "harness/simt/buffer.hpp"
#include "harness/simt/kernel.hpp"
#include "harness/simt/launch.hpp"

#include <vector>

namespace consumer::LOCKSTEP_MACHINE {

using namespace lockstep::simt::LOCKSTEP_MACHINE;

std::vector<unsigned> reversed_lanes();

__global__ void reverse(unsigned* lanes) {
    unsigned const mine = threadIdx.x;
    lanes[mine] = __shfl_xor_sync(0xffffffffu, mine, 31);
}

std::vector<unsigned> reversed_lanes() {
    Buffer<unsigned> lanes(32);
    launch("reverse", reverse, {.grid = {1, 1, 1}, .block = {32, 1, 1}}, lockstep::simt::Stream{}, lanes.data());
    synchronize(lockstep::simt::Stream{});
    return lanes.to_vector();
}

}  // namespace consumer::LOCKSTEP_MACHINE
