#pragma once
// Algorithm 2 (Appendix A) as printed, except for corrected errors: a queue, a hash table per class hierarchy, then a
// column per field. It is written by hand for the simulation's classes, as the authors did, and specifies the library's
// tracer.

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/bench/variant.hpp"
#include "reference_cpu/object_layout/world.hpp"

namespace lockstep::object_layout {

// The result of tracing the simulation: ids, class tags (0: Car, 1: Pedestrian) and columns.
struct TracedTraffic {
    std::unordered_map<void const*, std::uint32_t> street_ids, agent_ids;
    std::vector<float> length, street_velocity;
    std::vector<std::uint32_t> offset, size, contents;  // of the streets' arrays, in the order of their ids
    std::vector<std::uint32_t> tag, street;
    std::vector<float> progress, agent_velocity;  // agent_velocity of a pedestrian: null, 0
};

TracedTraffic trace_by_algorithm2(std::span<Agent* const> base);

// The host objects from which a tracing problem starts: all streets, and an agent for each remaining unit. Cars and
// pedestrians are interleaved.
struct TracingWorld {
    std::vector<std::unique_ptr<Street>> streets;
    std::vector<std::unique_ptr<Agent>> agents;
    std::vector<Agent*> base;
};
TracingWorld make_tracing_world(bench::Problem const& problem);

// The reference: the result of Algorithm 2 for an object. The first call traces and stores all objects, so all units
// can be verified after a case has called this function once.
bench::UnitResult traced_object(bench::Problem const& problem, std::uint64_t unit);

std::string tracing_unsupported_reason(bench::Axes const& axes);

}  // namespace lockstep::object_layout
