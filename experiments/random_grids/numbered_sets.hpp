#pragma once
// Sets by their number. Set n is set n % length of stream n / length, so it depends on the seed, the axes and its
// number alone: not on the machine, on how many sets are drawn, or on which others.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/random_grids/device_sets.hpp"
#include "common/random_grids/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

// A number of sets per stream that suits most machines. A stream costs little to begin, but `unranked` loads its tables
// once per block of streams.
unsigned sets_per_stream(unsigned sites);

// Numbers are below this limit.
inline constexpr std::uint64_t max_set_number = std::uint64_t{1} << 48;

class NumberedSets {
public:
    // `axes` has the sets per stream (`length`). Streams are first_stream, first_stream + 1, ...
    NumberedSets(bench::Variant const& variant, bench::Axes const& axes, std::uint64_t seed,
                 std::uint64_t first_stream = 0);

    bench::Variant const& variant() const { return variant_; }
    Workload const& workload() const { return workload_; }
    // Words per plane: site s, in row-major order, is bit s % 32 of word s / 32.
    unsigned words_per_plane() const;
    unsigned words_per_set() const { return workload_.planes() * words_per_plane(); }

    // Sets in memory of the machine; null on a CPU, and for boards with padding within.
    DeviceSets* on_device() const { return device_.get(); }

    // Stores sets `first` to `first + count - 1` to `to`, plane by plane. Only rank 0 has and fills `to`; the others
    // pass an empty span. On a CPU, all cores draw. Collective.
    void draw(std::uint64_t first, std::uint64_t count, std::span<std::uint32_t> to) const;

private:
    void draw_here(std::uint64_t first, std::uint64_t count, std::uint32_t* to) const;
    void draw_streams(std::uint64_t first, std::uint64_t count, std::uint32_t* to) const;
    void pack(std::uint32_t const* set, std::uint32_t* to) const;

    bench::Variant const& variant_;
    bench::Axes axes_;
    Workload workload_;
    std::uint64_t seed_;
    std::uint64_t first_stream_;
    std::shared_ptr<DeviceSets> device_;
};

}  // namespace lockstep::random_grids
