#pragma once
// Ends the program if a lane's turn does not end: an endless loop, or a loop that waits for another lane without an
// atomic or __nanosleep, at which lanes take turns. The emulator cannot stop such a lane, so it names it and exits.

#include <atomic>
#include <cstdint>

namespace lockstep::simt::emulator {

struct Lane;

// The turns of lanes on one CPU thread. Written by that thread, read by the watchdog.
struct Turns {
    std::atomic<std::uint64_t> count{0};
    std::atomic<Lane const*> lane{nullptr};  // null between turns

    void begin(Lane const& next) {
        lane.store(&next, std::memory_order_relaxed);
        count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    void end() { lane.store(nullptr, std::memory_order_release); }
};

// Watches this CPU thread's turns while it exists.
class Watch {
public:
    Watch(Turns const& turns, double limit_seconds);
    ~Watch();
    Watch(Watch const&) = delete;
    Watch& operator=(Watch const&) = delete;

private:
    Turns const* turns_;
};

}  // namespace lockstep::simt::emulator
