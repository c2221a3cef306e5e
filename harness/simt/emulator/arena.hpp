#pragma once
// A block's shared memory: bytes filled with a poison pattern, and a flag per byte that records whether a lane has
// written it.

#include "harness/simt/emulator/runtime.hpp"

namespace lockstep::simt::emulator {

class Arena {
public:
    explicit Arena(std::size_t bytes);
    ~Arena();
    Arena(Arena const&) = delete;
    Arena& operator=(Arena const&) = delete;

    SharedArena const& view() const { return view_; }

private:
    SharedArena view_;
    std::size_t mapped_bytes_ = 0;
};

}  // namespace lockstep::simt::emulator
