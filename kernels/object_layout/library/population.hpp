#pragma once
// A population: objects that a section creates and deletes (the paper's future work, Section 7.2). A section asks each
// object how many objects succeed it: 0 deletes it, 1 keeps it, and n > 1 keeps it and creates n - 1 more, at most 254
// (more are not created).
// Successors are stored densely in the order of their predecessors, so ids, and with them all results, are the same on
// every machine, and columns have no gaps. Successors go to a second array, which grows if it must: growing moves
// nothing that would otherwise stay. Include it in `.cu` files.
//
//   struct Life {
//       template <class Objects> __device__ unsigned live(Objects const& objects, unsigned id, unsigned tick) const;
//       template <class Objects> __device__ void create(Objects const& parents, unsigned parent, Objects const&
//                                                       children, unsigned child, unsigned which, unsigned tick) const;
//   };
//   Population<Record<Columns, float>> population(1000);
//   population.step(Life{}, tick, stream);
//
// Bytes per object and step: what live() uses, 2 for its count, and the object's fields read and written once.

#include <utility>

#include "harness/bench/error.hpp"
#include "kernels/object_layout/library/compaction.hpp"
#include "kernels/object_layout/library/records.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

inline constexpr unsigned max_successors = 255;

template <class Objects, class Life>
__global__ void __launch_bounds__(compaction_block)
    live_kernel(Life const life, Objects const objects, unsigned size, unsigned tick, unsigned char* const successors,
                unsigned* const counts) {
    auto& shared = shared_memory<BlockSums>();
    unsigned sum = 0;
    for (unsigned part = 0; part < compaction_tile / compaction_block; ++part) {
        unsigned const id = blockIdx.x * compaction_tile + part * compaction_block + threadIdx.x;
        if (id < size) {
            unsigned const wanted = life.live(objects, id, tick);
            unsigned const number = wanted < max_successors ? wanted : max_successors;
            successors[id] = static_cast<unsigned char>(number);
            sum += number;
        }
    }
    BlockScan const scan = block_scan(sum, shared);
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = scan.total;
    }
}

template <class Objects, class Life>
__global__ void __launch_bounds__(compaction_block)
    succeed_kernel(Life const life, Objects const objects, unsigned size, unsigned tick,
                   unsigned char const* const successors, unsigned const* const starts, Objects const next) {
    auto& shared = shared_memory<BlockSums>();
    unsigned start = starts[blockIdx.x];
    for (unsigned part = 0; part < compaction_tile / compaction_block; ++part) {
        unsigned const id = blockIdx.x * compaction_tile + part * compaction_block + threadIdx.x;
        unsigned const number = id < size ? successors[id] : 0;
        BlockScan const scan = block_scan(number, shared);
        unsigned const first = start + scan.before;
        if (number != 0) {
            objects.copy_object(id, next, first);
        }
        for (unsigned which = 1; which < number; ++which) {
            life.create(objects, id, next, first + which, which, tick);
        }
        start += scan.total;
    }
}

template <class Objects>
class Population {
public:
    explicit Population(unsigned size) : size_(size) { resize(size); }

    Objects const& objects() const { return now_; }
    unsigned size() const { return size_; }
    unsigned capacity() const { return now_.capacity; }

    // Runs one section and waits for it, because the host needs the number of objects. The stream is idle afterwards.
    template <class Life>
    void step(Life const& life, unsigned tick, simt::Stream stream = {}) {
        if (size_ == 0)
            return;
        unsigned const tiles = tiles_of(size_);
        launch("live", live_kernel<Objects, Life>, compaction_shape(tiles), stream, life, now_, size_, tick,
               successors_.data(), counts_.data());
        unsigned const next_size = scan_tiles(counts_, tiles, stream);
        if (next_size > next_.capacity)
            allocate(next_memory_, next_, std::uint64_t{next_size} + next_size / 2);
        if (next_size != 0) {
            launch("succeed", succeed_kernel<Objects, Life>, compaction_shape(tiles), stream, life, now_, size_, tick,
                   successors_.data(), counts_.data(), next_);
        }
        std::swap(memory_, next_memory_);
        std::swap(now_, next_);
        size_ = next_size;
        if (now_.capacity > successors_.size()) {
            synchronize(stream);
            prepare(now_.capacity);
        }
    }

private:
    void resize(unsigned size) {
        allocate(memory_, now_, size);
        allocate(next_memory_, next_, std::uint64_t{size} + size / 4);
        prepare(now_.capacity);
    }
    static void allocate(Buffer<unsigned long long>& memory, Objects& objects, std::uint64_t size) {
        if (size > 0xffffff00u) {
            throw bench::Error("a population is too large", "it would have more than 2^32 objects",
                               "Create fewer objects.");
        }
        objects.capacity = Objects::rounded(size);
        memory = Buffer<unsigned long long>(static_cast<std::size_t>(Objects::bytes(objects.capacity) / 8));
        objects.memory = reinterpret_cast<unsigned char*>(memory.data());
    }
    void prepare(unsigned capacity) {
        successors_ = Buffer<unsigned char>(capacity);
        counts_ = Buffer<unsigned>(std::size_t{tiles_of(capacity)} + 1);
    }

    Buffer<unsigned long long> memory_, next_memory_;
    Objects now_, next_;
    unsigned size_;
    Buffer<unsigned char> successors_;
    Buffer<unsigned> counts_;
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
