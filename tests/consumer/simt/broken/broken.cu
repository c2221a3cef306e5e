// Kernels with one mistake each, and their tests, which fail: run.cmake checks what they print. One file of a user,
// with kernels and tests.

#include <gtest/gtest.h>

#include <vector>

#include "harness/simt/buffer.hpp"
#include "harness/simt/kernel_test.hpp"
#include "harness/simt/launch.hpp"

namespace broken::LOCKSTEP_MACHINE {

using namespace lockstep::simt::LOCKSTEP_MACHINE;

// The last lane to run wins.
__global__ void last_lane(unsigned* out) { atomicExch(out, threadIdx.x); }

// Lane 31 reads past the end of the values.
__global__ void next_value(unsigned const* values, unsigned* out) { out[threadIdx.x] = values[threadIdx.x + 1]; }

// The lanes of two warps exchange words without a barrier between writing and reading.
__global__ void exchange(unsigned* words) {
    words[threadIdx.x] = threadIdx.x;
    unsigned const other = words[threadIdx.x ^ 32];
    __syncthreads();
    words[threadIdx.x] = other;
}

class Broken : public lockstep::simt::KernelTest {};

unsigned last() {
    Buffer<unsigned> out(1);
    launch("last_lane", last_lane, {.grid = {1}, .block = {32}}, {}, out.data());
    return out.to_vector()[0];
}

TEST_F(Broken, DependsOnTheOrder) {
    in_every_order([] { EXPECT_EQ(last(), 31u); });
}

TEST_F(Broken, HasDifferentResults) { same_in_every_order(last); }

TEST_F(Broken, ReadsOutOfBounds) {
    in_every_order([] {
        Buffer<unsigned> values(32);
        values.upload(std::vector<unsigned>(32));
        Buffer<unsigned> out(32);
        launch("next_value", next_value, {.grid = {1}, .block = {32}}, {}, values.data(), out.data());
    });
}

// The host sets no values.
TEST_F(Broken, ReadsUnset) {
    in_every_order([] {
        Buffer<unsigned> values(33), out(32);
        launch("next_value", next_value, {.grid = {1}, .block = {32}}, {}, values.data(), out.data());
    });
}

TEST_F(Broken, Races) {
    in_every_order([] {
        Buffer<unsigned> words(64);
        words.upload(std::vector<unsigned>(64));
        launch("exchange", exchange, {.grid = {1}, .block = {64}}, {}, words.data());
    });
}

}  // namespace broken::LOCKSTEP_MACHINE
