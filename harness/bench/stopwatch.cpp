#include "harness/bench/stopwatch.hpp"

#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "harness/bench/error.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::bench {

namespace {

using Clock = std::chrono::steady_clock;

double elapsed(Clock::time_point const start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Keeps the calling thread on its CPU, so that a move to another one does not disturb a time. Cases create no threads
// while they are timed, so nothing inherits this.
class PinnedCaller {
public:
    PinnedCaller() : known_(::sched_getaffinity(0, sizeof before_, &before_) == 0) {
        int const cpu = ::sched_getcpu();
        if (!known_ || cpu < 0 || cpu >= CPU_SETSIZE)
            return;
        cpu_set_t here;
        CPU_ZERO(&here);
        CPU_SET(static_cast<unsigned>(cpu), &here);
        ::sched_setaffinity(0, sizeof here, &here);
    }
    PinnedCaller(PinnedCaller const&) = delete;
    PinnedCaller& operator=(PinnedCaller const&) = delete;
    ~PinnedCaller() {
        if (known_)
            ::sched_setaffinity(0, sizeof before_, &before_);
    }

private:
    cpu_set_t before_{};
    bool known_;
};

class CpuStopwatch : public Stopwatch {
public:
    void flush_cache() override {
        if (sweep_.empty())
            sweep_.resize(2 * last_level_bytes() / sizeof(std::uint64_t), 1);
        for (std::uint64_t& word : sweep_)
            word = word * 3 + 1;
        // Keeps the compiler from removing the writes.
        asm volatile("" : : "r"(sweep_.data()) : "memory");
    }
    double seconds(std::function<void()> const& work, unsigned const launches) override {
        PinnedCaller const pinned;
        Clock::time_point const start = Clock::now();
        for (unsigned i = 0; i < launches; ++i)
            work();
        return elapsed(start);
    }
    double host_seconds(std::function<void()> const& work, unsigned const launches, End) override {
        return seconds(work, launches);
    }

private:
    static std::size_t last_level_bytes() {
        long const known = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
        return known > 0 ? static_cast<std::size_t>(known) : std::size_t{64} << 20;
    }
    std::vector<std::uint64_t> sweep_;
};

class NoStopwatch : public Stopwatch {
public:
    void flush_cache() override {}
    double seconds(std::function<void()> const&, unsigned) override { refuse(); }
    double host_seconds(std::function<void()> const&, unsigned, End) override { refuse(); }

private:
    [[noreturn]] static void refuse() { throw std::logic_error("the emulator verifies; its times have no meaning"); }
};

}  // namespace

std::string_view to_string(Timer const timer) { return timer == Timer::events ? "events" : "steady clock"; }

double Stopwatch::host_seconds(std::function<void()> const& work, unsigned const launches, End const end) {
    double sum = 0;
    for (unsigned i = 0; i < launches; ++i) {
        synchronize();
        Clock::time_point const start = Clock::now();
        work();
        if (end == End::idle)
            synchronize();
        sum += elapsed(start);
    }
    return sum;
}

std::unique_ptr<Stopwatch> make_stopwatch(simt::Machine const machine) {
    if (machine == simt::Machine::emulator)
        return std::make_unique<NoStopwatch>();
    if (machine == simt::Machine::cpu) {
        threads::shared_pool();  // before the caller is pinned: the pool uses the CPUs that its creator may use
        return std::make_unique<CpuStopwatch>();
    }
#if defined(LOCKSTEP_WITH_CUDA)
    return make_cuda_stopwatch();
#else
    throw Error("cannot time on cuda", "this build has no CUDA", "configure with LOCKSTEP_CUDA=ON");
#endif
}

}  // namespace lockstep::bench
