// van Eerd et al. 2021, Listing 6: each allocation takes a recycled index from a list, or a fresh index when the list
// is empty, with one atomic per attempt. Corrects an error in the paper: claims past the list's end are undone between
// rounds.

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "tests/harness/simt/probes/probes.hpp"

namespace lockstep::probes {

struct Heap {
    unsigned* free_indices;
    unsigned* taken;               // one word per index
    unsigned* counters;            // next_free_begin, next_free_end, next_fresh
    unsigned long long* arrivals;  // counter of the grid barrier
};

}  // namespace lockstep::probes

namespace lockstep::probes::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

__device__ inline unsigned get_new_index(Heap const& heap, unsigned free_end) {
    unsigned const claimed = atomicInc(&heap.counters[0], 0xFFFFFFFFu);
    if (claimed < free_end) {
        return heap.free_indices[claimed];
    }
    return atomicInc(&heap.counters[2], 0xFFFFFFFFu);
}

__global__ void allocator_kernel(Heap heap, unsigned rounds) {
    bool const first = block_rank() == 0 && thread_rank() == 0;
    for (unsigned round = 0; round < rounds; ++round) {
        unsigned const free_end = heap.counters[1];
        unsigned const index = get_new_index(heap, free_end);
        atomicAdd(&heap.taken[index], 1u);
        grid_barrier(heap.arrivals);
        if (first) {
            // Moves the rest of the list to its front.
            unsigned const begin = heap.counters[0] < free_end ? heap.counters[0] : free_end;
            for (unsigned i = begin; i < free_end; ++i) {
                heap.free_indices[i - begin] = heap.free_indices[i];
            }
            heap.counters[0] = 0;
            heap.counters[1] = free_end - begin;
        }
        grid_barrier(heap.arrivals);
        if (thread_rank() % 2 == 1) {
            atomicSub(&heap.taken[index], 1u);
            heap.free_indices[atomicAdd(&heap.counters[1], 1u)] = index;
        }
        grid_barrier(heap.arrivals);
    }
}

std::vector<unsigned> allocate(Allocation const& wanted) {
    unsigned const capacity = wanted.recycled + wanted.blocks * wanted.threads * wanted.rounds;
    Buffer<unsigned> free_indices(capacity);
    Buffer<unsigned> taken(capacity);
    Buffer<unsigned> counters(3);
    Buffer<unsigned long long> arrivals(1);
    std::vector<unsigned> recycled(wanted.recycled);
    for (unsigned i = 0; i < wanted.recycled; ++i) {
        recycled[i] = i;
    }
    free_indices.upload(recycled);
    taken.fill_bytes(0);
    counters.upload(std::vector<unsigned>{0, wanted.recycled, wanted.recycled});
    arrivals.fill_bytes(0);
    Heap const heap{free_indices.data(), taken.data(), counters.data(), arrivals.data()};
    launch("allocator_kernel", allocator_kernel,
           {.grid = {wanted.blocks}, .block = {wanted.threads}, .cooperative = true}, {}, heap, wanted.rounds);
    synchronize({});
    return taken.to_vector();
}

}  // namespace lockstep::probes::LOCKSTEP_MACHINE
