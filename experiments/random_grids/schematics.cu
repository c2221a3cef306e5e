// Borsos 2023: the board of the slide "K-subset problem", 15 x 15 with 71 black and 70 white pieces, and the steps of
// the slide "Single core bit-parallel algorithm" for one set of 32 bits. The loops are the measured ones.

#include "experiments/random_grids/experiment.hpp"
#include "harness/random/philox.hpp"
#include "harness/simt/launch.hpp"
#include "kernels/random_grids/halve_word.hpp"
#include "kernels/random_grids/warpwise.hpp"

namespace lockstep::random_grids {
namespace LOCKSTEP_MACHINE {
namespace {

// The default engine of `lockstep grids`, whose first board with --variant warpwise this is.
using Philox = random::LOCKSTEP_MACHINE::Philox4x32<10>;

constexpr unsigned seed = 1;
constexpr unsigned side = 15;
constexpr unsigned black = 71;
constexpr unsigned white = 70;
constexpr unsigned bits = 32;
constexpr unsigned half = bits / 2;

// Records the ones of each word that it draws. The steps of the loop follow from these words.
struct TracedPhilox {
    Philox engine;
    unsigned step = 0;

    __device__ unsigned operator()() {
        unsigned const word = engine();
        for (unsigned bit = 0; bit < bits; ++bit) {
            if ((word >> bit & 1u) != 0)
                trace(step, "one", bit);
        }
        ++step;
        return word;
    }
};

// As in warpwise: first the sites of all pieces, then those of the second colour among them.
__global__ void draw_board() {
    unsigned const lane = threadIdx.x;
    Philox engine = Philox::stream(seed, 0, lane);
    unsigned const row = lane < side ? (1u << side) - 1 : 0;
    unsigned const pieces = halve_row<ButterflySum>(engine, row, black + white);
    unsigned const whites = halve_row<ButterflySum>(engine, pieces, white);
    for (unsigned column = 0; column < side; ++column) {
        if ((pieces >> column & 1u) != 0)
            trace(0, (whites >> column & 1u) != 0 ? "white" : "black", lane * side + column);
    }
}

__global__ void draw_word() {
    if (threadIdx.x != 0)
        return;
    TracedPhilox engine{Philox::stream(seed, 0, 0)};
    halve_word(engine, 0xFFFFFFFFu, half);
}

template <class Kernel>
std::vector<simt::emulator::TraceEvent> recorded(char const* name, Kernel kernel) {
    simt::emulator::TraceRecording const recording;
    launch(name, kernel, {.grid = {1}, .block = {warp_size}}, {});
    synchronize({});
    return recording.events();
}

}  // namespace
}  // namespace LOCKSTEP_MACHINE

std::vector<cli::Schematic> schematics() {
    using namespace LOCKSTEP_MACHINE;
    return {
        {"board",
         "",
         "a board of 15 x 15 sites with 71 black and 70 white pieces",
         {{"width", side}, {"height", side}, {"black", black}, {"white", white}, {"seed", seed}},
         recorded("board", draw_board)},
        {"steps",
         "",
         "the ones of the random words of one draw of 16 out of 32 bits",
         {{"bits", bits}, {"occupied", half}, {"seed", seed}},
         recorded("steps", draw_word)},
    };
}

}  // namespace lockstep::random_grids
