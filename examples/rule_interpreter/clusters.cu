#include "clusters.hpp"

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "kernels/rule_interpreter/warp_queue.hpp"

namespace clusters::LOCKSTEP_MACHINE {

using namespace lockstep::simt::LOCKSTEP_MACHINE;
namespace rules = lockstep::rule_interpreter::LOCKSTEP_MACHINE;
using lockstep::rule_interpreter::Parameters;
using lockstep::rule_interpreter::Until;

// An open site takes the smallest label of its neighbours. Instance i is site i; its stores become visible in the next
// pass.
struct TakeLeastLabel {
    static constexpr bool deferred = true;          // it reads what other instances write
    static constexpr unsigned written_column = 0;   // labels
    static constexpr unsigned deferred_column = 1;  // labels of the next pass
    static constexpr unsigned nothing_deferred = ~0u;
    __device__ static unsigned range(Parameters const&) { return sites; }

    template <class State>
    __device__ static unsigned min_around(State const& state, unsigned i) {
        unsigned const row = i / side;
        unsigned const column = i % side;
        unsigned const around[] = {(row + 1) % side * side + column, (row + side - 1) % side * side + column,
                                   row * side + (column + 1) % side, row * side + (column + side - 1) % side};
        unsigned smallest = state.get(0, i);
        for (unsigned const neighbour : around) {
            unsigned const label = state.get(0, neighbour);
            smallest = label != 0 && label < smallest ? label : smallest;
        }
        return smallest;
    }
    // Enabled instances of a map gather in the warp's queue, so that lanes evaluate side by side.
    template <class State>
    __device__ static bool condition(State const& state, unsigned i) {
        return min_around(state, i) < state.get(0, i);
    }
    template <class State>
    __device__ static bool evaluate(State& state, unsigned i) {
        state.set(0, i, min_around(state, i));
        return true;
    }
};

using Rules = rules::Program<true, TakeLeastLabel>;  // runs to the fixed point

__global__ void label_maps(__grid_constant__ Parameters const p) {
    unsigned const map = block_rank() * warps_in_block() + warp_id();
    rules::WarpQueueTeam<rules::State<rules::LayoutA>> team(p, map, map < p.states ? 1 : 0, 0, 1);
    rules::run_program(team, p, Rules());
}

Labelled label(std::vector<unsigned> const& labels) {
    std::size_t const maps = labels.size() / sites;
    Buffer<unsigned> now(labels.size());
    Buffer<unsigned> pending(labels.size());
    Buffer<unsigned> last_change(maps);
    now.upload(labels);
    pending.fill_bytes(0xFF);
    last_change.fill_bytes(0);

    Parameters p;
    p.states = static_cast<unsigned>(maps);
    p.columns[0] = now.data();
    p.columns[1] = pending.data();
    p.range[0] = p.range[1] = sites;
    p.passes = sites;  // upper bound
    p.until = Until::change;
    p.last_change = last_change.data();
    constexpr unsigned warps_per_block = 4;
    LaunchShape shape;
    shape.block.x = 32 * warps_per_block;
    shape.grid.x = ceil_div(p.states, warps_per_block);
    shape.shared_bytes = sizeof(rules::WarpQueues);
    launch("label_maps", label_maps, shape, {}, p);
    synchronize({});
    return {now.to_vector(), last_change.to_vector()};
}

}  // namespace clusters::LOCKSTEP_MACHINE
