#include "harness/simt/emulator/watchdog.hpp"

#include <algorithm>
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

// Time counts in looks, so that a program that a debugger has stopped is not ended when it goes on.
struct Watched {
    Turns const* turns;
    double limit_seconds;
    std::uint64_t turn = 0;
    unsigned looks = 0;
};

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
    std::vector<Watched> watched;
    bool started = false;
};

// Never destroyed: its thread runs until the program ends.
Watchdog& watchdog = *new Watchdog;

[[noreturn]] void end_program(Lane const& lane, double seconds) {
    std::string const text = "a lane has not ended its turn for " + std::to_string(static_cast<int>(seconds)) +
                             " s (an endless loop, or a loop that waits without an atomic or __nanosleep) " +
                             lane.block->location(lane);
    std::fprintf(stderr, "lockstep: %s\n", text.c_str());
    std::_Exit(1);
}

void look(Watched& watched) {
    std::uint64_t const turn = watched.turns->count.load(std::memory_order_acquire);
    Lane const* const lane = watched.turns->lane.load(std::memory_order_acquire);
    if (turn != watched.turn || lane == nullptr) {
        watched.turn = turn;
        watched.looks = 0;
    } else if (++watched.looks * seconds_per_look > watched.limit_seconds) {
        end_program(*lane, watched.limit_seconds);
    }
}

void keep_looking() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds_per_look));
        std::lock_guard const lock(watchdog.lock);
        for (Watched& watched : watchdog.watched) {
            look(watched);
        }
    }
}

}  // namespace

Watch::Watch(Turns const& turns, double limit_seconds) : turns_(&turns) {
    std::lock_guard const lock(watchdog.lock);
    watchdog.watched.push_back({turns_, limit_seconds});
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
    std::erase_if(watchdog.watched, [&](Watched const& watched) { return watched.turns == turns_; });
}

}  // namespace lockstep::simt::emulator
