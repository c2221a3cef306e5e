#pragma once
// Measures time on a machine: CUDA events on the GPU, a steady clock on the CPU, no time in the emulator.

#include <functional>
#include <memory>

#include "harness/simt/machine.hpp"

namespace lockstep::bench {

class Stopwatch {
public:
    virtual ~Stopwatch() = default;
    // The stream for timed work.
    virtual simt::Stream stream() const { return {}; }
    // Blocks until all work queued on the machine is complete. Throws the error of the work, if any.
    virtual void synchronize() {}
    // Evicts the last-level cache, so that the next run finds none of its data there.
    virtual void flush_cache() = 0;
    // Returns the total seconds of `launches` calls of `work`, from the start of the first to the completion of the
    // last.
    virtual double seconds(std::function<void()> const& work, unsigned launches) = 0;
};

// For Machine::emulator, the stopwatch synchronises and its seconds() throws std::logic_error, because emulator times
// have no meaning. Throws bench::Error for Machine::cuda in a build without CUDA.
std::unique_ptr<Stopwatch> make_stopwatch(simt::Machine machine);

// Defined in stopwatch.cuda.cu.
std::unique_ptr<Stopwatch> make_cuda_stopwatch();

}  // namespace lockstep::bench
