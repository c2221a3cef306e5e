#include "harness/simt/emulator/debug.hpp"

#include <cstddef>

#include "harness/simt/emulator/block.hpp"
#include "harness/simt/emulator/context_switch.hpp"

namespace lockstep::simt::emulator {

thread_local constinit DebugBlock* lockstep_debug_blocks = nullptr;

LiveBlock::LiveBlock(Block const& block, char const* name)
    : DebugBlock{lockstep_debug_blocks,
                 name,
                 block.lanes().data(),
                 block.lanes().front().warp,
                 {block.index().x, block.index().y, block.index().z},
                 static_cast<std::uint32_t>(block.lanes().size())} {
    if (next != nullptr) {
        static_cast<LiveBlock*>(next)->previous_ = this;
    }
    lockstep_debug_blocks = this;
}

LiveBlock::~LiveBlock() {
    (previous_ == nullptr ? lockstep_debug_blocks : previous_->next) = next;
    if (next != nullptr) {
        static_cast<LiveBlock*>(next)->previous_ = previous_;
    }
}

DebugLayout const lockstep_debug_layout = {
    .version = 1,
#if defined(LOCKSTEP_OWN_SWITCH)
    .own_switch = 1,
#else
    .own_switch = 0,
#endif
    .lane_size = sizeof(Lane),
    .lane_fiber = offsetof(Lane, fiber),
    .lane_site = offsetof(Lane, site),
    .lane_mask = offsetof(Lane, mask),
    .warp_size = sizeof(Warp),
    .warp_exited = offsetof(Warp, exited),
    .warp_with_fiber = offsetof(Warp, with_fiber),
    .warp_at_collective = offsetof(Warp, at_collective),
    .warp_at_barrier = offsetof(Warp, at_barrier),
    .site_is_pointer = sizeof(std::source_location) == sizeof(void*),
};

}  // namespace lockstep::simt::emulator
