#include "common/object_layout/job_order.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/bench/error.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::object_layout::cpu {

namespace {

void check_tag(unsigned tag, unsigned types, std::size_t index) {
    if (tag >= types) {
        throw bench::Error(
            "element " + std::to_string(index) + " of the base array has an unknown class",
            "its class tag is " + std::to_string(tag) + ", and there are " + std::to_string(types) + " classes");
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

namespace {

// With few classes, a counter that an element increments is often that of the element before it, and then the
// increments wait for one another. So the base array is counted in parts, in turns, each with counters of its own. With
// more classes this is rare, and parts would multiply the places of the result that are written in turns. There, what
// costs is the first access to a line, which the prefetch hides.
constexpr unsigned classes_with_parts = 8;

template <unsigned parts>
void count_and_place(std::span<unsigned const> tags, unsigned types, unsigned warp, unsigned* starts,
                     unsigned* result) {
    std::size_t const part = tags.size() / parts;
    std::fill(starts, starts + std::size_t{types} * parts, 0u);
    auto const each_element = [&](auto const& element) {
        for (std::size_t i = 0; i < part; ++i) {
            for (unsigned which = 0; which < parts; ++which)
                element(which, which * part + i);
        }
        for (std::size_t index = part * parts; index < tags.size(); ++index)
            element(parts - 1, index);
    };
    each_element([&](unsigned which, std::size_t index) { ++starts[std::size_t{tags[index]} * parts + which]; });
    unsigned next = 0;
    for (unsigned type = 0; type < types; ++type) {
        for (unsigned which = 0; which < parts; ++which)
            next += std::exchange(starts[std::size_t{type} * parts + which], next);
        unsigned const end = static_cast<unsigned>(simt::round_up(next, warp));
        std::fill(result + next, result + end, no_job);
        next = end;
    }
    each_element([&](unsigned which, std::size_t index) {
        unsigned const position = starts[std::size_t{tags[index]} * parts + which]++;
        if constexpr (parts == 1)
            __builtin_prefetch(result + position + 32, 1);
        result[position] = static_cast<unsigned>(index);
    });
}

}  // namespace

std::size_t job_counters(unsigned types) { return types <= classes_with_parts ? 4 * std::size_t{types} : types; }

void job_array_into(std::span<unsigned const> tags, unsigned types, unsigned warp, std::span<unsigned> starts,
                    std::span<unsigned> result) {
    if (types <= classes_with_parts) {
        count_and_place<4>(tags, types, warp, starts.data(), result.data());
    } else {
        count_and_place<1>(tags, types, warp, starts.data(), result.data());
    }
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
    std::vector<unsigned> starts(job_counters(types));
    job_array_into(tags, types, warp, starts, result);
    return result;
}

}  // namespace lockstep::object_layout::cpu
