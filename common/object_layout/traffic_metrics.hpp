#pragma once
// What lanes and memory do in a simulation, from where its objects lie: counts that a GPU's counters would give, for
// any machine, and the work of a case.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/object_layout/options.hpp"
#include "common/object_layout/traffic.hpp"
#include "harness/bench/metric.hpp"

namespace lockstep::object_layout {

// Empty where the axes ask for this program (traffic, jobs, tracing, maps, bodies), else why not.
std::string program_unsupported_reason(bench::Axes const& axes, std::string const& program);

// An item is an agent's tick. Bytes: every agent's fields in and out once.
bench::Work work_of(unsigned ticks, unsigned agents, TrafficOptions const& options);

// Over the first 4096 warps, for a warp that reads one field of its agents at once:
//   sectors_progress        32-byte sectors of memory in that request (4 where lanes lie side by side)
//   classes_per_warp          how many classes its lanes have: the ways that a switch goes
//   lanes_active            lanes that work at the same time, when classes take turns; of those that have an agent
//   no_job_lanes            lanes of all warps that have no agent
//   agent_bytes, street_bytes
bench::Metrics lane_metrics(Traffic const& traffic, TrafficOptions const& options, unsigned agents,
                            std::vector<unsigned> const& jobs, std::function<std::uint64_t(unsigned)> const& number_at);

}  // namespace lockstep::object_layout
