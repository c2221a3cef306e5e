// What happens before what in a weak memory (weak_memory.hpp): releases and acquires, fences, barriers.

#include <algorithm>
#include <utility>

#include "harness/simt/hooks/weak_memory.hpp"

namespace lockstep::simt::hooks {

Strength Strength::of(int order, Scope scope) {
    bool const sequential = order == __ATOMIC_SEQ_CST;
    return {true, order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE, order >= __ATOMIC_RELEASE, sequential, scope};
}

bool WeakMemory::happens_before(StoredBy const& earlier, WeakBlock const& block, unsigned lane) {
    LaneClock const& mine = block.clock.lanes[lane];
    if (earlier.block == block.clock.rank &&
        (earlier.lane == lane || earlier.time < block.clock.last_barrier ||
         (earlier.lane / 32 == lane / 32 && earlier.time < mine.warp[earlier.lane % 32]))) {
        return true;
    }
    return mine.known != nullptr && mine.known->covers(earlier.block, earlier.lane, earlier.time);
}

void WeakMemory::acquire(WeakBlock& block, unsigned lane, Store const& from, Strength strength) {
    if (!from.tells_something()) {
        return;
    }
    LaneClock& clock = block.clock.lanes[lane];
    Known in_block = from.by.block == block.clock.rank || from.has_inherited ? from.on_device : nullptr;
    for (Store::InBlock const& one : from.in_blocks) {
        if (one.block == block.clock.rank) {
            in_block = joined(in_block, one.known);
        }
    }
    if (strength.acquires && strength.scope >= Scope::device) {
        clock.known = joined(joined(clock.known, from.on_device), in_block);
    } else if (strength.acquires && strength.scope == Scope::block) {
        clock.known = joined(clock.known, in_block);
    }
    clock.pending = joined(clock.pending, from.on_device);
    block.pending_in_block[lane] = joined(block.pending_in_block[lane], in_block);
}

// With release order what the lane did before the store, otherwise what it did before its last fence.
void WeakMemory::release(WeakBlock& block, unsigned lane, Store& into, Strength strength) {
    LaneClock& clock = block.clock.lanes[lane];
    Time const now = strength.releases ? ++clock.time : 0;
    Time const on_device = std::max(clock.fenced, strength.scope >= Scope::device ? now : 0);
    Time const in_block = std::max(clock.fenced_in_block, strength.scope >= Scope::block ? now : 0);
    if (on_device != 0) {
        into.on_device =
            joined(into.on_device, std::make_shared<Knowledge const>(block.clock.released(lane, on_device)));
    }
    if (in_block > on_device) {
        add_in_block(into, block.clock.rank, std::make_shared<Knowledge const>(block.clock.released(lane, in_block)));
    }
}

void WeakMemory::fence(WeakBlock& block, unsigned lane, Strength strength) {
    settle();
    LaneClock& clock = block.clock.lanes[lane];
    bool const on_device = strength.scope >= Scope::device;
    if (strength.scope == Scope::lane) {
        return;
    }
    if (strength.acquires) {
        clock.known = joined(clock.known, std::exchange(block.pending_in_block[lane], nullptr));
        if (on_device) {
            clock.known = joined(clock.known, std::exchange(clock.pending, nullptr));
        }
    }
    if (strength.releases) {
        clock.fenced_in_block = ++clock.time;
        clock.fenced = on_device ? clock.time : clock.fenced;
    }
    if (strength.is_sequential) {
        clock.known = joined(clock.known, block.fences);
        clock.known = on_device ? joined(clock.known, fences_) : clock.known;
        auto const all = std::make_shared<Knowledge const>(block.clock.released(lane, clock.time));
        block.fences = joined(block.fences, all);
        fences_ = on_device ? joined(fences_, all) : fences_;
    }
}

void WeakMemory::barrier(WeakBlock& block) {
    settle();
    for (std::size_t lane = 0; lane < block.clock.lanes.size(); ++lane) {
        LaneClock& clock = block.clock.lanes[lane];
        clock.pending = joined(clock.pending, std::exchange(block.pending_in_block[lane], nullptr));
    }
    block.clock.barrier();
}

void WeakMemory::sync_warp(WeakBlock& block, unsigned warp, unsigned mask) {
    settle();
    for (unsigned i = 0; i < 32; ++i) {
        std::size_t const lane = std::size_t{32} * warp + i;
        if ((mask >> i & 1) != 0) {
            LaneClock& clock = block.clock.lanes[lane];
            clock.pending = joined(clock.pending, std::exchange(block.pending_in_block[lane], nullptr));
        }
    }
    block.clock.sync_warp(warp, mask);
}

}  // namespace lockstep::simt::hooks
