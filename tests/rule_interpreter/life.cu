#include "tests/rule_interpreter/life.hpp"

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "kernels/rule_interpreter/algorithm3.hpp"
#include "kernels/rule_interpreter/cached.hpp"
#include "kernels/rule_interpreter/warp_queue.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// A cell survives with two or three neighbours and is born with three.
struct LifeRule {
    static constexpr bool deferred = true;
    static constexpr unsigned written_column = 0;
    static constexpr unsigned deferred_column = 1;
    static constexpr unsigned nothing_deferred = ~0u;
    __device__ static unsigned range(Parameters const&) { return tests::life_cells; }

    template <class S>
    __device__ static unsigned next(S const& state, unsigned i) {
        constexpr unsigned side = tests::life_side;
        unsigned living = 0;
        for (unsigned down = 0; down < 3; ++down) {
            for (unsigned right = 0; right < 3; ++right) {
                unsigned const row = (i / side + down + side - 1) % side;
                unsigned const column = (i % side + right + side - 1) % side;
                living += down == 1 && right == 1 ? 0 : state.get(0, row * side + column);
            }
        }
        return living == 3 || (living == 2 && state.get(0, i) != 0) ? 1 : 0;
    }
    template <class S>
    __device__ static bool condition(S const& state, unsigned i) {
        return next(state, i) != state.get(0, i);
    }
    template <class S>
    __device__ static bool evaluate(S& state, unsigned i) {
        state.set(0, i, next(state, i));
        return true;
    }
};

using Life = Program<true, LifeRule>;

template <class Width>
__global__ void life_of_team(__grid_constant__ Parameters const p) {
    unsigned const state = (block_rank() * threads_in_block() + thread_rank()) / Width::size();
    bool const present = state < p.states;
    Team<Width, State<LayoutB>> team(p, State<LayoutB>(p, present ? state : 0), present);
    run_program(team, p, Life());
}

__global__ void life_of_queue(__grid_constant__ Parameters const p) {
    unsigned const state = block_rank() * warps_in_block() + warp_id();
    WarpQueueTeam<State<LayoutB>> team(p, state, state < p.states ? 1 : 0, 0, 1);
    run_program(team, p, Life());
}

__global__ void life_of_algorithm3(__grid_constant__ Parameters const p) {
    Algorithm3Team<LayoutB> team(p);
    run_program(team, p, Life());
}

__global__ void life_of_cached_warps(__grid_constant__ Parameters const p) {
    unsigned const state = block_rank() * warps_in_block() + warp_id();
    if (state < p.states)
        run_cached<WarpWidth, LayoutB, Life>(p, state, warp_id() * cached_words<Life>(p));
}

__global__ void life_of_cached_block(__grid_constant__ Parameters const p) {
    run_cached<BlockWidth, LayoutB, Life>(p, block_rank(), 0);
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE

namespace lockstep::rule_interpreter::tests::LOCKSTEP_MACHINE {

namespace {

namespace kernels = rule_interpreter::LOCKSTEP_MACHINE;

void launch_life(std::string const& team, Parameters const& p) {
    simt::LaunchShape shape;
    bool const by_block = team == "block" || team == "cached_block";
    shape.block.x = by_block ? 96 : 64;
    unsigned const states_per_block = by_block ? 1 : team == "thread" ? 64 : 2;
    shape.grid.x = (p.states + states_per_block - 1) / states_per_block;
    shape.shared_bytes = sizeof(kernels::WarpQueues);
    if (team == "cached" || team == "cached_block")
        shape.shared_bytes = sizeof(kernels::BlockSums) + states_per_block * 2 * life_cells * sizeof(unsigned);
    void (*const kernel)(Parameters) = team == "thread"         ? kernels::life_of_team<kernels::ThreadWidth>
                                       : team == "warp"         ? kernels::life_of_team<kernels::WarpWidth>
                                       : team == "block"        ? kernels::life_of_team<kernels::BlockWidth>
                                       : team == "queue"        ? kernels::life_of_queue
                                       : team == "cached"       ? kernels::life_of_cached_warps
                                       : team == "cached_block" ? kernels::life_of_cached_block
                                                                : kernels::life_of_algorithm3;
    simt::LOCKSTEP_MACHINE::launch(team.c_str(), kernel, shape, {}, p);
    simt::LOCKSTEP_MACHINE::synchronize({});
}

// Converts rows to layout B, which stores value after value, or back.
std::vector<unsigned> transposed(std::vector<unsigned> const& words, std::size_t rows) {
    std::size_t const columns = words.size() / rows;
    std::vector<unsigned> turned(words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
        turned[i % columns * rows + i / columns] = words[i];
    return turned;
}

}  // namespace

LifeResult run_life(std::string const& team, std::vector<unsigned> const& cells, unsigned bound, Until until) {
    std::size_t const states = cells.size() / life_cells;
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> grid(cells.size());
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> pending(cells.size());
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> last_change(states);
    simt::LOCKSTEP_MACHINE::Buffer<unsigned> periods(states);
    simt::LOCKSTEP_MACHINE::Buffer<unsigned long long> signatures(states * max_period);
    grid.upload(transposed(cells, states));
    pending.fill_bytes(0xFF);
    last_change.fill_bytes(0);
    periods.fill_bytes(0);
    Parameters p;
    p.states = static_cast<unsigned>(states);
    p.states_per_group = 2;
    p.columns[0] = grid.data();
    p.columns[1] = pending.data();
    p.range[0] = p.range[1] = life_cells;
    p.passes = bound;
    p.until = until;
    p.last_change = last_change.data();
    p.periods = periods.data();
    p.signatures = signatures.data();
    launch_life(team, p);
    return {transposed(grid.to_vector(), life_cells), last_change.to_vector(), periods.to_vector()};
}

}  // namespace lockstep::rule_interpreter::tests::LOCKSTEP_MACHINE
