// The functions that the kernel-side headers call, on the fiber of the calling lane.

#include "harness/simt/emulator/runtime.hpp"

#include <string>

#include "harness/simt/emulator/block.hpp"

namespace lockstep::simt::emulator {

std::uint64_t warp_collective(Collective kind, unsigned mask, std::uint64_t value, unsigned argument, unsigned width,
                              std::source_location site) {
    Lane& lane = running_lane();
    lane.collective = kind;
    lane.mask = mask;
    lane.value = value;
    lane.argument = argument;
    lane.site = site;
    return lane.block().collective(lane, width);
}

int block_barrier(Barrier kind, int predicate, std::source_location site) {
    Lane& lane = running_lane();
    lane.value = predicate != 0;
    lane.site = site;
    return lane.block().barrier(lane, kind);
}

unsigned gathered_lanes(std::source_location site) {
    Lane& lane = running_lane();
    return lane.block().gather(lane, site);
}

namespace {
thread_local constinit Scope scope_of_accesses = Scope::device;
thread_local constinit WordUpdate update_of_accesses = WordUpdate::atomic;
}  // namespace

void tell_scope(Scope scope, WordUpdate update) {
    scope_of_accesses = scope;
    update_of_accesses = update;
}
Scope told_scope() { return scope_of_accesses; }
WordUpdate told_update() { return update_of_accesses; }

bool on_lane() { return is_lane_running(); }

void yield_lane(bool asleep, bool idle) {
    Lane& lane = running_lane();
    lane.block().yield(lane, asleep ? Activity::sleeps : idle ? Activity::idles : Activity::works);
}

void refuse(char const* what, std::source_location site) {
    Lane& lane = running_lane();
    lane.block().refuse(lane, what, site);
}

void refuse(char const* what, char const* file, unsigned line) {
    Lane& lane = running_lane();
    lane.block().refuse(lane, what, file, line);
}

void refuse_index(std::size_t index, std::size_t size, std::source_location site) {
    std::string const what = "index outside a shared array (index " +
                             std::to_string(static_cast<std::ptrdiff_t>(index)) + " of an array of " +
                             std::to_string(size) + ")";
    refuse(what.c_str(), site);
}

SharedArena const& shared_arena() { return running_lane().block().arena(); }

}  // namespace lockstep::simt::emulator
