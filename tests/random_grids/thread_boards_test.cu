// ThreadBoards, which users call in their kernels, draws what the reference `dense` draws, for the shapes whose plan it
// shares: 17 to 32 rows, one colour or several.

#include "kernels/random_grids/thread_boards.hpp"

#include <gtest/gtest.h>

#include "harness/random/philox.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/devices.hpp"
#include "harness/simt/launch.hpp"
#include "tests/random_grids/variants.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {
namespace {

using Engine = random::LOCKSTEP_MACHINE::Philox4x32<10>;
constexpr unsigned block = 64;
constexpr unsigned max_planes = 3;

struct Boards {
    unsigned streams = 0;
    unsigned length = 0;
    unsigned height = 0;
    unsigned mask = 0;
    unsigned planes = 0;
    BoardPlan plans[max_planes];
};

__global__ void draw_boards(Boards const asked, unsigned* results) {
    auto& tile = shared_memory<ThreadBoards<Engine, block>::Tile>();
    unsigned const stream = blockIdx.x * blockDim.x + threadIdx.x;
    if (stream >= asked.streams)
        return;
    ThreadBoards<Engine, block> boards(tile, Engine::stream(1, stream, 0));
    unsigned* to = results + stream * asked.length * asked.planes * asked.height;
    for (unsigned board = 0; board < asked.length; ++board) {
        unsigned rows[32];
        for (unsigned i = 0; i < 32; ++i)
            rows[i] = i < asked.height ? asked.mask : 0;
        for (unsigned plane = 0; plane < asked.planes; ++plane) {
            boards.draw(asked.plans[plane], rows);
            for (unsigned i = 0; i < asked.height; ++i)
                *to++ = rows[i];
        }
    }
}

std::vector<unsigned> drawn(Workload const& workload, unsigned streams) {
    Boards asked{streams, workload.length, workload.shape.height, workload.shape.last_mask(), workload.planes(), {}};
    unsigned candidates = workload.shape.sites();
    for (unsigned plane = 0; plane < asked.planes; ++plane) {
        asked.plans[plane] = board_plan(candidates, workload.occupied[plane]);
        candidates = workload.occupied[plane];
    }
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> results(std::size_t{streams} * workload.length *
                                                     workload.words_per_board());
    simt::LaunchShape shape;
    shape.grid.x = simt::ceil_div(streams, block);
    shape.block.x = block;
    shape.shared_bytes = sizeof(ThreadBoards<Engine, block>::Tile);
    simt::LOCKSTEP_MACHINE::launch("draw_boards", draw_boards, shape, {}, asked, results.data());
    simt::LOCKSTEP_MACHINE::synchronize({});
    return results.to_vector();
}

TEST(ThreadBoards, DrawsWhatTheReferenceDraws) {
    constexpr bool on_gpu = simt::LOCKSTEP_MACHINE::machine == simt::Machine::cuda;
    if (on_gpu && simt::cuda_devices().devices.empty())
        GTEST_SKIP() << "no GPU: " << simt::cuda_devices().reason;
    constexpr unsigned streams = 70;
    bench::Reference const& reference = tests::experiment().reference("dense");
    for (auto const& [grid, occupied] : {std::pair{"23x17", "200"},
                                         {"32x31", "1"},
                                         {"17x32", "543"},
                                         {"31x29", "0"},
                                         {"31x29", "899"},
                                         {"20x20", "100,150,50"}}) {
        bench::Problem const problem = tests::problem(grid, occupied, streams, 3, "stored", "philox10");
        Workload const workload = read_workload(problem.axes);
        std::vector<unsigned> const words = drawn(workload, streams);
        std::size_t const per_stream = words.size() / streams;
        for (unsigned stream = 0; stream < streams; ++stream) {
            auto const begin = words.begin() + static_cast<std::ptrdiff_t>(stream * per_stream);
            ASSERT_EQ(bench::UnitResult(begin, begin + static_cast<std::ptrdiff_t>(per_stream)),
                      reference.unit(problem, stream))
                << grid << " " << occupied << ", stream " << stream;
        }
    }
}

}  // namespace
}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
