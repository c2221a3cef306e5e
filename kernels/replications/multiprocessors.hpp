#pragma once
// The multiprocessors for which schemes choose their sizes.

#include "harness/simt/devices.hpp"
#include "harness/simt/kernel.hpp"
#include "harness/simt/machine.hpp"
#include "kernels/replications/team_choice.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

// Those of the device in use. The emulator returns those of an H200, so that it chooses the same teams.
inline Multiprocessors multiprocessors() {
    Multiprocessors found(132);
    if constexpr (simt::LOCKSTEP_MACHINE::machine == simt::Machine::cuda) {
        simt::DeviceInfo const device = simt::current_device_info();
        if (device.multiprocessors != 0)
            found.count = static_cast<unsigned>(device.multiprocessors);
        if (device.max_blocks_per_multiprocessor != 0)
            found.blocks = static_cast<unsigned>(device.max_blocks_per_multiprocessor);
        if (device.shared_bytes_per_multiprocessor != 0)
            found.shared_bytes = device.shared_bytes_per_multiprocessor;
    }
    return found;
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
