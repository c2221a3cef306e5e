#include "tests/harness/simt/refusals/refusals.hpp"

#include "harness/simt/buffer.hpp"
#include "harness/simt/emulator/options.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/shared_words.hpp"

#include <chrono>
#include <stdexcept>

namespace lockstep::refusals::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

struct Tile {
    SharedArray<unsigned, 64> cells;
};

constexpr unsigned odd_lanes = 0xAAAAAAAAu;

__global__ void divergent_barrier_kernel() {
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
}

__global__ void divergent_collective_kernel() {
    if (lane_id() % 2 == 0) {
        __ballot_sync(full_warp, 1);
    } else {
        __ballot_sync(full_warp, 0);
    }
}

__global__ void mask_kernel(unsigned mask) { __syncwarp(mask); }

__global__ void exit_kernel(bool before) {
    if (lane_id() == 5) {
        if (!before) {
            __syncwarp(1u << 5);
        }
        return;
    }
    if (before) {
        while (lane_id() < 6 && __ballot_sync(1u << lane_id(), 0) != 0) {
        }
        for (int turn = 0; turn < 3; ++turn) {
            __nanosleep(1);
        }
    }
    __ballot_sync(full_warp, 1);
}

__global__ void outside_kernel() {
    if (lane_id() % 2 == 1) {
        __shfl_sync(odd_lanes, 1, 2);
    }
}

__global__ void width_kernel() { __shfl_sync(full_warp, 1, 0, 12); }

__global__ void unset_kernel(unsigned* out) {
    auto& tile = shared_memory<Tile>();
    if (threadIdx.x != 7) {
        tile.cells[threadIdx.x] = 1;
    }
    __syncthreads();
    out[threadIdx.x] = tile.cells[threadIdx.x ^ 1];
}

// Each lane stores a word after the tile and loads its neighbour's.
__global__ void words_kernel(unsigned* out, unsigned silent) {
    SharedWords<unsigned> const words = shared_words<unsigned>(sizeof(Tile));
    if (lane_id() != silent)
        words[lane_id()] = lane_id();
    __syncwarp();
    out[lane_id()] = words[lane_id() ^ 1];
}

__global__ void index_kernel() {
    auto& tile = shared_memory<Tile>();
    tile.cells[threadIdx.x + 33] = 1;
}

__global__ void mutual_kernel() {
    // Lane 0 waits for lane 1 with one mask, lane 1 for lane 0 with another.
    if (lane_id() == 0) {
        __syncwarp(0b011);
    }
    if (lane_id() == 1) {
        __syncwarp(0b111);
    }
    if (lane_id() == 2) {
        __syncwarp(0b110);
    }
}

__global__ void sleep_kernel(unsigned const* flag) {
    while (load_acquire(flag) == 0) {
        __nanosleep(100);
    }
}

__global__ void spin_kernel(unsigned* flag) {
    if (threadIdx.x == 0) {
        while (load_acquire(flag) == 0) {
            __nanosleep(100);
        }
    }
    if (threadIdx.x == 63) {
        store_release(flag, 1u);
    }
}

// Lane 0 holds the lock at the barrier, and the others do not reach the barrier without it.
__global__ void lock_kernel(unsigned* lock) {
    while (atomicCAS(lock, 0u, 1u) != 0) {
    }
    if (threadIdx.x == 0) {
        __syncthreads();
    }
    atomicExch(lock, 0u);
    if (threadIdx.x != 0) {
        __syncthreads();
    }
}

// Lane 0 polls while lane 1 changes another word for longer than the limit.
__global__ void poll_kernel(unsigned* words, double seconds) {
    if (threadIdx.x == 0) {
        while (atomicAdd(&words[0], 0u) == 0) {
        }
        return;
    }
    auto const start = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
        atomicAdd(&words[1], 1u);
    }
    atomicExch(&words[0], 1u);
}

__global__ void idle_kernel() {}

__global__ void throwing_kernel() {
    if (threadIdx.x == 3) {
        throw std::runtime_error("lane three is unwell");
    }
    __syncthreads();
}

constexpr LaunchShape one_warp{.grid = {1}, .block = {32}};
constexpr LaunchShape two_warps{.grid = {1}, .block = {64}};

}  // namespace

void divergent_barrier() { launch("divergent_barrier_kernel", divergent_barrier_kernel, two_warps, {}); }
void divergent_collective() { launch("divergent_collective_kernel", divergent_collective_kernel, one_warp, {}); }
void mask_without_caller() { launch("mask_kernel", mask_kernel, one_warp, {}, 1u << 3); }
void mask_with_absent_lane() { launch("mask_kernel", mask_kernel, {.grid = {2}, .block = {33}}, {}, full_warp); }
void mask_with_exited_lane() { launch("exit_kernel", exit_kernel, one_warp, {}, true); }
void mask_with_lane_that_exits() { launch("exit_kernel", exit_kernel, one_warp, {}, false); }
void shuffle_from_outside_the_mask() { launch("outside_kernel", outside_kernel, one_warp, {}); }
void shuffle_of_odd_width() { launch("width_kernel", width_kernel, one_warp, {}); }

void unset_shared_memory() {
    Buffer<unsigned> out(32);
    launch("unset_kernel", unset_kernel, {.grid = {1}, .block = {32}, .shared_bytes = sizeof(Tile)}, {}, out.data());
}
void index_past_a_shared_array() {
    launch("index_kernel", index_kernel, {.grid = {1}, .block = {32}, .shared_bytes = sizeof(Tile)}, {});
}
void shared_struct_larger_than_the_launch() {
    launch("index_kernel", index_kernel, {.grid = {1}, .block = {1}, .shared_bytes = sizeof(Tile) - 4}, {});
}

namespace {

void launch_words(std::size_t words, unsigned silent, std::vector<unsigned>* found = nullptr) {
    Buffer<unsigned> out(32);
    launch("words_kernel", words_kernel,
           {.grid = {1}, .block = {32}, .shared_bytes = sizeof(Tile) + words * sizeof(unsigned)}, {}, out.data(),
           silent);
    if (found != nullptr)
        *found = out.to_vector();
}

// Lane 0 waits for lane 1 by plain reads, at which the emulator does not switch lanes.
__global__ void plain_spin_kernel(unsigned* flag) {
    if (threadIdx.x == 1) {
        *flag = 1;
    }
    while (*static_cast<unsigned volatile*>(flag) == 0) {
    }
}

}  // namespace

void words_past_the_launch() { launch_words(31, warp_size); }
void unset_words() { launch_words(32, 3); }
std::vector<unsigned> words_of_a_launch() {
    std::vector<unsigned> found;
    launch_words(32, warp_size, &found);
    return found;
}

void lanes_that_wait_for_each_other() { launch("mutual_kernel", mutual_kernel, {.grid = {1}, .block = {3}}, {}); }

void endless_sleep() {
    Options chosen;
    chosen.spin_limit_seconds = 0.05;
    ScopedOptions const scope(chosen);
    Buffer<unsigned> flag(1);
    flag.fill_bytes(0);
    launch("sleep_kernel", sleep_kernel, one_warp, {}, flag.data());
}

void lock_held_over_a_barrier() {
    Options chosen;
    chosen.turn_limit_seconds = 0.05;
    ScopedOptions const scope(chosen);
    Buffer<unsigned> lock(1);
    lock.fill_bytes(0);
    launch("lock_kernel", lock_kernel, one_warp, {}, lock.data());
}

void poll_while_another_works() {
    Options chosen;
    chosen.threads = 1;
    chosen.turn_limit_seconds = 1;
    ScopedOptions const scope(chosen);
    Buffer<unsigned> words(2);
    words.fill_bytes(0);
    launch("poll_kernel", poll_kernel, {.grid = {1}, .block = {2}}, {}, words.data(), 1.5);
}

void endless_turn() {
    Options chosen;
    chosen.threads = 1;
    chosen.turn_limit_seconds = 0.5;
    ScopedOptions const scope(chosen);
    Buffer<unsigned> flag(1);
    flag.fill_bytes(0);
    launch("plain_spin_kernel", plain_spin_kernel, one_warp, {}, flag.data());
}

void spin_on_another_lane() {
    Buffer<unsigned> flag(1);
    flag.fill_bytes(0);
    launch("spin_kernel", spin_kernel, two_warps, {}, flag.data());
}

void too_many_threads() { launch("idle_kernel", idle_kernel, {.grid = {1}, .block = {32, 33}}, {}); }
void too_much_shared_memory() {
    launch("idle_kernel", idle_kernel, {.grid = {1}, .block = {1}, .shared_bytes = 227 * 1024 + 1}, {});
}
void empty_grid() { launch("idle_kernel", idle_kernel, {.grid = {0}, .block = {32}}, {}); }
void too_many_cooperative_blocks() {
    launch("idle_kernel", idle_kernel, {.grid = {100000}, .block = {32}, .cooperative = true}, {});
}
void exception_in_a_lane() { launch("throwing_kernel", throwing_kernel, two_warps, {}); }

}  // namespace lockstep::refusals::LOCKSTEP_MACHINE
