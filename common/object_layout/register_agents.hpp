#pragma once
// Agents whose state is in registers over all ticks of a launch: progress, the street's fields, and what a tick adds.
// Memory is read again only where an agent changes its street. In mode live, one call of Philox gives four ticks'
// words.
//
// The arithmetic is that of methods.hpp, operation for operation, so results are the same bits:
//   - a car's step, speed x weather x 1/60, changes with its street alone;
//   - a pedestrian's r - 2, r < 2^23, as a float is (2^23 + r) - (2^23 + 2), exactly, without a conversion.

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

// A draw below n from a first word that is known; the whole stream of the tick where it must be rejected.
template <class Agent>
__device__ inline unsigned below(Agent const& agent, unsigned tick, unsigned word, unsigned n) {
    TickWords words(agent.seed, agent.number, tick, word);
    return random::LOCKSTEP_MACHINE::bounded(words, n);
}

// tick_on(tick, first word of the tick) for every tick; one call of Philox gives four ticks' words.
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

// A car in mode live. Its first draw of a tick says where it goes next.
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

// A pedestrian in mode live. The first draw of a tick is its speed, the second where it goes next.
template <unsigned Type, class Streets>
__device__ inline void walk(RegisterAgent<Streets>& agent, unsigned ticks) {
    constexpr unsigned speeds = 7 + kind_of(Type);
    auto const tick_on = [&](unsigned tick, unsigned word) {
        // bounded() draws again only where the low half is below 2^32 mod n, and so below n: that rare case is left to
        // it.
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

// Either class in mode faithful: the quotient by 60.0 changes with a car's street, and has few values for pedestrians.
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
