#include "common/object_layout/job_order.hpp"

#include <algorithm>
#include <string>

#include "harness/bench/error.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::object_layout::cpu {

namespace {

void check_tag(unsigned tag, unsigned types, std::size_t index) {
    if (tag >= types) {
        throw bench::Error("element " + std::to_string(index) + " of the base array has no known class",
                           "its class tag is " + std::to_string(tag) + ", there are " + std::to_string(types));
    }
}

}  // namespace

std::vector<unsigned> job_array_as_printed(std::span<unsigned const> tags, unsigned types, unsigned warp,
                                           ScanCount* scans) {
    std::vector<std::vector<unsigned>> of_class(types);
    std::uint64_t visits = 0;
    for (std::size_t index = 0; index < tags.size(); ++index, ++visits) {
        check_tag(tags[index], types, index);
        of_class[tags[index]].push_back(static_cast<unsigned>(index));
    }
    std::size_t size = 0;
    for (std::vector<unsigned> const& indices : of_class)
        size += simt::round_up(indices.size(), warp);
    std::vector<unsigned> result(size, no_job);
    std::size_t next = 0;
    for (std::vector<unsigned> const& indices : of_class) {
        for (unsigned const index : indices) {
            result[next++] = index;
            ++visits;
        }
        next = simt::round_up(next, warp);
    }
    if (scans != nullptr)
        scans->visits = visits;
    return result;
}

void job_array_into(std::span<unsigned const> tags, unsigned types, unsigned warp, std::span<unsigned> starts,
                    std::span<unsigned> result) {
    std::fill(starts.begin(), starts.end(), 0u);
    for (unsigned const tag : tags)
        ++starts[tag];
    unsigned next = 0;
    for (unsigned type = 0; type < types; ++type) {
        unsigned const count = starts[type];
        starts[type] = next;
        unsigned const end = next + static_cast<unsigned>(simt::round_up(count, warp));
        std::fill(result.begin() + next + count, result.begin() + end, no_job);
        next = end;
    }
    for (std::size_t index = 0; index < tags.size(); ++index)
        result[starts[tags[index]]++] = static_cast<unsigned>(index);
}

std::vector<unsigned> job_array(std::span<unsigned const> tags, unsigned types, unsigned warp) {
    std::vector<std::size_t> counts(types);
    for (std::size_t index = 0; index < tags.size(); ++index) {
        check_tag(tags[index], types, index);
        ++counts[tags[index]];
    }
    std::size_t size = 0;
    for (std::size_t const count : counts)
        size += simt::round_up(count, warp);
    std::vector<unsigned> result(size);
    std::vector<unsigned> starts(types);
    job_array_into(tags, types, warp, starts, result);
    return result;
}

}  // namespace lockstep::object_layout::cpu
