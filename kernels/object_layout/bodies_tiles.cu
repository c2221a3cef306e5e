// Ours: n bodies in tiles (Section 7.4), each pair of bodies once. The pull between two bodies is computed for both of
// them: 23 operations and a half of a shuffle for two interactions, where a lane per body takes 19 for each.
//
// A block computes the forces between two tiles. A warp holds a part of the first tile in registers, four bodies per
// lane, and meets the parts of the second one after another. In step t, lane l has the four bodies of the second part
// that lane l xor t has in the order of memory: 16 pairs, whose forces on the first part stay in registers and whose
// forces on the second part move on to the next lane by shuffles. Both sides add in the order of gravity.hpp.
//
// A block leaves the forces that two tiles exert on one another in memory; a second kernel sums those on each body. To
// bound that memory, both run for pairs of chunks of tiles. Few bodies do not fill a GPU with blocks of pairs: they
// take a lane per body and part of a tile, in the same order.

#include "common/object_layout/gravity.hpp"
#include "common/object_layout/maps.hpp"
#include "kernels/object_layout/body_columns.hpp"

#include "harness/simt/buffer.hpp"
#include "kernels/object_layout/bodies_case.hpp"

namespace lockstep::object_layout {

inline constexpr unsigned bodies_per_lane = bodies_per_part / 32;
inline constexpr unsigned axes_of_space = 3;

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct __align__(16) PackedBody {
    float x, y, z, mass;
};

// Forces of the bodies of `columns` tiles on those of `rows` tiles: for each column a component's array per axis.
struct TileForces {
    float* data;
    unsigned rows;

    __device__ float& at(unsigned column, unsigned axis, unsigned body) const {
        return data[(std::size_t{axes_of_space} * column + axis) * rows * bodies_per_tile + body];
    }
};

// Two chunks of tiles. Tiles are counted from `first_row` and `first_column` on.
struct ChunkPair {
    BodyColumns bodies;
    unsigned first_row, rows;
    unsigned first_column, columns;
    TileForces on_rows, on_columns;
};

// A body beyond the last one has no mass and adds nothing.
__device__ inline PackedBody packed_body(BodyColumns const& bodies, unsigned id) {
    if (id >= bodies.size) {
        return {0.0f, 0.0f, 0.0f, 0.0f};
    }
    return {bodies.x[id], bodies.y[id], bodies.z[id], pulling_mass(bodies.mass[id])};
}

// A tile in shared memory: body `which` of the four of a lane is at [part][which][lane], so a warp's accesses are
// without bank conflicts.
struct BodyTile {
    SharedArray<PackedBody, bodies_per_tile> bodies;
    SharedArray<float, axes_of_space * bodies_per_tile> forces;
};

__device__ inline unsigned tile_index(unsigned part, unsigned which, unsigned lane) {
    return (part * bodies_per_lane + which) * 32 + lane;
}

// The four bodies of a lane and the forces on them.
struct LaneBodies {
    PackedBody bodies[bodies_per_lane];
    Force forces[bodies_per_lane];
};

// Adds the forces between each body of `mine` and each of `theirs`. Body `a` meets body `a xor step` in this step.
__device__ inline void meet(LaneBodies& mine, LaneBodies& theirs) {
#pragma unroll
    for (unsigned step = 0; step < bodies_per_lane; ++step) {
#pragma unroll
        for (unsigned a = 0; a < bodies_per_lane; ++a) {
            unsigned const b = a ^ step;
            PackedBody const& body = mine.bodies[a];
            PackedBody const& other = theirs.bodies[b];
            float const x = other.x - body.x;
            float const y = other.y - body.y;
            float const z = other.z - body.z;
            float const pull = pull_over(x, y, z, softening);
            add_force(x, y, z, other.mass * pull, mine.forces[a]);
            add_force(-x, -y, -z, body.mass * pull, theirs.forces[b]);
        }
    }
}

// Adds the forces between a warp's part and a part in shared memory. Returns the forces on the latter: on the bodies of
// its own lane, in the order of memory.
__device__ inline void meet_part(LaneBodies& mine, LaneBodies& theirs, BodyTile& shared, unsigned part) {
    unsigned const lane = threadIdx.x % 32;
#pragma unroll 1
    for (unsigned step = 0; step < 32; ++step) {
#pragma unroll
        for (unsigned which = 0; which < bodies_per_lane; ++which) {
            theirs.bodies[which] = shared.bodies[tile_index(part, which, lane ^ step)];
        }
        meet(mine, theirs);
        // From the lane that had these bodies to the one that has them next; after the last step to their own lane.
        int const to_next = static_cast<int>((step ^ (step + 1)) % 32);
#pragma unroll
        for (unsigned which = 0; which < bodies_per_lane; ++which) {
            Force const& force = theirs.forces[which];
            theirs.forces[which] = {__shfl_xor_sync(0xffffffffu, force.x, to_next),
                                    __shfl_xor_sync(0xffffffffu, force.y, to_next),
                                    __shfl_xor_sync(0xffffffffu, force.z, to_next)};
        }
    }
}

struct TilePair {
    unsigned row, column;
};

// Blocks of a pair of different chunks are a rectangle. Those of a chunk with itself are the triangle row <= column,
// whose lower rows fill a rectangle together with its upper ones.
__device__ inline TilePair pair_of_block(ChunkPair const& chunks) {
    if (chunks.first_row != chunks.first_column) {
        return {blockIdx.x, blockIdx.y};
    }
    unsigned const even = chunks.rows % 2 == 0 ? 1 : 0;
    if (blockIdx.x >= blockIdx.y + even) {
        return {blockIdx.y, blockIdx.x - even};
    }
    return {chunks.rows - even - blockIdx.y, chunks.rows - 1 - blockIdx.x};
}

__device__ inline void store_force(TileForces const& forces, unsigned column, unsigned body, Force const& force) {
    forces.at(column, 0, body) = force.x;
    forces.at(column, 1, body) = force.y;
    forces.at(column, 2, body) = force.z;
}

// A warp per part of a tile; four blocks fit the registers of a multiprocessor.
__global__ void __launch_bounds__(32 * parts_per_tile, 4) pull_pairs_kernel(__grid_constant__ ChunkPair const chunks) {
    auto& shared = shared_memory<BodyTile>();
    unsigned const lane = threadIdx.x % 32;
    unsigned const warp = threadIdx.x / 32;
    unsigned const place = threadIdx.x * bodies_per_lane;  // of the lane's first body in its tile
    TilePair const pair = pair_of_block(chunks);
    LaneBodies mine;
    Force totals[bodies_per_lane] = {};
#pragma unroll
    for (unsigned which = 0; which < bodies_per_lane; ++which) {
        unsigned const row_body = (chunks.first_row + pair.row) * bodies_per_tile + place + which;
        unsigned const column_body = (chunks.first_column + pair.column) * bodies_per_tile + place + which;
        mine.bodies[which] = packed_body(chunks.bodies, row_body);
        shared.bodies[tile_index(warp, which, lane)] = packed_body(chunks.bodies, column_body);
        for (unsigned axis = 0; axis < axes_of_space; ++axis) {
            shared.forces[axis * bodies_per_tile + tile_index(warp, which, lane)] = 0.0f;
        }
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned phase = 0; phase < parts_per_tile; ++phase) {
        unsigned const part = warp ^ phase;
        LaneBodies theirs;
#pragma unroll
        for (unsigned which = 0; which < bodies_per_lane; ++which) {
            mine.forces[which] = {0.0f, 0.0f, 0.0f};
            theirs.forces[which] = {0.0f, 0.0f, 0.0f};
        }
        meet_part(mine, theirs, shared, part);
#pragma unroll
        for (unsigned which = 0; which < bodies_per_lane; ++which) {
            totals[which] = sum_of(totals[which], mine.forces[which]);
            unsigned const index = tile_index(part, which, lane);
            shared.forces[index] += theirs.forces[which].x;
            shared.forces[bodies_per_tile + index] += theirs.forces[which].y;
            shared.forces[2 * bodies_per_tile + index] += theirs.forces[which].z;
        }
        __syncthreads();
    }
    bool const same_tile = chunks.first_row + pair.row == chunks.first_column + pair.column;
#pragma unroll
    for (unsigned which = 0; which < bodies_per_lane; ++which) {
        store_force(chunks.on_rows, pair.column, pair.row * bodies_per_tile + place + which, totals[which]);
        if (!same_tile) {
            unsigned const index = tile_index(warp, which, lane);
            Force const force = {shared.forces[index], shared.forces[bodies_per_tile + index],
                                 shared.forces[2 * bodies_per_tile + index]};
            store_force(chunks.on_columns, pair.row, pair.column * bodies_per_tile + place + which, force);
        }
    }
}

struct PartsOfTile {
    SharedArray<PackedBody, bodies_per_tile> bodies;
    SharedArray<float, axes_of_space * parts_per_tile * 32> forces;
};

// A block computes the forces of a tile on 32 bodies, a warp those of one part.
__global__ void __launch_bounds__(32 * parts_per_tile) pull_parts_kernel(__grid_constant__ ChunkPair const chunks) {
    auto& shared = shared_memory<PartsOfTile>();
    unsigned const lane = threadIdx.x % 32;
    unsigned const phase = threadIdx.x / 32;
    unsigned const column = blockIdx.y;
    unsigned const row_body = blockIdx.x * 32 + lane;
    unsigned const place = row_body % bodies_per_tile;
    unsigned const first = (place ^ phase * bodies_per_part) / bodies_per_part * bodies_per_part;  // of the part
    for (unsigned i = lane; i < bodies_per_part; i += 32) {
        unsigned const id = (chunks.first_column + column) * bodies_per_tile + first + i;
        shared.bodies[first + i] = packed_body(chunks.bodies, id);
    }
    __syncwarp();
    PackedBody const body = packed_body(chunks.bodies, chunks.first_row * bodies_per_tile + row_body);
    Force force = {0.0f, 0.0f, 0.0f};
#pragma unroll 4
    for (unsigned step = 0; step < bodies_per_part; ++step) {
        PackedBody const other = shared.bodies[first + (place % bodies_per_part ^ step)];
        float const x = other.x - body.x;
        float const y = other.y - body.y;
        float const z = other.z - body.z;
        add_force(x, y, z, other.mass * pull_over(x, y, z, softening), force);
    }
    shared.forces[phase * 32 + lane] = force.x;
    shared.forces[(parts_per_tile + phase) * 32 + lane] = force.y;
    shared.forces[(2 * parts_per_tile + phase) * 32 + lane] = force.z;
    __syncthreads();
    if (phase < axes_of_space) {
        float total = 0.0f;
        for (unsigned part = 0; part < parts_per_tile; ++part) {
            total = total + shared.forces[(phase * parts_per_tile + part) * 32 + lane];
        }
        chunks.on_rows.at(column, phase, row_body) = total;
    }
}

// Sums the forces of `columns` tiles on the bodies of `rows` tiles.
struct ForceSum {
    BodyColumns bodies;
    TileForces forces;
    float* sums;  // a component's array per axis: the forces of the chunks before this one
    unsigned first_row, rows, columns;
    bool is_first, is_last;  // of the chunks
};

__global__ void __launch_bounds__(128) sum_forces_kernel(__grid_constant__ ForceSum const p) {
    unsigned const body = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const axis = blockIdx.y;
    unsigned const id = p.first_row * bodies_per_tile + body;
    if (id >= p.bodies.size) {
        return;
    }
    float& sum = p.sums[std::size_t{axis} * p.bodies.size + id];
    float force = p.is_first ? 0.0f : sum;
#pragma unroll 16
    for (unsigned column = 0; column < p.columns; ++column) {
        force = force + p.forces.at(column, axis, body);
    }
    if (!p.is_last) {
        sum = force;
        return;
    }
    DeviceColumn<float> const& velocity = axis == 0   ? p.bodies.velocity_x
                                          : axis == 1 ? p.bodies.velocity_y
                                                      : p.bodies.velocity_z;
    velocity[id] = velocity[id] + force * tick_length;
}

namespace {

// A block per pair of tiles: from this number of bodies on, enough for all multiprocessors of a large GPU.
constexpr unsigned enough_bodies = 1u << 14;

// Tiles per chunk: blocks for many waves on a large GPU, in 400 MB. Two on the emulator, so that tests have chunks.
constexpr unsigned max_chunk = simt::LOCKSTEP_MACHINE::machine == simt::Machine::cuda ? 128 : 2;

enum class Pull { pairs, parts };

class TiledBodies {
public:
    TiledBodies(unsigned bodies, Pull pull)
        : tiles_(simt::ceil_div(bodies, bodies_per_tile)),
          chunk_(std::min(tiles_, max_chunk)),
          pull_(pull),
          on_rows_(forces_of_chunk()),
          on_columns_(chunk_ < tiles_ && pull == Pull::pairs ? forces_of_chunk() : 0),
          sums_(chunk_ < tiles_ ? std::size_t{axes_of_space} * bodies : 0) {}

    // In this order of the pairs of chunks, each body's forces are summed by ascending tile.
    void accelerate(BodyColumns const& bodies, simt::Stream stream) {
        for (unsigned row = 0; row < tiles_; row += chunk_) {
            for (unsigned column = pull_ == Pull::pairs ? row : 0; column < tiles_; column += chunk_)
                pull_chunks(bodies, row, column, stream);
        }
    }

private:
    std::size_t forces_of_chunk() const { return std::size_t{axes_of_space} * bodies_per_tile * chunk_ * chunk_; }
    unsigned size_of_chunk(unsigned first) const { return std::min(chunk_, tiles_ - first); }

    void pull_chunks(BodyColumns const& bodies, unsigned row, unsigned column, simt::Stream stream) {
        ChunkPair chunks = {bodies, row, size_of_chunk(row), column, size_of_chunk(column), {}, {}};
        chunks.on_rows = {on_rows_.data(), chunks.rows};
        chunks.on_columns = row == column ? chunks.on_rows : TileForces{on_columns_.data(), chunks.columns};
        if (pull_ == Pull::parts) {
            simt::LaunchShape shape = {.grid = {chunks.rows * bodies_per_tile / 32, chunks.columns},
                                       .block = {32 * parts_per_tile}};
            shape.shared_bytes = sizeof(PartsOfTile);
            launch("bodies_tiles", pull_parts_kernel, shape, stream, chunks);
        } else {
            unsigned const even = chunks.rows % 2 == 0 ? 1 : 0;
            simt::LaunchShape shape = {.grid = {chunks.rows, chunks.columns}, .block = {32 * parts_per_tile}};
            if (row == column)
                shape.grid = {chunks.rows + even, simt::ceil_div(chunks.rows, 2u)};
            shape.shared_bytes = sizeof(BodyTile);
            launch("bodies_tiles", pull_pairs_kernel, shape, stream, chunks);
        }
        sum(bodies, chunks.on_rows, row, column, stream);
        if (pull_ == Pull::pairs && row != column)
            sum(bodies, chunks.on_columns, column, row, stream);
    }

    // Sums the forces of the chunk of tiles from `column` on, on the bodies of the chunk from `row` on.
    void sum(BodyColumns const& bodies, TileForces const& forces, unsigned row, unsigned column, simt::Stream stream) {
        unsigned const columns = size_of_chunk(column);
        ForceSum const parameters = {bodies,      forces,  sums_.data(), row,
                                     forces.rows, columns, column == 0,  column + columns == tiles_};
        simt::LaunchShape const shape = {.grid = {forces.rows * bodies_per_tile / 128, axes_of_space}, .block = {128}};
        launch("bodies_tiles", sum_forces_kernel, shape, stream, parameters);
    }

    unsigned tiles_;
    unsigned chunk_;
    Pull pull_;
    Buffer<float> on_rows_;
    Buffer<float> on_columns_;
    Buffer<float> sums_;
};

Pull pull_by_size(unsigned bodies) { return bodies < enough_bodies ? Pull::parts : Pull::pairs; }

void add(bench::Experiment& experiment, char const* name, char const* description, Pull (*choose)(unsigned bodies)) {
    experiment.variants.push_back(bench::LOCKSTEP_MACHINE::make_variant(
        name, bench::Role::ours, "bodies_in_parts", description,
        [choose](bench::Problem const& problem) {
            body_in_parts_after(problem, 0);
            unsigned const size = static_cast<unsigned>(problem.units);
            auto const tiled = std::make_shared<TiledBodies>(size, choose(size));
            return std::make_unique<BodiesCase>(problem, [tiled](BodyColumns const& bodies, simt::Stream stream) {
                tiled->accelerate(bodies, stream);
            });
        },
        bodies_unsupported_reason));
}

}  // namespace

void add_bodies_tiles(bench::Experiment& experiment) {
    add(experiment, "bodies_tiles", "n bodies in tiles of shared memory, with explicit operations", pull_by_size);
    add(experiment, "bodies_tiles_pairs", "bodies_tiles with each pair of bodies computed once",
        [](unsigned) { return Pull::pairs; });
    add(experiment, "bodies_tiles_parts", "bodies_tiles with a lane per body and part of a tile",
        [](unsigned) { return Pull::parts; });
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
