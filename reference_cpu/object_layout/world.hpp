#pragma once
// The simulation in plain C++: streets and agents are objects with pointers between them, and a move is a virtual call.
// It is the executable specification, and its objects are those from which the tracer starts.

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

// Data that all agents read and none modifies.
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
    // Simulates one tick; the first is tick 0. `number` identifies the agent's random words.
    virtual void move(Surroundings const& surroundings, std::uint64_t number, unsigned tick) = 0;

    float progress = 0;
    Street* street = nullptr;

protected:
    // Advances by `speed` miles per hour for a tick, and enters the next street at the end of this one.
    void advance(Surroundings const& surroundings, float speed, bool may_go_back, Draws& draws);
};

class Car : public Agent {
public:
    void move(Surroundings const& surroundings, std::uint64_t number, unsigned tick) override;

    float max_velocity = 0;
    unsigned kind = 0;  // k in the formulas of traffic.hpp
};

class Pedestrian : public Agent {
public:
    void move(Surroundings const& surroundings, std::uint64_t number, unsigned tick) override;

    unsigned kind = 0;
};

// Creates the streets of a network, with pointers between them.
std::vector<std::unique_ptr<Street>> make_streets(Network const& network);

std::unique_ptr<Agent> make_agent(Traffic const& traffic, std::vector<std::unique_ptr<Street>> const& streets,
                                  std::uint64_t number);

inline Surroundings surroundings_of(Traffic const& traffic) {
    return {traffic.seed, traffic.weather, traffic.mode, &traffic.table};
}

// Returns the state of an agent after all ticks.
bench::UnitResult simulate(Traffic const& traffic, std::vector<std::unique_ptr<Street>> const& streets,
                           std::uint64_t number);

// The same; stores the streets for further calls with the same traffic.
bench::UnitResult reference_agent(bench::Problem const& problem, std::uint64_t number);

}  // namespace lockstep::object_layout
