#pragma once
// Agents whose state stays in registers for all ticks of a launch: the progress, the fields of the street, and the step
// per tick. A lane reads memory again only if its agent changes streets. In mode live, one call of Philox yields the
// words of four ticks.
//
// The arithmetic is that of methods.hpp, operation by operation, so the results are bit-identical:
//   - a car's step, speed x weather x 1/60, changes only with its street;
//   - a pedestrian's r - 2 with r < 2^23 is, as a float, exactly (2^23 + r) - (2^23 + 2), without a conversion.

#include "common/object_layout/agent_class.hpp"
#include "common/object_layout/packed_streets.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

template <class Streets>
struct RegisterAgent {
    Streets const& streets;
    unsigned long long seed;
    unsigned long long number;
    float progress;
    unsigned street_id;
    PackedStreet street;

    __device__ void enter(unsigned id) {
        street_id = id;
        street = streets.at(id);
    }
};

// Draws a number below n from the tick's known first word, and from its further words if that one is rejected.
template <class Agent>
__device__ inline unsigned below(Agent const& agent, unsigned tick, unsigned word, unsigned n) {
    TickWords words(agent.seed, agent.number, tick, word);
    return random::LOCKSTEP_MACHINE::bounded(words, n);
}

// Calls tick_on(tick, first word of the tick) for every tick. One call of Philox yields the words of four ticks.
template <class Agent, class TickOn>
__device__ inline void each_tick(Agent const& agent, unsigned ticks, TickOn const& tick_on) {
    for (unsigned tick = 0; tick < ticks; tick += 4) {
        random::Words4 const words = Philox::at(agent.seed, agent.number, 0, tick / 4);
        tick_on(tick, words.x);
        if (tick + 1 < ticks)
            tick_on(tick + 1, words.y);
        if (tick + 2 < ticks)
            tick_on(tick + 2, words.z);
        if (tick + 3 < ticks)
            tick_on(tick + 3, words.w);
    }
}

// A car in mode live. Its first draw of a tick selects the next street.
template <unsigned Type, class Streets>
__device__ inline void drive(RegisterAgent<Streets>& agent, float max_velocity, float weather, unsigned ticks) {
    float const own = max_velocity * (1.0f - static_cast<float>(kind_of(Type)) / 32.0f);
    auto const step_on = [&](PackedStreet const& street) {
        return (street.max_velocity < own ? street.max_velocity : own) * weather * (1.0f / 60.0f);
    };
    float step = step_on(agent.street);
    auto const tick_on = [&](unsigned tick, unsigned word) {
        agent.progress = agent.progress + step;
        if (agent.progress >= agent.street.length) {
            if (agent.street.degree != 0) {
                unsigned const which = below(agent, tick, word, agent.street.degree);
                agent.enter(agent.streets.neighbor(agent.street.offset + which));
                step = step_on(agent.street);
            }
            agent.progress = 0.0f;
        }
    };
    each_tick(agent, ticks, tick_on);
}

// A pedestrian in mode live. The first draw of a tick is its speed, the second selects the next street.
template <unsigned Type, class Streets>
__device__ inline void walk(RegisterAgent<Streets>& agent, unsigned ticks) {
    constexpr unsigned speeds = 7 + kind_of(Type);
    auto const tick_on = [&](unsigned tick, unsigned word) {
        // bounded() draws again only if the low half is below 2^32 mod n, and therefore below n. In that rare case,
        // call it.
        unsigned const low = word * speeds;
        unsigned drawn = __umulhi(word, speeds);
        TickWords rest(agent.seed, agent.number, tick, word);
        if (low < speeds) {
            drawn = random::LOCKSTEP_MACHINE::bounded(rest, speeds);
        }
        float const speed = __uint_as_float(0x4b000000u | drawn) - 8388610.0f;
        float const progress = agent.progress + speed * (1.0f / 60.0f);
        agent.progress = progress > 0.0f ? progress : 0.0f;
        if (agent.progress >= agent.street.length) {
            if (agent.street.degree != 0) {
                if (low >= speeds) {
                    rest();
                }
                unsigned const which = random::LOCKSTEP_MACHINE::bounded(rest, agent.street.degree);
                agent.enter(agent.streets.neighbor(agent.street.offset + which));
            }
            agent.progress = 0.0f;
        }
    };
    each_tick(agent, ticks, tick_on);
}

// A car or a pedestrian in mode faithful. A car's quotient speed / 60.0 changes only with its street.
template <unsigned Type, class Streets>
__device__ inline void move_by_table(RegisterAgent<Streets>& agent, float max_velocity, TrafficParameters const& p) {
    float const own = max_velocity * (1.0f - static_cast<float>(kind_of(Type)) / 32.0f);
    auto const step_on = [&](PackedStreet const& street) {
        return static_cast<double>((street.max_velocity < own ? street.max_velocity : own) * p.weather) / 60.0;
    };
    double step = step_on(agent.street);
    for (unsigned tick = 0; tick < p.ticks; ++tick) {
        if constexpr (!is_car(Type)) {
            unsigned const square = static_cast<unsigned>(static_cast<int>(agent.progress * agent.progress));
            unsigned const drawn = agent.streets.word(square % p.table_size) % (7 + kind_of(Type));
            step = (static_cast<double>(drawn) - 2.0) / 60.0;
        }
        agent.progress = static_cast<float>(static_cast<double>(agent.progress) + step);
        if (agent.progress >= agent.street.length) {
            if (agent.street.degree != 0) {
                unsigned const which = agent.streets.word(agent.street_id) % agent.street.degree;
                agent.enter(agent.streets.neighbor(agent.street.offset + which));
                if constexpr (is_car(Type)) {
                    step = step_on(agent.street);
                }
            }
            agent.progress = 0.0f;
        }
    }
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
