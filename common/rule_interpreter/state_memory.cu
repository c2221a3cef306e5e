#include "common/rule_interpreter/state_memory.hpp"

#include <algorithm>

#include "common/rule_interpreter/layout.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

namespace {

__device__ inline unsigned index_in(LayoutName layout, Parameters const& p, unsigned column, unsigned state,
                                    unsigned i) {
    unsigned const range = p.range[column];
    switch (layout) {
        case LayoutName::a:
            return LayoutA::index(p, range, state, i);
        case LayoutName::b:
            return LayoutB::index(p, range, state, i);
        case LayoutName::c:
        case LayoutName::c_divided:  // the same places
            return LayoutC::index(p, range, state, i);
        default:
            return LayoutCGroup::index(p, range, state, i);
    }
}

// Calls body(state, i) for every word of a column.
template <class Body>
__device__ inline void for_each_word(Parameters const& p, unsigned column, Body const& body) {
    unsigned long long const words = static_cast<unsigned long long>(p.states) * p.range[column];
    unsigned long long const stride = static_cast<unsigned long long>(blocks_in_grid()) * threads_in_block();
    unsigned long long word = static_cast<unsigned long long>(block_rank()) * threads_in_block() + thread_rank();
    for (; word < words; word += stride) {
        body(static_cast<unsigned>(word / p.range[column]), static_cast<unsigned>(word % p.range[column]));
    }
}

__global__ void fill_values_kernel(Parameters p, LayoutName layout, unsigned column, ValueDraw draw,
                                   unsigned long long first_state) {
    for_each_word(p, column, [&](unsigned state, unsigned i) {
        p.columns[column][index_in(layout, p, column, state, i)] = initial_value(draw, first_state + state, i);
    });
}

__global__ void fill_words_kernel(Parameters p, LayoutName layout, unsigned column, unsigned word) {
    for_each_word(p, column,
                  [&](unsigned state, unsigned i) { p.columns[column][index_in(layout, p, column, state, i)] = word; });
}

__global__ void scatter_kernel(Parameters p, LayoutName layout, unsigned column, unsigned const* rows) {
    for_each_word(p, column, [&](unsigned state, unsigned i) {
        unsigned long long const row = static_cast<unsigned long long>(state) * p.range[column];
        p.columns[column][index_in(layout, p, column, state, i)] = rows[row + i];
    });
}

__global__ void gather_kernel(Parameters p, LayoutName layout, unsigned column, unsigned* rows) {
    for_each_word(p, column, [&](unsigned state, unsigned i) {
        unsigned long long const row = static_cast<unsigned long long>(state) * p.range[column];
        rows[row + i] = p.columns[column][index_in(layout, p, column, state, i)];
    });
}

// One warp per state.
__global__ void summarise_kernel(Parameters p, LayoutName layout, unsigned column, unsigned unset,
                                 unsigned* summaries) {
    unsigned const warps = blocks_in_grid() * warps_in_block();
    for (unsigned state = block_rank() * warps_in_block() + warp_id(); state < p.states; state += warps) {
        unsigned long long sum = 0;
        unsigned written = 0;
        for (unsigned i = lane_id(); i < p.range[column]; i += warp_size) {
            unsigned const word = p.columns[column][index_in(layout, p, column, state, i)];
            sum += bench::LOCKSTEP_MACHINE::mix(static_cast<unsigned long long>(i) << 32 | word);
            written += word != unset ? 1 : 0;
        }
        sum = warp_sum(sum);
        written = warp_sum(written);
        if (lane_id() == 0) {
            summaries[3ull * state] = static_cast<unsigned>(sum);
            summaries[3ull * state + 1] = static_cast<unsigned>(sum >> 32);
            summaries[3ull * state + 2] = written;
        }
    }
}

__global__ void wrong_counts_kernel(Parameters p, LayoutName layout, unsigned column, unsigned long long* wrong) {
    for_each_word(p, column, [&](unsigned state, unsigned i) {
        unsigned const value = p.columns[column][index_in(layout, p, column, state, i)];
        unsigned const count = p.counts[static_cast<unsigned long long>(state) * p.range[column] + i];
        if (count != (value != 0 ? p.passes : 0))
            atomicAdd(wrong, 1ull);
    });
}

LaunchShape shape_for(Parameters const& p, unsigned column) {
    unsigned long long const words = static_cast<unsigned long long>(p.states) * p.range[column];
    LaunchShape shape;
    shape.block.x = machine == simt::Machine::cuda ? 256 : 32;
    shape.grid.x = static_cast<unsigned>(
        std::clamp<unsigned long long>(words / shape.block.x, 1, machine == simt::Machine::cuda ? 8192 : 2));
    return shape;
}

bool empty(Parameters const& p, unsigned column) { return p.states == 0 || p.range[column] == 0; }

}  // namespace

void fill_values(Parameters const& p, LayoutName layout, unsigned column, ValueDraw const& draw,
                 unsigned long long first_state) {
    if (empty(p, column))
        return;
    launch("fill_values", fill_values_kernel, shape_for(p, column), {}, p, layout, column, draw, first_state);
    synchronize({});
}

void fill_words(Parameters const& p, LayoutName layout, unsigned column, unsigned word) {
    if (empty(p, column))
        return;
    launch("fill_words", fill_words_kernel, shape_for(p, column), {}, p, layout, column, word);
    synchronize({});
}

void scatter_rows(Parameters const& p, LayoutName layout, unsigned column, unsigned const* rows) {
    if (empty(p, column))
        return;
    launch("scatter_rows", scatter_kernel, shape_for(p, column), {}, p, layout, column, rows);
    synchronize({});
}

void gather_rows(Parameters const& p, LayoutName layout, unsigned column, unsigned* rows) {
    if (empty(p, column))
        return;
    launch("gather_rows", gather_kernel, shape_for(p, column), {}, p, layout, column, rows);
    synchronize({});
}

void summarise(Parameters const& p, LayoutName layout, unsigned column, unsigned unset, unsigned* summaries) {
    if (p.states == 0)
        return;
    launch("summarise", summarise_kernel, shape_for(p, column), {}, p, layout, column, unset, summaries);
    synchronize({});
}

unsigned long long wrong_counts(Parameters const& p, LayoutName layout, unsigned column) {
    Buffer<unsigned long long> wrong(1);
    wrong.fill_bytes(0);
    if (!empty(p, column)) {
        launch("wrong_counts", wrong_counts_kernel, shape_for(p, column), {}, p, layout, column, wrong.data());
        synchronize({});
    }
    return wrong.to_vector().front();
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
