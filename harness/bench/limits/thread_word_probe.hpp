#pragma once
// A probe for a loop in registers or shared memory: each thread runs a number of iterations and stores one word, and
// the host recomputes the words of some threads. All blocks are resident in one wave.

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "harness/bench/limits/limit.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::limits {

struct LoopParameters {
    unsigned* words = nullptr;  // one per thread
    unsigned iterations = 0;
    unsigned seed = 0;
};

}  // namespace lockstep::limits

namespace lockstep::limits::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// Hashes a small number to a 32-bit word; a bijection.
__host__ __device__ inline unsigned mix(unsigned x) {
    x = (x ^ (x >> 16)) * 0x7FEB352Du;
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    return x ^ (x >> 16);
}

__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

// A family's description of one loop.
struct Loop {
    char const* name = "";
    void (*kernel)(LoopParameters) = nullptr;
    unsigned (*expected)(unsigned thread, LoopParameters) = nullptr;  // computes the word of one thread on the host
    double items_per_iteration = 0;                                   // per thread
    simt::LaunchShape shape;
    unsigned tolerance_per_iteration = 0;  // largest accepted difference per thread, for approximate instructions
};

class ThreadWordProbe : public Probe {
public:
    ThreadWordProbe(Loop const& loop, unsigned iterations)
        : loop_(loop), iterations_(iterations), words_(loop.shape.grid.count() * loop.shape.block.count()) {}

    void reset() override { words_.fill_bytes(0xA5); }

    void run(simt::Stream stream) override { launch(loop_.name, loop_.kernel, loop_.shape, stream, parameters()); }

    std::string check() override {
        unsigned const threads = static_cast<unsigned>(words_.size());
        std::set<unsigned> const sample = {0,           1,           31,           32,           33,
                                           threads / 3, threads / 2, threads - 33, threads - 32, threads - 1};
        for (unsigned const thread : sample) {
            if (thread >= threads) {
                continue;
            }
            unsigned word = 0;
            words_.download(std::span<unsigned>(&word, 1), thread);
            unsigned const expected = loop_.expected(thread, parameters());
            unsigned const apart = std::min(word - expected, expected - word);
            if (apart > loop_.tolerance_per_iteration * iterations_) {
                return difference("word of thread", thread, word, expected);
            }
        }
        return {};
    }

    double items() const override {
        return loop_.items_per_iteration * iterations_ * static_cast<double>(words_.size());
    }

    simt::KernelAttributes kernel() const override { return attributes(loop_.name, loop_.kernel, loop_.shape); }

private:
    LoopParameters parameters() { return {words_.data(), iterations_, 2026}; }

    Loop loop_;
    unsigned iterations_;
    Buffer<unsigned> words_;
};

// By default four blocks of 256 threads per SM: eight warps per scheduler, and up to 64 registers per thread.
inline simt::LaunchShape loop_shape(Scale const& scale, unsigned blocks_per_multiprocessor = 4) {
    simt::LaunchShape shape;
    shape.grid.x = scale.multiprocessors * blocks_per_multiprocessor;
    shape.block.x = 256;
    return shape;
}

}  // namespace lockstep::limits::LOCKSTEP_MACHINE
