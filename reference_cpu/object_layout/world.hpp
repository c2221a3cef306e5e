#pragma once
// The simulation as anybody would write it in C++: streets and agents are objects with pointers between them, and a
// move is a virtual call. The executable specification, and the host objects that the tracer starts from.

#include <memory>
#include <vector>

#include "common/object_layout/traffic.hpp"

namespace lockstep::object_layout {

struct Street {
    float length = 0;
    float max_velocity = 0;
    std::vector<Street*> neighbors;
    unsigned number = 0;
};

// What all agents see and none changes.
struct Surroundings {
    std::uint64_t seed = 0;
    float weather = 1;
    Mode mode = Mode::live;
    std::vector<unsigned> const* table = nullptr;
};

class Draws;

class Agent {
public:
    virtual ~Agent() = default;
    // One tick, tick 0 first. `number` names the agent's random words.
    virtual void move(Surroundings const& surroundings, std::uint64_t number, unsigned tick) = 0;

    float progress = 0;
    Street* street = nullptr;

protected:
    // On by `speed` miles an hour for a tick, then to the next street where this one has ended.
    void advance(Surroundings const& surroundings, float speed, bool may_go_back, Draws& draws);
};

class Car : public Agent {
public:
    void move(Surroundings const& surroundings, std::uint64_t number, unsigned tick) override;

    float max_velocity = 0;
    unsigned kind = 0;  // classes 0, 2, 4 ...: the class's number, by which its instances differ from other cars
};

class Pedestrian : public Agent {
public:
    void move(Surroundings const& surroundings, std::uint64_t number, unsigned tick) override;

    unsigned kind = 0;
};

// Streets of a network, with pointers.
std::vector<std::unique_ptr<Street>> make_streets(Network const& network);

std::unique_ptr<Agent> make_agent(Traffic const& traffic, std::vector<std::unique_ptr<Street>> const& streets,
                                  std::uint64_t number);

inline Surroundings surroundings_of(Traffic const& traffic) {
    return {traffic.seed, traffic.weather, traffic.mode, &traffic.table};
}

// The state of an agent after all ticks.
bench::UnitResult simulate(Traffic const& traffic, std::vector<std::unique_ptr<Street>> const& streets,
                           std::uint64_t number);

// The same, with streets kept between calls for one traffic.
bench::UnitResult reference_agent(bench::Problem const& problem, std::uint64_t number);

}  // namespace lockstep::object_layout
