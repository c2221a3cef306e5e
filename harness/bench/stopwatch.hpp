#pragma once
// How time is taken on a machine: CUDA events on the GPU, a steady clock on the CPU, not at all in the emulator.

#include <functional>
#include <memory>

#include "harness/simt/machine.hpp"

namespace lockstep::bench {

class Stopwatch {
public:
    virtual ~Stopwatch() = default;
    // Where timed work is queued.
    virtual simt::Stream stream() const { return {}; }
    // Returns once everything that was queued on the machine is done. Throws what the work failed with.
    virtual void synchronize() {}
    // Evicts the last-level cache: the next run finds nothing of its data there.
    virtual void flush_cache() = 0;
    // Seconds that `launches` calls of `work` took together, from the first one's start to the last one's completion.
    virtual double seconds(std::function<void()> const& work, unsigned launches) = 0;
};

// For Machine::emulator the stopwatch synchronises, and its seconds() throws std::logic_error: an emulator's time means
// nothing. Throws bench::Error for Machine::cuda in a build without CUDA.
std::unique_ptr<Stopwatch> make_stopwatch(simt::Machine machine);

// In stopwatch.cuda.cu.
std::unique_ptr<Stopwatch> make_cuda_stopwatch();

}  // namespace lockstep::bench
