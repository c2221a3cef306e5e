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

__global__ void rotate_kernel(unsigned* out, bool with_second_barrier) {
    auto& tile = shared_memory<Tile>();
    unsigned const i = thread_rank();
    unsigned value = i;
    for (unsigned step = 0; step < 2; ++step) {
        tile.cells[i] = value;
        __syncthreads();
        value = tile.cells[(i + 1) % 64];
        if (with_second_barrier) {
            __syncthreads();
        }
    }
    out[i] = value;
}

__global__ void rotate_warp_kernel(unsigned* out, bool with_second_syncwarp) {
    auto& tile = shared_memory<Tile>();
    unsigned const i = lane_id();
    unsigned value = i;
    for (unsigned step = 0; step < 2; ++step) {
        tile.cells[i] = value;
        __syncwarp();
        value = tile.cells[(i + 1) % 32];
        if (with_second_syncwarp) {
            __syncwarp();
        }
    }
    out[i] = value;
}

// Each half of the warp synchronises by itself, then reads what the other half wrote.
__global__ void swap_halves_kernel(unsigned* out, bool with_full_mask) {
    auto& tile = shared_memory<Tile>();
    unsigned const i = lane_id();
    tile.cells[i] = 0;  // so that the race is the only error
    __syncwarp();
    tile.cells[i] = i;
    __syncwarp(i < 16 ? 0x0000FFFFu : 0xFFFF0000u);
    if (with_full_mask) {
        __syncwarp();
    }
    out[i] = tile.cells[i ^ 16];
}

// Every block reads what the block before it wrote, which nothing orders, or what it wrote itself.
__global__ void read_previous_block_kernel(unsigned* words, unsigned* out, bool own) {
    unsigned const i = thread_rank();
    unsigned const threads = blockDim.x;
    words[blockIdx.x * threads + i] = i;
    __syncthreads();
    unsigned const block = own || blockIdx.x == 0 ? blockIdx.x : blockIdx.x - 1;
    out[blockIdx.x * threads + i] = words[block * threads + (i + 1) % threads];
    __syncthreads();
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

void rotate_tile(bool with_second_barrier) {
    Buffer<unsigned> out(64);
    launch("rotate_kernel", rotate_kernel, {.grid = {1}, .block = {64}, .shared_bytes = sizeof(Tile)}, {}, out.data(),
           with_second_barrier);
}

void rotate_warp_tile(bool with_second_syncwarp) {
    Buffer<unsigned> out(32);
    launch("rotate_warp_kernel", rotate_warp_kernel, {.grid = {1}, .block = {32}, .shared_bytes = sizeof(Tile)}, {},
           out.data(), with_second_syncwarp);
}

void swap_halves(bool with_full_mask) {
    Buffer<unsigned> out(32);
    launch("swap_halves_kernel", swap_halves_kernel, {.grid = {1}, .block = {32}, .shared_bytes = sizeof(Tile)}, {},
           out.data(), with_full_mask);
}

void read_previous_block(unsigned threads, bool own) {
    unsigned const blocks = 6;
    Buffer<unsigned> words(blocks * threads);
    Buffer<unsigned> out(blocks * threads);
    words.fill_bytes(0);
    launch("read_previous_block_kernel", read_previous_block_kernel, {.grid = {blocks}, .block = {threads}}, {},
           words.data(), out.data(), own);
}

void count_in_single_lanes(bool with_atomics) {
    Buffer<unsigned> word(1);
    word.fill_bytes(0);
    launch("count_kernel", count_kernel, {.grid = {6}, .block = {1}}, {}, word.data(), with_atomics);
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
