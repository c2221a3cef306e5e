#include "reference_cpu/object_layout/world.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "common/object_layout/agent_class.hpp"
#include "common/object_layout/tick_words.hpp"
#include "harness/random/bounded.hpp"

namespace lockstep::object_layout {

// The random draws of an agent in a tick.
class Draws {
public:
    Draws(Surroundings const& surroundings, std::uint64_t number, unsigned tick)
        : words_(surroundings.seed, number, tick) {}
    unsigned below(unsigned n) { return random::cpu::bounded(words_, n); }

private:
    cpu::TickWords words_;
};

void Agent::advance(Surroundings const& surroundings, float speed, bool may_go_back, Draws& draws) {
    bool const live = surroundings.mode == Mode::live;
    if (live) {
        float const step = speed * (1.0f / 60.0f);
        progress = progress + step;
        if (may_go_back && !(progress > 0.0f))
            progress = 0.0f;
    } else {
        progress = static_cast<float>(static_cast<double>(progress) + static_cast<double>(speed) / 60.0);
    }
    if (progress >= street->length) {
        unsigned const degree = static_cast<unsigned>(street->neighbors.size());
        if (degree != 0) {
            unsigned const next = live ? draws.below(degree) : (*surroundings.table)[street->number] % degree;
            street = street->neighbors[next];
        }
        progress = 0;
    }
}

void Car::move(Surroundings const& surroundings, std::uint64_t number, unsigned tick) {
    Draws draws(surroundings, number, tick);
    float const own = max_velocity * (1.0f - static_cast<float>(kind) / 32.0f);
    advance(surroundings, std::min(own, street->max_velocity) * surroundings.weather, false, draws);
}

void Pedestrian::move(Surroundings const& surroundings, std::uint64_t number, unsigned tick) {
    Draws draws(surroundings, number, tick);
    unsigned const speeds = 7 + kind;
    unsigned drawn = 0;
    if (surroundings.mode == Mode::live) {
        drawn = draws.below(speeds);
    } else {
        auto const& table = *surroundings.table;
        drawn = table[static_cast<unsigned>(static_cast<int>(progress * progress)) % table.size()] % speeds;
    }
    advance(surroundings, static_cast<float>(static_cast<int>(drawn) - 2), true, draws);
}

std::vector<std::unique_ptr<Street>> make_streets(Network const& network) {
    std::vector<std::unique_ptr<Street>> streets;
    for (unsigned number = 0; number < network.streets(); ++number) {
        streets.push_back(std::make_unique<Street>());
        streets.back()->length = network.length[number];
        streets.back()->max_velocity = network.max_velocity[number];
        streets.back()->number = number;
    }
    for (unsigned number = 0; number < network.streets(); ++number) {
        for (unsigned i = 0; i < network.degree[number]; ++i) {
            streets[number]->neighbors.push_back(streets[network.contents[network.offset[number] + i]].get());
        }
    }
    return streets;
}

std::unique_ptr<Agent> make_agent(Traffic const& traffic, std::vector<std::unique_ptr<Street>> const& streets,
                                  std::uint64_t number) {
    Birth const initial = birth_of(traffic.seed, traffic.network->streets(), number);
    unsigned const type = traffic.type_of(number);
    std::unique_ptr<Agent> made;
    if (is_car(type)) {
        auto car = std::make_unique<Car>();
        car->max_velocity = initial.max_velocity;
        car->kind = kind_of(type);
        made = std::move(car);
    } else {
        auto pedestrian = std::make_unique<Pedestrian>();
        pedestrian->kind = kind_of(type);
        made = std::move(pedestrian);
    }
    made->street = streets[initial.street].get();
    made->progress = initial.progress;
    return made;
}

bench::UnitResult simulate(Traffic const& traffic, std::vector<std::unique_ptr<Street>> const& streets,
                           std::uint64_t number) {
    Surroundings const surroundings = surroundings_of(traffic);
    std::unique_ptr<Agent> const agent = make_agent(traffic, streets, number);
    for (unsigned tick = 0; tick < traffic.ticks; ++tick)
        agent->move(surroundings, number, tick);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &agent->progress, sizeof bits);
    return {bits, agent->street->number};
}

namespace {

using Streets = std::vector<std::unique_ptr<Street>>;

// The data that all agents of a problem share.
struct World {
    bench::Axes axes;
    std::uint64_t seed = 0;
    std::shared_ptr<Traffic const> traffic;
    std::shared_ptr<Streets const> streets;
};

World world_of(bench::Problem const& problem) {
    static std::mutex mutex;
    static std::shared_ptr<Network const> network;
    static std::shared_ptr<Streets const> kept;
    World world = {problem.axes, problem.seed, traffic_of(problem), nullptr};
    std::lock_guard const lock(mutex);
    if (network != world.traffic->network) {
        network = world.traffic->network;
        kept = std::make_shared<Streets const>(make_streets(*network));
    }
    world.streets = kept;
    return world;
}

}  // namespace

bench::UnitResult reference_agent(bench::Problem const& problem, std::uint64_t number) {
    // Each thread has its own copy, which avoids a lock.
    thread_local World world;
    if (world.traffic == nullptr || world.seed != problem.seed || world.axes != problem.axes)
        world = world_of(problem);
    return simulate(*world.traffic, *world.streets, number);
}

}  // namespace lockstep::object_layout
