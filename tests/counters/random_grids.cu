// Kernels of random_grids that need no tables: a thread or a warp per stream.

#include "common/random_grids/parameters.hpp"
#include "harness/random/xorwow.hpp"
#include "kernels/random_grids/dense.hpp"
#include "kernels/random_grids/threadwise.hpp"
#include "kernels/random_grids/threadwise_shared.hpp"
#include "kernels/random_grids/warpwise.hpp"
#include "kernels/random_grids/word.hpp"
#include "tests/counters/cases.hpp"

namespace lockstep::random_grids::cuda {
namespace {

using counters::Outcome;
using Engine = random::cuda::Xorwow;

// `occupied` sites of a board, for `streams` streams of `length` boards.
GridParameters parameters_of(unsigned height, unsigned width, unsigned occupied, unsigned streams, unsigned length) {
    GridParameters p;
    p.seed = 1;
    p.streams = streams;
    p.length = length;
    p.height = height;
    p.width = width;
    p.words_per_row = (width + 31) / 32;
    p.last_mask = ~0u >> (32 * p.words_per_row - width);
    p.occupied[0] = occupied;
    return p;
}

Buffer<unsigned> results_of(GridParameters const& p) {
    return counters::zeros<unsigned>(p.streams * p.length * p.height * p.words_per_row);
}

// A kernel with `lanes` lanes per stream.
template <auto kernel>
void run(Outcome& outcome, GridParameters const& p, unsigned lanes, unsigned block, unsigned shared_bytes = 0) {
    auto results = results_of(p);
    unsigned const threads = static_cast<unsigned>(p.streams) * lanes;
    kernel<<<(threads + block - 1) / block, block, shared_bytes>>>(p, results.data());
    outcome.launched();
    outcome.add(results);
}

void word(Outcome& outcome) {
    run<word_sets<unsigned, Engine, true>>(outcome, parameters_of(1, 32, 16, 512, 8), 1, 256);
}
void word_of_64(Outcome& outcome) {
    run<word_sets<unsigned long long, Engine, true>>(outcome, parameters_of(1, 64, 20, 512, 8), 1, 256);
}
void in_registers(Outcome& outcome) {
    run<threadwise<8, 1, Engine, true>>(outcome, parameters_of(8, 8, 20, 512, 4), 1, threadwise_block);
}
void in_shared_memory(Outcome& outcome) {
    constexpr unsigned block = 128;
    run<threadwise_shared<32, block, Engine, true>>(outcome, parameters_of(15, 15, 71, 256, 2), 1, block,
                                                    sizeof(SharedColumns<32, block>));
}
void by_warps(Outcome& outcome) {
    run<warpwise<Engine, true, ButterflySum>>(outcome, parameters_of(32, 32, 300, 32, 4), 32, 256);
}
void by_warps_reduced(Outcome& outcome) {
    run<warpwise<Engine, false, ReduceSum>>(outcome, parameters_of(32, 32, 300, 32, 4), 32, 256);
}

// A pass takes each site with probability 1/2, and probes repair the board: two boards per thread, or a warp's board.
template <class Team>
void by_dense_pass(Outcome& outcome, unsigned streams, unsigned length) {
    DenseParameters parameters;
    parameters.grid = parameters_of(32, 32, 500, streams, length);
    parameters.plans[0] = 1u << 8 | 1u;
    auto results = results_of(parameters.grid);
    dense<Team, Engine, true>
        <<<streams * Team::lanes / Team::threads, Team::threads, sizeof(DenseTile<Team>)>>>(parameters, results.data());
    outcome.launched();
    outcome.add(results);
}
void dense_by_threads(Outcome& outcome) { by_dense_pass<DenseTeamOf<1, 32, 5, 2, 128, true, false>>(outcome, 256, 2); }
void dense_by_warps(Outcome& outcome) { by_dense_pass<DenseTeamOf<32, 1, 5, 1, 128, true, false>>(outcome, 32, 8); }

}  // namespace
}  // namespace lockstep::random_grids::cuda

int main(int argc, char** argv) {
    using namespace lockstep::random_grids::cuda;
    constexpr lockstep::counters::Case cases[] = {
        {"word", word},
        {"word64", word_of_64},
        {"threadwise", in_registers},
        {"threadwise-shared", in_shared_memory},
        {"warpwise", by_warps},
        {"warpwise-reduce", by_warps_reduced},
        {"dense", dense_by_threads},
        {"dense-warp", dense_by_warps},
    };
    return lockstep::counters::run_cases(cases, argc, argv);
}
