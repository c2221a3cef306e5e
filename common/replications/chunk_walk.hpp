#pragma once
// The random walk with a way to move per chunk: each step branches on the chunk that the walker is in, as the paper
// describes its 30 chunks (section 6.1). A way turns the step's word into a direction by code of its own (ways.hpp). It
// is a bijection of words, so the walk has the same law as the one with four branches.
//
// Divergence: up to 30 chunks, then the four directions. Words and bytes: as the walk. Not cooperative: a step's
// direction depends on the square, so runs of steps do not compose to a displacement.

#include "common/replications/walk.hpp"
#include "common/replications/ways.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

struct ChunkWalk : Walk {
    static constexpr bool composes = false;

    template <class Engine>
    __device__ static void run(Point const& point, Engine& stream, State& state, Sums& sums, unsigned items) {
        unsigned const columns = map_width / point.chunk_width;
        Along x = {state.x, state.x % point.chunk_width, state.x / point.chunk_width};
        Along y = {state.y, state.y % point.chunk_height, state.y / point.chunk_height};
        for (unsigned step = 0; step < items; ++step) {
            switch (mixed_by(x.chunk + columns * y.chunk, stream(), point.rounds) >> 30) {
                case 0:
                    sums.crossings += x.up(map_width, point.chunk_width);
                    break;
                case 1:
                    sums.crossings += x.down(map_width, point.chunk_width);
                    break;
                case 2:
                    sums.crossings += y.up(map_height, point.chunk_height);
                    break;
                default:
                    sums.crossings += y.down(map_height, point.chunk_height);
                    break;
            }
        }
        state = {x.square, y.square};
    }

private:
    // One coordinate: the square, its place in its chunk, and the chunk's number. Returns 1 if a step leaves the chunk.
    struct Along {
        unsigned square, place, chunk;

        __device__ unsigned up(unsigned size, unsigned chunk_size) {
            square = square + 1 == size ? 0 : square + 1;
            if (++place < chunk_size)
                return 0;
            place = 0;
            chunk = square == 0 ? 0 : chunk + 1;
            return 1;
        }
        __device__ unsigned down(unsigned size, unsigned chunk_size) {
            unsigned const before = square;
            square = before == 0 ? size - 1 : before - 1;
            if (place-- > 0)
                return 0;
            place = chunk_size - 1;
            chunk = before == 0 ? size / chunk_size - 1 : chunk - 1;
            return 1;
        }
    };
};

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
