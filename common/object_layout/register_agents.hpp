#pragma once
// Agents whose state stays in registers for all ticks of a launch. A lane reads memory again only if its agent changes
// streets. The results have the bits of methods.hpp:
//
//   - A car advances by a constant step on a street. A table holds the ticks from the start of each street to its end
//     (crossing_ticks.hpp), and skip_ticks.hpp the ticks of the first and the last street of a launch. A car draws a
//     word only at the end of a street.
//   - A pedestrian takes four ticks at once: the words of one call of Philox, without a branch. If it reaches the end
//     of its street within them, or a word is rejected, it takes these ticks again one by one. The next call of Philox
//     does not depend on the ticks, so it fills the time in which they wait for each other.
//   - In mode faithful, a pedestrian takes eight ticks at once, with the entries of the static table around its
//     progress in registers (step_window.hpp). If it leaves them or its street, it takes these ticks again one by one.

#include "common/object_layout/agent_class.hpp"
#include "common/object_layout/packed_streets.hpp"
#include "common/object_layout/skip_ticks.hpp"
#include "common/object_layout/step_window.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

template <class Streets>
struct RegisterAgent {
    Streets const& streets;
    unsigned long long seed;
    unsigned long long number;
    float progress;
    unsigned street;
    float length;  // of the street

    __device__ void enter(unsigned id) {
        street = id;
        length = streets.length(id);
    }
};

// Draws a number below n from the tick's known first word, and from its further words if that one is rejected.
template <class Agent>
__device__ inline unsigned below(Agent const& agent, unsigned tick, unsigned word, unsigned n) {
    TickWords words(agent.seed, agent.number, tick, word);
    return random::LOCKSTEP_MACHINE::bounded(words, n);
}

// Moves a car at the end of its street to the start of the next one, in the given tick.
template <class Mode, class Streets>
__device__ inline void turn(RegisterAgent<Streets>& agent, unsigned tick) {
    StreetEnd const end = agent.streets.end(agent.street);
    if (end.degree != 0) {
        if constexpr (is_live<Mode>) {
            unsigned const word = word_of(Philox::at(agent.seed, agent.number, 0, tick / 4), tick % 4);
            agent.street = agent.streets.neighbor(end.offset + below(agent, tick, word, end.degree));
        } else {
            agent.street = end.offset;
        }
    }
    agent.progress = 0.0f;
}

// The ticks of a car on its street, at most `limit`.
template <class Mode, class Streets>
__device__ inline Leg leg_of(RegisterAgent<Streets> const& agent, float own, float weather, unsigned limit) {
    float const allowed = agent.streets.max_velocity(agent.street);
    float const speed = (allowed < own ? allowed : own) * weather;
    float const length = agent.streets.length(agent.street);
    if constexpr (is_live<Mode>) {
        return advance_ticks(agent.progress, speed * (1.0f / 60.0f), length, limit);
    } else {
        return advance_ticks(agent.progress, static_cast<double>(speed) / 60.0, length, limit);
    }
}

// A car. Lanes leave the inner loop when the table does not have their street or the launch ends on it, and then take
// that leg together.
template <class Mode, unsigned Type, class Streets>
__device__ inline void drive(RegisterAgent<Streets>& agent, float max_velocity, float weather, unsigned ticks) {
    float const own = max_velocity * (1.0f - static_cast<float>(kind_of(Type)) / 32.0f);
    unsigned const column = velocity_column(max_velocity);
    unsigned tick = 0;
    while (tick < ticks) {
        Leg const leg = leg_of<Mode>(agent, own, weather, ticks - tick);
        tick += leg.ticks;
        agent.progress = leg.progress;
        bool at_end = leg.progress >= agent.streets.length(agent.street);
        while (at_end) {
            turn<Mode>(agent, tick - 1);
            unsigned const crossing =
                column < car_velocities ? agent.streets.crossing(kind_of(Type), agent.street, column) : 0;
            at_end = crossing - 1 < ticks - tick;  // false for 0
            tick += at_end ? crossing : 0;
        }
    }
}

// The ticks [tick, tick + count) of a pedestrian in mode live, one by one; the four words are their first draws, which
// are their speeds. The second draw of a tick selects the next street.
template <unsigned speeds, class Streets>
__device__ inline void walk_tick_by_tick(RegisterAgent<Streets>& agent, unsigned tick, random::Words4 words,
                                         unsigned count) {
#pragma unroll 1
    for (unsigned i = 0; i < count; ++i) {
        // bounded() draws again only if the low half is below 2^32 mod n, and therefore below n. In that rare case,
        // call it.
        unsigned const low = words.x * speeds;
        unsigned drawn = __umulhi(words.x, speeds);
        TickWords rest(agent.seed, agent.number, tick + i, words.x);
        if (low < speeds) {
            drawn = random::LOCKSTEP_MACHINE::bounded(rest, speeds);
        }
        float const progress = agent.progress + agent.streets.step(drawn);
        agent.progress = progress > 0.0f ? progress : 0.0f;
        if (agent.progress >= agent.length) {
            StreetEnd const end = agent.streets.end(agent.street);
            if (end.degree != 0) {
                if (low >= speeds) {
                    rest();
                }
                unsigned const which = random::LOCKSTEP_MACHINE::bounded(rest, end.degree);
                agent.enter(agent.streets.neighbor(end.offset + which));
            }
            agent.progress = 0.0f;
        }
        words = {words.y, words.z, words.w, 0};
    }
}

// One tick of a pedestrian without a branch. Returns false if the tick needs more than this.
template <unsigned speeds, class Streets>
__device__ inline bool walked(Streets const& streets, float length, unsigned word, float& progress) {
    float const moved = progress + streets.step(__umulhi(word, speeds));
    progress = moved > 0.0f ? moved : 0.0f;
    return (word * speeds >= speeds) & (progress < length);
}

// A pedestrian in mode live.
template <unsigned Type, class Streets>
__device__ inline void walk(RegisterAgent<Streets>& agent, unsigned ticks) {
    constexpr unsigned speeds = 7 + kind_of(Type);
    random::Words4 words = Philox::at(agent.seed, agent.number, 0, 0);
    unsigned tick = 0;
#pragma unroll 1
    for (; tick + 4 <= ticks; tick += 4) {
        random::Words4 const next = Philox::at(agent.seed, agent.number, 0, tick / 4 + 1);
        float progress = agent.progress;
        bool plain = walked<speeds>(agent.streets, agent.length, words.x, progress);
        plain &= walked<speeds>(agent.streets, agent.length, words.y, progress);
        plain &= walked<speeds>(agent.streets, agent.length, words.z, progress);
        plain &= walked<speeds>(agent.streets, agent.length, words.w, progress);
        if (plain) {
            agent.progress = progress;
        } else {
            walk_tick_by_tick<speeds>(agent, tick, words, 4);
        }
        words = next;
    }
    walk_tick_by_tick<speeds>(agent, tick, words, ticks - tick);
}

// Ticks of a pedestrian in mode faithful, one by one: the static table has its step for each progress.
template <class Streets>
__device__ inline void walk_by_table(RegisterAgent<Streets>& agent, unsigned ticks) {
    for (unsigned tick = 0; tick < ticks; ++tick) {
        unsigned const square = static_cast<unsigned>(static_cast<int>(agent.progress * agent.progress));
        double const step = agent.streets.table_step(square);
        agent.progress = static_cast<float>(static_cast<double>(agent.progress) + step);
        if (agent.progress >= agent.length) {
            turn<Faithful>(agent, tick);
            agent.length = agent.streets.length(agent.street);
        }
    }
}

// The same with a window of the table, which moves along.
template <class Streets>
__device__ inline void walk_with_window(RegisterAgent<Streets>& agent, StepWindow& window, unsigned ticks) {
#pragma unroll 1
    for (unsigned i = 0; i < ticks; ++i) {
        float const square = agent.progress * agent.progress;
        if (!window.has(square)) {
            window.move_to(agent.streets, square);
        }
        agent.progress = static_cast<float>(static_cast<double>(agent.progress) + window.step(square));
        if (agent.progress >= agent.length) {
            turn<Faithful>(agent, i);
            agent.length = agent.streets.length(agent.street);
        }
    }
}

// One tick without a branch. Returns false if the tick leaves the window or the street.
__device__ inline bool walked_within(StepWindow const& window, float length, float& progress) {
    float const square = progress * progress;
    progress = static_cast<float>(static_cast<double>(progress) + window.step(square));
    return window.has(square) & (progress < length);
}

// All ticks of a pedestrian in mode faithful.
template <class Streets>
__device__ inline void walk_in_chunks(RegisterAgent<Streets>& agent, unsigned ticks) {
    constexpr unsigned chunk = 8;
    if (ticks < 2 * chunk) {
        // Too few to repay four entries of the table.
        walk_by_table(agent, ticks);
        return;
    }
    StepWindow window;
    unsigned tick = 0;
#pragma unroll 1
    for (; tick + chunk <= ticks; tick += chunk) {
        float progress = agent.progress;
        bool plain = true;
#pragma unroll
        for (unsigned i = 0; i < chunk; ++i) {
            plain &= walked_within(window, agent.length, progress);
        }
        if (plain) {
            agent.progress = progress;
        } else {
            walk_with_window(agent, window, chunk);
        }
    }
    walk_with_window(agent, window, ticks - tick);
}

// All ticks of an agent of class `Type`.
template <class Mode, unsigned Type, class Streets>
__device__ inline void run_agent(RegisterAgent<Streets>& agent, float max_velocity, TrafficParameters const& p) {
    if constexpr (is_car(Type)) {
        drive<Mode, Type>(agent, max_velocity, p.weather, p.ticks);
    } else if constexpr (is_live<Mode>) {
        walk<Type>(agent, p.ticks);
    } else {
        walk_in_chunks(agent, p.ticks);
    }
}

// The tick p.first_tick of an agent of class `Type`, in mode live.
template <unsigned Type, class Streets>
__device__ inline void run_one_tick(RegisterAgent<Streets>& agent, float max_velocity, TrafficParameters const& p) {
    if constexpr (is_car(Type)) {
        float const own = max_velocity * (1.0f - static_cast<float>(kind_of(Type)) / 32.0f);
        Leg const leg = leg_of<Live>(agent, own, p.weather, 1);
        agent.progress = leg.progress;
        if (leg.progress >= agent.length) {
            turn<Live>(agent, p.first_tick);
        }
    } else {
        random::Words4 const words = Philox::at(p.seed, agent.number, 0, p.first_tick / 4);
        unsigned const first = word_of(words, p.first_tick % 4);
        walk_tick_by_tick<7 + kind_of(Type)>(agent, p.first_tick, {first, 0, 0, 0}, 1);
    }
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
