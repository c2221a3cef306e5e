#include "tests/harness/simt/races/races.hpp"

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::races::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

struct Tile {
    SharedArray<unsigned, 64> cells;
};

__global__ void reverse_kernel(unsigned* out, bool with_barrier) {
    auto& tile = shared_memory<Tile>();
    unsigned const i = thread_rank();
    if (with_barrier) {
        tile.cells[i] = i;
        __syncthreads();
        out[i] = tile.cells[63 - i];
    } else {
        // Every cell is initialised first, so that the race is the only error.
        tile.cells[i] = 0;
        __syncthreads();
        tile.cells[i] = i;
        out[i] = tile.cells[63 - i];
    }
}

__global__ void reverse_warp_kernel(unsigned* out, bool with_syncwarp) {
    auto& tile = shared_memory<Tile>();
    unsigned const i = lane_id();
    tile.cells[i] = 0;
    __syncwarp();
    tile.cells[i] = i;
    if (with_syncwarp) {
        __syncwarp();
    }
    out[i] = tile.cells[31 - i];
}

__global__ void hand_over_kernel(unsigned* word, unsigned* flag, bool with_release) {
    if (blockIdx.x == 0) {
        *word = 42;
        if (with_release) {
            store_release(flag, 1u);
        } else {
            atomicExch(flag, 1u);
        }
    } else {
        if (with_release) {
            while (load_acquire(flag) == 0) {
                __nanosleep(32);
            }
        } else {
            while (atomicAdd(flag, 0u) == 0) {
                __nanosleep(32);
            }
        }
        word[1] = word[0] + 1;
    }
}

__global__ void count_kernel(unsigned* word, bool with_atomics) {
    if (threadIdx.x != 0) {
        return;
    }
    if (with_atomics) {
        atomicAdd(word, 1u);
    } else {
        *word = *word + 1;
    }
}

}  // namespace

void reverse_tile(bool with_barrier) {
    Buffer<unsigned> out(64);
    launch("reverse_kernel", reverse_kernel, {.grid = {1}, .block = {64}, .shared_bytes = sizeof(Tile)}, {}, out.data(),
           with_barrier);
}

void reverse_warp_tile(bool with_syncwarp) {
    Buffer<unsigned> out(32);
    // Cooperative, because the emulator then keeps the blocks on the heap.
    launch("reverse_warp_kernel", reverse_warp_kernel,
           {.grid = {1}, .block = {32}, .shared_bytes = sizeof(Tile), .cooperative = true}, {}, out.data(),
           with_syncwarp);
}

void hand_over(bool with_release) {
    Buffer<unsigned> word(2);
    Buffer<unsigned> flag(1);
    flag.fill_bytes(0);
    launch("hand_over_kernel", hand_over_kernel, {.grid = {2}, .block = {1}, .cooperative = true}, {}, word.data(),
           flag.data(), with_release);
}

void count_blocks(bool with_atomics) {
    Buffer<unsigned> word(1);
    word.fill_bytes(0);
    launch("count_kernel", count_kernel, {.grid = {6}, .block = {32}}, {}, word.data(), with_atomics);
}

}  // namespace lockstep::races::LOCKSTEP_MACHINE
