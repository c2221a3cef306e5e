#pragma once
// Ends the program if a lane's turn does not end: an endless loop, or a loop that waits for another lane without an
// atomic or __nanosleep, at which lanes take turns. The emulator cannot stop such a lane, so it names it and exits.
// Access checks see what a lane does, so that a lane that only computes ends the program sooner.

#include <atomic>
#include <cstdint>

namespace lockstep::simt::emulator {

struct Lane;

// The turns of lanes on one CPU thread. Written by that thread, read by the watchdog.
struct Turns {
    std::atomic<std::uint64_t> count{0};
    std::atomic<Lane const*> lane{nullptr};  // null between turns
    std::atomic<std::uint64_t> events{0};    // accesses and calls of this turn, with access checks

    void begin(Lane const& next) {
        lane.store(&next, std::memory_order_relaxed);
        events.store(0, std::memory_order_relaxed);
        count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    void end() { lane.store(nullptr, std::memory_order_release); }
    void note_event() { events.store(events.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
};

// Watches this CPU thread's turns while it exists. The watches form a list through their own links, because memory from
// the heap would be handed between CPU threads under a lock that ThreadSanitizer does not see (watchdog.cpp).
class Watch {
public:
    // Limits of a turn, and of the time in it without an event once there has been one.
    Watch(Turns const& watched, double limit_seconds, double silent_limit_seconds);
    ~Watch();
    Watch(Watch const&) = delete;
    Watch& operator=(Watch const&) = delete;

    Watch* next() const { return next_; }
    Turns const& turns() const { return *turns_; }
    void look();  // ends the program if the same turn has lasted for too many looks

private:
    Turns const* turns_;
    double limit_seconds_;
    double silent_limit_seconds_;
    std::uint64_t turn_ = 0;
    std::uint64_t events_ = 0;
    // Time counts in looks, so that a program that a debugger has stopped is not ended when it goes on.
    unsigned looks_ = 0;
    unsigned silent_looks_ = 0;
    Watch* next_ = nullptr;
    Watch* previous_ = nullptr;
};

// Whether a Watch of the calling thread exists, which is one that runs a launch. Async-signal-safe.
bool watches_this_thread();

// A lane whose turn on some CPU thread lasts for 20 ms or more, or null. Its thread goes on meanwhile, so that its
// turn, and the lane itself, may end: for a program that ends anyway.
Lane const* lane_of_long_turn();

// Called with the message before the program ends, in place of printing it.
void set_tell_endless(void (*tell)(char const* message));

}  // namespace lockstep::simt::emulator
