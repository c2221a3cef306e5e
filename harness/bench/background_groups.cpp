#include "harness/bench/background_groups.hpp"

#include <signal.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>

namespace lockstep::bench {

namespace {

// A signal handler may neither allocate nor lock. A group without a slot ends by itself.
std::array<std::atomic<pid_t>, 64> leaders;
static_assert(std::atomic<pid_t>::is_always_lock_free);

}  // namespace

RegisteredGroup::RegisteredGroup(pid_t const leader) {
    for (std::size_t i = 0; i < leaders.size(); ++i) {
        pid_t expected = 0;
        if (!leaders[i].compare_exchange_strong(expected, leader))
            continue;
        slot_ = static_cast<int>(i);
        return;
    }
}

RegisteredGroup::~RegisteredGroup() {
    if (slot_ >= 0)
        leaders[static_cast<std::size_t>(slot_)] = 0;
}

void end_background_groups() {
    int const error = errno;
    for (std::atomic<pid_t> const& leader : leaders) {
        if (pid_t const group = leader; group > 0)
            ::kill(-group, SIGTERM);
    }
    errno = error;
}

}  // namespace lockstep::bench
