#pragma once
// Metrics of lanes and memory in a simulation, computed from the layout for any machine instead of read from a GPU's
// counters; and the work of a case.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/object_layout/options.hpp"
#include "common/object_layout/traffic.hpp"
#include "harness/bench/metric.hpp"

namespace lockstep::object_layout {

// Empty if the axes select this program (traffic, jobs, tracing, maps, bodies, families); otherwise the reason why the
// variant cannot run.
std::string program_unsupported_reason(bench::Axes const& axes, std::string const& program);

// An item is a tick of an agent. Bytes: each agent's fields are read once and written once.
bench::Work work_of(unsigned ticks, unsigned agents, TrafficOptions const& options);

// Means over the first 4096 warps, for a warp that reads one field of its agents in one request:
//   sectors_progress   number of 32-byte sectors in that request (4 if the field is contiguous)
//   classes_per_warp   number of classes among its lanes: the number of paths through a switch
//   lanes_active       number of lanes that are active together if the classes execute one after another
// For the case:
//   no_job_lanes       number of lanes without an agent
//   agent_bytes, street_bytes
bench::Metrics lane_metrics(Traffic const& traffic, TrafficOptions const& options, unsigned agents,
                            std::vector<unsigned> const& jobs, std::function<std::uint64_t(unsigned)> const& number_at);

}  // namespace lockstep::object_layout
