// Ours: n bodies in tiles of shared memory (Section 7.4). A block copies tile after tile of the bodies, 16 bytes each,
// and each lane adds the pulls of a tile to its body. One access to shared memory serves one pull, of 20 instructions;
// all lanes of a warp read the same body, or eight neighbouring ones. Nothing diverges.
//
// Few bodies do not fill a GPU with a lane per body, so each has eight lanes, one per partial sum of gravity.hpp.

#include "common/object_layout/gravity.hpp"
#include "common/object_layout/maps.hpp"
#include "kernels/object_layout/body_columns.hpp"

#include "kernels/object_layout/bodies_case.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

inline constexpr unsigned tile_bodies = 256;  // and threads per block

struct __align__(16) PackedBody {
    float x, y, z, mass;
};

struct BodyTile {
    SharedArray<PackedBody, tile_bodies> bodies;
};

// A body beyond the last one has no mass and adds nothing.
__device__ inline PackedBody packed_body(BodyColumns const& bodies, unsigned id) {
    if (id >= bodies.size) {
        return {0.0f, 0.0f, 0.0f, 0.0f};
    }
    return {bodies.x[id], bodies.y[id], bodies.z[id], bodies.mass[id]};
}

__device__ inline void add_pull_of(PackedBody const& other, PackedBody const& body, Force& force) {
    add_pull(other.x - body.x, other.y - body.y, other.z - body.z, other.mass, softening, force);
}

__device__ inline Force folded_over_lanes(Force force) {
    for (unsigned half = force_parts / 2; half > 0; half /= 2) {
        Force const other = {__shfl_xor_sync(0xffffffffu, force.x, half), __shfl_xor_sync(0xffffffffu, force.y, half),
                             __shfl_xor_sync(0xffffffffu, force.z, half)};
        force = sum_of(force, other);
    }
    return force;
}

__device__ inline void accelerate(BodyColumns const& bodies, unsigned id, Force const& force) {
    if (id < bodies.size) {
        bodies.velocity_x[id] = bodies.velocity_x[id] + force.x * tick_length;
        bodies.velocity_y[id] = bodies.velocity_y[id] + force.y * tick_length;
        bodies.velocity_z[id] = bodies.velocity_z[id] + force.z * tick_length;
    }
}

// Calls on_tile() for each tile of bodies, when it is in shared memory.
template <class OnTile>
__device__ inline void each_tile(BodyColumns const& bodies, BodyTile& shared, OnTile const& on_tile) {
    for (unsigned first = 0; first < bodies.size; first += tile_bodies) {
        __syncthreads();
        shared.bodies[threadIdx.x] = packed_body(bodies, first + threadIdx.x);
        __syncthreads();
        on_tile();
    }
}

__global__ void __launch_bounds__(tile_bodies) pull_whole_kernel(__grid_constant__ BodyColumns const bodies) {
    auto& shared = shared_memory<BodyTile>();
    unsigned const id = blockIdx.x * blockDim.x + threadIdx.x;
    PackedBody const body = packed_body(bodies, id);
    Force parts[force_parts] = {};
    each_tile(bodies, shared, [&] {
#pragma unroll 1
        for (unsigned i = 0; i < tile_bodies; i += force_parts) {
#pragma unroll
            for (unsigned part = 0; part < force_parts; ++part) {
                PackedBody const other = shared.bodies[i + part];
                add_pull_of(other, body, parts[part]);
            }
        }
    });
#pragma unroll
    for (unsigned half = force_parts / 2; half > 0; half /= 2) {
#pragma unroll
        for (unsigned part = 0; part < half; ++part) {
            parts[part] = sum_of(parts[part], parts[part + half]);
        }
    }
    accelerate(bodies, id, parts[0]);
}

__global__ void __launch_bounds__(tile_bodies) pull_parts_kernel(__grid_constant__ BodyColumns const bodies) {
    auto& shared = shared_memory<BodyTile>();
    unsigned const lane = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const id = lane / force_parts;
    unsigned const part = lane % force_parts;
    PackedBody const body = packed_body(bodies, id);
    Force force = {0.0f, 0.0f, 0.0f};
    each_tile(bodies, shared, [&] {
#pragma unroll 4
        for (unsigned i = 0; i < tile_bodies; i += force_parts) {
            PackedBody const other = shared.bodies[i + part];
            add_pull_of(other, body, force);
        }
    });
    force = folded_over_lanes(force);
    if (part == 0) {
        accelerate(bodies, id, force);
    }
}

namespace {

// From this number of bodies on, a lane per body gives every scheduler of a large GPU two warps.
constexpr unsigned enough_bodies = 1u << 15;

simt::LaunchShape tiles_shape(unsigned long long lanes) {
    simt::LaunchShape shape = {.grid = {static_cast<unsigned>(simt::ceil_div(lanes, tile_bodies))},
                               .block = {tile_bodies}};
    shape.shared_bytes = sizeof(BodyTile);
    return shape;
}

void pull_whole(BodyColumns const& bodies, simt::Stream stream) {
    launch("bodies_tiles", pull_whole_kernel, tiles_shape(bodies.size), stream, bodies);
}

void pull_parts(BodyColumns const& bodies, simt::Stream stream) {
    launch("bodies_tiles", pull_parts_kernel, tiles_shape(std::uint64_t{force_parts} * bodies.size), stream, bodies);
}

void pull_by_size(BodyColumns const& bodies, simt::Stream stream) {
    (bodies.size < enough_bodies ? pull_parts : pull_whole)(bodies, stream);
}

void add(bench::Experiment& experiment, char const* name, char const* description, PullBodies pull) {
    experiment.variants.push_back(bench::LOCKSTEP_MACHINE::make_variant(
        name, bench::Role::ours, "bodies_in_parts", description,
        [pull](bench::Problem const& problem) {
            body_in_parts_after(problem, 0);
            return std::make_unique<BodiesCase>(problem, pull);
        },
        bodies_unsupported_reason));
}

}  // namespace

void add_bodies_tiles(bench::Experiment& experiment) {
    add(experiment, "bodies_tiles", "n bodies in tiles of shared memory, with explicit operations", pull_by_size);
    add(experiment, "bodies_tiles_whole", "bodies_tiles with one lane per body", pull_whole);
    add(experiment, "bodies_tiles_parts", "bodies_tiles with eight lanes per body", pull_parts);
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
