#pragma once
// What the programs of interacting objects share: wator, infection and nasch. In each, an object's tick depends on
// other objects, so a case computes all of its units, and the reference simulates all of them at once. Conflicts are
// resolved by the place or the number of an object, never by which lane comes first, so all machines agree bit for bit.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::object_layout {

// How many objects were in each state before the first tick and after each tick: a row of `states` numbers per tick.
using History = std::vector<std::vector<std::uint64_t>>;

// Of a program: the names of the states that its history counts.
std::vector<std::string> const& states_of(std::string const& program);

// A case that can count its objects in each tick. Counting is not part of any time: it is off unless asked for.
class Counting {
public:
    virtual ~Counting() = default;
    // Called before the run.
    virtual void count_each_tick() = 0;
    virtual History history() const = 0;
};

// A simulation by plain objects: the results of all units, `words` per unit, and the history.
struct Simulated {
    unsigned words = 2;
    std::vector<std::uint32_t> results;
    History history;

    bench::UnitResult result(std::uint64_t unit) const;
};

// The simulation of a problem, of which the most recent one is kept, because a verification asks for every unit.
// Objects of this class live as long as the program, because threads remember them.
class KeptSimulation {
public:
    using Simulate = std::function<Simulated(bench::Problem const&)>;
    explicit KeptSimulation(Simulate simulate) : simulate_(std::move(simulate)) {}
    std::shared_ptr<Simulated const> of(bench::Problem const& problem);

private:
    Simulate simulate_;
    std::mutex mutex_;
    bench::Problem problem_;
    std::shared_ptr<Simulated const> simulated_;
};

// Throws bench::Error if the problem is a part of one.
void refuse_shards(bench::Problem const& problem);

// Empty if the axes select this program and at most 2^20 ticks, for which a history fits into memory.
std::string interaction_unsupported_reason(bench::Axes const& axes, std::string const& program);

// The variant PROGRAM_objects, whose cases run `simulate`.
bench::Variant plain_objects_variant(std::string const& program, std::string const& description,
                                     KeptSimulation::Simulate simulate);

}  // namespace lockstep::object_layout
