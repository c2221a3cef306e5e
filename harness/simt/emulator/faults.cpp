#include "harness/simt/emulator/faults.hpp"

#include "harness/simt/emulator/block.hpp"
#include "harness/simt/emulator/context_switch.hpp"
#include "harness/simt/emulator/sanitizers.hpp"

namespace lockstep::simt::emulator {

// Other lanes of the launch may fault at the same time, on other CPU threads. A message would need memory, and the lane
// may have been within malloc: whoever waits for the launch writes it.
void Launch::stop(Fault const& first) {
    if (!has_fault.exchange(true)) {
        fault = first;
    }
    stopped.store(true);
}

// The lane's fiber is lost: nothing can continue the lane, so nothing may run on its stack.
void Block::end_faulted(Lane& lane, Fault const& fault) {
    launch_.stop(fault);
    keep_lost(lane.has_fiber() ? *lane.fiber : *runner_);
    lane.warp->exited |= lane.bit();
    lane.warp->ready &= ~lane.bit();
    context_of(lane).switch_to(home_);
}

void end_faulted_lane(int signal, std::uintptr_t instruction) {
    if (!sanitizers::threads && current_lane != nullptr) {
        current_lane->block().end_faulted(*current_lane, {signal, instruction});
    }
}

}  // namespace lockstep::simt::emulator
