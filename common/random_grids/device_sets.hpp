#pragma once
// Sets by their number in the memory of the machine that draws them, set after set as draw.hpp lays them out.

#include <cstdint>
#include <memory>

#include "harness/bench/variant.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::random_grids {

// Not for two threads or two streams at the same time, because its scratch memory serves one drawing.
class DeviceSets {
public:
    virtual ~DeviceSets() = default;

    // Queues the drawing of sets first to first + count - 1 to memory of the machine.
    virtual void draw(std::uint64_t first, std::uint64_t count, std::uint32_t* to, simt::Stream stream) = 0;
    // Draws to memory of the host and waits. Copies while it draws if the memory is host_memory().
    virtual void draw_to_host(std::uint64_t first, std::uint64_t count, std::uint32_t* to) = 0;

    // Uninitialised memory.
    virtual std::shared_ptr<void> device_memory(std::size_t bytes) const = 0;
    virtual std::shared_ptr<void> host_memory(std::size_t bytes) const = 0;
    virtual void wait_for(simt::Stream stream) const = 0;
};

// What DeviceSets draws. Set n is set n % length of stream first_stream + n / length of the variant.
struct DeviceSetsRequest {
    bench::Variant const& variant;
    bench::Axes const& axes;
    std::uint64_t seed = 1;
    std::uint64_t first_stream = 0;
};

// For a variant of that machine whose boards have no padding within: their height is 1, or their width a multiple of
// 32. Throws bench::Error if the variant's kernel cannot draw so.
namespace emulator {
std::unique_ptr<DeviceSets> make_device_sets(DeviceSetsRequest const& request);
}
namespace cuda {
std::unique_ptr<DeviceSets> make_device_sets(DeviceSetsRequest const& request);
}

}  // namespace lockstep::random_grids
