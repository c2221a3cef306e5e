#pragma once
// Boards for a kernel's own use: a thread draws boards of up to 32 rows of 32 sites by `dense` (dense.hpp), with the
// working copy in shared memory and the result in registers. A board costs one or two random words per row instead of
// log2 N.
//
//   BoardPlan const plan = board_plan(1024, 300);                          // on the host: 300 of 1024 candidates
//   auto& tile = shared_memory<ThreadBoards<Philox4x32<10>, 64>::Tile>();  // in the kernel, in blocks of 64 threads
//   ThreadBoards<Philox4x32<10>, 64> boards(tile, Philox4x32<10>::stream(seed, stream, 0));
//   unsigned rows[32] = {~0u, ...};                                        // the candidates of each row
//   boards.draw(plan, rows);                                               // now exactly 300 of them
//
// A draw from what an earlier draw left gives nested sets, as boards of several colours are. What diverges: the number
// of probes (dense.hpp).

#include "common/random_grids/dense_plan.hpp"
#include "kernels/random_grids/dense.hpp"

namespace lockstep::random_grids {

// How to draw k of a number of candidates. Plain data, to be passed to a kernel.
struct BoardPlan {
    unsigned candidates = 0;
    unsigned wanted = 0;    // at most half of them: the sites of the set, or those left out
    unsigned inverted = 0;  // all ones if they are left out
    unsigned packed = 0;    // dense_packed.hpp
};

// Precondition: k <= candidates <= 1024.
inline BoardPlan board_plan(unsigned const candidates, unsigned const k) {
    DenseTeam const team{1, 32, 5, 1};
    bool const inverts = k > candidates - k;
    unsigned const wanted = inverts ? candidates - k : k;
    return {candidates, wanted, inverts ? ~0u : 0, dense_plan(team, candidates, wanted).packed()};
}

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// `threads`: per block, a multiple of 32.
template <class Engine, unsigned threads>
class ThreadBoards {
    using Team = DenseTeamOf<1, 32, 5, 1, threads, false, false>;

public:
    using Tile = DenseTile<Team>;  // 128 bytes of shared memory per thread

    __device__ ThreadBoards(Tile& tile, Engine const& engine) : drawer_(tile, engine) {}

    // Replaces the candidates in `rows`, plan.candidates bits, by a random subset of the plan's size, every one of them
    // equally likely. Threads of a warp may have different plans.
    __device__ void draw(BoardPlan const& plan, unsigned (&rows)[32]) {
        unsigned inverted = 0;
        unsigned const missing[1] = {drawer_.pass(0, rows, plan.candidates, plan.wanted, plan.packed, inverted)};
        drawer_.repair(missing);
#pragma unroll
        for (unsigned i = 0; i < 32; ++i)
            rows[i] = drawer_.drawn(0, i, rows[i], inverted ^ plan.inverted);
    }

private:
    DenseDrawer<Team, Engine> drawer_;
};

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
