#include "reference_cpu/random_grids/legal_counts.hpp"

#include <algorithm>

#include "reference_cpu/random_grids/legal_position.hpp"
#include "reference_cpu/random_grids/references.hpp"

namespace lockstep::random_grids {

namespace {

constexpr std::uint64_t max_boards = 32768;

// Board `index` of a stored unit: a site's colour is the number of planes that hold it.
Board position_of(Workload const& workload, bench::UnitResult const& words, std::size_t index) {
    Shape const& shape = workload.shape;
    Board board{shape, std::vector<unsigned char>(shape.sites(), 0)};
    std::uint32_t const* plane = words.data() + index * workload.words_per_board();
    for (unsigned count = 0; count < workload.planes(); ++count, plane += shape.words()) {
        for (unsigned site = 0; site < shape.sites(); ++site) {
            unsigned const column = site % shape.width;
            std::uint32_t const word = plane[site / shape.width * shape.words_per_row() + column / 32];
            board.sites[site] = static_cast<unsigned char>(board.sites[site] + (word >> column % 32 & 1u));
        }
    }
    return board;
}

}  // namespace

bench::Metrics count_legal(bench::Problem const& problem, unsigned lanes) {
    bench::Problem stored = problem;
    stored.axes.set("output", "stored");
    Workload const workload = read_workload(stored.axes);
    if (workload.planes() != 2)
        return {};
    double judged = 0;
    double go = 0;
    double gomoku = 0;
    double hex = 0;
    double all = 0;
    std::uint64_t const streams = std::min<std::uint64_t>(problem.units, max_boards / workload.length);
    for (std::uint64_t i = 0; i < streams; ++i) {
        bench::UnitResult const words = halving_stream(stored, problem.first_unit + i, lanes);
        for (unsigned index = 0; index < workload.length; ++index) {
            Board const board = position_of(workload, words, index);
            bool const in_go = legal_in_go(board);
            bool const in_gomoku = legal_in_gomoku(board);
            bool const in_hex = legal_in_hex(board);
            ++judged;
            go += in_go ? 1 : 0;
            gomoku += in_gomoku ? 1 : 0;
            hex += in_hex ? 1 : 0;
            all += in_go && in_gomoku && in_hex ? 1 : 0;
        }
    }
    return {{"positions_judged", judged},
            {"legal_in_go", go},
            {"legal_in_gomoku", gomoku},
            {"legal_in_hex", hex},
            {"legal_in_all", all}};
}

}  // namespace lockstep::random_grids
