// Ours, for states that are small: a warp copies its state into shared memory, applies all rules there to the fixed
// point, and writes it back (the paper's future work, section 7).

#include "common/rule_interpreter/sudoku_rules.hpp"
#include "common/rule_interpreter/team.hpp"

#include "kernels/rule_interpreter/ours.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned sudoku_words = 3 * cells + unit_digits;
inline constexpr unsigned cached_warps = 8;

struct CachedStates {
    SharedArray<unsigned, cached_warps * sudoku_words> words;
};

// The accessor of a state in shared memory.
class CachedState {
public:
    __device__ CachedState(Parameters const& p, unsigned number)
        : p_(p), shared_(shared_memory<CachedStates>()), first_(warp_id() * sudoku_words), number_(number) {}

    __device__ unsigned get(unsigned column, unsigned i) const { return shared_.words[first_ + offset(column) + i]; }
    __device__ void set(unsigned column, unsigned i, unsigned word) {
        shared_.words[first_ + offset(column) + i] = word;
    }
    __device__ Parameters const& parameters() const { return p_; }
    __device__ unsigned number() const { return number_; }

private:
    // Columns are stored one after another: three of cells, with the positions between the second and the third.
    __device__ static unsigned offset(unsigned column) {
        return column < pending_column ? column * cells : 2 * cells + unit_digits;
    }

    Parameters const& p_;
    CachedStates& shared_;
    unsigned first_;
    unsigned number_;
};

// Every word of the first `columns` columns.
template <class From, class To>
__device__ inline void copy_state(Parameters const& p, From const& from, To& to, unsigned columns) {
    for (unsigned column = 0; column < columns; ++column) {
        for (unsigned i = lane_id(); i < p.range[column]; i += warp_size)
            to.set(column, i, from.get(column, i));
    }
}

template <class Layout, class Rules>
__global__ void __launch_bounds__(cached_warps * 32) cached(__grid_constant__ Parameters const p) {
    unsigned const number = block_rank() * warps_in_block() + warp_id();
    if (number >= p.states)
        return;
    State<Layout> state(p, number);
    CachedState copy(p, number);
    copy_state(p, state, copy, max_columns);
    __syncwarp();
    Team<WarpWidth, CachedState> team(p, copy);
    run_program(team, p, Rules());
    __syncwarp();
    copy_state(p, copy, state, pending_column);
}

LaunchPlan launch_cached(Job const& job, bench::Axes const& axes) {
    LaunchPlan plan;
    plan.name = "cached";
    plan.shape.block.x = cached_warps * 32;
    plan.shape.grid.x = blocks_for(job.states, cached_warps);
    plan.shape.shared_bytes = sizeof(CachedStates);
    plan.kernels = {layout_from_string(axes.text("layout")) == LayoutName::c ? Kernel(cached<LayoutC, SudokuProgram>)
                                                                             : Kernel(cached<LayoutA, SudokuProgram>)};
    return plan;
}

void add_cached(bench::Experiment& experiment) {
    experiment.variants.push_back(
        job_variant("cached", bench::Role::ours, "a warp a state, the state in shared memory from first to last pass",
                    launch_cached, [](bench::Axes const& axes) {
                        return axes.text("rules") != "sudoku" ? "states of other rule bases do not fit in shared memory"
                                                              : std::string();
                    }));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
