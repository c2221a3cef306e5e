#pragma once
// Collects the events of trace(). At most one recording exists at a time; without one, trace() does nothing.

#include <string>
#include <vector>

namespace lockstep::simt::emulator {

inline constexpr long long no_index = -1;

struct TraceEvent {
    unsigned block = 0;
    unsigned warp = 0;
    unsigned lane = 0;
    unsigned step = 0;
    std::string label;
    long long index = no_index;

    friend bool operator==(TraceEvent const&, TraceEvent const&) = default;
};

// Records from its construction to its destruction.
class TraceRecording {
public:
    TraceRecording();
    ~TraceRecording();
    TraceRecording(TraceRecording const&) = delete;
    TraceRecording& operator=(TraceRecording const&) = delete;

    // Returns all events so far, sorted by block, warp and lane, and in program order within a lane. The result does
    // not depend on the lane order or the number of CPU threads.
    std::vector<TraceEvent> events() const;
};

// Kernel side.
void trace(unsigned step, char const* label, long long index = no_index);

}  // namespace lockstep::simt::emulator
