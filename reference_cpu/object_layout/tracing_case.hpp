#pragma once
// The base class of the tracing variants. A unit is a host object: streets first, then agents in the order of the base
// array. Its result is its id, two numbers, and its references (a street's neighbours folded into a word, or an agent's
// street and class).

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "reference_cpu/object_layout/algorithm2.hpp"

namespace lockstep::object_layout {

std::uint32_t folded_neighbors(std::span<std::uint32_t const> ids);

class TracingCase : public bench::Case {
public:
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        std::vector<bench::UnitResult> found;
        std::uint64_t const streets = world_.streets.size();
        for (std::uint64_t const unit : units)
            found.push_back(unit < streets ? street(*world_.streets[unit]) : agent(*world_.base[unit - streets]));
        return found;
    }
    bench::Work work() const override {
        double const objects = static_cast<double>(problem().units);
        return {objects, 16 * objects, objects};
    }

protected:
    explicit TracingCase(bench::Problem const& problem) : Case(problem), world_(make_tracing_world(problem)) {}

    virtual bench::UnitResult street(Street const& street) = 0;
    virtual bench::UnitResult agent(Agent const& agent) = 0;
    // The result of a street that is not reachable from the base array.
    static bench::UnitResult not_traced() { return {0xffffffffu, 0, 0, 0}; }
    TracingWorld const& world() const { return world_; }

private:
    TracingWorld world_;
};

}  // namespace lockstep::object_layout
