#pragma once
// Streets packed for one load: 16 bytes a street, 16 bits a neighbour where the network has at most 65536 streets. The
// column compression and the shared memory that the paper leaves to future work (Section 7.4).

#include "common/object_layout/methods.hpp"

namespace lockstep::object_layout {

struct __align__(16) PackedStreet {
    float length;
    float max_velocity;
    unsigned offset;  // into the contents of all arrays
    unsigned degree;
};

struct PackedNetwork {
    PackedStreet const* streets = nullptr;
    unsigned short const* narrow = nullptr;  // neighbours in 16 bits, or
    unsigned const* wide = nullptr;          // in 32
    unsigned street_count = 0;
    unsigned neighbor_count = 0;
};

// What fits beside another block's copy; larger networks stay in global memory.
inline constexpr unsigned max_shared_streets = 1024;
inline constexpr unsigned max_shared_neighbors = 6144;

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct SharedNetwork {
    SharedArray<PackedStreet, max_shared_streets> streets;
    SharedArray<unsigned short, max_shared_neighbors> neighbors;
    SharedArray<unsigned, max_shared_streets> table;  // mode faithful
};

// Streets in the block's shared memory.
class NearStreets {
public:
    __device__ explicit NearStreets(SharedNetwork& shared) : shared_(shared) {}
    __device__ PackedStreet at(unsigned id) const {
        PackedStreet const street = shared_.streets[id];
        return street;
    }
    __device__ unsigned neighbor(unsigned index) const {
        unsigned short const id = shared_.neighbors[index];
        return id;
    }
    __device__ unsigned word(unsigned index) const {
        unsigned const found = shared_.table[index];
        return found;
    }

private:
    SharedNetwork& shared_;
};

// Streets in global memory, read through the cache.
class FarStreets {
public:
    __device__ FarStreets(PackedNetwork const& network, unsigned const* table) : network_(network), table_(table) {}
    __device__ PackedStreet at(unsigned id) const { return network_.streets[id]; }
    __device__ unsigned neighbor(unsigned index) const {
        return network_.narrow != nullptr ? network_.narrow[index] : network_.wide[index];
    }
    __device__ unsigned word(unsigned index) const { return table_[index]; }

private:
    PackedNetwork const& network_;
    unsigned const* table_;
};

// The block's copy of the network; all threads of the block take part.
__device__ inline void copy_network(PackedNetwork const& network, unsigned const* table, unsigned table_size,
                                    SharedNetwork& shared) {
    unsigned const threads = blockDim.x;
    for (unsigned i = threadIdx.x; i < network.street_count; i += threads) {
        shared.streets[i] = network.streets[i];
    }
    for (unsigned i = threadIdx.x; i < network.neighbor_count; i += threads) {
        shared.neighbors[i] = network.narrow[i];
    }
    for (unsigned i = threadIdx.x; i < table_size; i += threads) {
        shared.table[i] = table[i];
    }
    __syncthreads();
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
