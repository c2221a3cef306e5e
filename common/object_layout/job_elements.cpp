#include "common/object_layout/job_elements.hpp"

#include <algorithm>

#include "common/object_layout/tick_words.hpp"
#include "harness/bench/error.hpp"
#include "harness/random/bounded.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::object_layout {

std::vector<unsigned> element_tags(bench::Problem const& problem) {
    if (problem.first_unit != 0) {
        throw bench::Error("program jobs has no shards", "an element's position depends on all elements",
                           "Run it without --shard.");
    }
    unsigned const types = static_cast<unsigned>(problem.axes.integer("types"));
    std::vector<unsigned> tags(
        std::min(problem.units * elements_per_unit, static_cast<std::uint64_t>(problem.axes.integer("elements"))));
    for (std::size_t first = 0; first < tags.size(); first += 4096) {
        cpu::Philox words = cpu::Philox::stream(problem.seed, first, birth_of_agent);
        for (std::size_t i = first; i < std::min(tags.size(), first + 4096); ++i)
            tags[i] = random::cpu::bounded(words, types);
    }
    return tags;
}

std::uint64_t job_units(bench::Axes const& axes) {
    return simt::ceil_div(static_cast<std::uint64_t>(axes.integer("elements")), elements_per_unit);
}

bench::UnitResult folded_positions(std::vector<unsigned> const& positions, std::uint64_t unit) {
    std::uint32_t sum = 0;
    std::size_t const end = std::min<std::size_t>(positions.size(), (unit + 1) * elements_per_unit);
    for (std::size_t i = unit * elements_per_unit; i < end; ++i)
        sum = (sum ^ positions[i]) * 0x9E3779B1u + 1;
    return {sum};
}

std::size_t padded_jobs(std::span<unsigned const> tags, unsigned types, unsigned warp) {
    std::vector<std::size_t> counts(types);
    for (unsigned const tag : tags)
        ++counts[tag];
    std::size_t sum = 0;
    for (std::size_t const count : counts)
        sum += simt::round_up(count, warp);
    return sum;
}

std::string jobs_unsupported_reason(bench::Axes const& axes) {
    return axes.text("program") == "jobs" ? "" : "it is for program jobs";
}

}  // namespace lockstep::object_layout
