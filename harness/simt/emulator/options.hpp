#pragma once
// Emulator options: the order in which lanes take turns, and the number of CPU threads.

#include <cstdint>

namespace lockstep::simt::emulator {

// The order in which runnable lanes run. A fixed order hides missing synchronisation, so tests use several.
enum class LaneOrder { ascending, descending, random };

struct Options {
    LaneOrder order = LaneOrder::ascending;
    std::uint64_t seed = 0;          // for LaneOrder::random
    unsigned threads = 0;            // CPU threads that run blocks; 0: one per hardware thread
    double spin_limit_seconds = 60;  // error if all lanes of a block only sleep for this long
};

Options const& options();

// Sets the options for a scope. They apply to all launches of the program, so only one thread may use scopes at a time.
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
