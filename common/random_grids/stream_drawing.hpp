#pragma once
// What a case of a kernel that stores its sets can do besides its run: draw any streams into memory of the caller's.

#include <cstdint>

#include "harness/bench/digest.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::random_grids {

class StreamDrawing {
public:
    virtual ~StreamDrawing() = default;
    virtual bench::WordLayout layout_of(std::uint64_t streams) const = 0;
    // Queues the drawing of streams first to first + streams - 1, at least one, to memory of the machine in that
    // layout.
    virtual void draw_streams(std::uint64_t first, std::uint64_t streams, unsigned* words,
                              simt::Stream stream) const = 0;

    // Whether draw_packed() works.
    virtual bool packs() const = 0;
    // The same, but each stream's sets lie one after the other. `first` is a multiple of 32.
    virtual void draw_packed(std::uint64_t first, std::uint64_t streams, unsigned* words,
                             simt::Stream stream) const = 0;
};

}  // namespace lockstep::random_grids
