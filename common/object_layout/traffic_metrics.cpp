#include "common/object_layout/traffic_metrics.hpp"

#include <algorithm>
#include <set>

#include "common/object_layout/no_job.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::object_layout {

namespace {

constexpr std::size_t max_warps = 4096;

// Byte offset of an agent's field `progress` from the beginning of all agents.
std::uint64_t address_of(TrafficOptions const& options, std::uint64_t index) {
    switch (options.layout) {
        case Layout::soa:
            return 4 * index;
        case Layout::aosoa:
            return 512 * (index / 32) + 4 * (index % 32);
        default:
            return std::uint64_t{agent_bytes(options)} * index;
    }
}

}  // namespace

std::string program_unsupported_reason(bench::Axes const& axes, std::string const& program) {
    return axes.text("program") == program ? "" : "it supports only program " + program;
}

bench::Work work_of(unsigned ticks, unsigned agents, TrafficOptions const& options) {
    bench::Work work;
    work.items = static_cast<double>(ticks) * agents;
    work.operations = work.items;
    // A launch reads progress, street, velocity and tag, and writes progress and street. Structures transfer a 32-byte
    // sector.
    unsigned const launches = std::max(1u, simt::ceil_div(ticks, std::max(1u, ticks_per_launch(ticks, options))));
    work.bytes = static_cast<double>(launches) * agents *
                 (options.layout == Layout::soa || options.layout == Layout::aosoa ? 24.0 : 32.0);
    return work;
}

bench::Metrics lane_metrics(Traffic const& traffic, TrafficOptions const& options, unsigned agents,
                            std::vector<unsigned> const& jobs,
                            std::function<std::uint64_t(unsigned)> const& number_at) {
    std::size_t const lanes = jobs.empty() ? agents : jobs.size();
    double sectors = 0;
    double classes = 0;
    double active = 0;
    double warps = 0;
    for (std::size_t first = 0; first < lanes && first < 32 * max_warps; first += 32) {
        std::set<std::uint64_t> touched;
        std::set<unsigned> tags;
        unsigned working = 0;
        for (std::size_t lane = first; lane < std::min(lanes, first + 32); ++lane) {
            unsigned const index = jobs.empty() ? static_cast<unsigned>(lane) : jobs[lane];
            if (index == no_job)
                continue;
            touched.insert(address_of(options, index) / 32);
            tags.insert(traffic.type_of(number_at(index)));
            ++working;
        }
        sectors += static_cast<double>(touched.size());
        classes += static_cast<double>(tags.size());
        active += working / static_cast<double>(std::max<std::size_t>(1, tags.size()));
        ++warps;
    }
    bench::Metrics metrics = {{"agent_bytes", agent_bytes(options)},
                              {"street_bytes", street_bytes(options)},
                              {"no_job_lanes", static_cast<double>(lanes) - agents}};
    if (warps > 0) {
        metrics["sectors_progress"] = sectors / warps;
        metrics["classes_per_warp"] = classes / warps;
        metrics["lanes_active"] = active / warps;
    }
    return metrics;
}

}  // namespace lockstep::object_layout
