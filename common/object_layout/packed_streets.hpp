#pragma once
// Streets packed for kernels that keep agents in registers: what an agent reads at the end of a street takes few bytes,
// and 16 bits per neighbour if the network has at most 65536 streets. This is the column compression and the use of
// shared memory that the paper leaves to future work (Section 7.4).

#include "common/object_layout/crossing_ticks.hpp"
#include "common/object_layout/methods.hpp"
#include "common/object_layout/remainder.hpp"

namespace lockstep::object_layout {

// The neighbours of a street: `degree` of them from `offset` on. In mode faithful, which always selects the same one,
// `offset` is that neighbour's id, and `degree` is 0 or 1.
struct __align__(8) StreetEnd {
    unsigned offset;
    unsigned degree;
};

struct PackedNetwork {
    float const* length = nullptr;
    float const* max_velocity = nullptr;
    StreetEnd const* ends = nullptr;
    unsigned short const* narrow = nullptr;   // neighbours in 16 bits; null: see `wide`
    unsigned const* wide = nullptr;           // neighbours in 32 bits
    unsigned char const* crossing = nullptr;  // crossing_ticks.hpp
    double const* table_steps = nullptr;      // mode faithful: a pedestrian's step for each entry of the table
    Remainder table_index;
    unsigned street_count = 0;
    unsigned neighbor_count = 0;
    unsigned first_pedestrian = 0;  // the index of the first agent of class 1
};

// Limits up to which several blocks per multiprocessor can each have a copy in shared memory. Larger networks stay in
// global memory.
inline constexpr unsigned max_shared_streets = 1024;
inline constexpr unsigned max_shared_neighbors = 6144;
inline constexpr unsigned crossing_words = car_velocities / 4;  // per street

inline constexpr unsigned walking_steps = 32;  // drawn numbers are below 7 + 15

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// A pedestrian's step for the number that it drew, as methods.hpp computes it: r - 2 with r < 2^23 is, as a float,
// exactly (2^23 + r) - (2^23 + 2), without a conversion.
__device__ inline float walking_step(unsigned drawn) {
    return (__uint_as_float(0x4b000000u | drawn) - 8388610.0f) * (1.0f / 60.0f);
}

// `crossings`: whether the table of the ticks between streets is copied too, which fits for one kind of car.
template <class Mode, bool crossings>
struct SharedNetwork {
    SharedArray<double, is_live<Mode> ? 1 : max_shared_streets> table_steps;
    SharedArray<float, max_shared_streets> length;
    SharedArray<unsigned, max_shared_streets> ends;  // the offset in the low half, the degree in the high half
    SharedArray<unsigned short, is_live<Mode> ? max_shared_neighbors : 1> neighbors;
    SharedArray<unsigned, crossings ? max_shared_streets * crossing_words : 1> crossing;
    SharedArray<float, walking_steps> steps;
};

// Streets in the block's shared memory.
template <class Mode, bool crossings>
class NearStreets {
public:
    __device__ NearStreets(PackedNetwork const& network, SharedNetwork<Mode, crossings>& shared)
        : network_(network), shared_(shared) {}
    __device__ float length(unsigned id) const { return shared_.length[id]; }
    __device__ float max_velocity(unsigned id) const { return network_.max_velocity[id]; }
    __device__ StreetEnd end(unsigned id) const {
        unsigned const end = shared_.ends[id];
        return {end & 0xffffu, end >> 16};
    }
    __device__ unsigned neighbor(unsigned index) const {
        unsigned short const id = shared_.neighbors[index];
        return id;
    }
    __device__ unsigned crossing(unsigned kind, unsigned id, unsigned column) const {
        if constexpr (crossings) {
            unsigned const word = shared_.crossing[id * crossing_words + column / 4];
            return word >> (column % 4 * 8) & 0xffu;
        } else {
            return network_.crossing[(kind * network_.street_count + id) * car_velocities + column];
        }
    }
    __device__ float step(unsigned drawn) const { return shared_.steps[drawn]; }
    __device__ double table_step(unsigned square) const { return shared_.table_steps[network_.table_index.of(square)]; }

private:
    PackedNetwork const& network_;
    SharedNetwork<Mode, crossings>& shared_;
};

// Streets in global memory, read through the cache.
class FarStreets {
public:
    __device__ explicit FarStreets(PackedNetwork const& network) : network_(network) {}
    __device__ float length(unsigned id) const { return network_.length[id]; }
    __device__ float max_velocity(unsigned id) const { return network_.max_velocity[id]; }
    __device__ StreetEnd end(unsigned id) const { return network_.ends[id]; }
    __device__ unsigned neighbor(unsigned index) const {
        return network_.narrow != nullptr ? network_.narrow[index] : network_.wide[index];
    }
    __device__ unsigned crossing(unsigned kind, unsigned id, unsigned column) const {
        unsigned long long const row = static_cast<unsigned long long>(kind) * network_.street_count + id;
        return network_.crossing[row * car_velocities + column];
    }
    __device__ float step(unsigned drawn) const { return walking_step(drawn); }
    __device__ double table_step(unsigned square) const {
        return network_.table_steps[network_.table_index.of(square)];
    }

private:
    PackedNetwork const& network_;
};

// Copies the network to the block's shared memory. All threads of the block must call it.
template <class Mode, bool crossings>
__device__ inline void copy_network(PackedNetwork const& network, SharedNetwork<Mode, crossings>& shared) {
    unsigned const threads = blockDim.x;
    for (unsigned i = threadIdx.x; i < network.street_count; i += threads) {
        StreetEnd const end = network.ends[i];
        shared.length[i] = network.length[i];
        shared.ends[i] = end.offset | end.degree << 16;
    }
    if constexpr (is_live<Mode>) {
        for (unsigned i = threadIdx.x; i < network.neighbor_count; i += threads) {
            shared.neighbors[i] = network.narrow[i];
        }
        for (unsigned i = threadIdx.x; i < walking_steps; i += threads) {
            shared.steps[i] = walking_step(i);
        }
    } else {
        for (unsigned i = threadIdx.x; i < network.table_index.size; i += threads) {
            shared.table_steps[i] = network.table_steps[i];
        }
    }
    if constexpr (crossings) {
        auto const* const words = reinterpret_cast<unsigned const*>(network.crossing);
        for (unsigned i = threadIdx.x; i < network.street_count * crossing_words; i += threads) {
            shared.crossing[i] = words[i];
        }
    }
    __syncthreads();
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
