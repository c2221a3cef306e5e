#pragma once
// The number of multiprocessors for which schemes choose their sizes.

#include "harness/simt/devices.hpp"
#include "harness/simt/kernel.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

// Number of multiprocessors of this machine. The emulator returns that of an H200, so that it chooses the same teams.
inline unsigned multiprocessors() {
    if constexpr (simt::LOCKSTEP_MACHINE::machine == simt::Machine::cuda) {
        simt::DeviceList const list = simt::cuda_devices();
        if (!list.devices.empty())
            return static_cast<unsigned>(list.devices.front().multiprocessors);
    }
    return 132;
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
