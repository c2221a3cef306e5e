#pragma once
// What the kernels of cases.hpp share.

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::hook_tests::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// Shared memory as foreign programs have it: arrays that check nothing.
struct Words {
    unsigned v[64];
};

// A buffer of zeros.
inline Buffer<unsigned> zeros(std::size_t size) {
    Buffer<unsigned> buffer(size);
    buffer.fill_bytes(0);
    return buffer;
}

template <class... P, class... A>
void run(void (*kernel)(P...), unsigned blocks, unsigned threads, A const&... arguments) {
    launch("k", kernel, {{blocks}, {threads}, sizeof(Words)}, {}, arguments...);
    synchronize({});
}

template <class... P, class... A>
void run_resident(void (*kernel)(P...), unsigned blocks, unsigned threads, A const&... arguments) {
    launch("k", kernel, {{blocks}, {threads}, sizeof(Words), true}, {}, arguments...);
    synchronize({});
}

}  // namespace lockstep::hook_tests::LOCKSTEP_MACHINE
