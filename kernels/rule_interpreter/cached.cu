// Variant `cached` (ours): each state in shared memory for all rules and passes (cached.hpp). Small states have a warp
// each, larger ones a block; cached_plan.hpp decides by their bytes.

#include "kernels/rule_interpreter/cached.hpp"

#include "common/rule_interpreter/sudoku_rules.hpp"
#include "harness/simt/resident_threads.hpp"
#include "kernels/rule_interpreter/cached_plan.hpp"
#include "kernels/rule_interpreter/ours.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// The ranges of Sudoku are constants, and so are the positions: two columns of cells, the positions of digits, cells.
template <>
struct CachedOffset<SudokuProgram> {
    __device__ static constexpr unsigned of(Parameters const&, unsigned column) {
        return column < pending_column    ? column * cells
               : column == pending_column ? 2 * cells + unit_digits
                                          : 3 * cells + unit_digits;
    }
};

// Programs without matrices in registers, which are those that run to a fixed point, get few enough registers for all
// warps that a multiprocessor can hold.
template <class Rules>
inline constexpr unsigned cached_blocks = Rules::fixed_point ? simt::resident_threads / (max_cached_states * 32) : 1;

template <class Layout, class Rules>
__global__ void __launch_bounds__(max_cached_states * 32, cached_blocks<Rules>)
    cached_by_warps(__grid_constant__ Parameters const p) {
    unsigned const number = block_rank() * warps_in_block() + warp_id();
    if (number < p.states)
        run_cached<WarpWidth, Layout, Rules>(p, number, warp_id() * cached_words<Rules>(p));
}

template <class Layout, class Rules>
__global__ void __launch_bounds__(max_cached_warps * 32) cached_by_block(__grid_constant__ Parameters const p) {
    run_cached<BlockWidth, Layout, Rules>(p, block_rank(), 0);
}

namespace {

// Kernels of a program, and the columns that they keep in shared memory.
struct CachedKernels {
    Kernel by_warps = nullptr;
    Kernel by_block = nullptr;
    unsigned columns = 0;
};

// Sudoku: layouts A and C, and one warp per state, which is small. The others: layout A.
CachedKernels cached_kernels(Workload const& workload, LayoutName layout) {
    return with_program<false>(workload, layout, [&]<class L, class P>() {
        CachedKernels kernels;
        constexpr bool sudoku = std::is_same_v<P, SudokuProgram>;
        if constexpr (std::is_same_v<L, LayoutA> || sudoku)
            kernels.by_warps = cached_by_warps<L, P>;
        if constexpr (std::is_same_v<L, LayoutA> && !sudoku)
            kernels.by_block = cached_by_block<L, P>;
        kernels.columns = CachedColumns<P>::used;
        return kernels;
    });
}

std::size_t state_bytes(Workload const& workload, unsigned columns) {
    std::size_t words = 0;
    unsigned column = 0;
    for (unsigned const range : column_ranges(workload))
        words += (columns >> column++ & 1) != 0 ? range : 0;
    return words * sizeof(unsigned);
}

std::size_t room_for_states() { return simt::LOCKSTEP_MACHINE::max_shared_bytes() - sizeof(BlockSums); }

std::string not_cached(bench::Axes const& axes) {
    if (axes.text("rules") != "sudoku" && axes.text("layout") != "A")
        return "it is compiled for layout A only, apart from sudoku";
    Workload const workload = read_workload(axes);
    std::size_t const bytes =
        state_bytes(workload, cached_kernels(workload, layout_from_string(axes.text("layout"))).columns);
    return bytes <= room_for_states() ? std::string()
                                      : "a state takes " + std::to_string(bytes) +
                                            " bytes, but the shared memory of "
                                            "a block has room for " +
                                            std::to_string(room_for_states());
}

}  // namespace

LaunchPlan launch_cached(Job const& job, bench::Axes const& axes) {
    CachedKernels const kernels = cached_kernels(job.workload, layout_from_string(axes.text("layout")));
    std::size_t const bytes = state_bytes(job.workload, kernels.columns);
    unsigned const wanted = kernels.by_block == nullptr ? 1 : static_cast<unsigned>(axes.integer("warps_per_state"));
    CachedPlan const plan = plan_cached(bytes, room_for_states(), wanted);
    bool const by_warps = plan.warps_per_state == 1;
    LaunchPlan launch;
    launch.name = "cached";
    launch.shape.block.x = 32 * (by_warps ? plan.states_per_block : plan.warps_per_state);
    launch.shape.grid.x = blocks_for(job.states, plan.states_per_block);
    launch.shape.shared_bytes = sizeof(BlockSums) + plan.states_per_block * bytes;
    launch.kernels = {by_warps ? kernels.by_warps : kernels.by_block};
    return launch;
}

void add_cached(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "cached", bench::Role::ours, "each state in shared memory for all rules and passes, by a warp or a block",
        launch_cached, not_cached));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
