// A program that a debugger stops: `stop` is called by lane 5 of warp 1 of block (3,0,0), while other lanes wait at a
// barrier, at a warp collective, or for a flag, or have not started.

#include "harness/simt/buffer.hpp"
#include "harness/simt/emulator/options.hpp"
#include "harness/simt/launch.hpp"

namespace stopped::LOCKSTEP_MACHINE {

using namespace lockstep::simt::LOCKSTEP_MACHINE;

LOCKSTEP_NOINLINE void stop() { asm volatile(""); }

LOCKSTEP_NOINLINE void wait_for_flag(unsigned const* flag, unsigned secret) {
    while (load_acquire(flag) != secret / secret)
        __nanosleep(100);
}

LOCKSTEP_NOINLINE void wait_at_barrier(unsigned secret) {
    if (secret != 0)
        __syncthreads();
}

// Blocks 0 to 2 wait for block 3.
__global__ void wait_everywhere(unsigned* flag) {
    unsigned const secret = 1000 * blockIdx.x + threadIdx.x;
    if (blockIdx.x != 3) {
        wait_for_flag(flag, secret + 1);
        return;
    }
    if (threadIdx.x == 1)
        return;
    if (threadIdx.x == 37)
        stop();
    if (threadIdx.x == 33 || threadIdx.x == 34 || threadIdx.x == 38)
        __shfl_sync(0x46u, secret, 6);
    wait_at_barrier(secret);
    store_release(flag, 1u);
}

}  // namespace stopped::LOCKSTEP_MACHINE

int main() {
    using namespace lockstep::simt::emulator;
    ScopedOptions const scope(Options{.threads = 1});
    Buffer<unsigned> flag(1);
    flag.fill_bytes(0);
    launch("wait_everywhere", stopped::emulator::wait_everywhere, {{4}, {96}, 0, true}, {}, flag.data());
}
