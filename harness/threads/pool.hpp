#pragma once
// A fork-join pool, for CPU code that is timed: its threads exist before the clock starts, and each is pinned to one of
// the CPUs on which the process may run.
//
// Threads take the parts of a region from a shared counter. A thread that wakes up late delays nobody: others do its
// parts. After a region, threads spin for a fraction of a millisecond and then sleep, so an idle pool takes no CPU
// time.
//
// OpenMP does not suffice: its threads have stacks of one size, exceptions do not leave a region, only environment
// variables that are set before the program starts pin threads (including the calling one), and ThreadSanitizer does
// not know libgomp's barriers.

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace lockstep::threads {

// The CPUs on which this process may run, in ascending order; empty if the system does not tell.
std::vector<int> allowed_cpus();

// Their number, at least 1.
std::size_t allowed_cpu_count();

// Memory for the stack of a thread.
struct Stack {
    void* begin = nullptr;
    std::size_t bytes = 0;
};

// The caller of a region spins for this long for its end. Threads spin for longer for work: a started region may need
// the caller's CPU.
constexpr std::chrono::microseconds patience_for_end{50};

class Pool {
public:
    using Work = std::function<void(std::size_t part)>;

    // Pinned: thread i runs on the i-th allowed CPU after that of the creator, in a circle, so that a pool of fewer
    // threads than CPUs leaves the creator's CPU free. Free: the operating system places the threads. Choose it for
    // work that creates threads, because they inherit the CPU. The caller of start() then wakes only one thread, and
    // each thread two others: to wake a thread takes microseconds.
    enum class Placement { pinned, free };

    // `stacks`: one per thread, which must outlive the pool; empty: the system's default. The pool has fewer threads if
    // the system refuses some.
    explicit Pool(std::size_t threads, Placement placement = Placement::pinned, std::span<Stack const> stacks = {});
    // Waits for a region that was started.
    ~Pool();
    Pool(Pool const&) = delete;
    Pool& operator=(Pool const&) = delete;

    std::size_t threads() const { return seats_.size(); }
    // The number of parts that occupies all threads in run(), where the caller replaces one of them; at least 1.
    std::size_t width() const { return seats_.empty() ? 1 : seats_.size(); }

    // Wakes the threads. They then spin for a fraction of a millisecond, so that a region that starts in this time does
    // not include their wake-up. Call this right before a clock starts.
    void rouse();

    // Calls work(0) ... work(parts - 1) and waits until all calls have returned. Then rethrows the first exception, if
    // any. The caller takes part, and the thread that is pinned to the caller's CPU does not. The caller itself is not
    // pinned: all other CPUs are busy, so there is no reason to move it, and threads and processes that it creates do
    // not inherit a pin. If the pool is in use (by another thread, or by a region that calls this function), the caller
    // does all parts.
    void run(std::size_t parts, Work work);

    // The same in two steps, without the caller. If there are at most as many parts as threads, all parts can run at
    // the same time. Precondition of start(): the pool is not in use. It throws std::system_error if the pool has no
    // thread. Without start(), wait() returns at once.
    void start(std::size_t parts, Work work);
    void wait();
    // Spins for at most `time`, by default a short one. Returns true as soon as the region that was started has ended,
    // or `flag` is set. Does not spin on a single CPU, or if its only thread has the caller's CPU.
    bool ends_soon(std::chrono::microseconds time = patience_for_end, std::atomic<bool> const* flag = nullptr) const;

private:
    // A thread, on cache lines of its own.
    struct alignas(128) Seat {
        Pool* pool = nullptr;
        std::size_t index = 0;
        std::uint64_t called_for = 0;  // the last region for which it has called others
        int cpu = -1;                  // -1: not pinned
        pthread_t thread{};
        std::atomic<std::uint32_t> calls{0};
    };

    static void* thread_main(void* seat);
    static bool create_thread(Seat& seat, Stack const* stack);
    static void call(Seat& seat);
    void call_threads(std::size_t wanted, bool including_this_cpu);
    void call_next(Seat& seat);
    void open(std::size_t parts, Work work, std::size_t relayed);
    void take_parts(Seat* seat);
    void perform(std::size_t part);

    std::vector<std::unique_ptr<Seat>> seats_;
    Placement const placement_;
    // Of the open region: threads that call one another, from the first on.
    std::atomic<std::size_t> relayed_{0};
    std::atomic<std::uint64_t> regions_{0};
    std::atomic<bool> stopping_{false};
    std::atomic<bool> in_use_{false};
    // Of the open region: the next part in the upper half, the number of parts in the lower half.
    std::atomic<std::uint64_t> next_and_parts_{0};
    std::atomic<std::uint32_t> unfinished_{0};
    Work work_;
    std::atomic<bool> failed_{false};
    std::exception_ptr error_;
};

// The pool of the program, with one pinned thread per allowed CPU.
Pool& shared_pool();

}  // namespace lockstep::threads
