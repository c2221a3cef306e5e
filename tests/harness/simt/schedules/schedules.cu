#include "tests/harness/simt/schedules/schedules.hpp"

#include <algorithm>
#include <vector>

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::schedules::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

constexpr unsigned nodes = 8;
constexpr unsigned none = nodes;

// The stack in global memory. The head's low 16 bits are a node; its high bits count changes if `counted`.
struct Stack {
    unsigned* head;
    unsigned* next;  // per node
    bool counted;
};

__device__ unsigned changed_head(Stack const& stack, unsigned head, unsigned node) {
    return stack.counted ? ((head >> 16) + 1) << 16 | node : node;
}

__device__ unsigned pop(Stack const& stack) {
    for (;;) {
        unsigned const head = atomicAdd(stack.head, 0u);
        unsigned const node = head & 0xFFFF;
        if (node == none) {
            return none;
        }
        unsigned const next = atomicAdd(&stack.next[node], 0u);
        if (atomicCAS(stack.head, head, changed_head(stack, head, next)) == head) {
            return node;
        }
    }
}

__device__ void push(Stack const& stack, unsigned node) {
    for (;;) {
        unsigned const head = atomicAdd(stack.head, 0u);
        atomicExch(&stack.next[node], head & 0xFFFF);
        if (atomicCAS(stack.head, head, changed_head(stack, head, node)) == head) {
            return;
        }
    }
}

__device__ unsigned pop_and_hold(Stack const& stack, unsigned* held, unsigned* held_twice) {
    unsigned const node = pop(stack);
    if (node != none && atomicExch(&held[node], 1u) == 1) {
        atomicAdd(held_twice, 1u);
    }
    return node;
}

__device__ void release_and_push(Stack const& stack, unsigned* held, unsigned node) {
    if (node != none) {
        atomicExch(&held[node], 0u);
        push(stack, node);
    }
}

__global__ void use_stack_kernel(Stack stack, unsigned* held, unsigned* held_twice) {
    // A stack that ABA has damaged may be a cycle, so the number of rounds is fixed.
    for (unsigned round = 0; round < 4; ++round) {
        unsigned const first = pop_and_hold(stack, held, held_twice);
        unsigned const second = pop_and_hold(stack, held, held_twice);
        release_and_push(stack, held, first);
        release_and_push(stack, held, second);
    }
}

__global__ void take_numbers_kernel(unsigned* counter, unsigned* taken, bool by_one_atomic) {
    unsigned number;
    if (by_one_atomic) {
        number = atomicAdd(counter, 1u);
    } else {
        number = atomicAdd(counter, 0u);
        atomicExch(counter, number + 1);
    }
    atomicExch(&taken[number], threadIdx.x + 1);
}

// Per number, one more than the thread that took it last, or 0.
std::vector<unsigned> takers_of_numbers(bool by_one_atomic) {
    Buffer<unsigned> counter(1);
    Buffer<unsigned> taken(64);
    counter.fill_bytes(0);
    taken.fill_bytes(0);
    launch("take_numbers_kernel", take_numbers_kernel, {.grid = {1}, .block = {64}}, {}, counter.data(), taken.data(),
           by_one_atomic);
    return taken.to_vector();
}

}  // namespace

unsigned nodes_held_twice(bool fixed) {
    Buffer<unsigned> head(1);
    Buffer<unsigned> next(nodes);
    Buffer<unsigned> held(nodes);
    Buffer<unsigned> held_twice(1);
    head.fill_bytes(0);
    held.fill_bytes(0);
    held_twice.fill_bytes(0);
    for (unsigned node = 0; node < nodes; ++node) {
        next.data()[node] = node + 1;
    }
    launch("use_stack_kernel", use_stack_kernel, {.grid = {1}, .block = {3}}, {},
           Stack{head.data(), next.data(), fixed}, held.data(), held_twice.data());
    return held_twice.data()[0];
}

unsigned numbers_not_taken(bool fixed) {
    std::vector<unsigned> const takers = takers_of_numbers(fixed);
    return static_cast<unsigned>(std::count(takers.begin(), takers.end(), 0u));
}

unsigned taker_of_number_0() { return takers_of_numbers(true)[0] - 1; }

namespace {

__global__ void take_number(unsigned* counter, unsigned* takers) { takers[atomicAdd(counter, 1u)] = blockIdx.x; }

__global__ void meet(unsigned* words) {
    if (threadIdx.x == 0) {
        atomicAdd(&words[0], 1u);
        while (atomicAdd(&words[0], 0u) < gridDim.x) {
        }
    }
    __syncthreads();
    if (threadIdx.x == 63) {
        atomicAdd(&words[1], 1u);
    }
}

}  // namespace

std::vector<unsigned> takers_among_blocks() {
    Buffer<unsigned> counter(1);
    Buffer<unsigned> takers(16);
    counter.fill_bytes(0);
    launch("take_number", take_number, {.grid = {16}, .block = {1}}, {}, counter.data(), takers.data());
    return takers.to_vector();
}

unsigned blocks_that_meet() {
    Buffer<unsigned> words(2);
    words.fill_bytes(0);
    launch("meet", meet, {.grid = {16}, .block = {64}}, {}, words.data());
    return words.to_vector()[1];
}

}  // namespace lockstep::schedules::LOCKSTEP_MACHINE
