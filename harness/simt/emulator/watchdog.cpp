#include "harness/simt/emulator/watchdog.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

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

std::atomic<void (*)(char const*)> tell_endless{nullptr};

thread_local constinit unsigned watches_of_thread = 0;

[[noreturn]] void end_program(Lane const& lane, std::string const& what, double seconds) {
    std::array<char, 32> limit{};
    std::snprintf(limit.data(), limit.size(), "%g", seconds);
    Index const& thread = lane.thread;
    std::string const text =
        "a lane has not " + what + " for " + limit.data() + " s (an endless loop, or a loop that " +
        "waits without an atomic or __nanosleep) thread (" + std::to_string(thread.x) + "," + std::to_string(thread.y) +
        "," + std::to_string(thread.z) + ") " + lane.block().location(lane);
    if (auto* const tell = tell_endless.load()) {
        tell(text.c_str());
    } else {
        std::fprintf(stderr, "lockstep: %s\n", text.c_str());
    }
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

void set_tell_endless(void (*tell)(char const* message)) { tell_endless.store(tell); }

bool watches_this_thread() { return watches_of_thread != 0; }

Lane const* lane_of_long_turn() {
    std::lock_guard const lock(watchdog.lock);  // so that the watches stay
    std::vector<std::uint64_t> before;
    for (Watch const* watch = watchdog.first; watch != nullptr; watch = watch->next()) {
        before.push_back(watch->turns().count.load(std::memory_order_acquire));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    auto turn = before.begin();
    for (Watch const* watch = watchdog.first; watch != nullptr; watch = watch->next(), ++turn) {
        Lane const* const lane = watch->turns().lane.load(std::memory_order_acquire);
        if (lane != nullptr && watch->turns().count.load(std::memory_order_acquire) == *turn) {
            return lane;
        }
    }
    return nullptr;
}

void Watch::look() {
    std::uint64_t const turn = turns_->count.load(std::memory_order_acquire);
    Lane const* const lane = turns_->lane.load(std::memory_order_acquire);
    std::uint64_t const events = turns_->events.load(std::memory_order_relaxed);
    if (turn != turn_ || lane == nullptr) {
        turn_ = turn;
        looks_ = 0;
        silent_looks_ = 0;
    } else if (++looks_ * seconds_per_look > limit_seconds_) {
        end_program(*lane, "ended its turn", limit_seconds_);
    } else if (events == 0 || events != events_) {
        silent_looks_ = 0;
    } else if (++silent_looks_ * seconds_per_look > silent_limit_seconds_) {
        end_program(*lane, "accessed memory or ended its turn", silent_limit_seconds_);
    }
    events_ = events;
}

Watch::Watch(Turns const& watched, double limit_seconds, double silent_limit_seconds)
    : turns_(&watched), limit_seconds_(limit_seconds), silent_limit_seconds_(silent_limit_seconds) {
    ++watches_of_thread;
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
    --watches_of_thread;
    std::lock_guard const lock(watchdog.lock);
    (previous_ == nullptr ? watchdog.first : previous_->next_) = next_;
    if (next_ != nullptr) {
        next_->previous_ = previous_;
    }
}

}  // namespace lockstep::simt::emulator
