#pragma once
// The methods Car.move and Pedestrian.move, written once for all layouts and dispatches. traffic.hpp defines what they
// compute. `Type` is the class number (agent_class.hpp); the code of each class has its own constants.

#include "common/object_layout/agent_class.hpp"
#include "common/object_layout/layouts.hpp"
#include "harness/random/bounded.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct Live {};
struct Faithful {};
template <class Mode>
inline constexpr bool is_live = false;
template <>
inline constexpr bool is_live<Live> = true;

// Returns the next street of an agent at the end of `street`, or `street` itself if it has no neighbours (U-turn).
template <class Mode, class Layout, class Parameters>
__device__ inline unsigned next_street(Parameters const& p, unsigned street, TickWords& words) {
    unsigned const array = StreetAt<Layout>(p.streets, street).neighbors();
    unsigned const size = p.array_size[array];
    if (size == 0) {
        return street;
    }
    unsigned index = 0;
    if constexpr (is_live<Mode>) {
        index = random::LOCKSTEP_MACHINE::bounded(words, size);
    } else {
        unsigned const number = StreetAt<Layout>(p.streets, street).number();
        index = p.table[number] % size;
    }
    return p.contents[p.array_offset[array] + index];
}

// Moves an agent along its street and returns whether it is at the end. Every access to a field of an agent reads or
// writes memory, as in the code that the paper's compiler generates.
template <class Mode, bool may_go_back, class Layout, class Parameters, class Agent>
__device__ inline bool reaches_end(Parameters const& p, Agent const& agent, float speed) {
    if constexpr (is_live<Mode>) {
        float const progress = agent.progress() + speed * (1.0f / 60.0f);
        agent.progress() = may_go_back ? (progress > 0.0f ? progress : 0.0f) : progress;
    } else {
        agent.progress() =
            static_cast<float>(static_cast<double>(agent.progress()) + static_cast<double>(speed) / 60.0);
    }
    return agent.progress() >= StreetAt<Layout>(p.streets, agent.street()).length();
}

// Lets an agent at the end of its street enter the next one.
template <class Mode, class Layout, class Parameters, class Agent>
__device__ inline void enter_next(Parameters const& p, Agent const& agent, TickWords& words) {
    agent.street() = next_street<Mode, Layout>(p, agent.street(), words);
    agent.progress() = 0.0f;
}

template <class Mode, bool may_go_back, class Layout, class Parameters, class Agent>
__device__ inline void advance(Parameters const& p, Agent const& agent, float speed, TickWords& words) {
    if (reaches_end<Mode, may_go_back, Layout>(p, agent, speed)) {
        enter_next<Mode, Layout>(p, agent, words);
    }
}

// The speed of an agent of class `Type` in this tick: the part of the method that differs between classes.
template <class Mode, unsigned Type, class Layout, class Parameters, class Agent>
__device__ inline float speed_of(Parameters const& p, Agent const& agent, TickWords& words) {
    constexpr unsigned kind = kind_of(Type);
    if constexpr (is_car(Type)) {
        constexpr float share = 1.0f - static_cast<float>(kind) / 32.0f;
        float const own = agent.max_velocity() * share;
        float const allowed = StreetAt<Layout>(p.streets, agent.street()).max_velocity();
        return (allowed < own ? allowed : own) * p.weather;
    } else {
        constexpr unsigned speeds = 7 + kind;
        unsigned drawn = 0;
        if constexpr (is_live<Mode>) {
            drawn = random::LOCKSTEP_MACHINE::bounded(words, speeds);
        } else {
            float const progress = agent.progress();
            drawn = p.table[static_cast<unsigned>(static_cast<int>(progress * progress)) % p.table_size] % speeds;
        }
        return static_cast<float>(static_cast<int>(drawn) - 2);
    }
}

template <class Mode, unsigned Type, class Layout, class Parameters, class Agent>
__device__ inline void move(Parameters const& p, Agent const& agent, unsigned long long number, unsigned tick) {
    TickWords words(p.seed, number, tick);
    float const speed = speed_of<Mode, Type, Layout>(p, agent, words);
    advance<Mode, !is_car(Type), Layout>(p, agent, speed, words);
}

// Calls method.template run<tag>() through a chain of comparisons, which compilers turn into a switch. Returns false if
// the tag is none of the classes 0 .. Types - 1.
template <unsigned Types, unsigned Type = 0, class Method>
__device__ inline bool switch_over(unsigned tag, Method const& method) {
    if constexpr (Type == Types) {
        return false;
    } else {
        if (tag == Type) {
            method.template run<Type>();
            return true;
        }
        return switch_over<Types, Type + 1>(tag, method);
    }
}

// Returns the index of the agent of this lane, or no_job.
__device__ inline unsigned job_of_lane(TrafficParameters const& p) {
    unsigned const job = p.first_job + blockIdx.x * blockDim.x + threadIdx.x;
    if (job >= p.end_job) {
        return no_job;
    }
    return p.jobs != nullptr ? p.jobs[job] : job;
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
