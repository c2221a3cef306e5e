// Köster, Groß, Krüger 2020, Figures 1 to 6: which lane checks which value of which state, which evaluates it, and
// where in memory it lies. Groups of three warps as in the figures, of 32 lanes as on a GPU.

#include "harness/cli/schematic.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/trace.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::schematics::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

namespace {

constexpr unsigned warps = 3;
constexpr unsigned group_size = warps * warp_size;

// Where value i of state s lies. A: a state after the other. B: a value after the other. C: warps of values,
// interleaved by state.
enum class Layout { a, b, c };

struct Shape {
    unsigned states;
    unsigned range;
    Layout layout;
};

__device__ inline long long address(Shape const& shape, unsigned state, unsigned i) {
    switch (shape.layout) {
        case Layout::a:
            return state * shape.range + i;
        case Layout::b:
            return i * shape.states + state;
        default:
            return (i / warp_size) * (shape.states * warp_size) + state * warp_size + i % warp_size;
    }
}

// About half of the values, in no order.
__device__ inline bool is_enabled(unsigned state, unsigned i) {
    unsigned x = (state * 977u + i) * 2654435761u;
    x ^= x >> 15;
    return (x * 2246822519u >> 31) != 0;
}

// Algorithm 1: a group a state, a loop over the range in steps of the group.
__global__ void algorithm1(Shape shape) {
    unsigned const state = blockIdx.x;
    unsigned step = 0;
    for (unsigned i = threadIdx.x; i < shape.range; i += blockDim.x) {
        trace(step, "condition", address(shape, state, i));
        if (is_enabled(state, i)) {
            trace(step, "evaluate", address(shape, state, i));
        }
        ++step;
    }
}

struct Group {
    SharedArray<unsigned, group_size> queue;
    SharedArray<unsigned, warps> totals;
};

// Algorithm 3: a warp a state, the enabled values of all warps compacted through shared memory.
__global__ void algorithm3(Shape shape) {
    auto& group = shared_memory<Group>();
    unsigned const state = blockIdx.x * warps + warp_id();
    for (unsigned step = 0; step * warp_size < shape.range; ++step) {
        unsigned const i = step * warp_size + lane_id();
        trace(step, "condition", address(shape, state, i));
        unsigned const enabled = __ballot_sync(full_warp, is_enabled(state, i));
        if (lane_id() == 0) {
            group.totals[warp_id()] = static_cast<unsigned>(__popc(enabled));
        }
        __syncthreads();
        unsigned before = rank_in(enabled);
        unsigned total = 0;
        for (unsigned warp = 0; warp < warps; ++warp) {
            unsigned const count = group.totals[warp];
            before += warp < warp_id() ? count : 0;
            total += count;
        }
        if ((enabled >> lane_id() & 1) != 0) {
            trace(step, "enabled", before);
            group.queue[before] = state << 16 | i;
        }
        __syncthreads();
        if (thread_rank() < total) {
            unsigned const entry = group.queue[thread_rank()];
            trace(step, "origin", (entry >> 16) % warps);
            trace(step, "evaluate", address(shape, entry >> 16, entry & 0xFFFF));
        }
        __syncthreads();
    }
}

template <class Kernel>
std::vector<simt::emulator::TraceEvent> record_states(char const* name, Kernel kernel, unsigned blocks,
                                                      unsigned threads, Shape const& shape) {
    simt::emulator::TraceRecording const recording;
    launch(name, kernel, {.grid = {blocks}, .block = {threads}, .shared_bytes = sizeof(Group)}, {}, shape);
    synchronize({});
    return recording.events();
}

Schematic schematic(char const* figure, char const* panel, char const* shows, Shape const& shape,
                    std::vector<simt::emulator::TraceEvent> events) {
    return {"rule_interpreter", figure, panel, shows, {{"states", shape.states}, {"range", shape.range}},
            std::move(events)};
}

}  // namespace

std::vector<Schematic> rule_interpreter() {
    Shape const one{1, 2 * group_size, Layout::a};
    Shape const three{warps, warp_size, Layout::a};
    Shape const two_states{2, 2 * group_size, Layout::a};
    Shape const layout_a{warps, 2 * warp_size, Layout::a};
    Shape const layout_b{warps, 2 * warp_size, Layout::b};
    Shape const layout_c{warps, 2 * warp_size, Layout::c};
    return {
        schematic("figure1", "",
                  "Algorithm 1 on one state: lanes wait where others evaluate; two iterations of the loop", one,
                  record_states("algorithm1", algorithm1, 1, group_size, one)),
        schematic("figure2", "", "Algorithm 3: enabled values move to the front of the group, its last warps are free",
                  three, record_states("algorithm3", algorithm3, 1, group_size, three)),
        schematic("figure3", "a large group a state", "Algorithm 1 in groups of three warps",
                  {3, group_size, Layout::a},
                  record_states("algorithm1", algorithm1, 3, group_size, {3, group_size, Layout::a})),
        schematic("figure3", "a group of one warp a state", "Algorithm 1 in groups of one warp", three,
                  record_states("algorithm1", algorithm1, 3, warp_size, three)),
        schematic("figure3", "a large group for several states", "Algorithm 3, a warp a state", three,
                  record_states("algorithm3", algorithm3, 1, group_size, three)),
        schematic("figure4", "", "Algorithm 1 on two states, layout A: each group reads its own contiguous memory",
                  two_states, record_states("algorithm1", algorithm1, 2, group_size, two_states)),
        schematic("figure5", "layout A", "Algorithm 3, layout A: contiguous in a warp, apart in the group", layout_a,
                  record_states("algorithm3", algorithm3, 1, group_size, layout_a)),
        schematic("figure5", "layout B", "Algorithm 3, layout B (not in the figure): a stride of the number of states",
                  layout_b, record_states("algorithm3", algorithm3, 1, group_size, layout_b)),
        schematic("figure6", "layout C", "Algorithm 3, layout C: contiguous in the whole group", layout_c,
                  record_states("algorithm3", algorithm3, 1, group_size, layout_c)),
    };
}

}  // namespace lockstep::schematics::LOCKSTEP_MACHINE
