#pragma once
// Algorithm 2 (Appendix A) as it is printed but for its slips: a queue, a hash table a class hierarchy, then a column a
// field. For the simulation's classes, written out by hand as the authors did: the specification of the library's
// tracer.

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/bench/variant.hpp"
#include "reference_cpu/object_layout/world.hpp"

namespace lockstep::object_layout {

// What tracing the simulation gives: ids, class tags (0: Car, 1: Pedestrian) and columns.
struct TracedTraffic {
    std::unordered_map<void const*, std::uint32_t> street_ids, agent_ids;
    std::vector<float> length, street_velocity;
    std::vector<std::uint32_t> offset, size, contents;  // of the streets' arrays, in the order of their ids
    std::vector<std::uint32_t> tag, street;
    std::vector<float> progress, agent_velocity;  // of a pedestrian: null, 0
};

TracedTraffic trace_by_algorithm2(std::span<Agent* const> base);

// The host objects that a tracing problem starts from: all streets, and as many agents as its units leave, cars and
// pedestrians by turns.
struct TracingWorld {
    std::vector<std::unique_ptr<Street>> streets;
    std::vector<std::unique_ptr<Agent>> agents;
    std::vector<Agent*> base;
};
TracingWorld make_tracing_world(bench::Problem const& problem);

// What the algorithm gives for an object: the reference. The world is traced at the first call and kept, so a case that
// asks once before it is verified lets every unit be verified.
bench::UnitResult traced_object(bench::Problem const& problem, std::uint64_t unit);

std::string tracing_unsupported_reason(bench::Axes const& axes);

}  // namespace lockstep::object_layout
