#pragma once
// How the emulator runs: in which order lanes take their turns, and on how many CPU threads.

#include <cstdint>

namespace lockstep::simt::emulator {

// Which runnable lane goes first. A fixed order hides missing synchronisation, so tests run several.
enum class LaneOrder { ascending, descending, random };

struct Options {
    LaneOrder order = LaneOrder::ascending;
    std::uint64_t seed = 0;          // of the random order
    unsigned threads = 0;            // CPU threads that run blocks; 0: as many as the machine has
    double spin_limit_seconds = 60;  // a block whose lanes only sleep this long is refused
};

Options const& options();

// Options of this scope. Launches of the whole program see them, so scopes are for one thread at a time.
class ScopedOptions {
public:
    explicit ScopedOptions(Options const& wanted);
    ~ScopedOptions();
    ScopedOptions(ScopedOptions const&) = delete;
    ScopedOptions& operator=(ScopedOptions const&) = delete;

private:
    Options before_;
};

}  // namespace lockstep::simt::emulator
