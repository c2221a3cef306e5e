#pragma once
// The groups of processes that work for this one in the background. An ending signal ends them too.

#include <sys/types.h>

namespace lockstep::bench {

// During its lifetime, end_background_groups() ends this group. Its leader must not be waited for in that time, so that
// the number means no other process.
class RegisteredGroup {
public:
    explicit RegisteredGroup(pid_t leader);
    ~RegisteredGroup();
    RegisteredGroup(RegisteredGroup const&) = delete;
    RegisteredGroup& operator=(RegisteredGroup const&) = delete;

private:
    int slot_ = -1;
};

// Sends SIGTERM to all registered groups. Async-signal-safe.
void end_background_groups();

}  // namespace lockstep::bench
