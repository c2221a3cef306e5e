#pragma once
// Program infection: people walk on the streets of a network and infect one another, an agent-based form of the model
// of W. Kermack and A. McKendrick, "A contribution to the mathematical theory of epidemics", Proceedings of the Royal
// Society A 115, 1927. Nothing but the rules is shared by the reference, which has plain objects, and the kernels.
//
// A person is of class Susceptible, Infected or Recovered. A tick has two parts, with random words of the person's own:
//
//   1. Each person goes to a random neighbour of its street with probability 1/4.
//   2. A susceptible person on a street with k infected ones becomes infected with probability 1 - (1 - 1/64)^k, as a
//      fraction of 2^32 in whole numbers; k counts up to 255. An infected person of 20 ticks dies with probability
//      1/50, and else recovers.
//
// A unit is a person; its result is its class and the ticks since it was infected, and its street. The dead are
// deleted.

#include <array>
#include <cstdint>
#include <memory>

#include "common/object_layout/interaction.hpp"
#include "common/object_layout/street_graph.hpp"
#include "common/object_layout/tick_words.hpp"

namespace lockstep::object_layout {

inline constexpr unsigned susceptible_person = 0;
inline constexpr unsigned infected_person = 1;
inline constexpr unsigned recovered_person = 2;
inline constexpr unsigned dead_person = 3;

inline constexpr unsigned infectious_ticks = 20;
inline constexpr unsigned infections_per_death = 50;
inline constexpr unsigned max_contacts = 255;

// Reference: simulates all people with plain objects. The most recent simulation is kept.
std::shared_ptr<Simulated const> people_after(bench::Problem const& problem);

// By the number of infected people on a street: a person is infected if its word is below this.
std::array<unsigned, max_contacts + 1> infection_risks();

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct NewPerson {
    unsigned street;
    unsigned kind;
};

// One of a hundred people is infected at first.
__host__ __device__ inline NewPerson first_person(unsigned long long seed, unsigned number, unsigned streets) {
    Philox words = Philox::stream(seed, number, birth_of_agent);
    unsigned const street = random::LOCKSTEP_MACHINE::bounded(words, streets);
    bool const infected = random::LOCKSTEP_MACHINE::bounded(words, 100) == 0;
    return {street, infected ? infected_person : susceptible_person};
}

__host__ __device__ inline unsigned street_after_walk(StreetGraph const& graph, unsigned long long seed,
                                                      unsigned number, unsigned street, unsigned tick) {
    TickWords words(seed, number, tick);
    return random::LOCKSTEP_MACHINE::bounded(words, 4) == 0 ? random_neighbour(graph, street, words) : street;
}

__host__ __device__ inline TickWords words_of_health(unsigned long long seed, unsigned number, unsigned tick) {
    return {seed, number | 1ull << 32, tick};
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
