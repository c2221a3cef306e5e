#include "harness/threads/pool.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/threads/spin.hpp"

namespace lockstep::threads {

namespace {

// A thread without work spins for this long before it sleeps: longer than it takes to wake all threads one by one.
constexpr std::chrono::microseconds patience_for_work{200};

constexpr std::uint64_t parts_mask = 0xffffffff;

// As in a region, an exception does not prevent the other calls.
void run_alone(std::size_t parts, Pool::Work const& work) {
    std::exception_ptr first;
    for (std::size_t part = 0; part < parts; ++part) {
        try {
            work(part);
        } catch (...) {
            if (first == nullptr)
                first = std::current_exception();
        }
    }
    if (first != nullptr)
        std::rethrow_exception(first);
}

}  // namespace

std::vector<int> allowed_cpus() {
    std::vector<int> cpus;
    cpu_set_t set;
    CPU_ZERO(&set);
    // Those of the main thread. The calling thread may be a pinned one.
    if (::sched_getaffinity(::getpid(), sizeof set, &set) != 0)
        return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set))
            cpus.push_back(cpu);
    }
    return cpus;
}

bool is_on_one_cpu() {
    static bool const alone = allowed_cpu_count() == 1;
    return alone;
}

std::size_t allowed_cpu_count() {
    std::size_t const count = allowed_cpus().size();
    return count != 0 ? count : std::max(1u, std::thread::hardware_concurrency());
}

Pool::Pool(std::size_t threads, Placement placement, std::span<Stack const> stacks) : placement_(placement) {
    is_on_one_cpu();
    std::vector<int> cpus = placement == Placement::pinned ? allowed_cpus() : std::vector<int>();
    auto const here = std::find(cpus.begin(), cpus.end(), ::sched_getcpu());
    if (here != cpus.end())
        std::rotate(cpus.begin(), here + 1, cpus.end());
    for (std::size_t i = 0; i < threads; ++i) {
        auto seat = std::make_unique<Seat>();
        seat->pool = this;
        seat->index = i;
        seat->cpu = cpus.empty() ? -1 : cpus[i % cpus.size()];
        if (!create_thread(*seat, stacks.empty() ? nullptr : &stacks[i]))
            break;
        seats_.push_back(std::move(seat));
    }
}

Pool::~Pool() {
    try {
        wait();
    } catch (...) {  // nobody waits for the region, so nobody handles its error
    }
    stopping_ = true;
    for (auto const& seat : seats_)
        call(*seat);
    for (auto const& seat : seats_)
        pthread_join(seat->thread, nullptr);
}

// std::thread can choose neither the stack nor the CPU.
bool Pool::create_thread(Seat& seat, Stack const* stack) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (stack != nullptr)
        pthread_attr_setstack(&attributes, stack->begin, stack->bytes);
    if (seat.cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(seat.cpu, &set);
        pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
    }
    bool const created = pthread_create(&seat.thread, &attributes, thread_main, &seat) == 0;
    pthread_attr_destroy(&attributes);
    return created;
}

void* Pool::thread_main(void* argument) {
    Seat& seat = *static_cast<Seat*>(argument);
    std::uint32_t answered = 0;
    for (;;) {
        auto const called = [&] { return seat.calls.load(std::memory_order_acquire) != answered; };
        if (!spin(patience_for_work, called))
            seat.calls.wait(answered, std::memory_order_acquire);
        answered = seat.calls.load(std::memory_order_acquire);
        if (seat.pool->stopping_.load())
            return nullptr;
        seat.pool->take_parts(&seat);
    }
}

void Pool::call(Seat& seat) {
    seat.calls.fetch_add(1);
    seat.calls.notify_one();  // a system call only if the thread sleeps
}

// Calls `wanted` threads, those on other CPUs first.
void Pool::call_threads(std::size_t wanted, bool including_this_cpu) {
    int const here = ::sched_getcpu();
    std::vector<std::unique_ptr<Seat>>::const_iterator seat = seats_.begin();
    for (; seat != seats_.end() && wanted > 0; ++seat) {
        if ((*seat)->cpu == here && here >= 0)
            continue;
        call(**seat);
        --wanted;
    }
    for (seat = seats_.begin(); including_this_cpu && seat != seats_.end() && wanted > 0; ++seat) {
        if ((*seat)->cpu != here || here < 0)
            continue;
        call(**seat);
        --wanted;
    }
}

// The calls of threads that are not pinned form a binary tree. A thread calls its next ones once it has a part of the
// region, also if it has not read its own call yet.
void Pool::call_next(Seat& seat) {
    std::uint64_t const region = regions_.load(std::memory_order_relaxed);
    if (std::exchange(seat.called_for, region) == region)
        return;
    std::size_t const end = std::min(2 * seat.index + 3, relayed_.load(std::memory_order_relaxed));
    for (std::size_t next = 2 * seat.index + 1; next < end; ++next)
        call(*seats_[next]);
}

void Pool::rouse() { call_threads(seats_.size(), false); }

void Pool::open(std::size_t parts, Work work, std::size_t relayed) {
    if (parts > parts_mask)
        throw std::length_error("more than 2^32 parts");
    work_ = std::move(work);
    relayed_.store(relayed, std::memory_order_relaxed);
    regions_.fetch_add(1, std::memory_order_relaxed);
    unfinished_.store(static_cast<std::uint32_t>(parts), std::memory_order_relaxed);
    next_and_parts_.store(parts, std::memory_order_release);
}

void Pool::run(std::size_t parts, Work work) {
    if (parts <= 1 || in_use_.exchange(true))
        return run_alone(parts, work);
    open(parts, std::move(work), 0);
    call_threads(parts - 1, false);
    take_parts(nullptr);
    wait();
}

void Pool::start(std::size_t parts, Work work) {
    if (seats_.empty())
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again), "no thread");
    if (in_use_.exchange(true))
        throw std::logic_error("this pool of threads is in use");
    bool const relays = placement_ == Placement::free;
    open(parts, std::move(work), relays ? std::min(parts, seats_.size()) : 0);
    if (relays)
        call(*seats_.front());
    else
        call_threads(parts, true);
}

bool Pool::ends_soon(std::chrono::microseconds const time, std::atomic<bool> const* const flag) const {
    // A single thread on this CPU could not run while the caller spins.
    if (seats_.size() == 1 && seats_.front()->cpu == ::sched_getcpu())
        return false;
    return spin(time, [this, flag] {
        return unfinished_.load(std::memory_order_acquire) == 0 || (flag != nullptr && flag->load());
    });
}

void Pool::wait() {
    if (!in_use_.load())
        return;
    if (!ends_soon()) {
        for (std::uint32_t left = unfinished_.load(std::memory_order_acquire); left != 0;
             left = unfinished_.load(std::memory_order_acquire))
            unfinished_.wait(left, std::memory_order_acquire);
    }
    work_ = nullptr;
    failed_ = false;
    std::exception_ptr const error = std::exchange(error_, nullptr);
    in_use_ = false;
    if (error != nullptr)
        std::rethrow_exception(error);
}

// A thread can be late and see a newer region than the one that it was called for. It takes parts of that one. `seat`:
// null for the caller of the region.
void Pool::take_parts(Seat* seat) {
    constexpr std::uint64_t one_part = parts_mask + 1;
    std::uint64_t seen = next_and_parts_.load(std::memory_order_acquire);
    while ((seen >> 32) < (seen & parts_mask)) {
        if (!next_and_parts_.compare_exchange_weak(seen, seen + one_part, std::memory_order_acq_rel,
                                                   std::memory_order_acquire))
            continue;
        if (seat != nullptr)
            call_next(*seat);
        perform(seen >> 32);
        seen = next_and_parts_.load(std::memory_order_acquire);
    }
}

// From the claim of a part to its end the region stays open, so `work_` does not change.
void Pool::perform(std::size_t part) {
    try {
        work_(part);
    } catch (...) {
        if (!failed_.exchange(true))
            error_ = std::current_exception();
    }
    if (unfinished_.fetch_sub(1) == 1)
        unfinished_.notify_all();
}

// Never destroyed: exit() may be called in a child of fork(), which does not have these threads and would wait for
// them.
Pool& shared_pool() {
    static Pool& pool = *new Pool(allowed_cpu_count());
    return pool;
}

}  // namespace lockstep::threads
