#include "harness/simt/emulator/watchdog.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "harness/simt/emulator/block.hpp"

namespace lockstep::simt::emulator {
namespace {

constexpr double seconds_per_look = 0.25;

// ThreadSanitizer sees the operations of a std::mutex even in code that is not instrumented. It would take the end of
// one CPU thread's share of a launch for ordered before the beginning of another's, and miss races between their lanes.
class SpinLock {
public:
    void lock() {
        while (locked_.test_and_set(std::memory_order_acquire)) {
            std::this_thread::yield();
        }
    }
    void unlock() { locked_.clear(std::memory_order_release); }

private:
    std::atomic_flag locked_;
};

struct Watchdog {
    SpinLock lock;
    Watch* first = nullptr;
    bool started = false;
};

// Never destroyed: its thread runs until the program ends.
Watchdog& watchdog = *new Watchdog;

[[noreturn]] void end_program(Lane const& lane, double seconds) {
    std::string const text = "a lane has not ended its turn for " + std::to_string(static_cast<int>(seconds)) +
                             " s (an endless loop, or a loop that waits without an atomic or __nanosleep) " +
                             lane.block().location(lane);
    std::fprintf(stderr, "lockstep: %s\n", text.c_str());
    std::_Exit(1);
}

void keep_looking() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds_per_look));
        std::lock_guard const lock(watchdog.lock);
        for (Watch* watch = watchdog.first; watch != nullptr; watch = watch->next()) {
            watch->look();
        }
    }
}

}  // namespace

void Watch::look() {
    std::uint64_t const turn = turns_->count.load(std::memory_order_acquire);
    Lane const* const lane = turns_->lane.load(std::memory_order_acquire);
    if (turn != turn_ || lane == nullptr) {
        turn_ = turn;
        looks_ = 0;
    } else if (++looks_ * seconds_per_look > limit_seconds_) {
        end_program(*lane, limit_seconds_);
    }
}

Watch::Watch(Turns const& watched, double limit_seconds) : turns_(&watched), limit_seconds_(limit_seconds) {
    std::lock_guard const lock(watchdog.lock);
    next_ = watchdog.first;
    if (next_ != nullptr) {
        next_->previous_ = this;
    }
    watchdog.first = this;
    if (!watchdog.started) {
        try {
            std::thread(keep_looking).detach();
            watchdog.started = true;
        } catch (std::exception const&) {  // the system refuses threads: lanes are not watched
        }
    }
}

Watch::~Watch() {
    std::lock_guard const lock(watchdog.lock);
    (previous_ == nullptr ? watchdog.first : previous_->next_) = next_;
    if (next_ != nullptr) {
        next_->previous_ = previous_;
    }
}

}  // namespace lockstep::simt::emulator
