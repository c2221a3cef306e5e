#pragma once
// Kernels that differ in the dispatch of an agent's method. Each is the paper's main loop, with a lane per agent and
// the loop over ticks inside (Figure 7 with two corrections: a lane takes its own job, and the loop does not run one
// tick too many).
//
//   switch    compares the class tag at each tick (the paper)
//   factored  compares it for the speed only: what all classes have in common follows the branch. delayed.cu also
//             delays the branches at the ends of streets.
//   table     uses the class tag as an index into a table of functions
//   inlined   compares the class tag once, before the ticks: the upper bound. per_type launches it class by class.

#include <utility>

#include "common/object_layout/methods.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

template <class Mode, class Layout>
struct MoveOnce {
    TrafficParameters const& p;
    unsigned index;
    unsigned long long number;
    unsigned tick;

    template <unsigned Type>
    __device__ void run() const {
        move<Mode, Type, Layout>(p, AgentAt<Layout>(p.agents, index), number, tick);
    }
};

template <class Mode, class Layout, unsigned Types>
__global__ void __launch_bounds__(1024) switch_kernel(__grid_constant__ TrafficParameters const p) {
    unsigned const index = job_of_lane(p);
    if (index == no_job) {
        return;
    }
    unsigned long long const number = number_at(p.numbering, index);
    AgentAt<Layout> const agent(p.agents, index);
    // With columns, the tag is an argument of the block. With structures, it is read from the object.
    unsigned const passed = agent.tag();
    for (unsigned tick = p.first_tick; tick < p.first_tick + p.ticks; ++tick) {
        unsigned const tag = __is_same(Layout, Soa) ? passed : agent.tag();
        if (!switch_over<Types>(tag, MoveOnce<Mode, Layout>{p, index, number, tick})) {
            atomicAdd(p.unknown, 1u);
        }
    }
}

template <class Mode, class Layout>
struct SpeedOnce {
    TrafficParameters const& p;
    unsigned index;
    TickWords& words;
    float& speed;

    template <unsigned Type>
    __device__ void run() const {
        speed = speed_of<Mode, Type, Layout>(p, AgentAt<Layout>(p.agents, index), words);
    }
};

// A car's progress never falls, so the check for a negative one, which pedestrians need, changes nothing for cars.
template <class Mode, class Layout, unsigned Types>
__global__ void __launch_bounds__(1024) factored_kernel(__grid_constant__ TrafficParameters const p) {
    unsigned const index = job_of_lane(p);
    if (index == no_job) {
        return;
    }
    unsigned long long const number = number_at(p.numbering, index);
    AgentAt<Layout> const agent(p.agents, index);
    unsigned const passed = agent.tag();
    for (unsigned tick = p.first_tick; tick < p.first_tick + p.ticks; ++tick) {
        unsigned const tag = __is_same(Layout, Soa) ? passed : agent.tag();
        TickWords words(p.seed, number, tick);
        float speed = 0;
        if (switch_over<Types>(tag, SpeedOnce<Mode, Layout>{p, index, words, speed})) {
            advance<Mode, true, Layout>(p, agent, speed, words);
        } else {
            atomicAdd(p.unknown, 1u);
        }
    }
}

template <class Mode, class Layout>
struct MoveAllTicks {
    TrafficParameters const& p;
    unsigned index;
    unsigned long long number;

    template <unsigned Type>
    __device__ void run() const {
        for (unsigned tick = p.first_tick; tick < p.first_tick + p.ticks; ++tick) {
            move<Mode, Type, Layout>(p, AgentAt<Layout>(p.agents, index), number, tick);
        }
    }
};

template <class Mode, class Layout, unsigned Types>
__global__ void __launch_bounds__(1024) inlined_kernel(__grid_constant__ TrafficParameters const p) {
    unsigned const index = job_of_lane(p);
    if (index == no_job) {
        return;
    }
    unsigned const tag = AgentAt<Layout>(p.agents, index).tag();
    if (!switch_over<Types>(tag, MoveAllTicks<Mode, Layout>{p, index, number_at(p.numbering, index)})) {
        atomicAdd(p.unknown, 1u);
    }
}

using MoveFunction = void (*)(TrafficParameters const&, unsigned index, unsigned long long number, unsigned tick);

template <class Mode, class Layout, unsigned Type>
__device__ void move_function(TrafficParameters const& p, unsigned index, unsigned long long number, unsigned tick) {
    move<Mode, Type, Layout>(p, AgentAt<Layout>(p.agents, index), number, tick);
}

// One table per mode and layout, with the functions of classes 0, 1, ...
template <class Mode, class Layout, class Types>
struct MoveTable;
template <class Mode, class Layout, unsigned... Types>
struct MoveTable<Mode, Layout, std::integer_sequence<unsigned, Types...>> {
    __device__ static MoveFunction at(unsigned tag) {
        static constexpr MoveFunction functions[] = {move_function<Mode, Layout, Types>...};
        return functions[tag];
    }
};

template <class Mode, class Layout, unsigned Types>
__global__ void __launch_bounds__(1024) table_kernel(__grid_constant__ TrafficParameters const p) {
    unsigned const index = job_of_lane(p);
    if (index == no_job) {
        return;
    }
    unsigned long long const number = number_at(p.numbering, index);
    AgentAt<Layout> const agent(p.agents, index);
    for (unsigned tick = p.first_tick; tick < p.first_tick + p.ticks; ++tick) {
        unsigned const tag = agent.tag();
        if (tag < Types) {
            MoveTable<Mode, Layout, std::make_integer_sequence<unsigned, Types>>::at(tag)(p, index, number, tick);
        } else {
            atomicAdd(p.unknown, 1u);
        }
    }
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
