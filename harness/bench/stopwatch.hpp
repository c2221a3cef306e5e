#pragma once
// Measures time on a machine: CUDA events or a steady clock on the GPU, a steady clock on the CPU, no time in the
// emulator.

#include <functional>
#include <memory>

#include "harness/bench/timer.hpp"
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
    // last. With events, this is the device's time for what `work` queues on stream().
    virtual double seconds(std::function<void()> const& work, unsigned launches) = 0;
    // When a call of `work` has ended, by the host's clock.
    enum class End {
        idle,   // the machine has nothing left to do
        result  // the call returns with its result; what it still has to clean up is not timed
    };
    // The same by the host's steady clock: the sum over the calls of the time from the call to its end. For work that
    // the host drives: on streams of its own, or with a host part that no event sees.
    virtual double host_seconds(std::function<void()> const& work, unsigned launches, End end);
    // Returns the timer that reads `work` whole. `seconds_by_host` is what host_seconds() returns for one call. May
    // call `work` once.
    virtual Timer timer_for(std::function<void()> const& work, double seconds_by_host) {
        static_cast<void>(work);
        static_cast<void>(seconds_by_host);
        return Timer::steady_clock;
    }
};

// For Machine::emulator, the stopwatch synchronises and its seconds() throws std::logic_error, because emulator times
// have no meaning. Throws bench::Error for Machine::cuda in a build without CUDA.
std::unique_ptr<Stopwatch> make_stopwatch(simt::Machine machine);

// Defined in stopwatch.cuda.cu.
std::unique_ptr<Stopwatch> make_cuda_stopwatch();

}  // namespace lockstep::bench
