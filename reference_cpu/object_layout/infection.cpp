// The reference of program infection: people as objects, with a state of health that is an object too.

#include "common/object_layout/infection.hpp"

#include <algorithm>
#include <vector>

#include "common/object_layout/traffic.hpp"
#include "harness/bench/make_variant.hpp"

namespace lockstep::object_layout {

namespace {

struct Health;
using HealthPointer = std::unique_ptr<Health>;

struct Health {
    virtual ~Health() = default;
    virtual unsigned kind() const = 0;
    // The health after a tick among so many infected people; null if it does not change.
    virtual HealthPointer next(cpu::TickWords& words, unsigned contacts) = 0;
    unsigned ticks = 0;  // since the infection
};

struct Dead : Health {
    unsigned kind() const override { return dead_person; }
    HealthPointer next(cpu::TickWords&, unsigned) override { return nullptr; }
};

struct Recovered : Health {
    unsigned kind() const override { return recovered_person; }
    HealthPointer next(cpu::TickWords&, unsigned) override { return nullptr; }
};

struct Infected : Health {
    unsigned kind() const override { return infected_person; }
    HealthPointer next(cpu::TickWords& words, unsigned) override {
        if (++ticks < infectious_ticks)
            return nullptr;
        if (random::cpu::bounded(words, infections_per_death) == 0)
            return std::make_unique<Dead>();
        HealthPointer made = std::make_unique<Recovered>();
        made->ticks = ticks;
        return made;
    }
};

struct Susceptible : Health {
    unsigned kind() const override { return susceptible_person; }
    HealthPointer next(cpu::TickWords& words, unsigned contacts) override {
        static std::array<unsigned, max_contacts + 1> const risks = infection_risks();
        if (words() < risks[std::min(contacts, max_contacts)])
            return std::make_unique<Infected>();
        return nullptr;
    }
};

struct Person {
    unsigned number;
    unsigned street;
    HealthPointer health;

    bool lives() const { return health->kind() != dead_person; }
};

std::vector<Person> first_people(bench::Problem const& problem, unsigned streets) {
    std::vector<Person> people;
    for (unsigned number = 0; number < problem.units; ++number) {
        cpu::NewPerson const first = cpu::first_person(problem.seed, number, streets);
        HealthPointer health;
        if (first.kind == infected_person)
            health = std::make_unique<Infected>();
        else
            health = std::make_unique<Susceptible>();
        people.push_back({number, first.street, std::move(health)});
    }
    return people;
}

void live_a_tick(std::vector<Person>& people, Network const& network, std::uint64_t seed, unsigned tick) {
    StreetGraph const graph = {network.offset.data(), network.degree.data(), network.contents.data()};
    std::vector<unsigned> infected(network.streets());
    for (Person& person : people) {
        if (!person.lives())
            continue;
        person.street = cpu::street_after_walk(graph, seed, person.number, person.street, tick);
        infected[person.street] += person.health->kind() == infected_person ? 1 : 0;
    }
    for (Person& person : people) {
        cpu::TickWords words = cpu::words_of_health(seed, person.number, tick);
        if (HealthPointer next = person.health->next(words, infected[person.street]))
            person.health = std::move(next);
    }
}

std::vector<std::uint64_t> count_people(std::vector<Person> const& people) {
    std::vector<std::uint64_t> counts(4);
    for (Person const& person : people)
        ++counts[person.health->kind()];
    return counts;
}

Simulated simulate_people(bench::Problem const& problem) {
    refuse_shards(problem);
    std::shared_ptr<Network const> const network = network_of(problem.axes, problem.seed);
    std::vector<Person> people = first_people(problem, network->streets());
    Simulated simulated;
    simulated.history.push_back(count_people(people));
    for (unsigned tick = 0; tick < static_cast<unsigned>(problem.axes.integer("ticks")); ++tick) {
        live_a_tick(people, *network, problem.seed, tick);
        simulated.history.push_back(count_people(people));
    }
    for (Person const& person : people) {
        simulated.results.push_back(person.health->ticks << 8 | person.health->kind());
        simulated.results.push_back(person.lives() ? person.street : 0);
    }
    return simulated;
}

}  // namespace

std::array<unsigned, max_contacts + 1> infection_risks() {
    std::array<unsigned, max_contacts + 1> risks = {};
    std::uint64_t safe = std::uint64_t{1} << 32;
    for (unsigned& risk : risks) {
        risk = static_cast<unsigned>((std::uint64_t{1} << 32) - safe);
        safe = safe * ((std::uint64_t{1} << 32) - (1u << 26)) >> 32;
    }
    return risks;
}

std::shared_ptr<Simulated const> people_after(bench::Problem const& problem) {
    static KeptSimulation kept(simulate_people);
    return kept.of(problem);
}

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::cpu {

void add_infection(bench::Experiment& experiment) {
    experiment.references.push_back(
        {.name = "infection",
         .unit = [](bench::Problem const& problem, std::uint64_t unit) { return people_after(problem)->result(unit); },
         .first_unit_prepares = true});
    experiment.variants.push_back(
        plain_objects_variant("infection", "people as plain C++ objects, one thread", simulate_people));
}

}  // namespace lockstep::object_layout::cpu
