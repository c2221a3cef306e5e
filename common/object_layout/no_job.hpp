#pragma once
// The job of a lane without an object (Figure 4's empty slots). The paper's Algorithm 1 leaves such entries undefined.

namespace lockstep::object_layout {

inline constexpr unsigned no_job = 0xffffffffu;

}  // namespace lockstep::object_layout
