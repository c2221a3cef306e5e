// Borsos 2023: the board of the slide "K-subset problem", 15 x 15 with 71 black and 70 white pieces; the steps of the
// slide "Single core bit-parallel algorithm" for one set of 32 bits; and what the lanes of a warp do in each step, with
// a set per thread (slide "Divergence") and per warp (slide "Warpwise implementation"). The loops are the measured
// ones.

#include "experiments/random_grids/experiment.hpp"
#include "harness/random/philox.hpp"
#include "harness/simt/launch.hpp"
#include "kernels/random_grids/halve_word.hpp"
#include "kernels/random_grids/threadwise_steps.hpp"
#include "kernels/random_grids/warpwise.hpp"

namespace lockstep::random_grids {
namespace LOCKSTEP_MACHINE {
namespace {

// The default engine of `lockstep grids`.
using Philox = random::LOCKSTEP_MACHINE::Philox4x32<10>;

constexpr unsigned seed = 1;
constexpr unsigned side = 15;
constexpr unsigned blacks = 71;
constexpr unsigned whites = 70;
// The first stream whose first board is legal in Go, Gomoku and Hex, as the slides' board is (a test checks it), and
// its number in `lockstep grids --variant warpwise`, where a stream has 16 boards.
constexpr unsigned legal_stream = 50;
constexpr unsigned legal_board = legal_stream * 16;
constexpr unsigned bits = 32;
constexpr unsigned half = bits / 2;
constexpr unsigned grid_side = 32;
constexpr unsigned grid_half = grid_side * grid_side / 2;

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
    Philox engine = Philox::stream(seed, legal_stream, lane);
    unsigned const row = lane < side ? (1u << side) - 1 : 0;
    unsigned const pieces = halve_row<ButterflySum>(engine, row, blacks + whites);
    unsigned const white = halve_row<ButterflySum>(engine, pieces, whites);
    for (unsigned column = 0; column < side; ++column) {
        if ((pieces >> column & 1u) != 0)
            trace(0, (white >> column & 1u) != 0 ? "white" : "black", lane * side + column);
    }
}

__global__ void draw_word() {
    if (threadIdx.x != 0)
        return;
    TracedPhilox engine{Philox::stream(seed, 0, 0)};
    halve_word(engine, 0xFFFFFFFFu, half);
}

// One word per thread: the arrays of threadwise_stream(), which calls select() and then the branch that it takes.
class TracedWord {
public:
    __device__ void among_board() { candidates_ = 0xFFFFFFFFu; }
    __device__ void among_subset() { candidates_ = subset_; }

    template <class Engine>
    __device__ unsigned select(Engine& engine) {
        selected_ = engine() & candidates_;
        return static_cast<unsigned>(__popc(selected_));
    }

    __device__ void include() {
        trace(step_++, "include");
        subset_ |= selected_;
        candidates_ &= ~selected_;
    }

    __device__ void exclude() {
        trace(step_++, "exclude");
        candidates_ = selected_;
    }

    template <bool stored>
    __device__ void put(Sink<stored>& sink) const {
        sink.put(subset_);
    }

private:
    unsigned subset_ = 0;
    unsigned candidates_ = 0;
    unsigned selected_ = 0;
    unsigned step_ = 0;
};

__global__ void draw_by_threads(__grid_constant__ GridParameters const p, unsigned* const results) {
    TracedWord sets;
    threadwise_stream<Philox, true>(p, threadIdx.x, results, sets);
}

// The slides' sum, and what each lane gets. A lane of halve_row() takes the branch that its own sum decides.
struct TracedSum {
    __device__ static unsigned sum(unsigned value) {
        unsigned const total = ButterflySum::sum(value);
        trace(0, "sum", total);
        return total;
    }
};

__global__ void draw_by_warp() {
    Philox engine = Philox::stream(seed, 0, threadIdx.x);
    halve_row<TracedSum>(engine, 0xFFFFFFFFu, grid_half);
}

GridParameters a_word_per_thread() {
    GridParameters p;
    p.seed = seed;
    p.streams = warp_size;
    p.length = 1;
    p.height = 1;
    p.width = bits;
    p.words_per_row = 1;
    p.last_mask = 0xFFFFFFFFu;
    p.occupied[0] = half;
    return p;
}

template <class... Parameters, class... Arguments>
std::vector<simt::emulator::TraceEvent> recorded(char const* name, void (*kernel)(Parameters...),
                                                 Arguments... arguments) {
    simt::emulator::TraceRecording const recording;
    launch(name, kernel, {.grid = {1}, .block = {warp_size}}, {}, arguments...);
    synchronize({});
    return recording.events();
}

}  // namespace
}  // namespace LOCKSTEP_MACHINE

std::vector<cli::Schematic> schematics() {
    using namespace LOCKSTEP_MACHINE;
    std::vector<unsigned> sets(warp_size);
    return {
        {"board",
         "",
         "a board of 15 x 15 sites with 71 black and 70 white pieces",
         {{"width", side},
          {"height", side},
          {"black", blacks},
          {"white", whites},
          {"seed", seed},
          {"number", legal_board}},
         recorded("board", draw_board)},
        {"steps",
         "",
         "the ones of the random words of one draw of 16 out of 32 bits",
         {{"bits", bits}, {"occupied", half}, {"seed", seed}},
         recorded("steps", draw_word)},
        {"lanes",
         "threads",
         "the branch of each lane in each step: a set of 16 out of 32 bits per thread",
         {{"occupied", half}, {"seed", seed}},
         recorded("lanes", draw_by_threads, a_word_per_thread(), sets.data())},
        {"lanes",
         "warp",
         "the sum that each lane gets in each step: a grid of 32 x 32 sites per warp",
         {{"occupied", grid_half}, {"seed", seed}},
         recorded("lanes", draw_by_warp)},
    };
}

}  // namespace lockstep::random_grids
