#include "harness/bench/scratch_registry.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>

namespace lockstep::bench {

namespace {

// A signal handler may neither allocate nor lock, so the names have fixed places. A process that writes more files at
// the same time leaves the others to the next run, which removes the scratch files of dead processes.
enum class SlotUse : int { free, changing, registered };
struct ScratchSlot {
    std::atomic<SlotUse> use = SlotUse::free;
    char path[PATH_MAX] = {};
};
std::array<ScratchSlot, 16> scratch_slots;
static_assert(std::atomic<SlotUse>::is_always_lock_free);

}  // namespace

RegisteredScratch::RegisteredScratch(std::string const& path) {
    if (path.size() >= PATH_MAX)
        return;
    for (std::size_t i = 0; i < scratch_slots.size(); ++i) {
        SlotUse expected = SlotUse::free;
        if (!scratch_slots[i].use.compare_exchange_strong(expected, SlotUse::changing))
            continue;
        std::memcpy(scratch_slots[i].path, path.c_str(), path.size() + 1);
        scratch_slots[i].use = SlotUse::registered;
        slot_ = static_cast<int>(i);
        return;
    }
}

RegisteredScratch::~RegisteredScratch() {
    if (slot_ >= 0)
        scratch_slots[static_cast<std::size_t>(slot_)].use = SlotUse::free;
}

void remove_scratch_files() {
    for (ScratchSlot const& slot : scratch_slots) {
        if (slot.use == SlotUse::registered)
            ::unlink(slot.path);
    }
}

}  // namespace lockstep::bench
