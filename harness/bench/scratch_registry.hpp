#pragma once
// The scratch and lock files of this process, which a signal handler can remove.

#include <string>

namespace lockstep::bench {

// During its lifetime, remove_scratch_files() removes this file.
class RegisteredScratch {
public:
    explicit RegisteredScratch(std::string const& path);
    ~RegisteredScratch();
    RegisteredScratch(RegisteredScratch const&) = delete;
    RegisteredScratch& operator=(RegisteredScratch const&) = delete;

private:
    int slot_ = -1;
};

// Async-signal-safe.
void remove_scratch_files();

}  // namespace lockstep::bench
