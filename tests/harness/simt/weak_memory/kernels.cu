// Litmus tests, the last block of a reduction, and a lock: as kernels, with and without their fences. Only for the
// emulator: a test chooses order and scope at run time.

#include <cstring>

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "tests/harness/simt/weak_memory/kernels.hpp"

namespace lockstep::weak_memory_tests {
namespace {

using namespace simt::LOCKSTEP_MACHINE;
using simt::emulator::Scope;

constexpr unsigned max_instructions = 8;

struct Step {
    litmus::Kind kind;
    unsigned location;
    unsigned value;
    int order;
    Scope scope;
};

struct Steps {
    unsigned lane = ~0u;  // of the block
    unsigned count = 0;
    Step steps[max_instructions];
};

// At most four threads of the program, by number.
struct Code {
    unsigned threads = 0;
    unsigned blocks[4];
    Steps of_thread[4];
};

int order_of(litmus::Strength const& strength) {
    return strength.is_sequential                   ? __ATOMIC_SEQ_CST
           : strength.acquires && strength.releases ? __ATOMIC_ACQ_REL
           : strength.acquires                      ? __ATOMIC_ACQUIRE
           : strength.releases                      ? __ATOMIC_RELEASE
                                                    : __ATOMIC_RELAXED;
}

struct Shared {
    unsigned words[2];
};

__device__ unsigned execute(Step const& step, unsigned* words) {
    unsigned* const word = words + step.location;
    switch (step.kind) {
        case litmus::Kind::read:
            return step.order == __ATOMIC_RELAXED ? load_relaxed(word)
                                                  : simt::emulator::scoped_load(word, step.order, step.scope);
        case litmus::Kind::write:
            if (step.order == __ATOMIC_RELAXED) {
                store_relaxed(word, step.value);
            } else {
                simt::emulator::scoped_store(word, step.value, step.order, step.scope);
            }
            return 0;
        case litmus::Kind::update:
            return simt::emulator::scoped_update(
                word, [&](unsigned) { return step.value; }, step.order, step.scope);
        default:
            simt::emulator::scoped_fence(step.order, step.scope);
            return 0;
    }
}

// Each thread keeps what it reads in registers: `seen` has max_instructions words per thread.
__global__ void litmus_kernel(Code const code, unsigned delays, unsigned* words, unsigned* seen) {
    bool const in_shared_memory = words == nullptr;
    auto& shared = shared_memory<Shared>();
    if (in_shared_memory) {
        if (threadIdx.x < 2) {
            shared.words[threadIdx.x] = 0;
        }
        words = shared.words;
        __syncthreads();
    }
    for (unsigned thread = 0; thread < code.threads; ++thread) {
        Steps const& mine = code.of_thread[thread];
        if (code.blocks[thread] != blockIdx.x || mine.lane != threadIdx.x) {
            continue;
        }
        for (unsigned turns = delays >> (2 * thread) & 3; turns > 0; --turns) {
            __nanosleep(1);
        }
        for (unsigned i = 0; i < mine.count; ++i) {
            unsigned const value = execute(mine.steps[i], words);
            seen[thread * max_instructions + i] = value;
            __nanosleep(1);
        }
    }
    __syncthreads();
    if (in_shared_memory && threadIdx.x < 2) {
        seen[4 * max_instructions + threadIdx.x] = shared.words[threadIdx.x];
    }
}

__device__ void fence_of(Fences fences, Fences side) {
    if (fences == Fences::of_block) {
        __threadfence_block();
    } else if (fences == Fences::both || fences == side) {
        __threadfence();
    }
}

// The Programming Guide's example of __threadfence, in short.
__global__ void sum_by_last_block(unsigned volatile* sums, unsigned* finished, unsigned* total, Fences fences) {
    auto& shared = shared_memory<Shared>();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = blockIdx.x + 1;
        fence_of(fences, Fences::only_writer);
        shared.words[0] = atomicInc(finished, gridDim.x);
    }
    __syncthreads();
    if (shared.words[0] == gridDim.x - 1 && threadIdx.x == 0) {
        unsigned all = 0;
        for (unsigned i = 0; i < gridDim.x; ++i) {
            all += sums[i];
        }
        *total = all;
    }
}

__global__ void count_under_lock(unsigned* lock, unsigned* counter, unsigned rounds, Fences fences) {
    if (threadIdx.x != 0) {
        return;
    }
    for (unsigned i = 0; i < rounds; ++i) {
        while (atomicCAS(lock, 0u, 1u) != 0) {
            __nanosleep(8);
        }
        fence_of(fences, Fences::only_reader);
        *counter = *counter + 1;
        fence_of(fences, Fences::only_writer);
        atomicExch(lock, 0u);
    }
}

__global__ void message_by_block_scope(unsigned* message, unsigned* flag, unsigned* received) {
    if (blockIdx.x == 0) {
        *message = 1;
        simt::emulator::scoped_store(flag, 1u, __ATOMIC_RELEASE, Scope::block);
    } else {
        while (simt::emulator::scoped_load(flag, __ATOMIC_ACQUIRE, Scope::block) == 0) {
            __nanosleep(8);
        }
        *received = *message;
    }
}

struct Small {
    unsigned a, b;
};
struct Large {
    unsigned words[12];
};

__global__ void copies(Small* small, Large* large, unsigned char* bytes, unsigned* wrong) {
    unsigned errors = 0;
    for (unsigned i = 0; i < 4; ++i) {
        small[i] = {i, i + 1};
        large[i] = {};
        large[i].words[11] = i;
    }
    for (unsigned i = 0; i < 4; ++i) {
        small[i + 4] = small[i];
        large[i + 4] = large[i];
        bytes[i + 1] = static_cast<unsigned char>(i + 7);
    }
    std::memcpy(bytes + 9, bytes + 1, 4);
    unsigned unaligned;
    std::memcpy(&unaligned, bytes + 9, 4);
    errors += unaligned != 0x0A090807u ? 1 : 0;
    for (unsigned i = 0; i < 4; ++i) {
        errors += small[i + 4].a != i || small[i + 4].b != i + 1 ? 1 : 0;
        errors += large[i + 4].words[11] != i || large[i + 4].words[3] != 0 ? 1 : 0;
        errors += bytes[i + 9] != i + 7 ? 1 : 0;
    }
    *wrong = errors;
}

Buffer<unsigned> zeros(std::size_t size) {
    Buffer<unsigned> buffer(size);
    buffer.fill_bytes(0);
    return buffer;
}

Code code_of(litmus::Program const& program) {
    Code code;
    code.threads = static_cast<unsigned>(program.threads.size());
    for (unsigned i = 0; i < code.threads; ++i) {
        litmus::Thread const& thread = program.threads[i];
        code.blocks[i] = thread.block;
        code.of_thread[i].lane = thread.lane;
        for (litmus::Instruction const& one : thread.code) {
            code.of_thread[i].steps[code.of_thread[i].count++] = {one.kind, one.location, one.value,
                                                                  order_of(one.strength), one.strength.scope};
        }
    }
    return code;
}

}  // namespace

std::string run_litmus(litmus::Program const& program, bool in_shared_memory, unsigned delays) {
    unsigned blocks = 1;
    for (litmus::Thread const& thread : program.threads) {
        blocks = std::max(blocks, thread.block + 1);
    }
    Buffer<unsigned> words = zeros(2);
    Buffer<unsigned> seen = zeros(4 * max_instructions + 2);
    launch("litmus", litmus_kernel, {{blocks}, {64}, sizeof(Shared), true}, {}, code_of(program), delays,
           in_shared_memory ? nullptr : words.data(), seen.data());
    std::vector<unsigned> const values = seen.to_vector();
    std::vector<unsigned> read;
    for (unsigned i = 0; i < program.threads.size(); ++i) {
        for (unsigned step = 0; step < program.threads[i].code.size(); ++step) {
            if (program.threads[i].code[step].reads()) {
                read.push_back(values[i * max_instructions + step]);
            }
        }
    }
    std::vector<unsigned> const last(values.end() - 2, values.end());
    return litmus::outcome(read, in_shared_memory ? last : words.to_vector());
}

unsigned last_block_sum(unsigned blocks, Fences fences) {
    Buffer<unsigned> sums = zeros(blocks);
    Buffer<unsigned> finished = zeros(1);
    Buffer<unsigned> total = zeros(1);
    launch("sum_by_last_block", sum_by_last_block, {{blocks}, {32}, sizeof(Shared)}, {}, sums.data(), finished.data(),
           total.data(), fences);
    return total.to_vector()[0];
}

unsigned right_sum(unsigned blocks) { return blocks * (blocks + 1) / 2; }

unsigned locked_count(unsigned blocks, unsigned rounds, Fences fences) {
    Buffer<unsigned> lock = zeros(1);
    Buffer<unsigned> counter = zeros(1);
    launch("count_under_lock", count_under_lock, {{blocks}, {32}, 0, true}, {}, lock.data(), counter.data(), rounds,
           fences);
    return counter.to_vector()[0];
}

unsigned message_of_block_scope() {
    Buffer<unsigned> words = zeros(3);
    launch("message", message_by_block_scope, {{2}, {1}, 0, true}, {}, words.data(), words.data() + 1,
           words.data() + 2);
    return words.to_vector()[2];
}

unsigned wrong_copies() {
    Buffer<Small> small(8);
    Buffer<Large> large(8);
    Buffer<unsigned char> bytes(32);
    Buffer<unsigned> wrong = zeros(1);
    launch("copies", copies, {{1}, {1}}, {}, small.data(), large.data(), bytes.data(), wrong.data());
    return wrong.to_vector()[0];
}

}  // namespace lockstep::weak_memory_tests
