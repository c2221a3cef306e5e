// Variant `bit_board` (ours): Sudoku propagation on bit boards in registers, three lanes per grid.
//
// Rules as in sudoku_rules.hpp (the paper's interpreter, section 3, on a rule base of ours), applied as word operations
// on all cells of a band at once (bit_board_rules.hpp). Results equal those of the rules bit for bit, with the number
// of passes. No lane waits for another within a pass; grids of a warp that have settled wait for the others, since a
// pass over a settled grid changes nothing.
//
// Work: a pass takes about 1200 integer instructions and 40 shuffles of a lane for a third of a grid: 200 to
// elimination and naked singles, 420 to positions, hidden singles and pointing pairs, 600 to naked pairs. Moving cells
// to boards and back takes about 600. A grid of 26 clues takes 5 passes on average, the slowest of the ten in a warp
// about 8, so a grid takes about 8 * 1240 * 3.2 + 600 * 3.2 = 34 000 instruction slots of a lane. An SM issues 64
// integer operations a clock: at most 132 * 64 * 1.7e9 / 34 000 = 420 million grids/s on an H200. Bytes: 4 x 81
// words, 1.3 KB per grid, coalesced through shared memory, so memory does not bound it.
//
// Preconditions: a placed cell has exactly its digit as candidate, and the column of positions is 0, as a job begins.
// That column and the deferred stores stay as they are: no result contains them.

#include "common/rule_interpreter/band_lanes.hpp"
#include "common/rule_interpreter/bit_board_rules.hpp"
#include "common/rule_interpreter/job_case.hpp"
#include "kernels/rule_interpreter/ours.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned board_warps = 8;
inline constexpr unsigned placed_flag = 9;  // bit of a staged cell; the candidates are bits 0..8

struct StagedCells {
    SharedArray<unsigned, board_warps * grids_per_warp * cells> words;
};

// Calls body(staged word, state, cell) for the cells of the warp's states, neighbouring lanes on neighbouring cells.
template <class Body>
__device__ inline void for_each_cell(unsigned first_state, unsigned states, Body const& body) {
    for (unsigned i = lane_id(); i < states * cells; i += warp_size)
        body(warp_id() * grids_per_warp * cells + i, first_state + i / cells, i % cells);
}

// Gathers the band's cells, of which `words` is the first, into boards. Cells of the same column have the same distance
// in a word as on the board, so three are moved together.
__device__ inline void load_boards(StagedCells& shared, unsigned words, Boards<unsigned>& boards) {
#pragma unroll
    for (unsigned column = 0; column < 9; ++column) {
        unsigned const three = shared.words[words + column] | shared.words[words + 9 + column] << row_bits |
                               shared.words[words + 18 + column] << 2 * row_bits;
#pragma unroll
        for (unsigned d = 0; d < 9; ++d)
            boards.candidates[d] |= (three >> d & row_starts) << column;
        boards.placed |= (three >> placed_flag & row_starts) << column;
    }
}

__device__ inline void store_boards(StagedCells& shared, unsigned words, Boards<unsigned> const& boards) {
#pragma unroll
    for (unsigned column = 0; column < 9; ++column) {
        unsigned three = (boards.placed >> column & row_starts) << placed_flag;
#pragma unroll
        for (unsigned d = 0; d < 9; ++d)
            three |= (boards.candidates[d] >> column & row_starts) << d;
        shared.words[words + column] = three & 0x3FF;
        shared.words[words + 9 + column] = three >> row_bits & 0x3FF;
        shared.words[words + 18 + column] = three >> 2 * row_bits & 0x3FF;
    }
}

template <class Layout>
__global__ void __launch_bounds__(board_warps * 32, 2) bit_board(__grid_constant__ Parameters const p) {
    auto& shared = shared_memory<StagedCells>();
    unsigned const first_state = (block_rank() * warps_in_block() + warp_id()) * grids_per_warp;
    if (first_state >= p.states)
        return;
    unsigned const states = p.states - first_state < grids_per_warp ? p.states - first_state : grids_per_warp;
    for_each_cell(first_state, states, [&](unsigned word, unsigned state, unsigned cell) {
        unsigned const candidates = p.columns[candidate_column][Layout::index(p, cells, state, cell)];
        unsigned const placed = p.columns[placed_column][Layout::index(p, cells, state, cell)];
        shared.words[word] = candidates | (placed != 0 ? 1u << placed_flag : 0);
    });
    __syncwarp();
    LaneBands const lanes;
    bool const present = lanes.grid() < states;
    unsigned const words = warp_id() * grids_per_warp * cells + lane_id() * cells_of_band;
    Boards<unsigned> boards = {};
    if (present)
        load_boards(shared, words, boards);
    unsigned unnoted = present ? 1 : 0;
    unsigned last_change = 0;
    for (unsigned pass = 1; pass <= p.passes; ++pass) {
        unsigned const changed = lanes.of_grid(apply_rules(boards, unnoted, lanes) != 0);
        if (present && changed != 0)
            last_change = pass;
        if (!lanes.any(present ? changed : 0))
            break;
    }
    if (present)
        store_boards(shared, words, boards);
    __syncwarp();
    for_each_cell(first_state, states, [&](unsigned word, unsigned state, unsigned cell) {
        unsigned const found = shared.words[word];
        unsigned const candidates = found & all_digits;
        p.columns[candidate_column][Layout::index(p, cells, state, cell)] = candidates;
        p.columns[placed_column][Layout::index(p, cells, state, cell)] = (found >> placed_flag) != 0 ? candidates : 0;
    });
    if (present && lanes.band() == 0)
        p.last_change[first_state + lanes.grid()] = last_change;
}

LaunchPlan launch_bit_board(Job const& job, bench::Axes const& axes) {
    LaunchPlan plan;
    plan.name = "bit_board";
    plan.shape.block.x = board_warps * 32;
    plan.shape.grid.x = blocks_for(job.states, board_warps * grids_per_warp);
    plan.shape.shared_bytes = sizeof(StagedCells);
    plan.kernels = {layout_from_string(axes.text("layout")) == LayoutName::c ? Kernel(bit_board<LayoutC>)
                                                                             : Kernel(bit_board<LayoutA>)};
    return plan;
}

std::string bit_board_unsupported_reason(bench::Axes const& axes) {
    if (axes.text("rules") != "sudoku")
        return "bit boards exist for the rules of Sudoku only";
    return axes.text("until") != "change" ? "bit boards record neither active instances nor earlier states" : "";
}

void add_bit_board(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant("bit_board", bench::Role::ours,
                                              "Sudoku on bit boards in registers, three lanes per grid",
                                              launch_bit_board, bit_board_unsupported_reason));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
