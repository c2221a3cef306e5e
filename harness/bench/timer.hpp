#pragma once
// What a time is read from.

#include <string_view>

namespace lockstep::bench {

enum class Timer {
    steady_clock,  // the host's clock, from the call until the machine is idle
    events         // CUDA events around the work, both queued on the stopwatch's stream
};

std::string_view to_string(Timer timer);

}  // namespace lockstep::bench
